import type { Site } from '../../../config/config.ts';
import { usualDays } from '../../../config/renewal-window.ts';
import type { RenewalTerms } from '../../../store/types.ts';

/** The number of days after its end for which an approval without renewal is still work. */
const lateDays = 30;

/** The site's table in the worklist's form; `today` is YYYY-MM-DD at the site. */
export function renewalTerms({ id, renewals }: Pick<Site, 'id' | 'renewals'>, today: string): RenewalTerms {
  return { site: id, today, days: usualDays, payers: renewals, after: lateDays };
}
