import type { Site } from '../../../config/config.ts';
import { usualDays } from '../../../config/renewal-window.ts';
import type { RenewalTerms } from '../../../store/types.ts';

/** For how many days after its end an approval that nobody renewed is still work. */
const lateDays = 30;

/** The site's table as the worklist takes it; `today` is YYYY-MM-DD at the site. */
export function renewalTerms({ id, renewals }: Pick<Site, 'id' | 'renewals'>, today: string): RenewalTerms {
  return { site: id, today, days: usualDays, payers: renewals, after: lateDays };
}
