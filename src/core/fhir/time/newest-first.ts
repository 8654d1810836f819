import { readDateTime } from './date-time.ts';
import { machineTimeZone, startOfDay } from './time-zone.ts';

/**
 * A comparator of FHIR dates and dateTimes: newest first, by the instant. A date counts from the first moment of its
 * day, month or year in the zone, because a later moment is not stated. Of two dates with the same first moment, the
 * more precise one comes first. A text that is not a date comes last. Equal dates compare as 0, so that a stable sort
 * keeps their order.
 *
 * @example
 * const compare = newestFirst(today.timeZone);
 * labs.toSorted((one, other) => compare(one.date, other.date));
 */
export function newestFirst(timeZone: string = machineTimeZone()): Comparator {
  let known: Map<string, Rank> | undefined;
  const rankOf = (text: string | undefined): Rank => {
    if (text === undefined) return unknown;
    known ??= new Map();
    const rank = known.get(text) ?? rankIn(text, timeZone);
    known.set(text, rank);
    return rank;
  };
  return (left, right) => {
    if (left === right) return 0;
    const [one, other] = [rankOf(left), rankOf(right)];
    if (one.from !== other.from) return one.from > other.from ? -1 : 1;
    return other.precision - one.precision;
  };
}

/** Oldest first. A text that is not a date still comes last. */
export function oldestFirst(timeZone: string = machineTimeZone()): Comparator {
  const newest = newestFirst(timeZone);
  return (left, right) => {
    const [isDate, isOtherDate] = [left, right].map((text) => readDateTime(text) !== undefined);
    return isDate && isOtherDate ? -newest(left, right) : newest(left, right);
  };
}

type Comparator = (left: string | undefined, right: string | undefined) => number;

interface Rank {
  readonly from: number;
  readonly precision: number;
}

const unknown: Rank = { from: Number.NEGATIVE_INFINITY, precision: 0 };
const precisions = { year: 1, month: 2, day: 3, instant: 4 } as const;

function rankIn(text: string, timeZone: string): Rank {
  const read = readDateTime(text);
  if (read === undefined) return unknown;
  const precision = precisions[read.precision];
  if (read.precision === 'instant') return { from: read.instant, precision };
  return { from: startOfDay(`${read.date}-01-01`.slice(0, 10), timeZone), precision };
}
