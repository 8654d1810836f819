import type { SiteConceptMap } from './concept-map.ts';

/** What a site decides about answers; what it leaves out is as usual (`usualPolicy`). */
export interface AnswerPolicy {
  /** A drug that covered a day in the last so many days is continued. */
  readonly continuingDays?: number | undefined;
  /** Days without a drug that still belong to one trial. */
  readonly longestGap?: number | undefined;
  /** Whether a combination counts as a trial of each of its parts. */
  readonly countCombinations?: boolean | undefined;
  /** How old a result may be, in days, by the name of its test. */
  readonly windows?: Readonly<Record<string, number>> | undefined;
}

/** The part of a site's configuration that chart selection and mappings read; a site of the sites file is one. */
export interface SitePolicy {
  readonly country?: string;
  /** The identifier system of the practice's medical record number, when identifiers carry no type MR. */
  readonly mrnSystem?: string | undefined;
  /** The zone whose calendar days count, as an IANA name. */
  readonly timeZone?: string;
  /** Fax of the practice, used when the chart names none. */
  readonly fax?: string | undefined;
  /** `accept-single`: one certain proposal from the problem list stands by itself; else a person chooses. */
  readonly diagnoses?: 'ask' | 'accept-single';
  readonly evidence?: 'ask' | 'each' | 'suggested';
  /** What counts in the answers sheet. */
  readonly answers?: AnswerPolicy | undefined;
  readonly conceptMaps?: readonly SiteConceptMap[];
  readonly enrollment?: { readonly programs: readonly { readonly programId: string; readonly name: string }[] };
}
