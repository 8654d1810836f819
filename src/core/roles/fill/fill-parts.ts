import { isObject } from '../../fhir/is-object.ts';
import { isSamePart } from '../../fhir/same-content.ts';
import { meaningful } from '../../fhir/text/placeholder.ts';
import { type CompiledPath, compilePath } from '../../fhirpath/compile.ts';
import { EvaluationError } from '../../fhirpath/error.ts';
import { Item, ItemStep } from '../../fhirpath/item.ts';
import { truthOf } from '../../fhirpath/truth.ts';
import type { Node } from '../../mapping/input.ts';
import type { Look } from '../../mapping/result.ts';
import { compileUnless, compileWhy } from '../compile-unless.ts';
import type { Facts } from '../facts.ts';
import { FilledRoot } from '../filled.ts';
import { compileRanking } from '../rank.ts';
import { itemsAt, partOf, type Subject, subjectNode } from '../subject.ts';
import type { Every, First, Joined, Together } from '../words.ts';
import { judgeCandidates, refusalAlone } from './candidates.ts';
import { askedOf, type Filler } from './filler.ts';
import { LooksAlong } from './looks-along.ts';
import { compileAsks } from './pick.ts';

export function compileFirst(rule: First): Filler {
  const compiled = rule.paths.map((path) => compilePath(path));
  const asks = compileAsks(rule.asks);
  return (facts, role) => {
    for (const path of compiled) {
      const items = itemsAt(path, none, facts);
      const [item] = items;
      if (item !== undefined)
        return { root: { nodes: items.map(subjectNode) }, questions: askedOf(role, asks, partOf(item), facts) };
    }
    return { root: new FilledRoot(none, new LooksAlong(compiled, facts)) };
  };
}

export function compileEvery(rule: Every): Filler {
  const paths = rule.paths.map((path) => compilePath(path));
  const unless = compileUnless(rule.unless);
  const ranking = compileRanking(rule.prefer);
  const lastly = compileRanking(rule.lastly);
  const rules = { unless, whyOf: compileWhy(rule.unless), ranking };
  return (facts) => {
    const found: Subject[] = [];
    for (const path of paths) {
      const items = itemsAt(path, none, facts);
      const [only] = items;
      if (only === undefined) continue;
      if (items.length === 1) {
        const subject = partOf(only);
        if (refusalAlone(subject, rules, facts) === undefined) found.push(subject);
      } else
        for (const { candidate } of judgeCandidates(items.map(partOf), rules, facts).fitting) found.push(candidate);
    }
    if (found.length === 0) return { root: new FilledRoot(none, new LooksAlong(paths, facts)) };
    const ordered = rule.lastly.length === 0 ? found : lastly.sort(found, facts).map(({ candidate }) => candidate);
    if (!rule.distinct) return { root: { nodes: ordered.map(({ item }) => subjectNode(item)) } };
    return { root: { nodes: distinctParts(ordered.map(({ item }) => item)).map(subjectNode) } };
  };
}

const none: readonly never[] = [];

// An EHR may repeat an entry with another id or sequence. A difference in any other element makes another part.
function distinctParts(items: readonly Item[]): Item[] {
  if (items.length < 2) return [...items];
  return items.filter(({ value }, at) => items.findIndex((one) => isSamePart(one.value, value)) === at);
}

export function compileTogether(rule: Together): Filler {
  const paths = rule.paths.map((path) => compilePath(path));
  const needs = compilePath(rule.needs);
  const asks = compileAsks(rule.asks);
  return (facts, role) => {
    const elements = paths.flatMap((path) => itemsAt(path, none, facts));
    const item = elements.find((one) => meets(needs, one, facts)) ?? elements[0];
    if (item !== undefined)
      return { root: { nodes: [subjectNode(item)] }, questions: askedOf(role, asks, partOf(item), facts) };
    return { root: new FilledRoot(none, new LooksAlong(paths, facts)) };
  };
}

function meets(needs: CompiledPath, item: Item, facts: Facts): boolean {
  try {
    return truthOf(needs.run([item], facts.environment)) === true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

export function compileJoined(rule: Joined): Filler {
  const path = compilePath(rule.path);
  const asks = compileAsks(rule.asks);
  return (facts, role) => {
    const items = itemsAt(path, none, facts);
    const parts = items.map((item) => textOf(item, rule.elements));
    const silent = parts.filter((part) => part === undefined).length;
    if (silent > 0 || items.length === 0)
      return { root: new FilledRoot([], { looks: () => [silenceOf(rule, items.length, silent)] }) };
    const [only, ...more] = items;
    const [part] = parts;
    const questions = only === undefined ? [] : askedOf(role, asks, partOf(only), facts);
    if (only !== undefined && part !== undefined && more.length === 0)
      return { root: { nodes: [subjectNode(new Item(part.text, new ItemStep(part.element), only))] }, questions };
    return {
      root: joinedRoot(
        items,
        parts.flatMap((one) => one ?? []),
      ),
      questions,
    };
  };
}

function silenceOf(rule: Joined, count: number, silent: number): Look {
  const steps = [
    { step: rule.path, items: count },
    { step: `${rule.elements.join(' or ')}, no placeholder`, items: count - silent },
  ];
  const look = { expression: rule.path, steps };
  return silent === count
    ? look
    : { ...look, refused: [{ why: 'nothing_to_say', words: 'one of the instructions has no text' }] };
}

interface Part {
  readonly element: string;
  readonly text: string;
}

function textOf({ value }: Item, elements: readonly string[]): Part | undefined {
  for (const element of elements) {
    const text = isObject(value) ? meaningful(value[element]) : undefined;
    if (text !== undefined) return { element, text };
  }
  return undefined;
}

function joinedRoot(items: readonly Item[], parts: readonly Part[]): ReturnType<Filler>['root'] {
  const texts = [...new Set(parts.map(({ text }) => text))];
  const value = texts.reduce((whole, next) => `${whole}${/[.;!]$/.test(whole) ? '' : ';'} ${next}`);
  const [element, ...others] = new Set(parts.map((part) => part.element));
  const [first] = items;
  const all = first === undefined ? {} : withoutIndex(subjectNode(first));
  const node = element === undefined || others.length > 0 ? all : below(all, element);
  return {
    nodes: [{ ...node, value }],
    note: `${items.length} instructions, in the order of their sequence`,
  };
}

function below({ source }: Pick<Node, 'source'>, element: string): Pick<Node, 'source'> {
  return source === undefined ? {} : { source: { ...source, path: `${source.path}.${element}` } };
}

function withoutIndex({ source }: Pick<Node, 'source'>): Pick<Node, 'source'> {
  return source === undefined ? {} : { source: { ...source, path: source.path.replace(/\[\d+\]$/, '') } };
}
