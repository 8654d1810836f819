import { memoized } from '../../text-cache.ts';

/** A parsed FHIR date, dateTime or instant: FHIR R4, datatypes, 2.24.0.1. */
export type DateTime = WrittenDate | WrittenInstant;

/** A date at its written precision: `2026`, `2026-11`, `2026-11-21`. */
export interface WrittenDate {
  readonly precision: 'year' | 'month' | 'day';
  readonly date: string;
}

/** A date with a time and its offset. */
export interface WrittenInstant {
  readonly precision: 'instant';
  /** The day as written, in the offset as written. */
  readonly date: string;
  /** Milliseconds since 1970 UTC. */
  readonly instant: number;
}

const shape =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:\d{2})?)?)?)?$/;

/**
 * Parses a date, dateTime or instant; undefined for anything else (`2026-02-30`, `T24:00:00Z`, `soon`, a number). From
 * a time without an offset, which FHIR forbids and some exports write, only the day is read. Seconds may be missing.
 *
 * @example readDateTime('2026-11') // { precision: 'month', date: '2026-11' }
 */
export function readDateTime(text: unknown): DateTime | undefined {
  return typeof text === 'string' ? readText(text) : undefined;
}

const readText = memoized((text): DateTime | undefined => {
  const parts = shape.exec(text);
  if (parts === null) return undefined;
  const [, year = '', month, day, hour, minute, second = '00', fraction = '', offset] = parts;
  if (year === '0000' || !isDay(year, month, day)) return undefined;
  if (month === undefined) return { precision: 'year', date: year };
  if (day === undefined) return { precision: 'month', date: `${year}-${month}` };
  const date = `${year}-${month}-${day}`;
  if (hour === undefined) return { precision: 'day', date };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  if (offset === undefined) return { precision: 'day', date };
  const shift = minutesOf(offset);
  if (shift === undefined) return undefined;
  // Date.parse is not used, because it rejects the leap second that FHIR allows.
  const milliseconds = Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  const minutes = Number(hour) * 60 + Number(minute) - shift;
  return { precision: 'instant', date, instant: midnight(year, month, day) + minutes * 60_000 + milliseconds };
});

/**
 * The calendar day as written, of a date or dateTime with a day: `2026-11-21`; undefined for a year, a month, or a text
 * that is not a date.
 */
export function wholeDate(text: unknown): string | undefined {
  const read = readDateTime(text);
  return read?.precision === 'day' || read?.precision === 'instant' ? read.date : undefined;
}

// Date.UTC is not used, because it reads the years 1 to 99 as years of the twentieth century.
function midnight(year: string, month: string, day: string): number {
  return new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day));
}

const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(year: string, month = '01', day = '01'): boolean {
  const last = daysInMonth[Number(month) - 1] ?? 0;
  if (day === '00' || Number(day) > last) return false;
  return month !== '02' || day !== '29' || isLeapYear(Number(year));
}

// FHIR R4 allows offsets of up to fourteen hours.
function minutesOf(offset: string): number | undefined {
  if (offset === 'Z') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(4))];
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > 14 * 60) return undefined;
  return offset.startsWith('-') ? -total : total;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
