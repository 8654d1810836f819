import { Cited, cite, nodeOf } from '../evidence/cite.ts';
import { evidenceDay, newest, oldest } from '../evidence/dates.ts';
import { presentReasons } from '../evidence/finding.ts';
import type { Privacy } from '../evidence/sensitive-reach.ts';
import { sensitivityOf } from '../evidence/therapies.ts';
import type { TherapyEntry } from '../evidence/therapy-entries.ts';
import { dayText } from '../fhir/time/day-text.ts';
import type { Node } from '../mapping/input.ts';
import type { Facts } from '../roles/facts.ts';
import type { Answering } from './answering.ts';
import { type Around, type Indication, indicationsOf, type Related } from './around.ts';
import { daysIn, type Span, union } from './days-covered.ts';
import { citedInterval } from './dose-interval.ts';
import { isGivenAtHospital } from './given-once.ts';
import {
  type Attempt,
  asOf,
  citedFill,
  courseOfAttempt,
  earlierAttempts,
  fillsOf,
  isOfOrdered,
  lastSupplied,
  statedSpan,
} from './history.ts';
import { drugKey, partsOf } from './ingredients.ts';
import type { TherapyOutcome } from './knowledge.ts';
import { stopReasonsOf, wordsOfStop } from './purpose.ts';
import { relationOf } from './relation.ts';
import { distinct, takenAs } from './taken-products.ts';
import { outcomesOf } from './trial-outcome.ts';

export const proofs = ['dispensed', 'given', 'stated', 'ordered, not proved taken'] as const;
export type Proof = (typeof proofs)[number];

/**
 * One node for each trial of a drug that was tried for this diagnosis or is related by class. Gaps in supply longer
 * than `longestGap` separate the trials of one drug.
 */
export function trialsAround(around: Answering, facts: Facts): Node[] {
  return relatedAttempts(around, facts)
    .filter(({ attempt }) => !isGivenAtHospital(attempt, around))
    .map((one) => nodeOfTrial(one, around));
}

/** A trial on the sheet, with the relation of its drug to the ordered drug and the indications of the order. */
export interface RelatedAttempt {
  readonly attempt: Attempt;
  readonly related: Related;
  readonly indications: readonly Indication[];
  readonly isSampled: boolean;
}

export function relatedAttempts(around: Answering, facts: Facts): RelatedAttempt[] {
  const indications = indicationsOf(around, facts);
  const histories = around.histories().filter((history) => !isOfOrdered(history, around));
  return histories.flatMap((history) => {
    const ofDrug = histories.filter(({ ingredients }) => drugKey(ingredients) === drugKey(history.ingredients));
    // Often only the order for the drug states what its samples are for.
    const [related] = [history, ...(history.isSample ? ofDrug : [])].flatMap(
      (one) => relationOf(one.ingredients, one.entries, indications, around) ?? [],
    );
    if (related === undefined) return [];
    const isSampled = ofDrug.some(({ isSample }) => isSample);
    return earlierAttempts(history, around).map((attempt) => ({ attempt, related, indications, isSampled }));
  });
}

