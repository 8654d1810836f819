/**
 * Calendar days in time zones, by the zone data that Node carries (IANA, as `Intl` reads it).
 * A name that no zone has is refused with `isTimeZone` where it is configured; everything else here takes a good one.
 */

/** Whether a text names a time zone that this machine knows: `America/New_York`. An offset (`+05:00`) is no name. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The zone of the machine, for those who name none. */
export function machineTimeZone(): string {
  machineZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return machineZone;
}

// Asking costs as much as reading a small chart.
let machineZone: string | undefined;

/**
 * The calendar day of an instant (milliseconds since 1970 UTC) in a zone.
 *
 * @example dayIn(Date.parse('2026-11-21T03:00:00Z'), 'America/New_York') // '2026-11-20'
 */
export function dayIn(instant: number, timeZone: string): string {
  return new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 10);
}

/** The first moment of a calendar day (`2026-11-21`) in a zone, in milliseconds since 1970 UTC. */
export function startOfDay(day: string, timeZone: string): number {
  return instantAt(`${day}T00:00:00`, timeZone);
}

/** Noon of a calendar day in a zone: an instant of that day whichever way the clocks change. */
export function noonOf(day: string, timeZone: string): number {
  return instantAt(`${day}T12:00:00`, timeZone);
}

/**
 * The instant (milliseconds since 1970 UTC) at which the clocks of a zone show `wall` (`2026-11-21T15:20:00`); NaN for
 * what is no such text.
 */
export function instantAt(wall: string, timeZone: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return asUtc;
  // The offset depends on the instant that is looked for, so the first guess is corrected once.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

const quarter = 15 * 60_000;
// The offset of the quarter of an hour that a zone was last asked for: most questions are about the present.
const lastOffsets = new Map<string, { readonly quarter: number; readonly offset: number }>();

// Zones change their offset on a quarter of an hour.
function offsetAt(instant: number, timeZone: string): number {
  const start = Math.floor(instant / quarter) * quarter;
  const last = lastOffsets.get(timeZone);
  if (last?.quarter === start) return last.offset;
  const offset = Date.parse(`${wallClock(start, timeZone)}Z`) - start;
  lastOffsets.set(timeZone, { quarter: start, offset });
  return offset;
}

function wallClock(instant: number, timeZone: string): string {
  const parts = new Map(
    formatterOf(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes, length = 2) => (parts.get(type) ?? '').padStart(length, '0');
  return `${part('year', 4)}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

// Making a formatter costs a hundred times what using it does; a site has one zone.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formatters.set(timeZone, formatter);
  return formatter;
}
