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
import { citedFill, fillsOf, isOfOrdered, outdatedDate, statedSpan } from './history.ts';
import { isOtherForm } from './other-form.ts';
import { suppliedAs } from './supplied-as.ts';
import { distinct, isSameStrength } from './taken-products.ts';
import { citedGap, type Gap, gapsIn, openGap } from './therapy-gaps.ts';

/** How the patient has used the ordered drug so far. */
export const therapyStatuses = ['new', 'continuing', 'used earlier', 'ordered earlier'] as const;
export type TherapyStatus = (typeof therapyStatuses)[number];

/** The chart's entries for the ordered drug, oldest first, without this order and newer ones. */
export function earlierEntries(around: Answering): TherapyEntry[] {
  const written = writtenOn(around);
  return around
    .histories()
    .filter((history) => isOfOrdered(history, around))
    .flatMap(({ entries }) => entries)
    .filter(({ kind, ordered }) => kind !== 'order' || !isOlder(written, ordered));
}

// The products taken whose form or strength differs from the order.
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

/** One node that says whether the ordered drug is new or continued, judged by fills, doses and statements. */
export function therapyAround(around: Answering, { request }: Facts): Node[] {
  const { chart } = around;
  const entries = earlierEntries(around);
  const days = daysIn(entries, around);
  const { status, basis } = statusOf(entries, days, around);
  const inOrderedForm = entries.filter((entry) => !isOtherForm(entry, around));
  const isInOtherForm = statusOf(inOrderedForm, daysIn(inOrderedForm, around), around).status !== status;
  // When a resource type was not read, the chart cannot show that the drug was never taken.
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

/**
 * The source of a status when the chart has no entry for the drug: the order itself is no evidence that the drug is
 * new.
 */
const searched = { kind: 'derived', note: `nothing of it in ${drugTypes.join(', ')} besides this order` } as const;

// While the status is `continuing`, the time since the last supply is a gap too, unless a statement says that the drug
// is taken now.
function gapsOf(entries: readonly TherapyEntry[], days: Days, around: Around): Gap[] {
  const { chart, policy } = around;
  if (days.unmeasured.length > 0) return [];
  const isOpen = statusOf(entries, days, around).status === 'continuing';
  const isStatedTaken = entries.some((entry) => isTakenNow(entry, around));
  const since = isOpen && !isStatedTaken ? openGap(days.last, chart.today.day, policy.longestGap) : [];
  return [...gapsIn(days.known, policy.longestGap), ...since];
}

/** The day on which the drug was restarted after the last gap longer than `longestGap`. */
export function restartOf(entries: readonly TherapyEntry[], around: Around): Cited<string> | undefined {
  const { known, unmeasured } = daysIn(entries, around);
  const gap = unmeasured.length > 0 ? undefined : gapsIn(known, around.policy.longestGap).at(-1);
  if (gap === undefined) return undefined;
  const again = dayAfter(gap.to, 1);
  return takenDates(entries).find((date) => evidenceDay(date) === again);
}

/** The period in which a result may show the effect of the drug. */
export interface Effect {
  /**
   * The last day: `longestGap` days after the drug was last available. If the end of therapy is unknown, the day of the
   * request.
   */
  readonly until: string;
  /** The gap that the day is in, if the gap had already lasted longer than `longestGap`. */
  readonly gapOn: (day: string) => Gap | undefined;
}

export function effectOf(entries: readonly TherapyEntry[], around: Around): Effect {
  const { last, known, unmeasured } = daysIn(entries, around);
  const { longestGap } = around.policy;
  const isOpen = last === undefined || (unmeasured.at(-1)?.day ?? '') > last;
  const gaps = unmeasured.length > 0 ? [] : gapsIn(known, longestGap);
  return {
    until: isOpen ? around.chart.today.day : dayAfter(last, longestGap),
    // A result from the day of the restart counts as measured before the dose.
    gapOn: (day) => gaps.find(({ from, to }) => day >= dayAfter(from, longestGap) && day <= dayAfter(to, 1)),
  };
}

/** The days on which the ordered drug was available. Only fills and doses of known duration count. */
interface Days {
  readonly spans: readonly Span[];
  /** From statements with a start and an end. */
  readonly stated: readonly Span[];
  /**
   * `spans` and `stated`, and open statements up to the last day of supply: a pause in supply within a statement is no
   * gap in therapy.
   */
  readonly known: readonly Span[];
  /** The last day of supply, or the day of the request if earlier. */
  readonly supplied: string | undefined;
  /** The last day of supply or, without supply, of the statements. It may be after the day of the request. */
  readonly end: string | undefined;
  /** The last day on which the drug was available or stated to be taken. */
  readonly last: string | undefined;
  /** Fills and doses of unknown duration that are not within the spans. */
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
  const stated = union(taken.flatMap((entry) => statedSpan(entry, day)));
  const known = union([...spans, ...taken.flatMap((entry) => statedSpan(entry, day, lastDayOf(spans, day)))]);
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
  return { spans, stated, known, supplied, end: endOf(spans, day) ?? endOf(known, day), last, unmeasured, interval };
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

// Only supply gives an exact number of days. A start and an end in statements give an approximate number.
function countsOf({ spans, stated, end, unmeasured }: Days, { chart }: Around) {
  const { day } = chart.today;
  const newest = unmeasured.at(-1)?.day ?? '';
  const lastCovered = end === undefined || newest > end ? {} : { lastCovered: end };
  if (unmeasured.length > 0) return { ...lastCovered, remark: unmeasuredText(unmeasured.length) };
  if (spans.length > 0) return { ...lastCovered, daysCovered: countDays(spans, day) };
  return { ...lastCovered, ...(stated.length === 0 ? {} : { aboutDays: countDays(stated, day) }) };
}

function unmeasuredText(count: number): string {
  const what =
    count === 1 ? 'fill or dose does not say how long it lasts' : 'fills or doses do not say how long they last';
  return `${count} ${what}: no days and no gaps are counted`;
}

interface StatusWithBasis {
  /** Undefined when the duration of the last fill or dose is unknown. */
  readonly status: TherapyStatus | undefined;
  readonly basis: string;
}

function statusOf(entries: readonly TherapyEntry[], days: Days, around: Around): StatusWithBasis {
  const { chart, policy } = around;
  const { today } = chart;
  const { last, unmeasured } = days;
  const taken = entries.filter(isTaken);
  const latest = unmeasured.at(-1);
  const isRecent = (day = '0001-01-01') => daysBetween(day, today.day) <= policy.continuingDays;
  const window = `in the last ${policy.continuingDays} days`;
  if (isRecent(last)) return { status: 'continuing', basis: `${lastDayText(days)}, which is ${window}` };
  const isStatedNow = taken.some((entry) => isTakenNow(entry, around));
  if (last === undefined && isStatedNow) return { status: 'continuing', basis: takenNow };
  if (latest !== undefined && isRecent(latest.day))
    return { status: 'continuing', basis: `${lastText(latest)}, which is ${window}` };
  if (isStatedNow) return { status: 'continuing', basis: takenNow };
  if (latest !== undefined && latest.day > (last ?? '') && !saysEnd(entries, latest.day, today))
    return { status: undefined, basis: `${lastText(latest)}; nothing says how long it lasts` };
  const word = newestOutdatedDate(taken, around);
  if (word !== undefined && word.value.slice(0, 10) >= (latest?.day ?? last ?? ''))
    return { status: undefined, basis: `it is told to be taken as of ${dayText(word.value)}; nothing newer says so` };
  if (taken.length > 0) return { status: 'used earlier', basis: earlierBasis(days, policy.continuingDays) };
  return statusByOrders(entries, around);
}

// The status of a drug that has no dispense, dose or statement in the chart, except samples.
function statusByOrders(entries: readonly TherapyEntry[], around: Around): StatusWithBasis {
  const { chart, policy } = around;
  const besides = entries.some(({ isSample }) => isSample) ? ' besides samples' : '';
  const shownByNothing = `no dispense, dose or statement${besides} shows`;
  const first = entries.find(
    ({ kind, isSample, ordered }) => kind === 'order' && !isSample && !isSameDay(ordered, writtenOn(around)),
  );
  if (first !== undefined)
    return { status: 'ordered earlier', basis: `${orderedText(first)}; ${shownByNothing} that it was taken` };
  const written = evidenceDay(writtenOn(around));
  // An order from long ago may have been filled since.
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
  const sentence = last === supplied ? `it last covered ${dayText(last)}` : lastDayText(days);
  return `${sentence}, more than ${longest} days ago`;
}

function lastText({ day, kind }: Unmeasured): string {
  return kind === 'administration'
    ? `the last dose was given on ${dayText(day)}`
    : `it was last dispensed on ${dayText(day)}`;
}

// Whether the newest order or statement is over. If it is, a dose of unknown duration has ended too.
function saysEnd(entries: readonly TherapyEntry[], day: string, today: Around['chart']['today']): boolean {
  const ending = entries.findLast(({ kind }) => kind === 'order' || kind === 'statement');
  const end = evidenceDay(ending?.stop);
  if (end !== undefined) return end >= day && end <= today.day;
  const status = ending?.status.value;
  return status === 'stopped' || (ending?.kind === 'statement' && status === 'completed');
}

function isTakenNow(entry: TherapyEntry, around: Around): boolean {
  return isStatedOpen(entry, around) && outdatedDate(entry, around) === undefined;
}

function isStatedOpen({ kind, status, stop }: TherapyEntry, { chart }: Around): boolean {
  if (kind !== 'statement' || status.value !== 'active') return false;
  return stop === undefined || standing({ end: stop.value }, chart.today) !== 'ended';
}

// The date of the newest outdated statement that the drug is taken.
function newestOutdatedDate(entries: readonly TherapyEntry[], around: Around): Cited<string> | undefined {
  const words = entries
    .filter((entry) => isStatedOpen(entry, around))
    .flatMap((entry) => outdatedDate(entry, around) ?? []);
  return newest(words, around.chart.today.timeZone);
}
