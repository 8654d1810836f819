import { compilePath } from '../../fhirpath/compile.ts';
import type { Node, Question } from '../../mapping/input.ts';
import type { Option } from '../../mapping/result.ts';
import type { Agree, AgreeSource, Aspect, Reading } from '../agree.ts';
import type { Facts } from '../facts.ts';
import { itemsAt, nodeOf } from '../subject.ts';
import type { Filler } from './filler.ts';

interface Stated {
  readonly source: AgreeSource;
  readonly reading: Reading;
  readonly node: Node;
}

/** One node a source that says something; a question for each aspect in which two of them differ in meaning. */
export function compileAgree(rule: Agree): Filler {
  const sources = rule.sources.map((source) => ({ source, path: compilePath(source.path) }));
  return (facts, role) => {
    const stated = sources.flatMap(({ source, path }) => readAll(source, path, facts));
    const nodes = stated.map(({ node }) => node);
    const looks =
      nodes.length > 0
        ? []
        : sources.map(({ path }) => ({ expression: path.expression, steps: path.trace([], facts.environment).steps }));
    return {
      root: nodes.length > 0 ? { nodes } : { nodes, looks },
      questions: Object.entries(rule.aspects).flatMap(([aspect, words]) =>
        questionsOn(role, aspect, words, { rule, stated }),
      ),
    };
  };
}

// The value was made of the element as a whole: what is inside it has no path of its own.
function readAll(source: AgreeSource, path: ReturnType<typeof compilePath>, facts: Facts): Stated[] {
  return itemsAt(path, [], facts).flatMap((item) => {
    const reading = source.read.call(item.value);
    if (reading === undefined) return [];
    const node: Node = { ...nodeOf(item), value: withoutUncertain(reading), whole: true };
    return [{ source, reading, node }];
  });
}

function withoutUncertain(reading: Reading): Readonly<Record<string, unknown>> {
  const hidden = new Set(['uncertain', ...(reading.uncertain ?? [])]);
  return Object.fromEntries(Object.entries(reading).filter(([key, value]) => value !== undefined && !hidden.has(key)));
}

interface Compared {
  readonly rule: Agree;
  readonly stated: readonly Stated[];
}

function questionsOn(role: string, aspect: string, words: Aspect, { rule, stated }: Compared): Question[] {
  const saying = stated.filter(({ reading }) => reading[aspect] !== undefined);
  const part = words.part ?? aspect;
  const base = { role, part, looks: [] } as const;
  const pair = firstPair(saying, (left, right) => certainty(rule, aspect, left, right) === 'differs');
  if (pair !== undefined) {
    const message = filledWords(words.differ, aspect, pair);
    return [
      {
        ...base,
        severity: 'blocks',
        reason: 'choice',
        message,
        options: optionsOf({ aspect, option: words.option ?? aspect }, rule, saying),
      },
    ];
  }
  if (words.uncertain !== undefined && saying.length > 0 && saying.every((one) => isUncertain(one, aspect))) {
    const options = optionsOf({ aspect, option: words.option ?? aspect }, rule, saying);
    return [{ ...base, severity: 'blocks', reason: 'choice', message: words.uncertain, options }];
  }
  const open = firstPair(saying, (left, right) => certainty(rule, aspect, left, right) === 'unknown');
  if (open === undefined || words.unknown === undefined) return [];
  return [{ ...base, severity: 'warns', reason: 'advice', message: filledWords(words.unknown, aspect, open) }];
}

function isUncertain({ reading }: Stated, aspect: string): boolean {
  return reading.uncertain?.includes(aspect) === true;
}

function certainty(rule: Agree, aspect: string, left: Stated, right: Stated): 'differs' | 'unknown' | undefined {
  return rule.compare.call(left.reading, right.reading).find((one) => one.aspect === aspect)?.certainty;
}

type Pair = readonly [Stated, Stated];

function firstPair(stated: readonly Stated[], holds: (left: Stated, right: Stated) => boolean): Pair | undefined {
  for (const [at, left] of stated.entries()) {
    const right = stated.slice(at + 1).find((one) => holds(left, one));
    if (right !== undefined) return [left, right];
  }
  return undefined;
}

function filledWords(text: string, aspect: string, [left, right]: Pair): string {
  return text
    .replace('{leftSource}', left.source.label)
    .replace('{rightSource}', right.source.label)
    .replace('{left}', () => String(left.reading[aspect]))
    .replace('{right}', () => String(right.reading[aspect]));
}

interface InQuestion {
  readonly aspect: string;
  readonly option: string;
}

/** Each reading that differs from those before it, with the words it came from. */
function optionsOf({ aspect, option }: InQuestion, rule: Agree, saying: readonly Stated[]): Option[] {
  const kept: Stated[] = [];
  for (const one of saying)
    if (!kept.some((other) => certainty(rule, aspect, other, one) !== 'differs')) kept.push(one);
  return kept.map(({ reading, source }) => {
    const value = String(reading[option] ?? reading[aspect]);
    return { value, label: value, reason: `${source.label}: ${reading.words}` };
  });
}
