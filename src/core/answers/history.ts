import type {
  CodeableConcept,
  Dosage,
  MedicationAdministration,
  MedicationDispense,
  MedicationRequest,
  MedicationStatement,
} from 'fhir/r4.js';
import { readSig } from '../drug/dosage/read-sig.ts';
import { timingWords } from '../drug/dosage/read-timing.ts';
import { Cited, cite } from '../evidence/cite.ts';
import { type Course, courseOf } from '../evidence/course.ts';
import { evidenceDay, newest } from '../evidence/dates.ts';
import { doseWords } from '../evidence/dose-words.ts';
import { isOneDrug } from '../evidence/drug.ts';
import type { EvidenceChart } from '../evidence/evidence-chart.ts';
import { quantityText } from '../evidence/quantity-text.ts';
import { byDateThenReference, orderedDrug } from '../evidence/therapies.ts';
import {
  administrations,
  directionsOf,
  entryDate,
  type TherapyEntry,
  therapyEntries,
} from '../evidence/therapy-entries.ts';
import { meaningful } from '../fhir/text/placeholder.ts';
import { dayAfter } from '../fhir/time/calendar-days.ts';
import type { Around } from './around.ts';
import { coveredBy, type Fill, type Span, trialsIn, union } from './days-covered.ts';
import { type DoseInterval, doseIntervalOf, doseSpans } from './dose-interval.ts';
import { ingredientsOfEntry } from './drug-by-order.ts';
import { drugKey, saidIn } from './ingredients.ts';

/** Everything in the chart about one drug except this order, oldest first. Samples have a separate history. */
export interface History {
  readonly ingredients: string;
  readonly isSample: boolean;
  readonly entries: readonly TherapyEntry[];
}

export function historiesOf(around: Around): History[] {
  const { chart } = around;
  const inOrder = byDateThenReference(chart.today.timeZone);
  const entries = [...therapyEntries(chart), ...administrations(chart)]
    // A planned drug has not been ordered.
    .filter(({ drug, isPlan }) => drug.isNamed && isPlan !== true)
    .toSorted(inOrder)
    .map((entry) => ({ entry, ingredients: ingredientsOfEntry(entry, around) }));
  const groups = Map.groupBy(entries, ({ entry, ingredients }) => `${drugKey(ingredients)}|${entry.isSample}`);
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, mentions]) => ({
      ingredients: mentions[0]?.ingredients ?? '',
      isSample: mentions[0]?.entry.isSample === true,
      entries: mentions.map(({ entry }) => entry),
    }));
}

/** Whether a history is about the ordered drug: the ingredients match, or one name contains the other. */
export function isOfOrdered({ ingredients, entries }: History, { chart, ordered }: Around): boolean {
  const drug = orderedDrug(chart);
  return drugKey(ingredients) === drugKey(ordered) || entries.some((entry) => isOneDrug(entry.drug, drug));
}

export interface DatedFill extends Fill {
  readonly entry: TherapyEntry;
}

/** The fills among the entries. A dispense without a day or without days of supply does not count. */
export function fillsOf(entries: readonly TherapyEntry[]): DatedFill[] {
  return entries.flatMap((entry) => {
    const day = evidenceDay(entry.handedOver);
    if (entry.kind !== 'dispense' || day === undefined || entry.daysSupply === undefined) return [];
    return [{ day, days: entry.daysSupply, product: productOf(entry), entry }];
  });
}

export function citedFill({ entry: { located, handedOver, drug }, days }: DatedFill) {
  return {
    day: handedOver,
    days: cite(located, days, 'daysSupply'),
    product: drug.product,
    source: cite(located, located.reference),
  };
}

// Form and strength from the product's names, or the whole name when it has neither.
function productOf({ drug }: TherapyEntry): string {
  const [form, strength] = [saidIn(drug, (reading) => reading.form), saidIn(drug, (reading) => reading.strength)];
  if (form === undefined && strength === undefined) return drug.product.value.toLowerCase();
  return `${form?.value ?? ''} ${strength?.value ?? ''}`.toLowerCase();
}

