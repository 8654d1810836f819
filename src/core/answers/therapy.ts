import { Cited, cite, nodeOf } from '../evidence/cite.ts';
import { evidenceDay, newest } from '../evidence/dates.ts';
import { orderedDrug } from '../evidence/therapies.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { dayAfter, daysBetween } from '../fhir/time/calendar-days.ts';
import { dayText } from '../fhir/time/day-text.ts';
import { standing } from '../fhir/time/standing.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import type { Around } from './around.ts';
import { firstOrdered, firstTaken, isOlder, isSameDay, isTaken, takenDates, writtenOn } from './begun.ts';
import { daysIn as countDays, coveredBy, type Span, union } from './days-covered.ts';
import { citedInterval, type DoseInterval, doseIntervalOf, doseSpans } from './dose-interval.ts';
import { citedFill, fillsOf, isOfOrdered, oldWord, toldSpan } from './history.ts';
import { isOtherForm } from './other-form.ts';
import { suppliedAs } from './supplied-as.ts';
import { distinct, isSameStrength } from './taken-products.ts';
import { citedGap, type Gap, gapsIn, openGap } from './therapy-gaps.ts';

/** How the patient stands to the ordered drug. */
export const therapyStatuses = ['new', 'continuing', 'used earlier', 'ordered earlier'] as const;
export type TherapyStatus = (typeof therapyStatuses)[number];

/** Everything of the chart about the ordered drug besides the order itself and younger ones of it, oldest first. */
export function earlierEntries(around: Answering): TherapyEntry[] {
  const written = writtenOn(around);
  return around
    .histories()
    .filter((history) => isOfOrdered(history, around))
    .flatMap(({ entries }) => entries)
    .filter(({ kind, ordered }) => kind !== 'order' || !isOlder(written, ordered));
}

// As what it was taken, where that is another form or strength than the ordered one.
function takenIn(entries: readonly TherapyEntry[], around: Around) {
  const taken = entries.filter(isTaken);
  const order = { drug: orderedDrug(around.chart) };
  const others = taken.filter((entry) => isOtherForm(entry, around) || !isSameStrength(entry, order));
  const isInPart = others.length > 0 && others.length < taken.length;
  return {
    takenAs: distinct(others.map(({ drug }) => drug.product)),
    ...(isInPart ? { takenAsInPart: true } : {}),
  };
}

const drugTypes = ['MedicationRequest', 'MedicationStatement', 'MedicationDispense', 'MedicationAdministration'];

/** Whether the ordered drug is begun or continued, by what was handed over, given or told; one node. */
export function therapyAround(around: Answering, { request }: Facts): Node[] {
  const { chart } = around;
  const entries = earlierEntries(around);
  const days = daysIn(entries, around);
  const { status, basis } = standingOf(entries, days, around);
  const inOrderedForm = entries.filter((entry) => !isOtherForm(entry, around));
  const isInOtherForm = standingOf(inOrderedForm, daysIn(inOrderedForm, around), around).status !== status;
  // What was not read is no absence.
  if (!entries.some(isTaken) && drugTypes.some((type) => request.unread?.includes(type))) return [];
  const since = firstTaken(entries, around);
  const ordered = firstOrdered(entries, around);
  const sample = entries.find(({ isSample }) => isSample);
  const whole = entries.findLast(isTaken)?.located ?? entries.at(-1)?.located ?? chart.order;
  const facts = {
    therapy: {
      ...(status === undefined ? {} : { status: new Cited(status, cite(whole, '').source) }),
      basis,
      ...(isInOtherForm ? { inOtherForm: true } : {}),
      ...takenIn(entries, around),
      ...(since === undefined ? {} : { since }),
      ...(isOlder(ordered, since) ? { ordered } : {}),
      ...countsOf(days, around),
      ...(days.interval === undefined ? {} : { doseInterval: citedInterval(days.interval) }),
      ...(sample === undefined ? {} : { samples: cite(sample.located, 'samples were given') }),
      suppliedAs: suppliedAs(entries, around).map((one) => ({ ...one })),
      gaps: gapsOf(entries, days, around).map((gap) => citedGap(gap, entries.filter(isTaken), chart.today.day)),
      fills: fillsOf(entries.filter(isTaken)).map(citedFill),
      sources: entries.map(({ located }) => cite(located, located.reference)),
    },
  };
  return [entries.length > 0 ? nodeOf(facts, whole) : { ...nodeOf(facts, whole), told: searched }];
}

/** What is read where the chart has nothing of the drug: the order itself proves no absence. */
const searched = { kind: 'derived', note: `nothing of it in ${drugTypes.join(', ')} besides this order` } as const;

// While it counts as continued, the time since the last supply is one, too, unless somebody tells that it is taken.
function gapsOf(entries: readonly TherapyEntry[], days: Days, around: Around): Gap[] {
  const { chart, policy } = around;
  if (days.unmeasured.length > 0) return [];
  const isOpen = standingOf(entries, days, around).status === 'continuing';
  const isTold = entries.some((entry) => isTakenNow(entry, around));
  const since = isOpen && !isTold ? openGap(days.last, chart.today.day, policy.longestGap) : [];
  return [...gapsIn(days.known, policy.longestGap), ...since];
}

