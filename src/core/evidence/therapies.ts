import { dayText } from '../fhir/time/day-text.ts';
import { newestFirst } from '../fhir/time/newest-first.ts';
import { Cited, cite, type FindingFacts } from './cite.ts';
import { type Course, courseOf } from './course.ts';
import { byNewest, clearestDate } from './dates.ts';
import { type Drug, evidenceDrug, isOneDrug } from './drug.ts';
import type { EvidenceChart } from './evidence-chart.ts';
import { type EvidenceType, type Finding, presentReasons } from './finding.ts';
import type { Privacy } from './sensitive-reach.ts';
import { entryDate, type TherapyEntry, therapyEntries } from './therapy-entries.ts';

/** The ordered drug, read by the same rules as other drugs. */
export function orderedDrug(chart: EvidenceChart): Drug {
  return evidenceDrug(chart, chart.order, chart.order.resource);
}

/**
 * One finding for each drug that the patient takes or took, with its entries as a timeline. Earlier entries of the
 * ordered drug are a continuation, not prior therapy. Samples are separate, because payers do not count samples as a
 * trial.
 */
export function therapies(chart: EvidenceChart, privacy: Privacy): Finding[] {
  const drugs = Map.groupBy(therapyEntries(chart), ({ drug, isSample }) => `${isSample} ${drug.key}`);
  const ordered = orderedDrug(chart);
  const { timeZone } = chart.today;
  const inOrder = byDateThenReference(timeZone);
  return [...drugs.values()]
    .map((entries): Finding => {
      const timeline = entries.toSorted(inOrder);
      const finding = findingOf(timeline, { isOrdered: entries.some(({ drug }) => isOneDrug(drug, ordered)), chart });
      return { ...finding, ...presentReasons({ sensitive: sensitivityOf(timeline, privacy) }) };
    })
    .sort(byNewest(timeZone));
}

const titles = {
  'Prior Therapy': 'Prior therapy',
  'Current Therapy': 'Current therapy',
  Continuation: 'Earlier on the ordered drug',
} as const satisfies Partial<Record<EvidenceType, string>>;

function findingOf(
  timeline: readonly TherapyEntry[],
  { isOrdered, chart }: { readonly isOrdered: boolean; readonly chart: EvidenceChart },
): Finding {
  const isSample = timeline[0]?.isSample === true;
  const { isOver, isUnexplained, ...course } = courseOf(timeline, chart.today);
  const remark = isSample ? 'given as samples' : undefined;
  const type = typeOf(isOrdered, isOver);
  const date = clearestDate(...timeline.map(entryDate).toReversed());
  const { name = '', key = '', isNamed = false } = timeline[0]?.drug ?? {};
  return {
    kind: 'therapy',
    members: timeline.map(({ located }) => located).toReversed(),
    type,
    title: `${isSample ? 'Samples' : titles[type]}: ${name}`,
    detail: detailOf(course, remark ?? endingOf(course, isUnexplained), date),
    date,
    ...(isNamed ? {} : { unfit: 'it names no drug' }),
    ...(isSample ? {} : { topic: key }),
    facts: () => ({
      name: timeline[0] === undefined ? name : new Cited(name, timeline[0].drug.product.source),
      ...course,
      remark,
      daysWithoutSupply: course.daysWithoutSupply.map((gap) => ({ ...gap })),
      entries: timeline.map(factsOf),
    }),
  };
}

function typeOf(isOrdered: boolean, isOver: boolean): keyof typeof titles {
  if (isOrdered) return 'Continuation';
  return isOver ? 'Prior Therapy' : 'Current Therapy';
}

/** Oldest first. An entry without a date comes first, so that it is never the newest. */
export function byDateThenReference(timeZone: string): (left: TherapyEntry, right: TherapyEntry) => number {
  const compare = newestFirst(timeZone);
  return (left, right) => {
    const [one, other] = [left.located.reference, right.located.reference];
    return compare(entryDate(right)?.value, entryDate(left)?.value) || (one < other ? -1 : Number(one > other));
  };
}

/** The sensitive category of the entries about one drug. */
export function sensitivityOf(timeline: readonly TherapyEntry[], { of, words }: Privacy): string | undefined {
  const names = new Set(
    timeline.flatMap(({ drug, reasons }) => [drug.name, drug.product.value, ...reasons.map(({ value }) => value)]),
  );
  const directions = new Set(timeline.map((entry) => entry.directions?.value));
  return [
    ...timeline.map(({ located, purposes }) => of(located, ...purposes)),
    ...[...names].map((name) => words.ofText(name)),
    ...[...directions].map((text) => words.ofDirections(text)),
  ].find((category) => category !== undefined);
}

// The resource is under its kind, because each kind has different elements for a mapping to read.
function factsOf({ kind, isPlan, located, drug }: TherapyEntry): FindingFacts {
  return {
    source: cite(located, located.reference),
    kind: isPlan ? cite(located, 'plan', 'intent') : cite(located, kind),
    product: drug.product,
    [kind]: cite(located, located.resource),
  };
}

type Shown = Omit<Course, 'isOver' | 'isUnexplained'>;

function endingOf({ status, stopReasons }: Shown, isUnexplained: boolean): string {
  const word = typeof status === 'string' ? status : status.value;
  if (isUnexplained) return `${word}; the chart gives no reason`;
  return [word, ...stopReasons.map(({ value }) => value)].join(': ');
}

// The finding already shows the date of the newest entry, so an earlier order is called the first.
function detailOf(
  { start, firstOrdered, stop, daysWithoutSupply }: Shown,
  ending: string,
  newest: Cited<string> | undefined,
): string {
  const [first, last] = [firstOrdered, newest].map((date) => dayText(date?.value ?? ''));
  const ordered = first === last ? 'ordered' : 'first ordered';
  const gaps = daysWithoutSupply.length;
  const parts = [
    start === undefined ? undefined : `from ${dayText(start.value)}`,
    start !== undefined || firstOrdered === undefined ? undefined : `${ordered} ${dayText(firstOrdered.value)}`,
    stop === undefined ? undefined : `until ${dayText(stop.value)}`,
    ending,
    gaps === 0 ? undefined : `${gaps} ${gaps === 1 ? 'gap' : 'gaps'} without supply`,
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('; ');
}
