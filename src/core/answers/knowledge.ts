import type { DrugKnowledge } from '../drug/drug-knowledge.ts';
import type { Knowledge } from '../evidence/knowledge.ts';
import type { Reviewed } from '../fhir/sensitivity.ts';

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
  /** Codes of one code system, each with its display. */
  readonly coded?: { readonly system: string; readonly codes: Readonly<Record<string, string>> };
  readonly words?: readonly RegExp[];
  /**
   * Signs that mean this outcome. If the drug was for a disease in `of` (ICD-10-CM code prefixes), or its indication is
   * unknown, the text must also match `blamed`.
   */
  readonly signs?: readonly { readonly words: RegExp; readonly of: readonly string[] }[];
  readonly blamed?: RegExp;
}

/** Words of a note that say that a drug was stopped, or why. */
export interface StopWords extends Reviewed {
  readonly ended: RegExp;
  /** Words for no effect or for intolerance. "Flare" alone may be the reason why the drug was started. */
  readonly effect: RegExp;
  /** Words for how long the drug helped. A person judges what that means. */
  readonly lasted: RegExp;
  /** The name of the drug that replaced this one. Has the `g` flag. */
  readonly next: RegExp;
}

/** Words of a dispense for a free supply: a sample, a starter supply, or medication from a discharge. */
export interface SupplyWords extends Reviewed {
  readonly free: RegExp;
}

/** A score, stage or count that measures a disease and has no LOINC code in the tables. */
export interface ScoreRow extends Reviewed {
  readonly name: string;
  /**
   * Every spelling of the name, matched in full and without regard to case. The sheet shows such a result under the
   * row's name.
   */
  readonly called: readonly string[];
  /** Patterns for other names, in lowercase. The sheet shows such a result under its own name. */
  readonly words?: readonly RegExp[];
  /** ICD-10-CM code prefixes of the diseases whose severity the score measures. */
  readonly diagnoses: readonly string[];
  /** Names of the drug classes that use the score, for an order without a coded diagnosis. */
  readonly classes: readonly string[];
  /**
   * The only units that the score may have. Body surface area, for example, is either an area or a percentage of the
   * skin.
   */
  readonly units?: readonly string[];
  /** The score measures the body, not a disease. */
  readonly isVital?: true;
}

export interface PlaceWords extends Reviewed {
  readonly stated: readonly RegExp[];
  /** Words that negate a sentence or make it doubtful. */
  readonly doubted: RegExp;
  /** Words that show that a sentence is about an earlier time. */
  readonly earlier: RegExp;
  /** Words that show that a sentence is not about giving the drug. */
  readonly ofOthers: RegExp;
  /** Words that mention a place but do not say where the drug is given. Has the `g` flag. */
  readonly training: RegExp;
}

export interface AnswerKnowledge {
  readonly evidence: Knowledge;
  readonly drugs: DrugKnowledge;
  readonly stopReasons: readonly StopReasonRow[];
  readonly stopWords: StopWords;
  readonly scores: readonly ScoreRow[];
  readonly places: PlaceWords;
  readonly supplyWords: SupplyWords;
}

/** Defaults for a site without its own policy. Payers differ, so no payer's values are used. */
export const usualPolicy = { continuingDays: 90, longestGap: 30, countCombinations: false } as const;
