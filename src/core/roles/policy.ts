import type { SiteConceptMap } from './concept-map.ts';

/** A site's settings for the answers sheet. `usualPolicy` has the defaults. */
export interface AnswerPolicy {
  /** A drug counts as continuing if it was available on a day within this many days before today. */
  readonly continuingDays?: number | undefined;
  /** The most days without the drug within one trial. */
  readonly longestGap?: number | undefined;
  /** Whether a combination counts as a trial of each of its ingredients. */
  readonly countCombinations?: boolean | undefined;
  /** The maximum age of a result in days, by the name of its test. */
  readonly windows?: Readonly<Record<string, number>> | undefined;
}

/**
 * The part of a site's configuration that chart selection and mappings read. A site of the sites file has this shape.
 */
export interface SitePolicy {
  readonly country?: string;
  /** The system of the practice's medical record number, for identifiers without the type MR. */
  readonly mrnSystem?: string | undefined;
  /** The time zone of the site's calendar days, as an IANA name. */
  readonly timeZone?: string;
  /** The practice's fax, used when the chart has none. */
  readonly fax?: string | undefined;
  /**
   * With `accept-single`, a single certain proposal from the problem list is used without a person. Otherwise a person
   * chooses.
   */
  readonly diagnoses?: 'ask' | 'accept-single';
  readonly evidence?: 'ask' | 'each' | 'suggested';
  readonly answers?: AnswerPolicy | undefined;
  readonly conceptMaps?: readonly SiteConceptMap[];
  readonly enrollment?: { readonly programs: readonly { readonly programId: string; readonly name: string }[] };
}
