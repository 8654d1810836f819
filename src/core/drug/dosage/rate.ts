/** How often a dose is taken: `times` in `days` days, both whole numbers above zero. */
export interface Rate {
  readonly times: number;
  readonly days: number;
}

/** Whether two rates mean the same: twice in two days is once a day. */
export function isSameRate(left: Rate, right: Rate): boolean {
  return left.times * right.days === right.times * left.days;
}

/**
 * A rate in words.
 *
 * @example rateText({ times: 1, days: 14 }) // 'once in 14 days'
 */
export function rateText({ times, days }: Rate): string {
  return days === 7 ? timesText(times, 1, 'week') : timesText(times, days, 'day');
}

/** `once a month`, `twice in 6 months` */
export function timesText(times: number, period: number, unit: string): string {
  const often = ['', 'once', 'twice'][times] ?? `${times} times`;
  if (period > 1) return `${often} in ${period} ${unit}s`;
  return `${often} ${unit === 'hour' ? 'an' : 'a'} ${unit}`;
}

/** Every so many hours as a rate; undefined when that is no whole number of times a day or of days. */
export function everyHours(hours: number): Rate | undefined {
  if (!Number.isInteger(hours) || hours < 1) return undefined;
  if (24 % hours === 0) return { times: 24 / hours, days: 1 };
  return hours % 24 === 0 ? { times: 1, days: hours / 24 } : undefined;
}
