import { createHash, timingSafeEqual } from 'node:crypto';
import type { Profile } from './profile.ts';

/** A caller of the service: one organization with its token and its webhook address. */
export interface ServiceSite {
  readonly id: string;
  /** The bearer token that it sends. */
  readonly token: string;
  /** Its profile; `documented` by default. */
  readonly profile?: Profile;
  readonly webhook?: WebhookTarget;
}

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

/** The site whose token is in the header `Authorization`; undefined if no site has it. */
export function siteOfToken(sites: readonly ServiceSite[], authorization: string | undefined): ServiceSite | undefined {
  const given = digest(authorization ?? '');
  return sites.find(({ token }) => timingSafeEqual(digest(`Bearer ${token}`), given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
