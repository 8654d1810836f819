/** How often a dose is taken: `times` in `days` days. Both are positive whole numbers. */
export interface Rate {
  readonly times: number;
  readonly days: number;
  /** The unit in the chart if it is not the day, so that "every 12 hours" is not shown as "twice a day". */
  readonly unit?: 'hour' | 'week';
}

/** Whether two rates are equal: twice in two days is once a day. */
export function isSameRate(left: Rate, right: Rate): boolean {
  return left.times * right.days === right.times * left.days;
}

/**
 * A rate in words, in the unit of the chart.
 *
 * @example rateText({ times: 1, days: 14 }) // 'every 14 days'
 */
export function rateText({ times, days, unit }: Rate): string {
  if (unit === 'hour') return timesText(1, (24 * days) / times, unit);
  return unit === 'week' ? timesText(times, days / 7, unit) : timesText(times, days, 'day');
}

/** Example: `once a month`, `every 6 months`, `twice in 6 months`. */
export function timesText(times: number, period: number, unit: string): string {
  if (times === 1 && period > 1) return `every ${period} ${unit}s`;
  const often = ['', 'once', 'twice'][times] ?? `${times} times`;
  if (period > 1) return `${often} in ${period} ${unit}s`;
  return `${often} ${unit === 'hour' ? 'an' : 'a'} ${unit}`;
}

/**
 * The rate of one dose every `hours` hours. Undefined unless that is a whole number of doses a day, or a whole number
 * of days.
 */
export function everyHours(hours: number): Rate | undefined {
  if (!Number.isInteger(hours) || hours < 1) return undefined;
  if (24 % hours === 0) return { times: 24 / hours, days: 1, unit: 'hour' };
  return hours % 24 === 0 ? { times: 1, days: hours / 24, unit: 'hour' } : undefined;
}

/** The rate of `times` doses in `weeks` weeks. Undefined unless both are positive whole numbers. */
export function inWeeks(times: number, weeks: number): Rate | undefined {
  const rate = inDays(times, 7 * weeks);
  return rate === undefined || !Number.isInteger(weeks) ? undefined : { ...rate, unit: 'week' };
}

export function inDays(times: number, days: number): Rate | undefined {
  return [times, days].every((part) => Number.isInteger(part) && part > 0) ? { times, days } : undefined;
}
