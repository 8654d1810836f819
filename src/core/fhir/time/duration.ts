import { systems } from '../codes/systems.ts';
import { isObject } from '../is-object.ts';
import type { Refusal } from '../references/refusals.ts';

/** Whole days of a duration, with a note when it was written in weeks; or why there are none. */
export type WholeDays = { readonly value: number; readonly note?: string } | { readonly refused: Refusal };

// A supply of more than ten years is treated as a typing error.
const mostDays = 3650;

/**
 * Whole days of a FHIR Duration or Quantity of time, in days or weeks (FHIR R4, datatypes, Duration; UCUM `d`, `wk`, or
 * the unit's word). The code takes precedence over the unit; if the two contradict each other, the value is refused.
 * Months and years are refused because they have no fixed length; hours and shorter units are refused too. A comparator
 * is refused because it states a bound, not a value.
 *
 * @example wholeDays({ value: 4, unit: 'weeks', code: 'wk' }) // { value: 28, note: '4 weeks' }
 */
export function wholeDays(duration: unknown): WholeDays {
  if (!isObject(duration)) return { refused: 'no_days' };
  const { value, comparator } = duration;
  if (typeof value !== 'number') return { refused: 'no_days' };
  if (comparator !== undefined) return { refused: 'only_a_bound' };
  const length = lengthOf(duration);
  if (typeof length === 'string') return { refused: length };
  const days = value * length;
  if (!Number.isInteger(days) || days < 1) return { refused: 'whole_days' };
  if (days > mostDays) return { refused: 'over_ten_years' };
  return length === 1 ? { value: days } : { value: days, note: `${value} ${value === 1 ? 'week' : 'weeks'}` };
}

/** The days alone, for callers that do not need the reason; undefined when there are none. */
export function daysOfDuration(duration: unknown): number | undefined {
  const days = wholeDays(duration);
  return 'value' in days ? days.value : undefined;
}

const spellings: Readonly<Record<string, readonly string[]>> = {
  day: ['d', 'day', 'days', 'day(s)', '{day}', '{days}'],
  week: ['wk', 'wks', 'week', 'weeks', 'week(s)', '{week}', '{weeks}'],
  month: ['mo', 'mos', 'month', 'months', 'month(s)', 'a', 'yr', 'year', 'years'],
  hour: ['h', 'hr', 'hrs', 'hour', 'hours', 'min', 'minute', 'minutes', 's', 'sec', 'second', 'seconds', 'ms', 'us'],
};
const unitOf = new Map(
  Object.entries(spellings).flatMap(([unit, words]) => words.map((word) => [word, unit] as const)),
);

// The number of days in one unit, or why the unit has none.
function lengthOf({ system, code, unit }: Readonly<Record<string, unknown>>): number | Refusal {
  const coded = system === undefined || system === systems.ucum ? nameOf(code) : undefined;
  if (system === systems.ucum && code !== undefined && coded === undefined) return 'not_in_days';
  const worded = nameOf(unit);
  if (coded !== undefined && worded !== undefined && coded !== worded) return 'unit_differs';
  const name = coded ?? worded;
  if (name === 'day') return 1;
  if (name === 'week') return 7;
  return name === 'month' ? 'months' : 'not_in_days';
}

function nameOf(word: unknown): string | undefined {
  return typeof word === 'string' ? unitOf.get(word.trim().toLowerCase()) : undefined;
}
