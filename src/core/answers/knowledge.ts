import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import type { Knowledge } from '../evidence/knowledge.ts';
import type { Reviewed } from '../fhir/sensitivity.ts';

/** How a trial of a drug ended, in the few kinds that payers ask about. */
export const outcomes = [
  'inadequate response',
  'not tolerated',
  'contraindicated',
  'stopped for another reason',
  'still taken',
] as const;
export type TherapyOutcome = (typeof outcomes)[number];

/** Codes and words of a stop reason that mean this outcome. */
export interface StopReasonRow extends Reviewed {
  readonly outcome: Exclude<TherapyOutcome, 'still taken'>;
  /** Codes of one system, each with its display. */
  readonly coded?: { readonly system: string; readonly codes: Readonly<Record<string, string>> };
  readonly words?: readonly RegExp[];
  /**
   * Signs that mean this outcome, unless the drug was for a disease in `of` (prefixes of ICD-10-CM codes) that has
   * them. For such a disease, and when the indication is unknown, the text must also match `blamed`.
   */
  readonly signs?: readonly { readonly words: RegExp; readonly of: readonly string[] }[];
  readonly blamed?: RegExp;
}

/** How a note says that a drug was stopped, or why. */
export interface StopWords extends Reviewed {
  readonly ended: RegExp;
  /** The drug did not help or was not tolerated. "Flare" alone may be the reason why it was started. */
  readonly effect: RegExp;
  /** How long the drug helped; a person judges what that means. */
  readonly lasted: RegExp;
  /** The drug that was taken instead; global. */
  readonly next: RegExp;
}

/** How a dispense says that its supply was free: a sample, a starter supply, or from a discharge. */
export interface SupplyWords extends Reviewed {
  readonly free: RegExp;
}

/** A score, stage or count that measures a disease and has no code. */
export interface ScoreRow extends Reviewed {
  readonly name: string;
  /** Every spelling of the name, compared exactly except for case. The result is shown under the row's name. */
  readonly called: readonly string[];
  /** Patterns for names in lowercase. The result keeps its own name. */
  readonly words?: readonly RegExp[];
  /** Prefixes of the ICD-10-CM codes of the diseases whose severity the score measures. */
  readonly diagnoses: readonly string[];
  /** Names of the drug classes that use the score, for an order without a coded diagnosis. */
  readonly classes: readonly string[];
  /**
   * The only units that the score may have. Body surface area, for example, may be an area or a percentage of the skin.
   */
  readonly units?: readonly string[];
  /** A measure of the body, not of a disease. */
  readonly isVital?: true;
}

/** How an order says in words where its drug is given. */
export interface PlaceWords extends Reviewed {
  readonly stated: readonly RegExp[];
  /** Words that make a sentence doubtful or negate it. */
  readonly doubted: RegExp;
  /** Words that show that a sentence is about an earlier time. */
  readonly earlier: RegExp;
  /** Words that show that a sentence is about something other than giving the drug. */
  readonly ofOthers: RegExp;
  /** Words that mention a place but do not say where the drug is given; global. */
  readonly training: RegExp;
}

/** The knowledge that the sheet uses in addition to the chart. */
export interface AnswerKnowledge {
  readonly evidence: Knowledge;
  readonly drugs: DrugKnowledge;
  readonly stopReasons: readonly StopReasonRow[];
  readonly stopWords: StopWords;
  readonly scores: readonly ScoreRow[];
  readonly places: PlaceWords;
  readonly supplyWords: SupplyWords;
}

/** Defaults for a site that sets none. They are not taken from any payer, because payers differ. */
export const usualPolicy = { continuingDays: 90, longestGap: 30, countCombinations: false } as const;
