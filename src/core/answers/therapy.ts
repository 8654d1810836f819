import { Cited, cite, nodeOf } from '../evidence/cite.ts';
import { evidenceDay, oldest } from '../evidence/dates.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { dayAfter, daysBetween } from '../fhir/time/calendar-days.ts';
import { dayText } from '../fhir/time/day-text.ts';
import { standing } from '../fhir/time/standing.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import type { Around } from './around.ts';
import { daysIn as countDays, coveredBy, type Span, union } from './days-covered.ts';
import { citedInterval, type DoseInterval, doseIntervalOf, doseSpans } from './dose-interval.ts';
import { fillsOf, isOfOrdered, toldSpan } from './history.ts';

/** The patient's history with the ordered drug. */
export const therapyStatuses = ['new', 'continuing', 'used earlier', 'ordered earlier'] as const;
export type TherapyStatus = (typeof therapyStatuses)[number];

/** Everything of the chart about the ordered drug besides the order itself, oldest first. */
export function earlierEntries(around: Answering): TherapyEntry[] {
  return around
    .histories()
    .filter((history) => isOfOrdered(history, around))
    .flatMap(({ entries }) => entries);
}

/** The first day on which the ordered drug was taken, as far as the chart says; samples are no beginning. */
export function firstTaken(entries: readonly TherapyEntry[], { chart }: Around): Cited<string> | undefined {
  const taken = entries.filter(isTaken);
  return oldest(
    taken.flatMap((entry) => entry.handedOver ?? entry.start ?? []),
    chart.today.timeZone,
  );
}

function isTaken({ kind, isSample }: TherapyEntry): boolean {
  return kind !== 'order' && !isSample;
}

const drugTypes = ['MedicationRequest', 'MedicationStatement', 'MedicationDispense', 'MedicationAdministration'];

/** Whether the ordered drug is started or continued, by dispenses, administrations and statements; one node. */
export function therapyAround(around: Answering, { request }: Facts): Node[] {
  const { chart, policy } = around;
  const entries = earlierEntries(around);
  const days = daysIn(entries, around);
  const { status, basis } = standingOf(entries, days, around);
  // Unread data does not count as absent.
  if (status === 'new' && drugTypes.some((type) => request.unread?.includes(type))) return [];
  const since = firstTaken(entries, around);
  const isSampled = entries.some(({ isSample }) => isSample);
  const whole = entries.findLast(isTaken)?.located ?? entries.at(-1)?.located ?? chart.order;
  const facts = {
    therapy: {
      ...(status === undefined ? {} : { status: new Cited(status, cite(whole, '').source) }),
      basis,
      ...(since === undefined ? {} : { since }),
      ...countsOf(days, around),
      ...(days.interval === undefined ? {} : { doseInterval: citedInterval(days.interval) }),
      ...(isSampled ? { samples: 'samples were given; they are no beginning' } : {}),
      gaps: days.unmeasured.length === 0 ? gapsIn(days.spans, policy.longestGap) : [],
      sources: entries.map(({ located }) => cite(located, located.reference)),
    },
  };
  return [nodeOf(facts, whole)];
}

/** The days of the ordered drug, as far as the chart says how long a fill and a dose last. */
interface Days {
  readonly spans: readonly Span[];
  /** The last day that is known to be covered, at most that of the request. */
  readonly last: string | undefined;
  /** Fills and doses of unknown duration outside of the spans. */
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
  const spans = spansOf(taken, interval?.value, day);
  const to = spans.findLast(({ from }) => from <= day)?.to;
  const unmeasured = taken
    .filter((entry) => isUnmeasured(entry, interval?.value))
    .flatMap(({ handedOver, start, kind }) => {
      const at = evidenceDay(handedOver ?? start);
      return at === undefined || at > day || spans.some((span) => span.from <= at && at <= span.to)
        ? []
        : [{ day: at, kind }];
    })
    .sort((one, other) => one.day.localeCompare(other.day));
  return { spans, last: to !== undefined && to > day ? day : to, unmeasured, interval };
}

function isUnmeasured(entry: TherapyEntry, interval: DoseInterval | undefined): boolean {
  if (entry.kind === 'administration') return interval === undefined;
  return entry.kind === 'dispense' && fillsOf([entry]).length === 0;
}

