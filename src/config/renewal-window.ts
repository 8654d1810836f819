import { dayAfter } from '../core/fhir/time/calendar-days.ts';
import type { Site } from './config.ts';

/** The first and last day on which a renewal can be sent, YYYY-MM-DD. */
export interface RenewalWindow {
  readonly from: string;
  readonly until: string;
}

/**
 * The days before the end of an approval in which many payers accept its renewal. For payers without a row in the
 * site's `renewals`.
 */
export const usualDays = 30;

/**
 * When the renewal of an approval can be sent, by the site's `renewals`; undefined if `end` is not a date. `payer`: its
 * name as in requests.
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

export function rowOfPayer<Row extends { readonly payer: string }>(
  rows: readonly Row[],
  payer: string | undefined,
): Row | undefined {
  const plain = (name: string) => name.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  return payer === undefined ? undefined : rows.find((row) => plain(row.payer) === plain(payer));
}
