import type { Dosage, MedicationAdministration, MedicationRequest, TimingRepeat } from 'fhir/r4.js';
import type { Rate } from '../drug/dosage/rate.ts';
import { readSig } from '../drug/dosage/read-sig.ts';
import { readTiming } from '../drug/dosage/read-timing.ts';
import { Cited, cite } from '../evidence/cite.ts';
import { evidenceDay } from '../evidence/dates.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import type { Located } from '../fhir/references/graph.ts';
import { dayAfter, monthsAfter } from '../fhir/time/calendar-days.ts';
import type { Around } from './around.ts';
import type { Span } from './days-covered.ts';

/**
 * The time from one dose to the next: 56 days for "every 8 weeks". Months are not converted to days because their
 * length varies.
 */
export interface DoseInterval {
  readonly count: number;
  readonly unit: 'day' | 'month';
}

/**
 * The interval between administered doses, as the drug's orders and the doses themselves state it. Undefined when none
 * of them states it or two disagree. `orders` are further orders of the drug, which are not among the entries.
 */
export function doseIntervalOf(
  entries: readonly TherapyEntry[],
  { chart }: Around,
  orders: readonly Located<MedicationRequest>[] = [],
): Cited<DoseInterval> | undefined {
  const given = entries.filter(({ kind }) => kind === 'administration').map(({ located }) => located);
  if (given.length === 0) return undefined;
  const named = given.flatMap((one) => {
    const { request } = one.resource as MedicationAdministration; // `kind` implies this type
    return chart.resolve(request, one, 'MedicationRequest') ?? [];
  });
  const ordered = entries.filter(({ kind }) => kind === 'order').map(({ located }) => located);
  const [first, ...others] = [
    ...given.flatMap(statedByDose),
    ...[...ordered, ...named, ...orders].flatMap(statedByOrder),
  ];
  return others.every(({ value }) => isSame(value, first?.value)) ? first : undefined;
}

function isSame(one: DoseInterval, other: DoseInterval | undefined): boolean {
  return one.count === other?.count && one.unit === other.unit;
}

function statedByDose(given: Located): Cited<DoseInterval>[] {
  const { text } = (given.resource as MedicationAdministration).dosage ?? {}; // `kind` implies this type
  const stated = text === undefined ? undefined : inWords(text);
  return stated === undefined ? [] : [cite(given, stated, 'dosage.text')];
}

// Doses do not say which phase of an order they belong to, so the phases must share one interval.
function statedByOrder(order: Located): Cited<DoseInterval>[] {
  const { dosageInstruction = [] } = order.resource as MedicationRequest; // `kind` implies this type
  const [first, ...others] = dosageInstruction.map(inDosage);
  if (first === undefined || !others.every((other) => other !== undefined && isSame(other, first))) return [];
  return [cite(order, first, 'dosageInstruction[0]')];
}

function inDosage({ text, timing, asNeededBoolean, asNeededCodeableConcept }: Dosage): DoseInterval | undefined {
  if (asNeededBoolean === true || asNeededCodeableConcept !== undefined) return undefined;
  const rate = timing === undefined ? undefined : readTiming({ timing });
  const structured = inMonths(timing?.repeat) ?? (rate?.isWhole === true ? inDays(rate) : undefined);
  const worded = text === undefined ? undefined : inWords(text);
  if (structured !== undefined && worded !== undefined && !isSame(structured, worded)) return undefined;
  return structured ?? worded;
}

function inMonths({
  frequency = 1,
  period,
  periodUnit,
  periodMax,
  count,
}: TimingRepeat = {}): DoseInterval | undefined {
  const months = periodUnit === 'mo' ? 1 : periodUnit === 'a' ? 12 : undefined;
  const isOnce = frequency === 1 && periodMax === undefined && count === undefined;
  if (months === undefined || !isOnce || period === undefined || !Number.isInteger(period)) return undefined;
  return { count: period * months, unit: 'month' };
}

// Several doses on one day count as one.
function inDays({ times, days }: Rate): DoseInterval | undefined {
  return times === 1 || days === 1 ? { count: days, unit: 'day' } : undefined;
}

const ofMonths = /\b(?:monthly|(?:once )?(?:a|every|each) month|every (\d+) months?)\b/i;
const ofYears = /\b(?:yearly|annually|(?:once )?(?:a|every|each) year)\b/i;
// Words that show more than one plain interval.
const inPhases = /\b(?:then|weeks? \d+,|induction|loading|first|followed|until|as needed|prn|or|times)\b/i;

function inWords(text: string): DoseInterval | undefined {
  const months = ofMonths.exec(text);
  if (months !== null || ofYears.test(text)) {
    if (inPhases.test(text) || (months !== null && ofYears.test(text))) return undefined;
    return { count: months === null ? 12 : Number(months[1] ?? 1), unit: 'month' };
  }
  const sig = readSig(text);
  const isPlain = sig !== undefined && ![sig.isUnread, sig.isRange, sig.changes, sig.isAsNeeded].includes(true);
  return isPlain && sig.rate !== undefined ? inDays(sig.rate) : undefined;
}

/** Example: `8 weeks`. */
export function intervalText({ count, unit }: DoseInterval): string {
  const [number, word] = unit === 'day' && count % 7 === 0 ? [count / 7, 'week'] : [count, unit];
  return `${number} ${word}${number === 1 ? '' : 's'}`;
}

/** The days from each dose until the next is due; empty when the interval is unknown. */
export function doseSpans(entries: readonly TherapyEntry[], interval: DoseInterval | undefined): Span[] {
  if (interval === undefined) return [];
  return entries.flatMap(({ kind, start }) => {
    const from = evidenceDay(start);
    if (kind !== 'administration' || from === undefined) return [];
    return [{ from, to: dayAfter(nextDue(from, interval), -1) }];
  });
}

function nextDue(day: string, { count, unit }: DoseInterval): string {
  return unit === 'day' ? dayAfter(day, count) : monthsAfter(day, count);
}

export function citedInterval(interval: Cited<DoseInterval>): Cited<string> {
  return new Cited(intervalText(interval.value), interval.source);
}
