/**
 * Calendar days in time zones, by Node's time zone data (IANA, through `Intl`). The configuration rejects unknown names
 * with `isTimeZone`; every other function here requires a valid name.
 */

/** Whether a text names a time zone that this machine knows: `America/New_York`. An offset (`+05:00`) is not a name. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatterOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The machine's zone, the default for callers that name none. */
export function machineTimeZone(): string {
  machineZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return machineZone;
}

// Kept, because reading the zone takes as long as reading a small chart.
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

/** Noon of a calendar day in a zone: an instant within that day even when the clocks change. */
export function noonOf(day: string, timeZone: string): number {
  return instantAt(`${day}T12:00:00`, timeZone);
}

/**
 * The instant (milliseconds since 1970 UTC) at which the clocks of a zone show `wall` (`2026-11-21T15:20:00`); NaN for
 * a text of another form.
 */
export function instantAt(wall: string, timeZone: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return asUtc;
  // The offset depends on the unknown instant, so the first guess is corrected once.
  const guess = asUtc - offsetAt(asUtc, timeZone);
  return asUtc - offsetAt(guess, timeZone);
}

const quarter = 15 * 60_000;
// The last offset computed for each zone, with its quarter of an hour: most look-ups are about the present.
const lastOffsets = new Map<string, { readonly quarter: number; readonly offset: number }>();

// Zones only change their offset at a quarter of an hour.
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

// Creating a formatter takes a hundred times as long as using it; a site has one zone.
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
