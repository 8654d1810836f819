import { newestFirst } from '../fhir/time/newest-first.ts';
import type { Scene } from '../roles/scene.ts';
import { type Drug, drugOf, isSameDrug } from './drug.ts';
import { type EvidenceType, type Finding, fullDate, stated } from './item.ts';
import { sensitiveDirections, sensitiveWords, sensitivityOf } from './sensitivity.ts';
import { gapsBetween, lastDay, type Supply } from './supply.ts';
import { entryDate, type TherapyEntry, therapyEntries } from './therapy-entries.ts';

/** Statuses that say of themselves that a drug was given up before its end. */
const stopped = new Set(['stopped', 'on-hold']);

/** The ordered drug, by the same rules as the others. */
export function focalDrug(scene: Scene): Drug {
  return drugOf(scene, scene.order, scene.order.resource);
}

/** What the patient takes or took: one finding per drug, its mentions as a timeline. Earlier mentions of the ordered drug are a continuation, no prior therapy. */
export function therapies(scene: Scene): Finding[] {
  const drugs = Map.groupBy(therapyEntries(scene), ({ drug }) => drug.key);
  const focal = focalDrug(scene);
  const { day: today, timeZone } = scene.today;
  const compare = newestFirst(timeZone);
  return [...drugs.values()]
    .map((entries) => findingOf(entries, { isFocal: entries.some(({ drug }) => isSameDrug(drug, focal)), today }))
    .sort((left, right) => compare(left.date, right.date));
}

interface Context {
  readonly isFocal: boolean;
  readonly today: string;
}

function findingOf(entries: readonly TherapyEntry[], context: Context): Finding {
  const timeline = entries.toSorted(
    (left, right) =>
      (entryDate(left) ?? '').localeCompare(entryDate(right) ?? '') ||
      left.located.reference.localeCompare(right.located.reference),
  );
  const course = courseOf(timeline, context.today);
  const type: EvidenceType = context.isFocal ? 'Continuation' : course.isOver ? 'Prior Therapy' : 'Current Therapy';
  const { name, key } = timeline[0]?.drug ?? { name: '', key: '' };
  const sensitive = firstOf([...timeline.map(({ located }) => sensitivityOf(located.resource)), ...wordsOf(timeline)]);
  return {
    members: timeline.map(({ located }) => located).reverse(),
    type,
    title: `${titles[type]}: ${name}`,
    detail: detailOf(course),
    date: timeline.map((entry) => fullDate(entryDate(entry))).findLast((date) => date !== undefined),
    ...(sensitive === undefined ? {} : { sensitive }),
    topic: key,
    facts: () => stated({ drug: name, ...course.facts, entries: timeline.map(entryFacts) }),
  };
}

const titles: Partial<Record<EvidenceType, string>> = {
  'Prior Therapy': 'Prior therapy',
  'Current Therapy': 'Current therapy',
  Continuation: 'Earlier on the ordered drug',
};

interface Course {
  /** The newest mention says that it ended. */
  readonly isOver: boolean;
  readonly facts: {
    readonly start?: string;
    readonly firstOrdered?: string;
    readonly stop?: string;
    readonly status: string;
    readonly stopReasons: readonly string[];
    readonly remark?: string;
    readonly daysWithoutSupply: readonly object[];
  };
}

