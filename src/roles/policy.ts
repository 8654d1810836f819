import type { Site } from '../config.ts';

/** The part of a site's configuration that chart selection and mappings read; a `Site` is one. */
export type SitePolicy = Partial<
  Pick<Site, 'country' | 'mrnSystem' | 'timeZone' | 'fax' | 'diagnoses' | 'evidence' | 'conceptMaps'>
> & {
  readonly enrollment?: { readonly programs: readonly { readonly programId: string; readonly name: string }[] };
};
