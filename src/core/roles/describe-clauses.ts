import { code } from '../mapping/review/markdown.ts';
import type { Named } from './agree.ts';
import type { Clause, Preference, Test } from './clauses.ts';
import type { Tie } from './words.ts';

/** A clause for a reviewer: its text about a candidate that meets it, and its test in words. */
export interface DescribedClause {
  /** Empty if the clause has no text. */
  readonly words: string;
  readonly test: string;
}

/** Paths become Markdown code. */
export function describeClause({ test, text }: Clause): DescribedClause {
  return { words: text, test: testWords(test) };
}

/** `it ended on {period.end} (`period` is over)`, or the test alone. */
export function clauseText({ words, test }: DescribedClause): string {
  return words === '' ? test : `${words} (${test})`;
}

export function testWords(test: Test): string {
  switch (test.kind) {
    case 'path':
      return code(test.expression);
    case 'oneOf':
      return `${code(test.path)} is not ${test.values.join(' or ')}`;
    case 'coded':
      return `${code(test.path)} has the code ${test.codes.join(' or ')}`;
    case 'says':
      return `${code(test.path)} says ${code(String(test.pattern))}`;
    case 'period':
      return `${code(test.path)} ${lying[test.lies]}`;
    case 'blank':
      return `no text at ${test.paths.map(code).join(', ')}`;
    case 'pointsAt':
      return `${test.all ? 'every ' : ''}${code(test.path)} points to a ${test.types.join(' or ')}`;
    case 'same':
      return `${test.path === undefined ? 'it' : `its ${code(test.path)}`} is what ${code(test.as)} points to`;
    case 'labelled':
      return 'it carries a sensitivity label';
    case 'sensitive':
      return 'its labels, codes or words tell of a sensitive category';
    case 'namedDraft':
      return 'a draft that the request names';
    case 'unreadModifier':
      return 'a modifier element of it could not be read';
    case 'twoDirections':
      return `${code('text')} and ${code('patientInstruction')} of ${code(test.at)} certainly say two doses or times`;
    case 'otherDose':
      return `the directions of ${code(test.at)} certainly say another dose or time than its elements`;
    case 'otherDrug':
      return `the directions of ${code(test.at)} say to take another drug than ${code(test.drug)}`;
    case 'refusedBy':
      return `no ${code(test.path)} that is sent as ${test.transform.name}`;
    case 'any':
      return test.tests.map(inner).join(' or ');
    case 'all':
      return test.tests.map(inner).join(' and ');
    case 'not':
      return `not (${testWords(test.test)})`;
    case 'named':
      return `by ${test.name}`;
  }
}

function inner(test: Test): string {
  return test.kind === 'any' || test.kind === 'all' ? `(${testWords(test)})` : testWords(test);
}

export function preferenceWords(preference: Preference): string {
  switch (preference.kind) {
    case 'uses':
      return `\`use\` in the order ${preference.uses.join(', ')}; any other use is out`;
    case 'has':
      return `first: ${clauseText(describeClause(preference.clause))}`;
    case 'last':
      return `last: ${clauseText(describeClause(preference.clause))}`;
    case 'only':
      return `only, where there is one: ${testWords(preference.clause.test)}`;
    case 'lowest':
      return `the lowest ${code(preference.path)} first${noneCountsAs(preference.none)}`;
    case 'latest':
      return `the latest ${code(preference.path)} first`;
    case 'namedBy':
      return `first: what ${code(preference.path)} points to`;
  }
}

/** What happens to equal candidates, in words. Undefined if a question is asked about them. */
export function tieWords({ kind }: Tie): string | undefined {
  if (kind === 'first') return 'of equal ones the first';
  return kind === 'none' ? 'of equal ones none' : undefined;
}

export function functionsOfTest(test: Test): Named<unknown>[] {
  if (test.kind === 'any' || test.kind === 'all') return test.tests.flatMap(functionsOfTest);
  if (test.kind === 'not') return functionsOfTest(test.test);
  return test.kind === 'named' ? [{ name: test.name, sentence: test.sentence, call: test.holds }] : [];
}

const lying = { ended: 'is over', future: 'has not begun', undated: 'has a start or an end that is no date' } as const;

function noneCountsAs(none: number | undefined): string {
  return none === undefined ? '' : `, none counts as ${none}`;
}