/** What the mentions say together. Only dates and words of the chart; the remark says what they lack. */
function courseOf(timeline: readonly TherapyEntry[], today: string): Course {
  const told = timeline.filter(({ kind }) => kind !== 'dispense');
  const newest = told.at(-1) ?? timeline.at(-1);
  const status = newest?.status ?? '';
  const isOver = newest === undefined || isPast(newest, today);
  const start = earliest(timeline.flatMap((entry) => entry.start ?? entry.handedOver ?? []));
  const firstOrdered = earliest(timeline.flatMap(({ ordered }) => ordered ?? []));
  const stop = isOver
    ? timeline
        .flatMap((entry) => entry.stop ?? [])
        .sort()
        .at(-1)
    : undefined;
  const stopReasons = [...new Set(timeline.flatMap(({ reasons }) => reasons))];
  const unexplained = stopped.has(status) && stopReasons.length === 0;
  const remark = unexplained ? `${status}; the chart gives no reason` : undefined;
  return {
    isOver,
    facts: {
      ...(start === undefined ? {} : { start }),
      ...(firstOrdered === undefined || (start !== undefined && start <= firstOrdered) ? {} : { firstOrdered }),
      ...(stop === undefined ? {} : { stop }),
      status: newest?.kind === 'dispense' ? 'dispensed' : status,
      stopReasons,
      ...(remark === undefined ? {} : { remark }),
      daysWithoutSupply: gapsBetween(timeline.flatMap(supplyOf)),
    },
  };
}

// A fill is over when it is used up; how long one of unknown length lasts, nothing tells, and it was in any case before.
function isPast({ kind, status, stop, handedOver, daysSupply }: TherapyEntry, today: string): boolean {
  if (kind !== 'dispense')
    return (
      (status !== 'active' && status !== 'intended') ||
      (stop !== undefined && stop.slice(0, 10) < today.slice(0, stop.length))
    );
  const from = fullDate(handedOver)?.slice(0, 10);
  return (
    from === undefined || daysSupply === undefined || (lastDay({ from, days: daysSupply }, undefined) ?? '') < today
  );
}

function wordsOf(timeline: readonly TherapyEntry[]): (string | undefined)[] {
  const names = new Set(timeline.flatMap(({ drug, reasons }) => [drug.name, drug.product, ...reasons]));
  const directions = new Set(timeline.map((entry) => entry.directions));
  return [...[...names].map(sensitiveWords), ...[...directions].map(sensitiveDirections)];
}

function firstOf(categories: readonly (string | undefined)[]): string | undefined {
  return categories.find((category) => category !== undefined);
}

function earliest(dates: readonly string[]): string | undefined {
  return dates.toSorted()[0];
}

// Only what was handed over or told with full dates says when a drug was at hand; an order does not.
function supplyOf({ kind, handedOver, start, stop, daysSupply }: TherapyEntry): Supply[] {
  const from = fullDate(kind === 'dispense' ? handedOver : kind === 'statement' ? start : undefined)?.slice(0, 10);
  const to = fullDate(stop)?.slice(0, 10);
  if (from === undefined) return [];
  return [{ from, ...(to === undefined ? {} : { to }), ...(daysSupply === undefined ? {} : { days: daysSupply }) }];
}

function entryFacts({
  located,
  drug,
  kind,
  status,
  ordered,
  start,
  stop,
  handedOver,
  reported,
  reasons,
  directions,
  quantity,
  daysSupply,
}: TherapyEntry): Record<string, unknown> {
  return stated({
    kind,
    product: drug.product,
    status,
    ordered,
    start,
    stop,
    handedOver,
    reported,
    reasons,
    directions,
    quantity,
    daysSupply,
    source: located.reference,
  });
}

function detailOf({ facts }: Course): string {
  const { start, firstOrdered, stop, status, stopReasons, remark, daysWithoutSupply } = facts;
  const from =
    start !== undefined
      ? `from ${start.slice(0, 10)}`
      : firstOrdered === undefined
        ? undefined
        : `ordered ${firstOrdered.slice(0, 10)}`;
  const until = stop === undefined ? undefined : `until ${stop.slice(0, 10)}`;
  const told = remark ?? [status, ...stopReasons].join(': ');
  const gaps =
    daysWithoutSupply.length === 0
      ? undefined
      : `${daysWithoutSupply.length} ${daysWithoutSupply.length === 1 ? 'gap' : 'gaps'} without supply`;
  return [from, until, told, gaps].filter((part) => part !== undefined && part !== '').join(', ');
}
