import type { Site } from '../../../config/config.ts';
import { usualDays } from '../../../config/renewal-window.ts';
import type { RenewalTerms } from '../../../store/types.ts';

/** Days after the end of an approval during which its missing renewal is still listed as work. */
const lateDays = 30;

/** The site's renewal terms as the worklist table needs them. `today` is YYYY-MM-DD at the site. */
export function renewalTerms({ id, renewals }: Pick<Site, 'id' | 'renewals'>, today: string): RenewalTerms {
  return { site: id, today, days: usualDays, payers: renewals, after: lateDays };
}