function nodeOfTrial(one: RelatedAttempt, around: Around): Node {
  const { attempt, related, isSampled } = one;
  const { history, entries, ended: ending, fills, isLast } = attempt;
  const { chart, knowledge, privacy } = around;
  const course = courseOfAttempt(attempt, around);
  const proof = proofOf(attempt);
  const contradiction = contradictionIn(ending);
  const isOpen = isLast && !course.isOver && isStillTaken(attempt, proof, chart.today.day);
  const shown = isOpen ? asOf({ entries: ending, spans: attempt.spans }, around) : undefined;
  const isTaken = isOpen && shown === undefined;
  const stops = entries.flatMap((entry) => stopReasonsOf(entry, one, around));
  const reasons = distinct(stops.flatMap(wordsOfStop));
  const ended = outcomesOf(stops, knowledge.stopReasons);
  const outcome = isTaken && ended.length === 0 ? ['still taken' satisfies TherapyOutcome] : ended;
  const isUnexplained = !isTaken && reasons.length === 0 && course.isUnexplained;
  const isOfNoKind = course.isOver && reasons.length > 0 && outcome.length === 0;
  const remark = isUnexplained || (isOfNoKind && !isTaken) ? endedWord(course.status) : undefined;
  const last = entries.at(-1) ?? history.entries[0];
  // A computed value cites the entry that shows that the drug was taken, not an order of the same day.
  const whole = entries.findLast(({ kind }) => kind === kindsOfProof[proof])?.located ?? chart.order;
  const taken = takenAs(entries, around);
  const facts = {
    trial: {
      ingredient: new Cited(history.ingredients, last?.drug.product.source ?? cite(whole, '').source),
      ...taken,
      ...related,
      proof,
      ...datesOf(attempt, course.stop, chart.today.timeZone),
      ...(contradiction === undefined ? daysOf(attempt, course.stop, around) : { contradiction }),
      outcome,
      reasons,
      remark,
      asOf: shown,
      ...flagged({
        unexplained: isUnexplained,
        sample: history.isSample,
        combination: partsOf(history.ingredients).length > 1,
      }),
      ...notCounted({ isSample: history.isSample, isSampled, proof, contradiction }),
      ...partsOfTrial(history.ingredients, around),
      fills: fills.map(citedFill),
      sources: entries.map(({ located }) => cite(located, located.reference)),
      ...presentReasons({
        sensitive: sensitivityOf(entries, privacy) ?? sensitiveIn(reasons, taken.directions, privacy),
      }),
    },
  };
  return nodeOf(facts, whole);
}

function sensitiveIn(
  reasons: readonly Cited<string>[],
  directions: readonly Cited<string>[],
  { words }: Privacy,
): string | undefined {
  const found = [
    ...reasons.map(({ value }) => words.ofText(value)),
    ...directions.map(({ value }) => words.ofDirections(value)),
  ];
  return found.find((category) => category !== undefined);
}

// An administered drug counts as taken only until its next dose is due.
function isStillTaken({ spans }: Attempt, proof: Proof, today: string): boolean {
  return proof === 'given' ? (spans.at(-1)?.to ?? '') >= today : proof !== 'ordered, not proved taken';
}

// Only the status of an order or statement shows that a trial is over; the end of a supply does not.
function endedWord(status: Cited<string> | string): string | undefined {
  if (typeof status === 'string') return undefined;
  return endings[status.value] ?? 'ended';
}

const endings: Readonly<Record<string, string>> = { 'on-hold': 'on hold', stopped: 'stopped' };

function flagged(flags: Readonly<Record<string, boolean>>): Record<string, true> {
  return Object.fromEntries(Object.entries(flags).flatMap(([name, holds]) => (holds ? [[name, true as const]] : [])));
}

const kindsOfProof: Readonly<Record<Proof, TherapyEntry['kind']>> = {
  dispensed: 'dispense',
  given: 'administration',
  stated: 'statement',
  'ordered, not proved taken': 'order',
};

/** The strongest evidence that the drug was taken. */
export function proofOf({ entries }: Pick<Attempt, 'entries'>): Proof {
  const has = (kind: TherapyEntry['kind']) => entries.some((entry) => entry.kind === kind);
  if (has('dispense')) return 'dispensed';
  if (has('administration')) return 'given';
  return has('statement') ? 'stated' : 'ordered, not proved taken';
}

/** Dates at the precision of the chart. A drug without a fill, dose or statement has the date of its order. */
function datesOf(attempt: Attempt, stop: Cited<string> | undefined, timeZone: string) {
  const { first, last } = boundsOf(attempt, timeZone);
  const ordered = attempt.entries.flatMap((entry) => entry.ordered ?? []);
  return {
    ...(first === undefined ? { ordered: ordered[0] } : { first }),
    ...lastOf(last),
    ...lastDispensedOf(attempt, evidenceDay(last ?? first)),
    ...(stop === undefined ? {} : { stopped: stop }),
  };
}

// The end of a supply is computed, so it is returned as `supplied`, not as `last`.
function lastOf(last: Cited<string> | undefined) {
  if (last === undefined) return {};
  return last.source.path.endsWith('.daysSupply') ? { supplied: last } : { last };
}

