import type { Coding, Dosage, FhirResource, Period } from 'fhir/r4.js';
import { besideDose, besideDrug, besideText, type Contradiction } from '../drug/dosage/directions.ts';
import { strengthOfOne } from '../drug/strength-of-one.ts';
import { isObject } from '../fhir/is-object.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { dateOrText } from '../fhir/time/day-text.ts';
import { isUndated, standing } from '../fhir/time/standing.ts';
import { type CompiledPath, compilePath } from '../fhirpath/compile.ts';
import type { Items } from '../fhirpath/environment.ts';
import { EvaluationError } from '../fhirpath/error.ts';
import type { Item } from '../fhirpath/item.ts';
import { compilePredicate, compileSearch } from '../fhirpath/predicate.ts';
import { truthOf } from '../fhirpath/truth.ts';
import type { Clause, Test } from './clauses.ts';
import { drugReadings } from './drug-of.ts';
import type { Facts } from './facts.ts';
import { compileReferences, compileThroughReference } from './reference-search.ts';
import { holderOf, itemsAt, type Subject, textAt } from './subject.ts';

export type Holds = (subject: Subject, facts: Facts) => boolean;

export interface CompiledClause {
  readonly holds: Holds;
  readonly words: (subject: Subject, facts: Facts) => string;
  readonly clause: Clause;
  /**
   * For a clause that compares directions: what the directions and the other part of the order say, so that a question
   * can show both.
   */
  readonly contradiction: ((facts: Facts) => Contradiction | undefined) | undefined;
}

/** Throws PathError for an invalid expression. */
export function compileClause(clause: Clause): CompiledClause {
  const contradiction = compileContradiction(clause.test);
  const holds: Holds =
    contradiction === undefined ? compileTest(clause.test) : (_, facts) => contradiction(facts) !== undefined;
  return { clause, holds, words: compileWords(clause.text), contradiction };
}

export function pathsOfTest(test: Test): string[] {
  switch (test.kind) {
    case 'path':
      return [test.expression];
    case 'blank':
      return [...test.paths];
    case 'any':
    case 'all':
      return test.tests.flatMap(pathsOfTest);
    case 'not':
      return pathsOfTest(test.test);
    case 'same':
      return test.path === undefined ? [] : [test.path];
    case 'labelled':
    case 'sensitive':
    case 'namedDraft':
    case 'unreadModifier':
    case 'twoDirections':
    case 'otherDose':
    case 'otherDrug':
    case 'named':
      return [];
    default:
      return [test.path];
  }
}

/** The elements whose presence or dates can rule a candidate out by these clauses. */
export function elementsOfClauses(clauses: readonly Clause[]): string[] {
  const tests = clauses.flatMap(({ test }) => timesIn(test));
  return [...new Set(tests.flatMap((path) => /^[a-z]\w*/.exec(path)?.[0] ?? []))];
}

function timesIn(test: Test): readonly string[] {
  if (test.kind === 'any' || test.kind === 'all') return test.tests.flatMap(timesIn);
  if (test.kind === 'not') return timesIn(test.test);
  return test.kind === 'path' || test.kind === 'period' ? pathsOfTest(test) : [];
}

/** The paths of a test that do not start at the candidate. */
export function elsewhereOf(test: Test): string[] {
  if (test.kind === 'same') return [test.as];
  if (test.kind === 'twoDirections') return [test.at];
  if (test.kind === 'otherDose' || test.kind === 'otherDrug') return [test.at, test.drug];
  if (test.kind === 'any' || test.kind === 'all') return test.tests.flatMap(elsewhereOf);
  return test.kind === 'not' ? elsewhereOf(test.test) : [];
}

