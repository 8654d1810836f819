import { readDateTime, wholeDate } from '../fhir/time/date-time.ts';
import { newestFirst, oldestFirst } from '../fhir/time/newest-first.ts';
import type { Cited } from './cite.ts';

/** The day of a FHIR date or dateTime. Undefined for a partial or invalid date. */
export function evidenceDay(date: Cited<string> | undefined): string | undefined {
  return wholeDate(date?.value);
}

/** The first date that has a day, or else the first valid date, which is only a year or a month. */
export function clearestDate(...dates: readonly (Cited<string> | undefined)[]): Cited<string> | undefined {
  return (
    dates.find((date) => evidenceDay(date) !== undefined) ??
    dates.find((date) => readDateTime(date?.value) !== undefined)
  );
}

interface Dated {
  readonly date: Cited<string> | undefined;
}

/** Compares findings by the instant of their dates, newest first. Findings without a date come last. */
export function byNewest(timeZone: string): (left: Dated, right: Dated) => number {
  const compare = newestFirst(timeZone);
  return (left, right) => compare(left.date?.value, right.date?.value);
}

/** Compares by instant. Of equal dates, the first. */
export function newest(dates: readonly Cited<string>[], timeZone: string): Cited<string> | undefined {
  const compare = newestFirst(timeZone);
  return dates.toSorted((left, right) => compare(left.value, right.value))[0];
}

/** Compares by instant. Of equal dates, the first. */
export function oldest(dates: readonly Cited<string>[], timeZone: string): Cited<string> | undefined {
  const compare = oldestFirst(timeZone);
  return dates.toSorted((left, right) => compare(left.value, right.value))[0];
}
