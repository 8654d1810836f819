import { createHash, timingSafeEqual } from 'node:crypto';
import type { Profile } from './profile.ts';

/** A caller of the service: one organization with its token and its webhook URL. */
export interface ServiceSite {
  readonly id: string;
  readonly token: string;
  /** `documented` by default. */
  readonly profile?: Profile;
  readonly webhook?: WebhookTarget;
}

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export function siteOfToken(sites: readonly ServiceSite[], authorization: string | undefined): ServiceSite | undefined {
  const given = digest(authorization ?? '');
  return sites.find(({ token }) => timingSafeEqual(digest(`Bearer ${token}`), given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
