import type { Site } from '../config/config.ts';
import type { CaseKind } from './case.ts';

type Offering = Pick<Site, 'service' | 'enrollment'>;

/** Whether the service of a site verifies benefits; only the profile `current` does. */
export function verifiesBenefits({ service }: Pick<Site, 'service'>): boolean {
  return service.profile === 'current';
}

export function isOffered(kind: CaseKind, site: Offering): boolean {
  return offered[kind](site);
}

const offered: Readonly<Record<CaseKind, (site: Offering) => boolean>> = {
  'prior-auth': () => true,
  enrollment: ({ enrollment }) => enrollment.programs.length > 0,
  'benefit-verification': verifiesBenefits,
};
