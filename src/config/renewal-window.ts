import { dayAfter } from '../core/fhir/time/calendar-days.ts';
import type { Site } from './config.ts';

/** The days on which a renewal can be sent, YYYY-MM-DD, both of them included. */
export interface RenewalWindow {
  readonly from: string;
  readonly until: string;
}

/** What many payers take, where the site's table has no row for one (docs/sites/configuration.md, `renewals`). */
export const usualDays = 30;

/**
 * When the renewal of an approval can be sent, by the site's table; undefined for an end that is no day. `payer`: its
 * name as requests carry it.
 */
export function renewalWindow(
  { renewals }: Pick<Site, 'renewals'>,
  { payer, end }: { readonly payer: string | undefined; readonly end: string | undefined },
): RenewalWindow | undefined {
  const until = /^\d{4}-\d{2}-\d{2}/.exec(end ?? '')?.[0];
  if (until === undefined || Number.isNaN(Date.parse(until))) return undefined;
  const days = rowOfPayer(renewals, payer)?.days ?? usualDays;
  return { from: dayAfter(until, -days), until };
}

/** The row of a payer's name, whatever its case and spaces. */
export function rowOfPayer<Row extends { readonly payer: string }>(
  rows: readonly Row[],
  payer: string | undefined,
): Row | undefined {
  const plain = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  return payer === undefined ? undefined : rows.find((row) => plain(row.payer) === plain(payer));
}
