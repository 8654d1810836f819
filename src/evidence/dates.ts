import type { Cited } from './cited.ts';

/** Whether a FHIR date or dateTime names at least a day that exists. */
export function isFullDate(date: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(date) && !Number.isNaN(Date.parse(date.slice(0, 10)));
}

/** The first of several dates that names at least a day. */
export function firstFullDate(...dates: readonly (Cited<string> | undefined)[]): Cited<string> | undefined {
  return dates.find((date) => date !== undefined && isFullDate(date.value));
}

/** FHIR dateTimes by instant, oldest first; what is no date comes first. */
export function byInstant(left: string | undefined, right: string | undefined): number {
  const [one, other] = [instantOf(left), instantOf(right)];
  return one === other ? 0 : one - other;
}

/** Findings by the instant of their dates, newest first; without a date last. */
export function newestFirst(
  left: { readonly date: Cited<string> | undefined },
  right: { readonly date: Cited<string> | undefined },
): number {
  return byInstant(right.date?.value, left.date?.value);
}

/** The oldest or newest of several dates, by instant; the first of equal ones. */
export function oldest(dates: readonly Cited<string>[]): Cited<string> | undefined {
  return dates.toSorted((left, right) => byInstant(left.value, right.value))[0];
}

export function newest(dates: readonly Cited<string>[]): Cited<string> | undefined {
  return dates.toSorted((left, right) => byInstant(right.value, left.value))[0];
}

// A date without a time is the beginning of its day in UTC, a partial one the beginning of its month or year.
function instantOf(date: string | undefined): number {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}
