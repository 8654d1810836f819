import { Cited, cite, nodeOf } from '../evidence/cite.ts';
import { dayOf, oldest } from '../evidence/dates.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { dayAfter, daysBetween } from '../fhir/time/calendar-days.ts';
import { dayText } from '../fhir/time/day-text.ts';
import { standing } from '../fhir/time/standing.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import type { Around } from './around.ts';
import { coveredBy, daysIn, type Span, union } from './days-covered.ts';
import { fillsOf, isOfOrdered, toldSpan } from './history.ts';

/** How the patient stands to the ordered drug. */
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

/** Whether the ordered drug is begun or continued, by what was handed over, given or told; one node. */
export function therapyAround(around: Answering, { request }: Facts): Node[] {
  const { chart, policy } = around;
  const entries = earlierEntries(around);
  const spans = spansOf(entries, around);
  const lastDay = spans.findLast(({ from }) => from <= chart.today.day)?.to;
  const last = lastDay !== undefined && lastDay > chart.today.day ? chart.today.day : lastDay;
  const status = statusOf(entries, last, around);
  // What was not read is no absence.
  if (status === 'new' && drugTypes.some((type) => request.unread?.includes(type))) return [];
  const since = firstTaken(entries, around);
  const gaps = gapsIn(spans, policy.longestGap);
  const isSampled = entries.some(({ isSample }) => isSample);
  const whole = entries.findLast(isTaken)?.located ?? entries.at(-1)?.located ?? chart.order;
  const facts = {
    therapy: {
      status: new Cited(status, cite(whole, '').source),
      basis: basisOf(status, last, policy.continuingDays),
      ...(since === undefined ? {} : { since }),
      ...(last === undefined ? {} : { lastCovered: last }),
      ...(spans.length === 0 ? {} : { daysCovered: daysIn(spans, chart.today.day) }),
      ...(isSampled ? { samples: 'samples were given; they are no beginning' } : {}),
      gaps,
      sources: entries.map(({ located }) => cite(located, located.reference)),
    },
  };
  return [nodeOf(facts, whole)];
}

function statusOf(
  entries: readonly TherapyEntry[],
  last: string | undefined,
  { chart, policy }: Around,
): TherapyStatus {
  const taken = entries.filter(isTaken);
  if (taken.some((entry) => isTakenNow(entry, chart.today))) return 'continuing';
  if (last !== undefined && daysBetween(last, chart.today.day) <= policy.continuingDays) return 'continuing';
  if (taken.length > 0) return 'used earlier';
  return entries.some(({ kind, isSample }) => kind === 'order' && !isSample) ? 'ordered earlier' : 'new';
}

function isTakenNow({ kind, status, stop }: TherapyEntry, today: Around['chart']['today']): boolean {
  if (kind !== 'statement' || status.value !== 'active') return false;
  return stop === undefined || standing({ end: stop.value }, today) !== 'ended';
}

function basisOf(status: TherapyStatus, last: string | undefined, days: number): string {
  switch (status) {
    case 'continuing':
      return last === undefined
        ? 'the chart says that it is taken now'
        : `it covered ${dayText(last)}, which is in the last ${days} days`;
    case 'used earlier':
      return last === undefined
        ? 'it was taken earlier; nothing says until when'
        : `it last covered ${dayText(last)}, more than ${days} days ago`;
    case 'ordered earlier':
      return 'it was ordered before; nothing shows that it was taken';
    case 'new':
      return 'the chart has no earlier order, statement, dispense or dose of it';
  }
}

// Days by supply, by what was told, and the days on which it was given. What is told without an end says nothing of the
// days behind the last dispense.
function spansOf(entries: readonly TherapyEntry[], { chart }: Around): Span[] {
  const taken = entries.filter(isTaken);
  const covered = coveredBy(fillsOf(taken));
  const dispensed = taken.flatMap(({ handedOver }) => dayOf(handedOver) ?? []);
  const supplied = [covered.at(-1)?.to ?? '', ...dispensed].sort().at(-1) ?? '';
  const { day } = chart.today;
  const open = supplied === '' || supplied > day ? day : supplied;
  return union([...covered, ...taken.flatMap((entry) => toldSpan(entry, day, open))]);
}

function gapsIn(spans: readonly Span[], longestGap: number): { from: string; to: string; days: number }[] {
  return spans.slice(1).flatMap(({ from }, index) => {
    const before = spans[index]?.to ?? from;
    const days = daysBetween(before, from) - 1;
    return days > longestGap ? [{ from: dayAfter(before, 1), to: dayAfter(from, -1), days }] : [];
  });
}
