import { isObject } from '../fhir/is-object.ts';
import type { Refusal } from '../fhir/references/refusals.ts';
import { compilePath } from '../fhirpath/compile.ts';
import { compileSearches, isSearchable, type OpenSearch, type Wanted } from '../fhirpath/predicate.ts';
import type { Clause, Test } from './clauses.ts';
import { type CompiledClause, compileClause, compileTest, compileValueTest, type Holds } from './compile-clauses.ts';
import type { Facts } from './facts.ts';
import { itemsAt, type Subject } from './subject.ts';

/** Returns the text of the first clause that rules a candidate out. Undefined if none does. */
export type Unless = (subject: Subject, facts: Facts) => string | undefined;

/**
 * Compiles clauses that each rule a candidate out. Nearly every candidate meets none, so the tests of plain elements
 * are combined to read each element once. Only if a combined test holds are the clauses tested one by one. Throws
 * PathError for an invalid expression.
 *
 * @example compileUnless([oneOf('status', ['active'], 'it is {status}')])(subject, facts) // 'it is draft'
 */
export function compileUnless(clauses: readonly Clause[]): Unless {
  const compiled = clauses.map(compileClause);
  const wanted: Wanted<Facts>[] = [];
  const others: Other[] = [];
  for (const clause of compiled)
    for (const test of alternativesOf(clause.clause.test)) sort(clause, test, wanted, others);
  if (wanted.length < 2) return (subject, facts) => firstOf(compiled, subject, facts);
  const search = compileSearches(wanted);
  return (subject, facts) =>
    isMet(search, subject, facts) ? firstOf(compiled, subject, facts) : firstOfOthers(others, subject, facts);
}

/** Why a transform of the mappings refuses a candidate. Undefined for other tests. */
export type WhyOf = (subject: Subject, facts: Facts) => Refusal | undefined;

/** Like `compileUnless`, but returns the refusal of the first clause that holds. */
export function compileWhy(clauses: readonly Clause[]): WhyOf {
  const compiled = clauses.map((clause) => ({ holds: compileTest(clause.test), why: whyOfTest(clause.test) }));
  return (subject, facts) => compiled.find(({ holds }) => holds(subject, facts))?.why(subject, facts);
}

function whyOfTest(test: Test): WhyOf {
  if (test.kind !== 'refusedBy') return () => undefined;
  const path = compilePath(test.path);
  return ({ item }, facts) => {
    const [found] = itemsAt(path, [item], facts);
    const taken = test.transform.apply(found?.value);
    return 'refused' in taken ? taken.refused : undefined;
  };
}

/** A test that is not part of the combined search, with its clause. */
interface Other {
  readonly holds: Holds;
  readonly clause: CompiledClause;
}

// A clause of `any` holds if one of its tests does, so its tests are treated as separate clauses.
function alternativesOf(test: Test): readonly Test[] {
  return test.kind === 'any' ? test.tests.flatMap(alternativesOf) : [test];
}

function sort(clause: CompiledClause, test: Test, wanted: Wanted<Facts>[], others: Other[]): void {
  const look = compileValueTest(test);
  const { tree } = look === undefined ? { tree: undefined } : compilePath(look.path);
  if (look !== undefined && tree !== undefined && isSearchable(tree)) wanted.push({ tree, holds: look.holds });
  else others.push({ clause, holds: test === clause.clause.test ? clause.holds : compileTest(test) });
}

// When the search cannot decide without items, the clauses are tested.
function isMet(search: OpenSearch<Facts>, { item }: Subject, facts: Facts): boolean {
  return !isObject(item.value) || search(item.value, facts) !== false;
}

function firstOf(clauses: readonly CompiledClause[], subject: Subject, facts: Facts): string | undefined {
  for (const clause of clauses) if (clause.holds(subject, facts)) return clause.words(subject, facts);
  return undefined;
}

// None of the combined tests holds, so the first of the other clauses that holds is the first of all.
function firstOfOthers(others: readonly Other[], subject: Subject, facts: Facts): string | undefined {
  for (const { holds, clause } of others) if (holds(subject, facts)) return clause.words(subject, facts);
  return undefined;
}
