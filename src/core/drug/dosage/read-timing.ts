import type { CodeableConcept, Dosage, Timing, TimingRepeat } from 'fhir/r4.js';
import { systems } from '../../fhir/codes/systems.ts';
import { everyHours, isSameRate, type Rate, rateText, timesText } from './rate.ts';
import { readSig } from './read-sig.ts';

/** How often a dose is taken, or the reason why the timing is not certain. */
export type TimingReading =
  | ({ readonly isWhole: true } & Rate)
  | { readonly isWhole: false; readonly notWhole: string };

/**
 * Reads Dosage.timing (FHIR R4, datatypes, Timing; Dosage). Only regular timings without an end are read. Any other or
 * unknown element returns a reason instead.
 *
 * @example
 * readTiming({ timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd' } } })
 * // { isWhole: true, times: 2, days: 1 }
 */
export function readTiming(dosage: Dosage): TimingReading {
  const rate = conditionOf(dosage) ?? rateOf(dosage.timing);
  return typeof rate === 'string' ? { isWhole: false, notWhole: rate } : { isWhole: true, ...rate };
}

/**
 * How often a dose is taken, in words: timings that `readTiming` reads, and periods in months, years or hours that are
 * not whole days. Undefined for any other timing.
 *
 * @example timingWords({ timing: { repeat: { frequency: 1, period: 6, periodUnit: 'mo' } } }) // 'every 6 months'
 */
export function timingWords(dosage: Dosage): string | undefined {
  const read = readTiming(dosage);
  if (read.isWhole) return rateText(read);
  const { timing } = dosage;
  const isOfNothingElse =
    conditionOf(dosage) === undefined && Object.keys(timing ?? {}).every((key) => key === 'repeat');
  return isOfNothingElse && timing?.repeat !== undefined ? periodWords(timing.repeat) : undefined;
}

const periodElements = new Set(['id', 'boundsPeriod', 'frequency', 'period', 'periodUnit']);

const units: Readonly<Record<string, string>> = { min: 'minute', h: 'hour', mo: 'month', a: 'year' };

function periodWords(repeat: TimingRepeat): string | undefined {
  const { frequency = 1, period, periodUnit } = repeat;
  const unit = periodUnit === undefined ? undefined : units[periodUnit];
  if (unknownElement(repeat, periodElements) !== undefined || hasEnd(repeat)) return undefined;
  if (unit === undefined || !isCount(frequency) || !isCount(period)) return undefined;
  return timesText(frequency, period, unit);
}

function isCount(number: number | undefined): number is number {
  return Number.isInteger(number) && Number(number) > 0;
}

const dosageElements = new Set(
  (
    'id extension modifierExtension sequence text _text additionalInstruction patientInstruction ' +
    '_patientInstruction timing asNeededBoolean site route method doseAndRate'
  ).split(' '),
);
const timingElements = new Set(['id', 'repeat', 'code']);
const repeatElements = new Set(['id', 'boundsPeriod', 'frequency', 'period', 'periodUnit', 'timeOfDay', 'when']);

// Why a timing with this element is not regular.
const reasons: Readonly<Record<string, string>> = {
  asNeededCodeableConcept: 'the drug is taken as needed',
  maxDosePerPeriod: 'a greatest dose is stated',
  maxDosePerAdministration: 'a greatest dose is stated',
  maxDosePerLifetime: 'a greatest dose is stated',
  modifierExtension: 'an extension changes what the dose means',
  event: 'the timing is a list of dates',
  boundsDuration: 'the timing has an end',
  boundsRange: 'the timing has an end',
  count: 'the timing counts its doses',
  countMax: 'the timing counts its doses',
  duration: 'each dose takes a stated time',
  durationMax: 'each dose takes a stated time',
  frequencyMax: 'the frequency is a range',
  periodMax: 'the period is a range',
  dayOfWeek: 'the timing names days of the week',
  offset: 'the timing is counted from an event',
};

function conditionOf(dosage: Dosage): string | undefined {
  if (dosage.asNeededBoolean === true) return 'the drug is taken as needed';
  if ((dosage.modifierExtension ?? []).length > 0) return reasons.modifierExtension;
  return unknownElement(dosage, dosageElements);
}

function unknownElement(element: object, known: ReadonlySet<string>): string | undefined {
  const key = Object.keys(element).find((name) => !known.has(name));
  if (key === undefined) return undefined;
  return Object.hasOwn(reasons, key) ? reasons[key] : 'the timing has an element that is not known';
}

function rateOf(timing: Timing | undefined): Rate | string {
  if (timing === undefined) return 'no regular timing';
  const unknown = unknownElement(timing, timingElements);
  if (unknown !== undefined) return unknown;
  const coded = timing.code === undefined ? undefined : codedRate(timing.code);
  const repeated = timing.repeat === undefined ? undefined : repeatedRate(timing.repeat);
  if (typeof repeated === 'string') return repeated;
  if (typeof coded === 'string') return coded;
  if (coded !== undefined && repeated !== undefined && !isSameRate(coded, repeated))
    return `the timing says ${rateText(coded)} by its code and ${rateText(repeated)} by its frequency`;
  return repeated ?? coded ?? 'no regular timing';
}

