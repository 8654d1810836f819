import { readDateTime, wholeDate } from './date-time.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * `1980-02-03` as `Feb 3, 1980`, `1980-02` as `Feb 1980`, so that day and month cannot be confused. An instant becomes
 * its day; a year, or a text that is not a date, is unchanged.
 */
export function dayText(date: string): string {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])(?:-(\d{2})|$)/.exec(date) ?? [];
  if (year === undefined) return date;
  return `${months[Number(month) - 1]} ${day === undefined ? year : `${Number(day)}, ${year}`}`;
}

/** The same as `dayText` if the whole text is a date, dateTime or instant; any other text unchanged. */
export function dateOrText(text: string): string {
  return readDateTime(text) === undefined ? text : dayText(text);
}

/** `on Feb 3, 1980`; for a partial date `in 1980`, `in Feb 1980`; empty without a date. */
export function whenText(date: string | undefined): string {
  if (date === undefined) return '';
  return `${wholeDate(date) === undefined ? 'in' : 'on'} ${dayText(date)}`;
}
