import { isObject } from '../../fhir/is-object.ts';
import { type CompiledPath, compilePath } from '../../fhirpath/compile.ts';
import type { Node, Question } from '../../mapping/input.ts';
import type { Option } from '../../mapping/result.ts';
import type { Agree, AgreeSource, Aspect, Disagreement, Reading } from '../agree.ts';
import type { Facts } from '../facts.ts';
import { FilledRoot } from '../filled.ts';
import { itemsAt, readNode } from '../subject.ts';
import type { Filler } from './filler.ts';
import { LooksAlong } from './looks-along.ts';

interface Stated {
  readonly source: AgreeSource;
  readonly reading: Reading;
  readonly node: Node;
}

/** One node for each reading of a source, and a question for each aspect in which two readings differ in meaning. */
export function compileAgree(rule: Agree): Filler {
  const sources = rule.sources.map((source) => ({ source, path: compilePath(source.path) }));
  const paths = sources.map(({ path }) => path);
  const aspects = Object.entries(rule.aspects);
  return (facts, role) => {
    const read: Stated[] = [];
    for (const { source, path } of sources) readAll(source, path, facts, read);
    const stated = rule.beside === undefined ? read : besideEachOther(read, rule.beside);
    if (stated.length === 0) return { root: new FilledRoot(none, new LooksAlong(paths, facts)) };
    return {
      root: { nodes: stated.map(({ node }) => node) },
      questions: isAlike(rule, stated) ? none : questionsOf(role, aspects, new Compared(rule, stated)),
    };
  };
}

function besideEachOther(stated: readonly Stated[], { call }: NonNullable<Agree['beside']>): readonly Stated[] {
  const readings = stated.map(({ reading }) => reading);
  const written = call(readings);
  if (written === readings) return stated;
  return stated.map((one, at) => {
    const reading = written[at] ?? one.reading;
    const { item } = one.node;
    return reading === one.reading || item === undefined ? one : { ...one, reading, node: readNode(item, reading) };
  });
}

const none: readonly never[] = [];

// The value is made from the element as a whole, so values inside it have no path of their own.
function readAll(source: AgreeSource, path: CompiledPath, facts: Facts, stated: Stated[]): void {
  for (const item of itemsAt(path, [], facts)) {
    const readings = source.read.call(item.value);
    if (readings.length === 0) continue;
    for (const reading of readings) stated.push({ source, reading, node: readNode(item, reading) });
  }
}

// Nearly always all readings agree, and no questions are needed.
function isAlike({ compare }: Agree, stated: readonly Stated[]): boolean {
  for (let at = 0; at < stated.length; at += 1)
    for (let other = at; other < stated.length; other += 1)
      // both indexes are within the list
      if (compare.call((stated[at] as Stated).reading, (stated[other] as Stated).reading).length > 0) return false;
  return true;
}

/** The readings of a role. Each pair is compared only once. */
class Compared {
  private readonly known = new Map<Stated, Map<Stated, readonly Disagreement[]>>();

  constructor(
    readonly rule: Agree,
    readonly stated: readonly Stated[],
  ) {}

  certainty(aspect: string, left: Stated, right: Stated): Disagreement['certainty'] | undefined {
    return this.differences(left, right).find((one) => one.aspect === aspect)?.certainty;
  }

  private differences(left: Stated, right: Stated): readonly Disagreement[] {
    const ofLeft = this.known.get(left) ?? new Map<Stated, readonly Disagreement[]>();
    const differences = ofLeft.get(right) ?? this.rule.compare.call(left.reading, right.reading);
    this.known.set(left, ofLeft.set(right, differences));
    return differences;
  }
}

function questionsOf(role: string, aspects: readonly [string, Aspect][], compared: Compared): Question[] {
  return aspects.flatMap(([aspect, words]) => questionsOn(role, aspect, words, compared));
}