/**
 * The days from a statement's start to its end. For a drug still taken without an end, `open` is the end. The span ends
 * no later than the day of the statement. Empty when a day is missing or the end is before the start.
 */
export function statedSpan(
  { kind, start, stop, status, reported }: TherapyEntry,
  today: string,
  open?: string,
): Span[] {
  const from = evidenceDay(start);
  // `effectiveDateTime` says only that the drug was taken at that moment.
  if (kind !== 'statement' || start?.source.path.endsWith('effectivePeriod.start') !== true) return [];
  if (from === undefined || from > today) return [];
  const end = stop === undefined && status.value === 'active' ? open : evidenceDay(stop);
  const said = evidenceDay(reported);
  const to = end !== undefined && said !== undefined && said < end ? said : end;
  return to === undefined || to < from ? [] : [{ from, to }];
}

/**
 * The date of an active statement that is older than the site's `continuingDays`. Whether the drug is still taken is
 * then unknown.
 */
export function outdatedDate(
  { kind, status, start, reported }: TherapyEntry,
  around: Around,
): Cited<string> | undefined {
  if (kind !== 'statement' || status.value !== 'active') return undefined;
  const isMoment = start?.source.path.endsWith('effectiveDateTime') === true;
  const said = reported ?? (isMoment ? start : undefined);
  return said !== undefined && isLongAgo(said.value, around) ? said : undefined;
}

/** Whether a date of any precision is more than this many days ago. */
function isLongAgo(date: string, { chart, policy }: Around, days = policy.continuingDays): boolean {
  const day = date.slice(0, 10);
  return day < dayAfter(chart.today.day, -days).slice(0, day.length);
}

/**
 * The last date with evidence that the patient took the drug. Undefined if that is recent (no "as of" needed) or there
 * is no date. Supply counts as recent until the gap since it ran out is so long that a fill today would start a new
 * trial.
 */
export function asOf(
  { entries, spans }: Pick<Attempt, 'entries' | 'spans'>,
  around: Around,
  besides: readonly Cited<string>[] = [],
): Cited<string> | undefined {
  const lapse = around.policy.longestGap + 1;
  const { timeZone } = around.chart.today;
  const covered = spans.at(-1)?.to;
  if (covered !== undefined && !isLongAgo(covered, around, lapse)) return undefined;
  const isActiveStatement = ({ kind, status }: TherapyEntry) => kind === 'statement' && status.value === 'active';
  const words = entries.filter(isActiveStatement).map((entry) => outdatedDate(entry, around));
  if (words.includes(undefined)) return undefined;
  const shown = [
    ...words.flatMap((word) => word ?? []),
    ...entries.flatMap(({ kind, start }) => (kind === 'administration' ? (start ?? []) : [])),
    ...entries.flatMap(({ handedOver }) => handedOver ?? []),
    ...lastSupplied(fillsOf(entries)),
    ...besides,
  ];
  const last = newest(shown, timeZone);
  if (last === undefined) return undefined;
  // The limit `lapse` applies only to supply whose duration is known.
  const isSupply = covered !== undefined && last.value.slice(0, 10) <= covered;
  return isLongAgo(last.value, around, isSupply ? lapse : undefined) ? last : undefined;
}

/** The last day that the fills cover, with the last fill as its source. */
export function lastSupplied(fills: readonly DatedFill[]): Cited<string>[] {
  const [last] = fills.toReversed();
  const day = coveredBy(fills).at(-1)?.to;
  return day === undefined || last === undefined
    ? []
    : [new Cited(day, cite(last.entry.located, '', 'daysSupply').source)];
}

export function stopConceptsOf({ located }: TherapyEntry): Cited<CodeableConcept>[] {
  // In R4, a dispense has no `statusReason`, and an administration has the type of a statement.
  const { statusReason } = located.resource as MedicationRequest | MedicationStatement;
  if (statusReason === undefined) return [];
  if (!Array.isArray(statusReason)) return [cite(located, statusReason, 'statusReason')];
  return statusReason.map((reason, index) => cite(located, reason, `statusReason[${index}]`));
}

