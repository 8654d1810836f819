import type { Period } from 'fhir/r4.js';
import { meaningful } from '../text/placeholder.ts';
import { readDateTime } from './date-time.ts';
import type { Today } from './today.ts';

export type PeriodStanding = 'current' | 'ended' | 'future';

/**
 * Compares a period with a day at the written precision: `2026`, `2026-11`, `2026-11-21` include their whole year,
 * month or day of the site's calendar; an end with a time is compared as an instant. A missing end is open, and a text
 * that is not a date neither ends nor starts a period. FHIR R4, datatypes, Period: "inclusive".
 *
 * @example standing({ end: '2026-11-20' }, todayAt(now, 'America/New_York')) // 'ended' on November 21
 */
export function standing(period: Pick<Period, 'start' | 'end'> | undefined, today: Today): PeriodStanding {
  if (compare(period?.end, today) < 0) return 'ended';
  if (compare(period?.start, today) > 0) return 'future';
  return 'current';
}

/**
 * Whether a start or an end is stated in a form that FHIR does not allow: `12/31/2025`, `20251231`, `2025-02-30`. A
 * blank or a placeholder does not count as stated.
 */
export function isUndated(period: Pick<Period, 'start' | 'end'> | undefined): boolean {
  return [period?.start, period?.end].some(
    (text) => meaningful(text) !== undefined && readDateTime(trimmed(text)) === undefined,
  );
}

// Below zero when the written time is entirely past, above zero when it is entirely in the future.
function compare(text: string | undefined, { day, instant }: Today): number {
  const read = readDateTime(trimmed(text));
  if (read === undefined) return 0;
  if (read.precision === 'instant') return read.instant - instant;
  const same = day.slice(0, read.date.length);
  return read.date < same ? -1 : Number(read.date > same);
}

function trimmed(text: unknown): unknown {
  return typeof text === 'string' ? text.trim() : text;
}
