import { dayIn, machineTimeZone } from './time-zone.ts';

/** The present in a site's time zone: the reference for a period, a birth date or an order's date. */
export interface Today {
  /** Milliseconds since 1970 UTC. */
  readonly instant: number;
  /** The calendar day in the site's zone: `2026-11-21`. */
  readonly day: string;
  /** IANA name of the site's zone: `America/New_York`. */
  readonly timeZone: string;
}

/**
 * The site's day at an instant. Without a zone, it is the day in the machine's zone.
 *
 * @example todayAt(new Date('2026-11-21T03:00:00Z'), 'America/New_York').day // '2026-11-20'
 */
export function todayAt(now: Date, timeZone: string = machineTimeZone()): Today {
  const instant = now.getTime();
  if (last?.instant !== instant || last.timeZone !== timeZone)
    last = { instant, day: dayIn(instant, timeZone), timeZone };
  return last;
}

// A batch uses the same instant for every chart.
let last: Today | undefined;
