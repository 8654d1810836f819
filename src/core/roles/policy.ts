import type { SiteConceptMap } from './concept-map.ts';

/** A site's settings for the answers sheet; unset ones have the defaults of `usualPolicy`. */
export interface AnswerPolicy {
  /** A drug counts as continuing if a day within this number of past days is covered. */
  readonly continuingDays?: number | undefined;
  /** The longest gap, in days without the drug, within one trial. */
  readonly longestGap?: number | undefined;
  /** Whether a combination counts as a trial of each of its parts. */
  readonly countCombinations?: boolean | undefined;
  /** The maximum age of a result, in days, by the name of its test. */
  readonly windows?: Readonly<Record<string, number>> | undefined;
}

/** The part of a site's configuration that chart selection and mappings read; a site of the sites file is one. */
export interface SitePolicy {
  readonly country?: string;
  /** The system of the practice's medical record number, for identifiers without the type MR. */
  readonly mrnSystem?: string | undefined;
  /** The zone of the site's calendar days, as an IANA name. */
  readonly timeZone?: string;
  /** Fax of the practice, used when the chart has none. */
  readonly fax?: string | undefined;
  /** `accept-single`: a single certain proposal from the problem list needs no person; else a person chooses. */
  readonly diagnoses?: 'ask' | 'accept-single';
  readonly evidence?: 'ask' | 'each' | 'suggested';
  /** The settings of the answers sheet. */
  readonly answers?: AnswerPolicy | undefined;
  readonly conceptMaps?: readonly SiteConceptMap[];
  readonly enrollment?: { readonly programs: readonly { readonly programId: string; readonly name: string }[] };
}
