import { dayAfter } from '../core/fhir/time/calendar-days.ts';
import { dayIn } from '../core/fhir/time/time-zone.ts';
import type { TrendCase } from '../store/types.ts';

/** Figures of a practice's prior authorizations in a period. A figure over fewer than five cases is left out. */
export interface TrendFigures {
  readonly sent?: number;
  readonly decided?: number;
  /** The share of approved and denied requests that were approved as first sent, without a question from the payer. */
  readonly firstPass?: number;
  /** Average number of answers that people typed per request. */
  readonly typed?: number;
}

export interface TrendWeek extends TrendFigures {
  /** The Monday on which the week begins, YYYY-MM-DD. */
  readonly from: string;
}

export interface PayerDays {
  readonly payer: string;
  readonly decided: number;
  /** The median number of days from sending to the decision. */
  readonly days: number;
}

export interface Trends {
  /** The oldest first; the current week is the last. */
  readonly weeks: readonly TrendWeek[];
  /** Over all weeks; the slowest payer first. */
  readonly payers: readonly PayerDays[];
}

/** A figure over fewer cases could reveal something about an individual. */
export const fewestCases = 5;
export const trendWeeks = 13;

const dayMs = 24 * 3_600_000;

/** Weeks start on Monday in the site's time zone; the last week contains `now`. */
export function trendsOf(cases: readonly TrendCase[], { now, timeZone }: TrendTime): Trends {
  const weekOf = (at: string) => mondayOf(dayIn(Date.parse(at), timeZone));
  const last = mondayOf(dayIn(now.getTime(), timeZone));
  const mondays = Array.from({ length: trendWeeks }, (_, index) => dayAfter(last, (index + 1 - trendWeeks) * 7));
  const from = mondays[0]!;
  return {
    weeks: mondays.map((monday) => ({ from: monday, ...figuresOf(cases, (at) => weekOf(at) === monday) })),
    payers: payersOf(cases.filter(({ endedAt }) => endedAt !== undefined && weekOf(endedAt) >= from)),
  };
}

interface TrendTime {
  readonly now: Date;
  readonly timeZone: string;
}

/** `isIn` selects the period: it receives the time at which a case was sent, or decided. */
export function figuresOf(cases: readonly TrendCase[], isIn: (at: string) => boolean): TrendFigures {
  const sent = cases.filter(({ sentAt }) => isIn(sentAt));
  const decided = decidedOf(cases).filter(({ endedAt }) => endedAt !== undefined && isIn(endedAt));
  const judged = decided.filter(({ waits }) => waits === 'approved' || waits === 'denied');
  const typed = sent.flatMap((one) => (one.typed === undefined ? [] : [one.typed]));
  const passed = judged.filter(({ waits, isFirst }) => waits === 'approved' && isFirst);
  return {
    ...(isShown(sent.length) ? { sent: sent.length } : {}),
    ...(isShown(decided.length) ? { decided: decided.length } : {}),
    ...(judged.length < fewestCases ? {} : { firstPass: passed.length / judged.length }),
    ...(typed.length < fewestCases ? {} : { typed: typed.reduce((sum, one) => sum + one, 0) / typed.length }),
  };
}

/** Payers with at least `fewestCases` decisions. */
export function payersOf(cases: readonly TrendCase[]): readonly PayerDays[] {
  const byPayer = Map.groupBy(decidedOf(cases), ({ payer }) => payer);
  return [...byPayer]
    .flatMap(([payer, all]) => {
      if (payer === undefined || all.length < fewestCases) return [];
      return [{ payer, decided: all.length, days: median(all.map(daysOf)) }];
    })
    .sort((one, other) => other.days - one.days || one.payer.localeCompare(other.payer));
}

// Zero reveals nothing about an individual.
function isShown(count: number): boolean {
  return count === 0 || count >= fewestCases;
}

// `unwritten`: decided, but the outcome is not in the chart yet.
const decisions: ReadonlySet<string> = new Set(['approved', 'denied', 'other', 'unwritten']);

function decidedOf(cases: readonly TrendCase[]): readonly TrendCase[] {
  return cases.filter(({ endedAt, waits }) => endedAt !== undefined && decisions.has(waits));
}

function daysOf({ sentAt, endedAt = sentAt }: TrendCase): number {
  return Math.max(0, (Date.parse(endedAt) - Date.parse(sentAt)) / dayMs);
}

function median(values: readonly number[]): number {
  const ordered = values.toSorted((one, other) => one - other);
  const middle = ordered.length / 2;
  return Number.isInteger(middle) ? (ordered[middle - 1]! + ordered[middle]!) / 2 : ordered[Math.floor(middle)]!;
}

function mondayOf(day: string): string {
  return dayAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}