/**
 * The directions of an entry, in the order of `sequence`. If the text does not state the dose, the structured dose
 * follows.
 */
export function directionsIn(entry: TherapyEntry): Cited<string>[] {
  const element = entry.kind === 'statement' ? 'dosage' : 'dosageInstruction';
  return dosagesIn(entry)
    .map((dosage, index) => ({ dosage, path: `${element}[${index}]` }))
    .toSorted((one, other) => (one.dosage.sequence ?? 0) - (other.dosage.sequence ?? 0))
    .flatMap(({ dosage, path }) => {
      const words = directionsOf(entry.located, path, dosage);
      const dose = doseWords(dosage);
      if (dose === undefined || saysDose(words?.value, dose)) return words ?? [];
      const numbers = [dose, timingWords(dosage)].filter((part) => part !== undefined).join(' ');
      return [...(words === undefined ? [] : [words]), cite(entry.located, numbers, `${path}.doseAndRate`)];
    });
}

/** The dose that was given, as text. If the text does not state the dose, the structured dose follows. */
export function doseGiven({ kind, located }: TherapyEntry): Cited<string>[] {
  if (kind !== 'administration') return [];
  const { dosage } = located.resource as MedicationAdministration; // `kind` implies this type
  const text = meaningful(dosage?.text);
  const dose = quantityText(dosage?.dose);
  return [
    ...(text === undefined ? [] : [cite(located, text, 'dosage.text')]),
    ...(dose === undefined || saysDose(text, dose) ? [] : [cite(located, dose, 'dosage.dose')]),
  ];
}

// "Take one tablet daily" states the dose in words; "300 mg IV" repeats its number.
function saysDose(words: string | undefined, dose: string): boolean {
  if (words === undefined) return false;
  const sig = readSig(words);
  const [number = ''] = dose.split(' ');
  return sig?.dose !== undefined || sig?.mass !== undefined || words.split(/[^\d.]+/).includes(number);
}

export function dosagesIn({ kind, located }: TherapyEntry): readonly Dosage[] {
  if (kind === 'administration') return [];
  if (kind === 'statement') return (located.resource as MedicationStatement).dosage ?? []; // `kind` implies this type
  return (located.resource as MedicationRequest).dosageInstruction ?? []; // orders and dispenses have this element
}

export function reasonReferencesOf({ located }: TherapyEntry, { resolve }: EvidenceChart): string[] {
  const { reasonReference = [] } = located.resource as MedicationRequest; // orders and statements have this element
  return reasonReference.flatMap((reference) => resolve(reference, located, 'Condition')?.reference ?? []);
}

/** One trial of a drug: its entries, and the days that its fills and doses cover. */
export interface Attempt {
  readonly history: History;
  readonly entries: readonly TherapyEntry[];
  /** The entries that do not belong to an earlier trial. */
  readonly begun: readonly TherapyEntry[];
  /** The entries that do not belong to a later trial. They show how this trial ended. */
  readonly ended: readonly TherapyEntry[];
  readonly fills: readonly DatedFill[];
  readonly interval: Cited<DoseInterval> | undefined;
  readonly spans: readonly Span[];
  /** The day on which the next trial of the drug begins; absent for the last trial. */
  readonly next?: string;
  readonly isLast: boolean;
}