const compilers: { readonly [Kind in Test['kind']]: (test: Extract<Test, { kind: Kind }>) => Holds } = {
  path: ({ expression }) => {
    const path = compilePath(expression);
    const holds = compilePredicate(path.tree);
    if (holds === undefined) return ({ item }, facts) => isTrue(path, item, facts);
    return ({ item }, facts) => (isObject(item.value) ? holds(item.value) === true : isTrue(path, item, facts));
  },
  oneOf: ({ path, values }) => {
    const finds = compileFinds(path, (value) => values.some((one) => one === value));
    return ({ item }, facts) => !finds(item, facts);
  },
  coded: compileLooking,
  says: compileLooking,
  period: compileLooking,
  blank: ({ paths }) => {
    const all = paths.map((path) => compileFinds(path, (value) => meaningful(value) !== undefined));
    return ({ item }, facts) => {
      for (const finds of all) if (finds(item, facts)) return false;
      return true;
    };
  },
  pointsAt: ({ path, types, all }) => {
    const at = compilePath(path);
    const isNamed = (reference: unknown, holder: ReturnType<typeof holderOf>, facts: Facts) => {
      const type = typeOfTarget(reference, holder, facts);
      return type !== undefined && types.includes(type);
    };
    const some = compileReferences(at.tree, () => true);
    const deciding = compileReferences(at.tree, (one, { holder, facts }) => isNamed(one, holder, facts) !== all);
    return ({ item }, facts) => {
      const isDecided = deciding?.(item, facts);
      if (isDecided !== undefined) return all ? !isDecided && some?.(item, facts) === true : isDecided;
      const found = itemsAt(at, [item], facts);
      const named = found.map(({ value }) => isNamed(value, holderOf(item, facts), facts));
      return found.length > 0 && (all ? named.every(Boolean) : named.some(Boolean));
    };
  },
  same: ({ path, as }) => {
    const [own, other] = [path === undefined ? undefined : compilePath(path), compilePath(as)];
    return (subject, facts) => {
      const names = own === undefined ? [subject.reference] : targetsAt(own, [subject.item], facts);
      const wanted = targetsAt(other, [], facts);
      return names.some((name) => wanted.includes(name));
    };
  },
  labelled: () => (subject, facts) => {
    const holder = holderOf(subject.item, facts);
    return holder !== undefined && facts.isSensitive(holder.resource as FhirResource);
  },
  sensitive: () => (subject, facts) => {
    const holder = holderOf(subject.item, facts);
    return holder !== undefined && facts.tellsSensitive(holder.resource as FhirResource);
  },
  namedDraft:
    () =>
    ({ item, reference }, { request }) =>
      isObject(item.value) && item.value.status === 'draft' && request.drafts?.has(reference) === true,
  unreadModifier:
    () =>
    ({ reference }, { graph }) =>
      graph.shapeOf(reference)?.misshapen.some(({ effect }) => effect === 'ask') === true,
  twoDirections: comparing,
  otherDose: comparing,
  otherDrug: comparing,
  refusedBy: ({ path, transform }) => {
    const finds = compileFinds(path, (value) => 'value' in transform.apply(value));
    return ({ item }, facts) => !finds(item, facts);
  },
  any: ({ tests }) => {
    const all = tests.map(compileTest);
    return (subject, facts) => {
      for (const holds of all) if (holds(subject, facts)) return true;
      return false;
    };
  },
  all: ({ tests }) => {
    const all = tests.map(compileTest);
    return (subject, facts) => {
      for (const holds of all) if (!holds(subject, facts)) return false;
      return true;
    };
  },
  not: ({ test }) => {
    const holds = compileTest(test);
    return (subject, facts) => !holds(subject, facts);
  },
  named:
    ({ holds }) =>
    ({ item }, facts) =>
      holds(item.value, facts),
};

/** A test of single values. It holds if it holds for any value at the path. */
export interface ValueTest {
  readonly path: string;
  readonly holds: (value: unknown, facts: Facts) => boolean;
}

/** Undefined for a test that cannot be run on each value alone. */
export function compileValueTest(test: Test): ValueTest | undefined {
  if (test.kind === 'says') return { path: test.path, holds: (value) => someText(value, test.pattern) };
  if (test.kind === 'coded') {
    const isWanted = hasOne(new Set(test.codes.map((code) => code.toLowerCase())));
    return { path: test.path, holds: (value) => someCoding(value, isWanted) };
  }
  if (test.kind !== 'period') return undefined;
  const { path, lies } = test;
  if (lies === 'undated') return { path, holds: (value) => isUndated(asPeriod(value)) };
  return { path, holds: (value, { today }) => standing(asPeriod(value), today) === lies };
}

function compileLooking(test: Test): Holds {
  const look = compileValueTest(test);
  const finds = look && compileFinds(look.path, look.holds);
  return ({ item }, facts) => finds?.(item, facts) === true;
}

function comparing(test: Test): Holds {
  const contradiction = compileContradiction(test);
  return (_, facts) => contradiction?.(facts) !== undefined;
}

/** Returns the contradiction that a test of directions finds. Undefined for any other test. */
function compileContradiction(test: Test): CompiledClause['contradiction'] {
  if (test.kind !== 'twoDirections' && test.kind !== 'otherDose' && test.kind !== 'otherDrug') return undefined;
  const path = compilePath(test.at);
  // the path finds MedicationRequest.dosageInstruction (R4), whose shape was checked
  const dosages = (facts: Facts) => itemsAt(path, [], facts).map(({ value }) => value as Dosage);
  if (test.kind === 'twoDirections') return (facts) => besideText(dosages(facts));
  const drug = compilePath(test.drug);
  const readings = (facts: Facts) => itemsAt(drug, [], facts).flatMap(drugReadings);
  if (test.kind === 'otherDose') return (facts) => besideDose(dosages(facts), () => strengthOfOne(readings(facts)));
  return (facts) => besideDrug(dosages(facts), () => readings(facts), test.knowledge);
}

