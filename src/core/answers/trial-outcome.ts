import type { CodeableConcept } from 'fhir/r4.js';
import { isOfOne } from '../evidence/asked-tests.ts';
import { Cited } from '../evidence/cite.ts';
import { labelOf } from '../fhir/codes/concept.ts';
import type { StopReasonRow, TherapyOutcome } from './knowledge.ts';

/** Why a drug was stopped. `purposes` are the ICD-10-CM codes of its indication, empty if unknown. */
export interface StopReason {
  readonly concept: Cited<CodeableConcept>;
  readonly purposes: readonly string[];
}

/**
 * The outcomes that stop reasons indicate, each with the source of the first reason for it. A reason that fits two
 * outcomes has both if each of its parts fits only one ("Hair loss; attacks as before"), and otherwise none.
 */
export function outcomesOf(reasons: readonly StopReason[], rows: readonly StopReasonRow[]): Cited<TherapyOutcome>[] {
  const kinds = reasons.flatMap(({ concept: { value, source }, purposes }) =>
    kindsOf(value, rows, purposes).map((kind) => new Cited(kind, source)),
  );
  return kinds.filter(({ value }, index) => kinds.findIndex((one) => one.value === value) === index);
}

function kindsOf(
  reason: CodeableConcept,
  rows: readonly StopReasonRow[],
  purposes: readonly string[],
): TherapyOutcome[] {
  const whole = kindOf(reason, rows, purposes);
  if (whole !== 'several') return whole === undefined ? [] : [whole];
  const text = labelOf(reason)?.slice(0, longest) ?? '';
  return [/[.;\n]+\s*/, joint].map((divider) => kindsOfParts(text.split(divider), rows, purposes)).find(isClear) ?? [];
}

// Splits "Rash, and no response" but not "did not help pain, swelling", where the second part may be another sign.
const joint = /(?:,\s*(?:and\s+|but\s+)?|\s+(?:and|but)\s+)(?=(?:no|not|did|does|too|still|never|rebound|\w+ as)\b)/i;

function isClear(kinds: readonly TherapyOutcome[]): boolean {
  return kinds.length > 1;
}

function kindsOfParts(
  parts: readonly string[],
  rows: readonly StopReasonRow[],
  purposes: readonly string[],
): TherapyOutcome[] {
  const kinds = parts.map((text) => kindOf({ text }, rows, purposes));
  const clear = kinds.filter((kind) => kind !== 'several' && kind !== undefined);
  return kinds.includes('several') ? [] : [...new Set(clear)];
}

function kindOf(
  reason: CodeableConcept,
  rows: readonly StopReasonRow[],
  purposes: readonly string[],
): TherapyOutcome | 'several' | undefined {
  const said = saidOf(reason, rows, purposes);
  const found = [...new Set(said.filter(({ says }) => says === true).map(({ outcome }) => outcome))];
  if (found.length > 1) return 'several';
  return said.some(({ says }) => says === 'perhaps') ? undefined : found[0];
}

export function isOfAnyKind({ concept, purposes }: StopReason, rows: readonly StopReasonRow[]): boolean {
  return saidOf(concept.value, rows, purposes).some(({ says }) => says === true);
}

function saidOf(reason: CodeableConcept, rows: readonly StopReasonRow[], purposes: readonly string[]) {
  const text = labelOf(reason)?.slice(0, longest) ?? '';
  return rows.map((row) => ({
    outcome: row.outcome,
    says: isCoded(reason, row) ? true : saysOf(text, row, purposes),
  }));
}

function isCoded({ coding = [] }: CodeableConcept, { coded }: StopReasonRow): boolean {
  if (coded === undefined) return false;
  return coding.some(({ system, code }) => system === coded.system && Object.hasOwn(coded.codes, code ?? ''));
}

// In characters. No stop reason is longer.
const longest = 500;

// A sign such as "Hives" may come from the drug or from the disease that the drug was for, so it is uncertain whether
// the row applies.
function saysOf(text: string, row: StopReasonRow, purposes: readonly string[]): boolean | 'perhaps' {
  const { words = [], signs = [], blamed } = row;
  if (words.some((pattern) => pattern.test(text))) return true;
  const shown = signs.filter((sign) => sign.words.test(text));
  if (shown.length === 0) return false;
  if (blamed?.test(text) === true) return true;
  return shown.some(({ of }) => purposes.length > 0 && !isOfOne(purposes, of)) || 'perhaps';
}