function countsOf({ spans, last, unmeasured }: Days, { chart }: Around) {
  const newest = unmeasured.at(-1)?.day ?? '';
  const lastCovered = last === undefined || newest > last ? {} : { lastCovered: last };
  if (unmeasured.length > 0) return { ...lastCovered, remark: unmeasuredText(unmeasured.length) };
  return { ...lastCovered, ...(spans.length === 0 ? {} : { daysCovered: countDays(spans, chart.today.day) }) };
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

function standingOf(entries: readonly TherapyEntry[], { last, unmeasured }: Days, { chart, policy }: Around): Standing {
  const { today } = chart;
  const taken = entries.filter(isTaken);
  const newest = unmeasured.at(-1);
  const isRecent = (day = '0001-01-01') => daysBetween(day, today.day) <= policy.continuingDays;
  if (isRecent(last) || (last === undefined && taken.some((entry) => isTakenNow(entry, today))))
    return { status: 'continuing', basis: continuingBasis(last, policy.continuingDays) };
  if (newest !== undefined && isRecent(newest.day))
    return { status: 'continuing', basis: `${lastText(newest)}, which is in the last ${policy.continuingDays} days` };
  if (taken.some((entry) => isTakenNow(entry, today)))
    return { status: 'continuing', basis: continuingBasis(undefined, 0) };
  if (newest !== undefined && newest.day > (last ?? '') && !saysEnd(entries, newest.day, today))
    return { status: undefined, basis: `${lastText(newest)}; nothing says how long it lasts` };
  if (taken.length > 0) return { status: 'used earlier', basis: earlierBasis(last, policy.continuingDays) };
  if (entries.some(({ kind, isSample }) => kind === 'order' && !isSample))
    return { status: 'ordered earlier', basis: 'it was ordered before; nothing shows that it was taken' };
  return { status: 'new', basis: 'the chart has no earlier order, statement, dispense or dose of it' };
}

function continuingBasis(last: string | undefined, days: number): string {
  return last === undefined
    ? 'the chart says that it is taken now'
    : `it covered ${dayText(last)}, which is in the last ${days} days`;
}

function earlierBasis(last: string | undefined, days: number): string {
  return last === undefined
    ? 'it was taken earlier; nothing says until when'
    : `it last covered ${dayText(last)}, more than ${days} days ago`;
}

function lastText({ day, kind }: Unmeasured): string {
  return kind === 'administration'
    ? `the last dose was given on ${dayText(day)}`
    : `it was last dispensed on ${dayText(day)}`;
}

// The newest order or statement that is over ends a dose of unknown length, too.
function saysEnd(entries: readonly TherapyEntry[], day: string, today: Around['chart']['today']): boolean {
  const last = entries.findLast(({ kind }) => kind === 'order' || kind === 'statement');
  const end = evidenceDay(last?.stop);
  if (end !== undefined) return end >= day && end <= today.day;
  const status = last?.status.value;
  return status === 'stopped' || (last?.kind === 'statement' && status === 'completed');
}

function isTakenNow({ kind, status, stop }: TherapyEntry, today: Around['chart']['today']): boolean {
  if (kind !== 'statement' || status.value !== 'active') return false;
  return stop === undefined || standing({ end: stop.value }, today) !== 'ended';
}

// Days by supply, by statements, and from each dose until the next is due. A statement without an end says nothing
// about the days after the last dispense.
function spansOf(taken: readonly TherapyEntry[], interval: DoseInterval | undefined, today: string): Span[] {
  const covered = union([...coveredBy(fillsOf(taken)), ...doseSpans(taken, interval)]);
  const supplied = covered.at(-1)?.to;
  const open = supplied !== undefined && supplied > today ? today : supplied;
  return union([...covered, ...taken.flatMap((entry) => toldSpan(entry, today, open))]);
}

function gapsIn(spans: readonly Span[], longestGap: number): { from: string; to: string; days: number }[] {
  return spans.slice(1).flatMap(({ from }, index) => {
    const before = spans[index]?.to ?? from;
    const days = daysBetween(before, from) - 1;
    return days > longestGap ? [{ from: dayAfter(before, 1), to: dayAfter(from, -1), days }] : [];
  });
}
