import { type Cited, citeFirst } from '../evidence/cite.ts';
import { oldest } from '../evidence/dates.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import type { Around } from './around.ts';

/** The first day on which the ordered drug was taken, as far as the chart says; samples are no beginning. */
export function firstTaken(entries: readonly TherapyEntry[], { chart }: Around): Cited<string> | undefined {
  return oldest(takenDates(entries), chart.today.timeZone);
}

/** When it was handed over, given or told, samples left out. */
export function takenDates(entries: readonly TherapyEntry[]): Cited<string>[] {
  return entries.filter(isTaken).flatMap((entry) => entry.handedOver ?? entry.start ?? []);
}

/** When the ordered drug was first ordered, as this order and the others of it say; samples are none. */
export function firstOrdered(entries: readonly TherapyEntry[], { chart }: Around): Cited<string> | undefined {
  const { order, today } = chart;
  const own = citeFirst(order, { authoredOn: order.resource.authoredOn });
  const others = entries.filter(({ isSample }) => !isSample).map(({ ordered }) => ordered);
  return oldest([own, ...others].filter(isThere), today.timeZone);
}

/**
 * The first day on which the ordered drug may have been taken: before that it was not. Each order, fill, statement,
 * dose and sample of it is a sign.
 */
export function firstSign(entries: readonly TherapyEntry[], around: Around): Cited<string> | undefined {
  const { order, today } = around.chart;
  const bounds = 'timing.repeat.boundsPeriod.start';
  const begun = (order.resource.dosageInstruction ?? []).map(({ timing }, at) =>
    citeFirst(order, { [`dosageInstruction[${at}].${bounds}`]: timing?.repeat?.boundsPeriod?.start }),
  );
  const signs = entries.flatMap(({ handedOver, start, ordered }) => [handedOver, start, ordered]);
  return oldest([firstOrdered(entries, around), ...begun, ...signs].filter(isThere), today.timeZone);
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

/** Whether a mention says that it was taken; samples are no beginning. */
export function isTaken({ kind, isSample }: TherapyEntry): boolean {
  return kind !== 'order' && !isSample;
}

/** Whether a date is before another, as far as both say. */
export function isOlder(one: Cited<string> | undefined, other: Cited<string> | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  // A year says nothing of the days in it.
  const digits = Math.min(one.value.length, other.value.length, 10);
  return one.value.slice(0, digits) < other.value.slice(0, digits);
}
