import { dayAfter } from '../core/fhir/time/calendar-days.ts';
import type { Site } from './config.ts';

/** The first and last day on which a renewal can be sent, YYYY-MM-DD. */
export interface RenewalWindow {
  readonly from: string;
  readonly until: string;
}

/** The window that many payers accept, if the site's `renewals` (docs/sites/configuration.md) have no row. */
export const usualDays = 30;

/**
 * When the renewal of an approval can be sent, by the site's table; undefined if the end is not a date. `payer`: its
 * name as stated in requests.
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

/** The row of a payer's name, regardless of case and spaces. */
export function rowOfPayer<Row extends { readonly payer: string }>(
  rows: readonly Row[],
  payer: string | undefined,
): Row | undefined {
  const plain = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  return payer === undefined ? undefined : rows.find((row) => plain(row.payer) === plain(payer));
}
