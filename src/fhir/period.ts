import type { Period } from 'fhir/r4.js';

/** How a period lies to a day; an end date counts to its last moment, and a missing end is open. */
export type Standing = 'current' | 'ended' | 'future';

/** Compares at the precision written: `2026`, `2026-11`, `2026-11-21` include their whole year, month or day. FHIR R4, datatypes, Period: "inclusive". */
export function standing(period: Period | undefined, now: Date): Standing {
  if (period?.end !== undefined && isBefore(period.end, now)) return 'ended';
  if (period?.start !== undefined && isAfter(period.start, now)) return 'future';
  return 'current';
}

/** The calendar day of an instant where the process runs: `2026-11-21`. */
export function localDay(now: Date): string {
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
}

/** FHIR dateTimes by time, newest first; what is no date comes last. */
export function newestFirst(left: string | undefined, right: string | undefined): number {
  const [a, b] = [left ?? '', right ?? ''];
  return a === b ? 0 : a < b ? 1 : -1;
}

function isBefore(end: string, now: Date): boolean {
  return end.length <= 10 ? end < localDay(now).slice(0, end.length) : instant(end) < now.getTime();
}

function isAfter(start: string, now: Date): boolean {
  return start.length <= 10 ? start > localDay(now).slice(0, start.length) : instant(start) > now.getTime();
}

// An unreadable date neither ends nor postpones anything.
function instant(text: string): number {
  return new Date(text).getTime();
}
