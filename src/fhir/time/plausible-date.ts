import { readDateTime } from './date-time.ts';
import { isFuture } from './standing.ts';
import type { Today } from './today.ts';

const earliestBirthYear = 1900;

/**
 * What is odd about a birth date, for advice: `in the future`, `before 1900`; undefined when nothing is, or when it is
 * no date.
 */
export function oddBirthDate(date: string | undefined, today: Today): string | undefined {
  const read = readDateTime(date);
  if (read === undefined) return undefined;
  if (isFuture(read.date, today)) return 'in the future';
  return Number(read.date.slice(0, 4)) < earliestBirthYear ? `before ${earliestBirthYear}` : undefined;
}

/**
 * What is odd about the date of a prescription, for advice: `in the future`; undefined when nothing is, or when it is
 * no date.
 */
export function oddPrescriptionDate(date: string | undefined, today: Today): string | undefined {
  return isFuture(date, today) ? 'in the future' : undefined;
}
