import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import type { Knowledge } from '../evidence/knowledge.ts';
import type { Reviewed } from '../fhir/sensitivity.ts';

/** How a trial of a drug ended, in the few kinds that payers ask for. */
export const outcomes = [
  'inadequate response',
  'not tolerated',
  'contraindicated',
  'stopped for another reason',
  'still taken',
] as const;
export type TherapyOutcome = (typeof outcomes)[number];

/** Codes and words of a stop reason that mean a kind of end. */
export interface StopReasonRow extends Reviewed {
  readonly outcome: Exclude<TherapyOutcome, 'still taken'>;
  /** Codes of a system, each with its name there. */
  readonly coded?: { readonly system: string; readonly codes: Readonly<Record<string, string>> };
  readonly words?: readonly RegExp[];
  /**
   * Signs that mean this outcome, unless the drug was for a disease that has them (by the beginning of its ICD-10-CM
   * code). Then, and when the indication is unknown, they count only next to words of `blamed`.
   */
  readonly signs?: readonly { readonly words: RegExp; readonly of: readonly string[] }[];
  readonly blamed?: RegExp;
}

/** A score or stage that is recognized by its exact name, without a code. */
export interface ScoreRow extends Reviewed {
  readonly name: string;
  /** Every spelling of the name, compared without case. */
  readonly called: readonly string[];
  /** Names of the drug classes whose requests ask for it. */
  readonly classes: readonly string[];
  /** The only units that it may have: body surface area is an area or a share of the skin. */
  readonly units?: readonly string[];
}

/** The knowledge that the sheet needs besides the chart. */
export interface AnswerKnowledge {
  readonly evidence: Knowledge;
  readonly drugs: DrugKnowledge;
  readonly stopReasons: readonly StopReasonRow[];
  readonly scores: readonly ScoreRow[];
}

/** Defaults where a site states no numbers. They are no payer's: most payers ask for something else. */
export const usualPolicy = { continuingDays: 90, longestGap: 30, countCombinations: false } as const;