export function compileTest(test: Test): Holds {
  const compile = compilers[test.kind] as (test: Test) => Holds; // the table has one entry for each kind
  return compile(test);
}

type Finds = (item: Item, facts: Facts) => boolean;

// Nearly every clause reads plain elements and runs for every candidate, so it runs without creating items.
function compileFinds(expression: string, holds: (value: unknown, facts: Facts) => boolean): Finds {
  const path = compilePath(expression);
  const search = compileSearch(path.tree, holds);
  const byItems: Finds = (item, facts) => {
    for (const { value } of itemsAt(path, [item], facts)) if (holds(value, facts)) return true;
    return false;
  };
  if (search === undefined) {
    const beyond = compileThroughReference(path.tree, holds);
    return beyond === undefined ? byItems : (item, facts) => beyond(item, facts) ?? byItems(item, facts);
  }
  return (item, facts) => (isObject(item.value) ? search(item.value, facts) : undefined) ?? byItems(item, facts);
}

/** Reads the first value that a path finds from a candidate. */
export function compileFirstValue(expression: string): (subject: Subject, facts: Facts) => unknown {
  let first: unknown;
  const finds = compileFinds(expression, (value) => {
    first = value;
    return true;
  });
  return ({ item }, facts) => {
    finds(item, facts);
    const found = first;
    first = undefined;
    return found;
  };
}

function isTrue(path: CompiledPath, item: Subject['item'], facts: Facts): boolean {
  try {
    return truthOf(path.run([item], facts.environment)) === true;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

/**
 * The text of a clause for one candidate. `{status}` is a value of the candidate, `{status|missing}` has words for a
 * missing value, and `{reference}` is the candidate's reference. `{said}` stays, because a question fills it.
 */
export function compileWords(text: string): CompiledClause['words'] {
  const parts = text.split(/[{}]/);
  if (parts.length === 1) return () => text;
  const compiled = parts.map((part, index) => (index % 2 === 0 ? part : compileSlot(part)));
  return (subject, facts) => compiled.map((part) => (typeof part === 'string' ? part : part(subject, facts))).join('');
}

function compileSlot(slot: string): CompiledClause['words'] {
  const [expression = '', otherwise = ''] = slot.split('|');
  if (expression === 'said') return () => '{said}';
  if (expression === 'reference') return ({ reference }) => reference.split('#')[0] ?? reference;
  const path = compilePath(expression);
  return ({ item }, facts) => dateOrText(textAt(path, item, facts) ?? otherwise);
}

function someCoding(value: unknown, holds: (coding: Coding) => boolean): boolean {
  if (!isObject(value)) return false;
  if (!Array.isArray(value.coding)) return typeof value.code === 'string' && holds(value);
  for (const coding of value.coding) if (isObject(coding) && holds(coding)) return true;
  return false;
}

function hasOne(wanted: ReadonlySet<string>): (coding: Coding) => boolean {
  return ({ code }) => typeof code === 'string' && wanted.has(code.trim().toLowerCase());
}

function someText(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value);
  if (!isObject(value)) return false;
  if (typeof value.text === 'string' && pattern.test(value.text)) return true;
  return someCoding(value, ({ display }) => typeof display === 'string' && pattern.test(display));
}

function asPeriod(value: unknown): Period | undefined {
  if (typeof value === 'string') return { start: value, end: value };
  return isObject(value) ? value : undefined;
}

function typeOfTarget(reference: unknown, holder: ReturnType<typeof holderOf>, facts: Facts): string | undefined {
  if (!isObject(reference) || holder === undefined) return undefined;
  const target = facts.graph.resolve(reference, holder)?.resource.resourceType;
  if (target !== undefined) return target;
  const words = typeof reference.reference === 'string' ? reference.reference : '';
  return (
    /(?:^|\/)([A-Z][A-Za-z]+)\/[^/]+$/.exec(words)?.[1] ??
    (typeof reference.type === 'string' ? reference.type : undefined)
  );
}

/** The targets of the references at a path, each as `Coverage/2`. */
export function targetsAt(path: CompiledPath, context: Items, facts: Facts): string[] {
  return itemsAt(path, context, facts).flatMap((item) => {
    const holder = holderOf(item, facts);
    if (holder === undefined || !isObject(item.value)) return [];
    return facts.graph.resolve(item.value, holder)?.reference ?? [];
  });
}
