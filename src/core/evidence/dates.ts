import { readDateTime, wholeDate } from '../fhir/time/date-time.ts';
import { newestFirst, oldestFirst } from '../fhir/time/newest-first.ts';
import type { Cited } from './cite.ts';

/** The day that a FHIR date or dateTime names, undefined for a partial date and for what is none. */
export function evidenceDay(date: Cited<string> | undefined): string | undefined {
  return wholeDate(date?.value);
}

/** The first of several dates that names at least a day; without one, the first that is a year or a month. */
export function clearestDate(...dates: readonly (Cited<string> | undefined)[]): Cited<string> | undefined {
  return (
    dates.find((date) => evidenceDay(date) !== undefined) ??
    dates.find((date) => readDateTime(date?.value) !== undefined)
  );
}

interface Dated {
  readonly date: Cited<string> | undefined;
}

/** Findings by the instant of their dates, newest first; without a date last. */
export function byNewest(timeZone: string): (left: Dated, right: Dated) => number {
  const compare = newestFirst(timeZone);
  return (left, right) => compare(left.date?.value, right.date?.value);
}

/** The newest of several dates, by instant; the first of equal ones. */
export function newest(dates: readonly Cited<string>[], timeZone: string): Cited<string> | undefined {
  const compare = newestFirst(timeZone);
  return dates.toSorted((left, right) => compare(left.value, right.value))[0];
}

/** The oldest of several dates, by instant; the first of equal ones. */
export function oldest(dates: readonly Cited<string>[], timeZone: string): Cited<string> | undefined {
  const compare = oldestFirst(timeZone);
  return dates.toSorted((left, right) => compare(left.value, right.value))[0];
}
