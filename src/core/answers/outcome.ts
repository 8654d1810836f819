import type { CodeableConcept } from 'fhir/r4.js';
import { Cited } from '../evidence/cite.ts';
import { labelOf } from '../fhir/concept.ts';
import type { Outcome, StopReasonRow } from './knowledge.ts';

/**
 * The kinds of end that stop reasons mean, each once with the place of its reason, in the order of the reasons. A
 * reason of no row, or of rows of two kinds, has none.
 */
export function outcomesOf(
  reasons: readonly Cited<CodeableConcept>[],
  rows: readonly StopReasonRow[],
): Cited<Outcome>[] {
  const kinds = reasons.flatMap(({ value, source }) => kindsOf(value, rows).map((kind) => new Cited(kind, source)));
  return kinds.filter(({ value }, index) => kinds.findIndex((one) => one.value === value) === index);
}

function kindsOf(reason: CodeableConcept, rows: readonly StopReasonRow[]): Outcome[] {
  const text = labelOf(reason)?.slice(0, longest) ?? '';
  const found = rows.filter((row) => isCoded(reason, row) || isSaid(text, row)).map(({ outcome }) => outcome);
  const isUnclear = new Set(found).size !== 1 || rows.some((row) => isUnsure(text, row));
  return isUnclear ? [] : found.slice(0, 1);
}

function isCoded({ coding = [] }: CodeableConcept, { coded }: StopReasonRow): boolean {
  if (coded === undefined) return false;
  return coding.some(({ system, code }) => system === coded.system && Object.hasOwn(coded.codes, code ?? ''));
}

// No reason is written in more characters; words behind them are not looked at.
const longest = 500;

function isSaid(text: string, { words = [], perhaps }: StopReasonRow): boolean {
  const isCertain = perhaps?.words.test(text) === true && perhaps.certainWith.test(text);
  return isCertain || words.some((pattern) => pattern.test(text));
}

// "Hives" of a drug for hives: the row may mean it, and does not say so.
function isUnsure(text: string, row: StopReasonRow): boolean {
  return row.perhaps?.words.test(text) === true && !isSaid(text, row);
}
