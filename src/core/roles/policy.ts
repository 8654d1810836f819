import type { SiteConceptMap } from './concept-map.ts';

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
  readonly conceptMaps?: readonly SiteConceptMap[];
  readonly enrollment?: { readonly programs: readonly { readonly programId: string; readonly name: string }[] };
}
