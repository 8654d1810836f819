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
   * Signs that mean it unless the drug was for a disease that has them, by how its ICD-10-CM code begins: then, and
   * where nobody knows what the drug was for, only with words of `blamed` beside them.
   */
  readonly signs?: readonly { readonly words: RegExp; readonly of: readonly string[] }[];
  readonly blamed?: RegExp;
}

/** How a note says that a drug was stopped, or why. */
export interface StopWords extends Reviewed {
  readonly ended: RegExp;
  /** That it did not help, or was not tolerated: "flare" alone may be why it was begun. */
  readonly effect: RegExp;
  /** How long it helped: what that means, a person judges. */
  readonly lasted: RegExp;
  /** What was taken instead; global. */
  readonly next: RegExp;
}

/** How a dispense says that its supply was free, a sample, a starter or from a hospital's discharge. */
export interface SupplyWords extends Reviewed {
  readonly free: RegExp;
}

/** A score, stage or count that measures a disease; no code. */
export interface ScoreRow extends Reviewed {
  readonly name: string;
  /** Every spelling of the name, compared letter for letter but for capitals: the result has the name of the row. */
  readonly called: readonly string[];
  /** Words of names in small letters: the result keeps its own name. */
  readonly words?: readonly RegExp[];
  /** How the ICD-10-CM codes of the diseases begin whose severity it is; of any other it is none. */
  readonly diagnoses: readonly string[];
  /** Names of the drug classes for whose diseases it is asked, for an order without a coded diagnosis. */
  readonly classes: readonly string[];
  /** The only units that it has: body surface area is an area, or a part of the skin. */
  readonly units?: readonly string[];
  /** A measure of the body, and of no disease. */
  readonly isVital?: true;
}

/** How an order says in words where its drug is given. */
export interface PlaceWords extends Reviewed {
  readonly stated: readonly RegExp[];
  /** Words of a sentence that leave it open, or deny it. */
  readonly doubted: RegExp;
  /** Words of a sentence that tells of other times. */
  readonly earlier: RegExp;
  /** Words of a sentence that tells of something else than giving the drug. */
  readonly ofOthers: RegExp;
  /** Words that say nothing of the place, whatever they name; global. */
  readonly training: RegExp;
}

/** What the sheet is worked out by besides the chart. */
export interface AnswerKnowledge {
  readonly evidence: Knowledge;
  readonly drugs: DrugKnowledge;
  readonly stopReasons: readonly StopReasonRow[];
  readonly stopWords: StopWords;
  readonly scores: readonly ScoreRow[];
  readonly places: PlaceWords;
  readonly supplyWords: SupplyWords;
}

/** The numbers that hold where a site states none. No payer's: what most of them ask for differs. */
export const usualPolicy = { continuingDays: 90, longestGap: 30, countCombinations: false } as const;
