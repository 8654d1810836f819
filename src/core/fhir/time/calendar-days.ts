import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { lightFormat } from 'date-fns/lightFormat';
import { parseISO } from 'date-fns/parseISO';

/**
 * The calendar day that is a number of days after a day.
 *
 * @example dayAfter('2026-02-28', 1) // '2026-03-01'
 */
export function dayAfter(day: string, days: number): string {
  return lightFormat(addDays(parseISO(day), days), 'yyyy-MM-dd');
}

/**
 * The calendar day that is a number of months after a day, or the last day of the month if the month is shorter.
 *
 * @example monthsAfter('2026-01-31', 1) // '2026-02-28'
 */
export function monthsAfter(day: string, months: number): string {
  return lightFormat(addMonths(parseISO(day), months), 'yyyy-MM-dd');
}

/** The number of days from one day to a later one: 1 from `2026-11-20` to `2026-11-21`. */
export function daysBetween(day: string, later: string): number {
  return differenceInCalendarDays(parseISO(later), parseISO(day));
}