function questionsOn(role: string, aspect: string, words: Aspect, compared: Compared): Question[] {
  const saying = compared.stated.filter(({ reading }) => reading[aspect] !== undefined);
  const question = { role, part: words.part ?? aspect, looks: [] } as const;
  const asked = askedWords(aspect, words, saying, compared);
  if (asked !== undefined) {
    const options =
      words.differ === undefined
        ? namesOf(words.option ?? aspect, compared.stated)
        : optionsOf({ aspect, option: words.option ?? aspect }, compared, saying);
    return [{ ...question, severity: 'blocks', reason: 'choice', message: asked, options }];
  }
  const own = saying.find(({ reading }) => reading[aspect] !== undefined);
  if (words.told !== undefined && own !== undefined)
    return [{ ...question, severity: 'warns', reason: 'advice', message: filledWords(words.told, aspect, [own, own]) }];
  if (words.unknown === undefined) return [];
  const open = firstPair(saying, (left, right) => compared.certainty(aspect, left, right) === 'unknown');
  if (open === undefined) return [];
  return [{ ...question, severity: 'warns', reason: 'advice', message: filledWords(words.unknown, aspect, open) }];
}

// The question about a source that contradicts itself, or else about two that contradict each other.
function askedWords(aspect: string, words: Aspect, saying: readonly Stated[], compared: Compared): string | undefined {
  const { unlessStated } = words;
  const isStated =
    unlessStated !== undefined && compared.stated.some(({ reading }) => reading[unlessStated] !== undefined);
  if (words.alone !== undefined && !isStated) {
    const alone = saying.find((one) => compared.certainty(aspect, one, one) === 'differs');
    if (alone !== undefined) return filledWords(words.alone, aspect, [alone, alone]);
  }
  if (words.differ === undefined) return undefined;
  const pair = firstPair(saying, (left, right) => compared.certainty(aspect, left, right) === 'differs');
  return pair === undefined ? undefined : filledWords(words.differ, aspect, pair);
}

type Pair = readonly [Stated, Stated];

function firstPair(stated: readonly Stated[], holds: (left: Stated, right: Stated) => boolean): Pair | undefined {
  for (const [at, left] of stated.entries())
    for (const right of stated.slice(at + 1)) if (holds(left, right)) return [left, right];
  return undefined;
}

function filledWords(text: string, aspect: string, [left, right]: Pair): string {
  return text
    .replace('{leftSource}', left.source.label)
    .replace(...rightSource(left, right))
    .replace('{words}', () => left.reading.words)
    .replace('{left}', () => String(left.reading[aspect]))
    .replace('{right}', () => String(right.reading[aspect]));
}

// For two sources of one kind: the RxNorm name, another RxNorm name. For a source that contradicts itself: the text,
// the same text.
function rightSource(left: Stated, right: Stated): readonly [string, string] {
  const { label } = right.source;
  if (left.source !== right.source) return ['{rightSource}', label];
  const isSamePlace = left.node.source?.path === right.node.source?.path;
  return ['the {rightSource}', `${isSamePlace ? 'the same' : 'another'} ${label}`];
}

interface InQuestion {
  readonly aspect: string;
  readonly option: string;
}

/**
 * The readings that differ from each other, each with the text of its source, because "Chewable" alone does not
 * identify a drug.
 */
function optionsOf({ aspect, option }: InQuestion, compared: Compared, saying: readonly Stated[]): Option[] {
  const kept: Stated[] = [];
  for (const one of saying)
    if (!kept.some((other) => compared.certainty(aspect, other, one) !== 'differs')) kept.push(one);
  return kept.flatMap(({ reading, source }) => {
    if (reading[option] === undefined) return [];
    const value = String(reading[option]);
    return [{ value, label: value, reason: `${source.label}: ${reading.words}` }];
  });
}

/** The values of this member in all sources, without duplicates. */
function namesOf(option: string, stated: readonly Stated[]): Option[] {
  const options = new Map<string, Option>();
  for (const { reading, source } of stated) {
    const value = reading[option];
    if (typeof value === 'string' && !options.has(value))
      options.set(value, { value, label: value, reason: `${source.label}: ${reading.words}` });
  }
  return [...options.values()];
}

/** Whether a value is a reading of an `agree` role. */
export function isAgreeReading(value: unknown): value is Reading {
  return isObject(value) && typeof value.words === 'string';
}
