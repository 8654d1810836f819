import { type Cited, citeFirst } from '../evidence/cite.ts';
import { evidenceDay, oldest } from '../evidence/dates.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { daysBetween } from '../fhir/time/calendar-days.ts';
import type { Around } from './around.ts';

/** The first day on which the chart shows that the ordered drug was taken. Samples do not count. */
export function firstTaken(entries: readonly TherapyEntry[], { chart }: Around): Cited<string> | undefined {
  return oldest(takenDates(entries), chart.today.timeZone);
}

/** The dates of fills, administrations and statements, without samples. */
export function takenDates(entries: readonly TherapyEntry[]): Cited<string>[] {
  return entries.filter(isTaken).flatMap((entry) => entry.handedOver ?? entry.start ?? []);
}

/** The date of the first order for the drug, this order included. Samples do not count. */
export function firstOrdered(entries: readonly TherapyEntry[], around: Around): Cited<string> | undefined {
  const others = entries.filter(({ isSample }) => !isSample).map(({ ordered }) => ordered);
  return oldest([writtenOn(around), ...others].filter(isThere), around.chart.today.timeZone);
}

export function writtenOn({ chart: { order } }: Around): Cited<string> | undefined {
  return citeFirst(order, { authoredOn: order.resource.authoredOn });
}

export interface Beginning {
  /** The first fill, dose or statement. Without any, the first earlier order; without an order, the first samples. */
  readonly first: Cited<string>;
  readonly by: 'dose' | 'order' | 'samples';
  /**
   * The first day on which the drug may have been taken: the earliest of `first`, any samples, and the start that this
   * order states. If `first` is more than `continuingDays` after the first order, that order counts too: its fill may
   * be missing from the chart.
   */
  readonly sign: Cited<string>;
}

/** Undefined when nothing shows that the drug was started before this order. */
export function beginningOf(entries: readonly TherapyEntry[], around: Around): Beginning | undefined {
  const { timeZone } = around.chart.today;
  const taken = firstTaken(entries, around);
  const orders = entries.filter(({ kind, isSample }) => kind === 'order' && !isSample);
  const ordered = oldest(orders.map((entry) => entry.ordered).filter(isThere), timeZone);
  const sampled = entries.filter(({ isSample }) => isSample);
  const samples = sampled.flatMap(({ handedOver, start, ordered: on }) => handedOver ?? start ?? on ?? []);
  const first = taken ?? ordered ?? oldest(samples, timeZone);
  if (first === undefined) return undefined;
  const sign = oldest([first, ...samples, ...statedStarts(around), ...unfilledOrder(entries, first, around)], timeZone);
  const by = first === taken ? 'dose' : first === ordered ? 'order' : 'samples';
  return { first, by, sign: sign ?? first };
}

function unfilledOrder(entries: readonly TherapyEntry[], first: Cited<string>, around: Around): Cited<string>[] {
  const ordered = firstOrdered(entries, around);
  const [from, to] = [evidenceDay(ordered), evidenceDay(first)];
  const isFilled = from !== undefined && to !== undefined && daysBetween(from, to) <= around.policy.continuingDays;
  return ordered === undefined || isFilled ? [] : [ordered];
}

function statedStarts({ chart: { order } }: Around): Cited<string>[] {
  const bounds = 'timing.repeat.boundsPeriod.start';
  return (order.resource.dosageInstruction ?? [])
    .map(({ timing }, at) =>
      citeFirst(order, { [`dosageInstruction[${at}].${bounds}`]: timing?.repeat?.boundsPeriod?.start }),
    )
    .filter(isThere);
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

export function isTaken({ kind, isSample }: TherapyEntry): boolean {
  return kind !== 'order' && !isSample;
}

/** Whether two dates are equal at the lower precision of the two. False when either is undefined. */
export function isSameDay(one: Cited<string> | undefined, other: Cited<string> | undefined): boolean {
  return one !== undefined && other !== undefined && !isOlder(one, other) && !isOlder(other, one);
}

/** Compares at the lower precision of the two dates, so `2026` is not before `2026-05-01`. */
export function isOlder(one: Cited<string> | undefined, other: Cited<string> | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const digits = Math.min(one.value.length, other.value.length, 10);
  return one.value.slice(0, digits) < other.value.slice(0, digits);
}