/** The day on which the drug was begun again, after the last time without it that is longer than the site allows. */
export function restartOf(entries: readonly TherapyEntry[], around: Around): Cited<string> | undefined {
  const { known, unmeasured } = daysIn(entries, around);
  const gap = unmeasured.length > 0 ? undefined : gapsIn(known, around.policy.longestGap).at(-1);
  if (gap === undefined) return undefined;
  const again = dayAfter(gap.to, 1);
  return takenDates(entries).find((date) => evidenceDay(date) === again);
}

/** When a result may tell how the drug works. */
export interface Effect {
  /**
   * The last day: as long after the last day on which it was at hand as a time without it may last at this site. Where
   * nothing says until when it was taken, that of the request.
   */
  readonly until: string;
  /** The time without it that a day is in, where that had then lasted longer than the site allows. */
  readonly gapOn: (day: string) => Gap | undefined;
}

export function effectOf(entries: readonly TherapyEntry[], around: Around): Effect {
  const { last, known, unmeasured } = daysIn(entries, around);
  const { longestGap } = around.policy;
  const isOpen = last === undefined || (unmeasured.at(-1)?.day ?? '') > last;
  const gaps = unmeasured.length > 0 ? [] : gapsIn(known, longestGap);
  return {
    until: isOpen ? around.chart.today.day : dayAfter(last, longestGap),
    // What was measured on the day of a new beginning was measured before the dose.
    gapOn: (day) => gaps.find(({ from, to }) => day >= dayAfter(from, longestGap) && day <= dayAfter(to, 1)),
  };
}

/** The days of the ordered drug, as far as the chart says how long a fill and a dose last. */
interface Days {
  /** By supply and by doses that were given. */
  readonly spans: readonly Span[];
  /** From a stated start to a stated end. */
  readonly told: readonly Span[];
  /** Both, and what is told without an end up to the last day of supply: a gap between them is no time without it. */
  readonly known: readonly Span[];
  /** The last day of supply, at most that of the request. */
  readonly supplied: string | undefined;
  /** The last day of supply or, without any, that is told, also where that is after the day of the request. */
  readonly end: string | undefined;
  /** The last day on which it was at hand or is told to be taken. */
  readonly last: string | undefined;
  /** Fills and doses outside of the spans of which nobody says how long they last. */
  readonly unmeasured: readonly Unmeasured[];
  readonly interval: Cited<DoseInterval> | undefined;
}

interface Unmeasured {
  readonly day: string;
  readonly kind: TherapyEntry['kind'];
}

function daysIn(entries: readonly TherapyEntry[], around: Around): Days {
  const { day } = around.chart.today;
  const taken = entries.filter(isTaken);
  const interval = doseIntervalOf(entries, around, [around.chart.order]);
  const spans = union([...coveredBy(fillsOf(taken)), ...doseSpans(taken, interval?.value)]);
  const told = union(taken.flatMap((entry) => toldSpan(entry, day)));
  const known = union([...spans, ...taken.flatMap((entry) => toldSpan(entry, day, lastDayOf(spans, day)))]);
  const unmeasured = taken
    .filter((entry) => isUnmeasured(entry, interval?.value))
    .flatMap(({ handedOver, start, kind }) => {
      const at = evidenceDay(handedOver ?? start);
      return at === undefined || at > day || known.some((span) => span.from <= at && at <= span.to)
        ? []
        : [{ day: at, kind }];
    })
    .sort((one, other) => one.day.localeCompare(other.day));
  const [supplied, last] = [lastDayOf(spans, day), lastDayOf(known, day)];
  return { spans, told, known, supplied, end: endOf(spans, day) ?? endOf(known, day), last, unmeasured, interval };
}

function endOf(spans: readonly Span[], today: string): string | undefined {
  return spans.findLast(({ from }) => from <= today)?.to;
}

function lastDayOf(spans: readonly Span[], today: string): string | undefined {
  const to = endOf(spans, today);
  return to !== undefined && to > today ? today : to;
}

function isUnmeasured(entry: TherapyEntry, interval: DoseInterval | undefined): boolean {
  if (entry.kind === 'administration') return interval === undefined;
  return entry.kind === 'dispense' && fillsOf([entry]).length === 0;
}

// Only supply covers a day; from a stated start to a stated end is about how long it was taken.
function countsOf({ spans, told, end, unmeasured }: Days, { chart }: Around) {
  const { day } = chart.today;
  const newest = unmeasured.at(-1)?.day ?? '';
  const lastCovered = end === undefined || newest > end ? {} : { lastCovered: end };
  if (unmeasured.length > 0) return { ...lastCovered, remark: unmeasuredText(unmeasured.length) };
  if (spans.length > 0) return { ...lastCovered, daysCovered: countDays(spans, day) };
  return { ...lastCovered, ...(told.length === 0 ? {} : { aboutDays: countDays(told, day) }) };
}