/** The day of the last fill, if its duration is unknown and it is after the other days of the trial. */
function lastDispensedOf({ begun }: Attempt, known = '') {
  const open = begun.filter((entry) => entry.kind === 'dispense' && fillsOf([entry]).length === 0);
  const [last] = open.flatMap(({ handedOver }) => handedOver ?? []).slice(-1);
  return last === undefined || (evidenceDay(last) ?? '') <= known ? {} : { lastDispensed: last };
}

function boundsOf({ begun, ended, fills }: Attempt, zone: string) {
  const taken = begun.filter(({ kind }) => kind !== 'order');
  const starts = taken.flatMap((entry) => entry.handedOver ?? entry.start ?? []);
  const given = taken.filter(({ kind }) => kind === 'administration').flatMap(({ start }) => start ?? []);
  const stops = ended.flatMap(({ kind, stop }) => (kind === 'order' ? [] : (stop ?? [])));
  const supplied = lastSupplied(fills);
  return {
    first: oldest(starts, zone),
    last: newest([...(supplied.length === 0 ? stops : supplied), ...given], zone),
  };
}

/**
 * Days covered by supply, and by doses up to the next dose if their interval is stated. A drug known only from
 * statements has an approximate number of days, from start to end.
 */
function daysOf(attempt: Attempt, stop: Cited<string> | undefined, { chart }: Around) {
  const { history, entries, spans, interval } = attempt;
  const unmeasured = entries.filter((entry) => entry.kind === 'dispense' && fillsOf([entry]).length === 0).length;
  const given = entries.filter(({ kind }) => kind === 'administration').length;
  const stated = entries.flatMap((entry) => statedSpan(entry, chart.today.day));
  const counts = {
    ...(unmeasured === 0 ? {} : { unmeasured }),
    ...(history.isSample || given === 0 ? {} : { timesGiven: given }),
    ...(interval === undefined ? {} : { doseInterval: citedInterval(interval) }),
  };
  if (history.isSample) return counts;
  if (spans.length > 0) return { ...counts, ...coveredDays(spans, evidenceDay(stop), chart.today.day) };
  return { ...counts, ...(stated.length === 0 ? {} : { aboutDays: daysIn(union(stated)) }) };
}

function coveredDays(spans: readonly Span[], stopDay: string | undefined, today: string) {
  const all = daysIn(spans);
  const past = daysIn(spans, today);
  const afterStop = stopDay === undefined || stopDay > today ? 0 : past - daysIn(spans, stopDay);
  return {
    daysCovered: all,
    ...(all === past ? {} : { daysAhead: all - past }),
    ...(afterStop === 0 ? {} : { daysAfterStop: afterStop }),
  };
}

function contradictionIn(entries: readonly TherapyEntry[]): string | undefined {
  const [found] = entries.flatMap(({ kind, start, stop }) => {
    const [from, to] = [evidenceDay(start), evidenceDay(stop)];
    if (from === undefined || to === undefined || to >= from) return [];
    const entry = kind === 'order' ? 'an order' : 'a statement';
    return [`${entry} says that it was stopped on ${dayText(to)}, before it was begun on ${dayText(from)}`];
  });
  return found;
}

const shows = 'dispense, dose or statement shows that it was taken';

function notCounted(trial: {
  readonly isSample: boolean;
  readonly isSampled: boolean;
  readonly proof: Proof;
  readonly contradiction: string | undefined;
}): { readonly notCounted?: string } {
  if (trial.isSample) return { notCounted: 'samples are no trial' };
  if (trial.proof === 'ordered, not proved taken')
    return {
      notCounted: trial.isSampled ? `samples were given, which are no trial; no other ${shows}` : `no ${shows}`,
    };
  if (trial.contradiction !== undefined) return { notCounted: 'its dates contradict each other' };
  return {};
}

// A combination was tried as a whole, which is not a trial of each ingredient.
function partsOfTrial(ingredients: string, { policy }: Around): { readonly partsNotCounted?: string } {
  const parts = partsOf(ingredients);
  if (parts.length < 2 || policy.countCombinations) return {};
  const names = `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
  return { partsNotCounted: `it contains ${names}; the site does not say that it counts as a trial of each` };
}