// HL7 v3 GTSAbbreviation codes that FHIR R4 uses (ValueSet timing-abbreviation), without codes for months or office
// hours.
const gts: Readonly<Record<string, Rate>> = {
  QD: { times: 1, days: 1 },
  BID: { times: 2, days: 1 },
  TID: { times: 3, days: 1 },
  QID: { times: 4, days: 1 },
  AM: { times: 1, days: 1 },
  PM: { times: 1, days: 1 },
  BED: { times: 1, days: 1 },
  QOD: { times: 1, days: 2 },
  WK: { times: 1, days: 7, unit: 'week' },
  Q1H: { times: 24, days: 1, unit: 'hour' },
  Q2H: { times: 12, days: 1, unit: 'hour' },
  Q3H: { times: 8, days: 1, unit: 'hour' },
  Q4H: { times: 6, days: 1, unit: 'hour' },
  Q6H: { times: 4, days: 1, unit: 'hour' },
  Q8H: { times: 3, days: 1, unit: 'hour' },
};

// A code of another system is read by its display. All parts that state a rate must agree.
function codedRate({ coding = [], text }: CodeableConcept): Rate | string {
  const rates = coding.flatMap(({ system, code }) =>
    code !== undefined && Object.hasOwn(gts, code) && (system === undefined || system === systems.v3timing)
      ? (gts[code] ?? [])
      : [],
  );
  const sigs = [text, ...coding.map(({ display }) => display)].flatMap((words) => readSig(words) ?? []);
  if (sigs.some(({ isAsNeeded }) => isAsNeeded)) return 'the drug is taken as needed';
  if (sigs.some(({ isRange, changes }) => isRange || changes)) return 'the timing code is no regular timing';
  const [first, ...others] = [...rates, ...sigs.flatMap(({ rate, isUnread }) => (isUnread ? [] : (rate ?? [])))];
  if (first === undefined || sigs.some(({ isUnread }) => isUnread)) return 'the timing code is not known';
  return others.every((other) => isSameRate(first, other)) ? first : 'the timing code says two things';
}

// Undefined when no frequency is stated, for example with only a start.
function repeatedRate(repeat: TimingRepeat): Rate | string | undefined {
  const unknown = unknownElement(repeat, repeatElements);
  if (unknown !== undefined) return unknown;
  if (hasEnd(repeat)) return 'the timing has an end';
  const { frequency, period, when = [], timeOfDay = [] } = repeat;
  if (when.length > 0 && timeOfDay.length > 0) return 'the timing names hours and events';
  if (timeOfDay.length > 0) return atTimes(repeat, timesOfDay(timeOfDay));
  if (frequency !== undefined && isByMeals(when)) return periodic(repeat);
  if (when.length > 0) return atTimes(repeat, partsOfDay(when));
  if (frequency === undefined && period === undefined) return undefined;
  return periodic(repeat);
}

// A start does not bound a timing. An end that has only an extension does.
function hasEnd({ boundsPeriod = {} }: TimingRepeat): boolean {
  return Object.keys(boundsPeriod).some((key) => key !== 'start' && key !== 'id');
}

// `frequency` defaults to once per period (FHIR R4, Timing.repeat).
function periodic({ frequency = 1, period, periodUnit }: TimingRepeat): Rate | string {
  if (period === undefined) return 'no period is stated';
  if (!isCount(frequency) || !isCount(period)) return 'the frequency and its period are not whole numbers';
  if (periodUnit === 'd') return { times: frequency, days: period };
  if (periodUnit === 'wk') return { times: frequency, days: 7 * period, unit: 'week' };
  if (periodUnit === 'h' && frequency === 1) return everyHours(period) ?? 'the hours do not make whole days';
  return periodUnit === 'mo' || periodUnit === 'a'
    ? 'months and years have no fixed number of days'
    : 'the timing is not by day or week';
}

// FHIR R4, Timing.repeat.when and timeOfDay: one dose at each listed time of day. A stated frequency must match the
// number of times.
function atTimes(repeat: TimingRepeat, named: number | undefined): Rate | string {
  if (named === undefined) return 'the times of day are not wholly known';
  const { frequency, period } = repeat;
  if (period === undefined && frequency === undefined) return { times: named, days: 1 };
  const stated = periodic({ ...repeat, frequency: frequency ?? named });
  if (typeof stated === 'string' || (named === 1 && stated.times === 1)) return stated;
  if (isSameRate(stated, { times: named, days: 1 })) return stated;
  return `the timing names ${named === 1 ? 'one time' : `${named} times`} of the day and says ${rateText(stated)}`;
}

function timesOfDay(times: readonly string[]): number | undefined {
  const isKnown = times.every((time) => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/.test(time));
  return isKnown && new Set(times.map((time) => time.slice(0, 5))).size === times.length ? times.length : undefined;
}

// FHIR R4, ValueSet event-timing. Two events in one part of the day may be one dose, so each part counts once.
const parts: Readonly<Record<string, string>> = {
  ...{ MORN: 'morning', 'MORN.early': 'morning', 'MORN.late': 'morning', WAKE: 'morning' },
  ...{ CM: 'morning', ACM: 'morning', PCM: 'morning', NOON: 'noon', CD: 'noon', ACD: 'noon', PCD: 'noon' },
  ...{ AFT: 'afternoon', 'AFT.early': 'afternoon', 'AFT.late': 'afternoon' },
  ...{ EVE: 'evening', 'EVE.early': 'evening', 'EVE.late': 'evening', CV: 'evening', ACV: 'evening', PCV: 'evening' },
  ...{ NIGHT: 'night', HS: 'night' },
};

function partsOfDay(when: readonly string[]): number | undefined {
  const named = when.map((event) => (Object.hasOwn(parts, event) ? parts[event] : undefined));
  return named.every((part) => part !== undefined) && new Set(named).size === named.length ? named.length : undefined;
}

// With meals (C, AC, PC), `frequency` states the number of doses.
function isByMeals(when: readonly string[]): boolean {
  return when.length === 1 && ['C', 'AC', 'PC'].includes(when[0] ?? '');
}