function unmeasuredText(count: number): string {
  const what =
    count === 1 ? 'fill or dose does not say how long it lasts' : 'fills or doses do not say how long they last';
  return `${count} ${what}: no days and no gaps are counted`;
}

interface Standing {
  /** Undefined where nobody knows whether the last fill or dose still lasts. */
  readonly status: TherapyStatus | undefined;
  readonly basis: string;
}

function standingOf(entries: readonly TherapyEntry[], days: Days, around: Around): Standing {
  const { chart, policy } = around;
  const { today } = chart;
  const { last, unmeasured } = days;
  const taken = entries.filter(isTaken);
  const latest = unmeasured.at(-1);
  const isRecent = (day = '0001-01-01') => daysBetween(day, today.day) <= policy.continuingDays;
  const window = `in the last ${policy.continuingDays} days`;
  if (isRecent(last)) return { status: 'continuing', basis: `${lastDayText(days)}, which is ${window}` };
  const isToldNow = taken.some((entry) => isTakenNow(entry, around));
  if (last === undefined && isToldNow) return { status: 'continuing', basis: takenNow };
  if (latest !== undefined && isRecent(latest.day))
    return { status: 'continuing', basis: `${lastText(latest)}, which is ${window}` };
  if (isToldNow) return { status: 'continuing', basis: takenNow };
  if (latest !== undefined && latest.day > (last ?? '') && !saysEnd(entries, latest.day, today))
    return { status: undefined, basis: `${lastText(latest)}; nothing says how long it lasts` };
  const word = lastWord(taken, around);
  if (word !== undefined && word.value.slice(0, 10) >= (latest?.day ?? last ?? ''))
    return { status: undefined, basis: `it is told to be taken as of ${dayText(word.value)}; nothing newer says so` };
  if (taken.length > 0) return { status: 'used earlier', basis: earlierBasis(days, policy.continuingDays) };
  return standingByOrders(entries, around);
}

// Of a drug of which no dispense, no dose and no statement is in the chart, besides samples.
function standingByOrders(entries: readonly TherapyEntry[], around: Around): Standing {
  const { chart, policy } = around;
  const besides = entries.some(({ isSample }) => isSample) ? ' besides samples' : '';
  const shownByNothing = `no dispense, dose or statement${besides} shows`;
  const first = entries.find(
    ({ kind, isSample, ordered }) => kind === 'order' && !isSample && !isSameDay(ordered, writtenOn(around)),
  );
  if (first !== undefined)
    return { status: 'ordered earlier', basis: `${orderedText(first)}; ${shownByNothing} that it was taken` };
  const written = evidenceDay(writtenOn(around));
  // An order of long ago may have been filled since.
  if (written !== undefined && daysBetween(written, chart.today.day) > policy.continuingDays)
    return { status: undefined, basis: `ordered ${dayText(written)}; ${shownByNothing} whether it was taken` };
  return { status: 'new', basis: `the chart has no earlier order, statement, dispense or dose of it${besides}` };
}

const takenNow = 'the chart says that it is taken now';

function orderedText({ ordered, drug }: TherapyEntry): string {
  const day = ordered === undefined ? '' : ` on ${dayText(ordered.value)}`;
  return `it was first ordered${day}, as ${drug.product.value}`;
}

function lastDayText({ last, supplied }: Days): string {
  const day = dayText(last ?? '');
  return last === supplied ? `it covered ${day}` : `it is told to have been taken until ${day}`;
}

function earlierBasis(days: Days, longest: number): string {
  const { last, supplied } = days;
  if (last === undefined) return 'it was taken earlier; nothing says until when';
  const told = last === supplied ? `it last covered ${dayText(last)}` : lastDayText(days);
  return `${told}, more than ${longest} days ago`;
}

function lastText({ day, kind }: Unmeasured): string {
  return kind === 'administration'
    ? `the last dose was given on ${dayText(day)}`
    : `it was last dispensed on ${dayText(day)}`;
}

// The newest order or statement that is over ends a dose of unknown length, too.
function saysEnd(entries: readonly TherapyEntry[], day: string, today: Around['chart']['today']): boolean {
  const told = entries.findLast(({ kind }) => kind === 'order' || kind === 'statement');
  const end = evidenceDay(told?.stop);
  if (end !== undefined) return end >= day && end <= today.day;
  const status = told?.status.value;
  return status === 'stopped' || (told?.kind === 'statement' && status === 'completed');
}

function isTakenNow(entry: TherapyEntry, around: Around): boolean {
  return isToldOpen(entry, around) && oldWord(entry, around) === undefined;
}

function isToldOpen({ kind, status, stop }: TherapyEntry, { chart }: Around): boolean {
  if (kind !== 'statement' || status.value !== 'active') return false;
  return stop === undefined || standing({ end: stop.value }, chart.today) !== 'ended';
}

// Of the statements that say that it is taken, and are old.
function lastWord(entries: readonly TherapyEntry[], around: Around): Cited<string> | undefined {
  const words = entries.filter((entry) => isToldOpen(entry, around)).flatMap((entry) => oldWord(entry, around) ?? []);
  return newest(words, around.chart.today.timeZone);
}
