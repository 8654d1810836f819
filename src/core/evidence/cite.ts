import type { Resource } from 'fhir/r4.js';
import type { Located } from '../fhir/references/graph.ts';
import type { Node } from '../mapping/input.ts';
import type { Source } from '../mapping/result.ts';

/** A value and the element that has it. */
export class Cited<T = unknown> {
  constructor(
    readonly value: T,
    readonly source: Source,
  ) {}
}

/** The content of a finding. A value that is not `Cited` has the whole finding as its source. */
export interface FindingFacts {
  readonly [member: string]: FindingFact;
}

export type FindingFact = Cited | FindingFacts | readonly FindingFact[] | string | number | boolean | undefined;

/** Cites an element by its path, or the whole resource without a path. */
export function cite<T>(located: Located<Resource>, value: T, path?: string): Cited<T> {
  const { resource, reference } = located;
  const version = resource.meta?.versionId;
  const place = path === undefined ? resource.resourceType : `${resource.resourceType}.${path}`;
  return new Cited(
    value,
    version === undefined ? { resource: reference, path: place } : { resource: reference, version, path: place },
  );
}

/**
 * Cites the first element with a value. `elements` maps paths to values, preferred paths first.
 * @example citeFirst(report, { effectiveDateTime, 'effectivePeriod.start': effectivePeriod?.start, issued })
 */
export function citeFirst<T>(
  located: Located<Resource>,
  elements: Readonly<Record<string, T | undefined>>,
): Cited<T> | undefined {
  for (const [path, value] of Object.entries(elements)) if (value !== undefined) return cite(located, value, path);
  return undefined;
}

/** A node for a mapping: plain values, and in `parts` the source of each. Members without a value are left out. */
export function nodeOf(facts: FindingFacts, whole: Located<Resource>): Node {
  const parts: Record<string, Source> = {};
  const value = plain(facts, '', parts);
  return { value, source: cite(whole, value).source, whole: true, parts };
}

function plain(fact: FindingFact, path: string, parts: Record<string, Source>): unknown {
  if (fact instanceof Cited) {
    parts[path] = fact.source;
    return fact.value;
  }
  if (isList(fact)) return fact.map((item, index) => plain(item, `${path}[${index}]`, parts));
  if (typeof fact !== 'object') return fact;
  const members = Object.entries(fact).filter(
    ([, inner]) => inner !== undefined && !(isList(inner) && inner.length === 0),
  );
  return Object.fromEntries(
    members.map(([name, inner]) => [name, plain(inner, path === '' ? name : `${path}.${name}`, parts)]),
  );
}

function isList(fact: FindingFact): fact is readonly FindingFact[] {
  return Array.isArray(fact);
}
