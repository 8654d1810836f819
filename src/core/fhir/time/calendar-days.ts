import { addDays } from 'date-fns/addDays';
import { addMonths } from 'date-fns/addMonths';
import { differenceInCalendarDays } from 'date-fns/differenceInCalendarDays';
import { lightFormat } from 'date-fns/lightFormat';
import { parseISO } from 'date-fns/parseISO';

/**
 * The day that many days after a day, by the calendar.
 *
 * @example dayAfter('2026-02-28', 1) // '2026-03-01'
 */
export function dayAfter(day: string, days: number): string {
  return lightFormat(addDays(parseISO(day), days), 'yyyy-MM-dd');
}

/**
 * The day that many months after a day; the last of a month that has no such day.
 *
 * @example monthsAfter('2026-01-31', 1) // '2026-02-28'
 */
export function monthsAfter(day: string, months: number): string {
  return lightFormat(addMonths(parseISO(day), months), 'yyyy-MM-dd');
}

/** Days from one day to a later one: from `2026-11-20` to `2026-11-21` it is 1. */
export function daysBetween(day: string, later: string): number {
  return differenceInCalendarDays(parseISO(later), parseISO(day));
}