/** The trials of a drug, separated by gaps in supply that are longer than `longestGap`. */
export function earlierAttempts(history: History, around: Around): Attempt[] {
  const { chart, policy } = around;
  const { entries } = history;
  const fills = fillsOf(entries);
  const interval = doseIntervalOf(entries, around);
  const trials = trialsIn(union([...coveredBy(fills), ...doseSpans(entries, interval?.value)]), policy.longestGap);
  if (trials.length === 0)
    return [{ history, entries, begun: entries, ended: entries, fills, interval, spans: [], isLast: true }];
  const placed = entries.map((entry) => {
    const from = placeIn(trials, evidenceDay(entryDate(entry)));
    return { entry, from, to: Math.max(from, lastPlaceOf(entry, from, { trials, entries, chart })) };
  });
  return trials.map((spans, index) => {
    const mine = placed.filter(({ from, to }) => from <= index && index <= to);
    const entriesOf = (kept: typeof placed) => kept.map(({ entry }) => entry);
    const begun = entriesOf(mine.filter(({ from }) => from === index));
    const next = trials[index + 1]?.[0]?.from;
    return {
      history,
      entries: entriesOf(mine),
      begun,
      ended: entriesOf(mine.filter(({ to }) => to === index)),
      fills: fills.filter(({ entry }) => begun.includes(entry)),
      interval,
      spans,
      ...(next === undefined ? {} : { next }),
      isLast: next === undefined,
    };
  });
}

type Trials = readonly (readonly Span[])[];

// The index of the last trial that began by `day`. An entry older than every trial belongs to the first trial, an entry
// without a day to the last.
function placeIn(trials: Trials, day: string | undefined): number {
  if (day === undefined) return trials.length - 1;
  return Math.max(
    0,
    trials.findLastIndex(([first]) => first !== undefined && first.from <= day),
  );
}

/**
 * Orders and statements hold until they are stopped, so they extend to the last trial that began before their stop, or
 * before the report that they are over. Without either day, an order extends to the last trial with a fill of it,
 * because a later fill of another order may be a new trial.
 */
function lastPlaceOf(
  entry: TherapyEntry,
  from: number,
  { trials, entries, chart }: { trials: Trials; entries: readonly TherapyEntry[]; chart: EvidenceChart },
): number {
  if (entry.kind === 'dispense' || entry.kind === 'administration') return from;
  const stop = evidenceDay(entry.stop) ?? evidenceDay(reportedOver(entry));
  if (stop !== undefined) return placeIn(trials, stop);
  const own = entries.filter((one) => isFilledFrom(one, entry, chart));
  return Math.max(from, ...own.map((one) => placeIn(trials, evidenceDay(entryDate(one)))));
}

function reportedOver({ kind, status, reported }: TherapyEntry): Cited<string> | undefined {
  return kind === 'statement' && !isRunning(status.value) ? reported : undefined;
}

/** Whether an order or statement with this status may still be ongoing. */
export function isRunning(status: string): boolean {
  return ['active', 'intended', 'unknown'].includes(status);
}

export function isFilledFrom(
  { kind, located }: TherapyEntry,
  order: Pick<TherapyEntry, 'located'>,
  { resolve }: EvidenceChart,
): boolean {
  if (kind !== 'dispense') return false;
  const { authorizingPrescription = [] } = located.resource as MedicationDispense; // `kind` implies this type
  return authorizingPrescription.some(
    (reference) => resolve(reference, located, 'MedicationRequest')?.reference === order.located.reference,
  );
}

/**
 * Merges the entries of one trial. Administered doses state no end, so a trial of doses alone lasts until the next dose
 * is due.
 */
export function courseOfAttempt({ ended, spans }: Attempt, { chart }: Around): Course {
  const stated = ended.filter(({ kind }) => kind !== 'administration');
  const course = courseOf(stated, chart.today);
  return stated.length > 0 ? course : { ...course, isOver: (spans.at(-1)?.to ?? '') < chart.today.day };
}

/** Whether an entry is a fill or dose on the day of the trial's last fill or dose. */
export function isLastSupply(entry: TherapyEntry, { ended }: Attempt): boolean {
  const supplied = ended.filter(({ kind }) => kind === 'dispense' || kind === 'administration');
  const [last] = supplied.slice(-1);
  return last !== undefined && supplied.includes(entry) && dayOf(entry) === dayOf(last);
}

function dayOf(entry: TherapyEntry): string | undefined {
  return evidenceDay(entryDate(entry));
}
