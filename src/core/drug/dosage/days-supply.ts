import type { Dosage, Quantity } from 'fhir/r4.js';
import { isSamePart } from '../../fhir/same-content.ts';
import { daysOfDuration } from '../../fhir/time/duration.ts';
import type { SingleDose } from '../single-dose.ts';
import type { MassOfOne } from '../strength-of-one.ts';
import { compareReading, saysNothingElse } from './compare-sig.ts';
import { containersFor, containersIn } from './containers.ts';
import { amountText, type DoseAmount, isSameAmount, isSolidUnit } from './dose-unit.ts';
import { isSameRate, rateText } from './rate.ts';
import { readAmount, readDose, unitsOf, unitsPerDose } from './read-dose.ts';
import { readSig, type SigReading } from './read-sig.ts';
import { readTiming } from './read-timing.ts';
import { wholeQuotient } from './whole-quotient.ts';

/** What the days of a supply are worked out from. */
export interface DaysSupplyInput {
  /** What is dispensed: MedicationRequest.dispenseRequest.quantity. */
  readonly quantity: Quantity | undefined;
  /** MedicationRequest.dosageInstruction. */
  readonly dosages: readonly Dosage[];
  /** The mass in one tablet or capsule (`{ value: 10, unit: 'mg' }`), when the drug is solid and states one. */
  readonly strength?: MassOfOne | undefined;
  /** The container that a dose uses up, when the drug comes in such: a prefilled syringe. */
  readonly container?: SingleDose | undefined;
  /** How often it is dispensed: once, and the ordered refills. */
  readonly fills?: number | undefined;
}

/** Days that a quantity lasts and how that was worked out; or why it is not certain, in words. */
export type DaysReading = DaysRead | string;

export interface DaysRead {
  readonly days: number;
  readonly note: string;
  /** Where the directions end after that time, whatever the quantity: `10 days`. */
  readonly endsAfter?: string;
}

// A supply of more than a year is not dispensed at once.
const mostDays = 366;

/**
 * The whole days that a quantity lasts at one regular dose. Only from timing that is wholly understood, one dose (or
 * identical ones), the unit of the quantity or a known strength, and directions that say the same; never rounded.
 *
 * @example
 * daysOf({ quantity: { value: 60, unit: 'tablet' }, dosages: [oneTabletTwiceDaily] })
 * // { days: 30, note: '60 tablets at 1, twice a day' }
 */
export function daysOf(supply: DaysSupplyInput): DaysReading {
  const found = lasting(supply);
  if (typeof found === 'string') return found;
  const { dosage, days, note } = found;
  return contradiction(dosage, supply, days) ?? { days, note };
}

/**
 * The days that the quantity lasts at the structured dose alone, whatever the directions say; undefined where that is
 * not certain.
 */
export function daysOfQuantity(supply: DaysSupplyInput): number | undefined {
  const found = lasting(supply);
  return typeof found === 'string' ? undefined : found.days;
}

interface Lasting {
  /** Without the length of the course, which the days are. */
  readonly dosage: Dosage;
  readonly days: number;
  readonly note: string;
}

function lasting({ quantity, dosages, strength, container, fills }: DaysSupplyInput): Lasting | string {
  const only = onlyDosage(dosages);
  if (typeof only === 'string') return only;
  const { dosage, course } = courseOf(only);
  if (quantity?.comparator !== undefined) return 'the quantity is only a bound';
  const amount = readAmount(quantity);
  if (amount === undefined)
    return quantity?.value === undefined ? 'the order states no quantity' : 'the quantity has no certain unit';
  const timing = readTiming(dosage);
  if (!timing.isWhole) return timing.notWhole;
  const opened = openedPerDose(amount, readDose(dosage), container);
  const units = opened?.units ?? unitsPerDose(dosage, amount.unit, strength);
  if (typeof units === 'string') return units;
  // Whole periods: of two doses in four days one alone lasts for no certain number of days.
  const periods = wholeQuotient([opened?.count ?? amount.value], [units, timing.times]);
  const days = (periods ?? 0) * timing.days;
  if (days < 1 || days > mostDays) return 'the quantity is not a whole number of days';
  if (course !== undefined && !takesFills(course, days, fills)) return 'the timing has an end';
  return { dosage, days, note: `${amountText(amount)} at ${opened?.words ?? units}, ${rateText(timing)}` };
}

// A course of 12 weeks takes three fills of 28 days; the last one may be left over in part.
function takesFills(course: number, days: number, fills = 1): boolean {
  return days <= course && Math.ceil(course / days) === fills;
}

interface Opened {
  /** Containers in the quantity. */
  readonly count: number;
  /** Containers for one dose. */
  readonly units: number;
  readonly words: string;
}

// What stays in a syringe or an ampule is thrown away, so that a quantity lasts as many doses as it has containers.
function openedPerDose(
  amount: DoseAmount,
  dose: DoseAmount | string | undefined,
  one: SingleDose | undefined,
): Opened | undefined {
  if (one === undefined || dose === undefined || typeof dose === 'string') return undefined;
  const [count, units] = [containersIn(amount, one), containersFor(dose, one)];
  if (count === undefined || units === undefined) return undefined;
  return { count, units, words: `${units} of ${one.milliliters} ml each` };
}

// A course of so many days narrows nothing where the quantity lasts just as long; any other bound is left to timing.
function courseOf(dosage: Dosage): { readonly dosage: Dosage; readonly course?: number } {
  if (dosage.timing?.repeat?.boundsDuration === undefined) return { dosage };
  const { boundsDuration, ...repeat } = dosage.timing.repeat;
  const course = daysOfDuration(boundsDuration);
  return course === undefined ? { dosage } : { dosage: { ...dosage, timing: { ...dosage.timing, repeat } }, course };
}

/**
 * Days by the directions: those after which they end, or those that the quantity lasts where they say another dose than
 * the structured one beside them, or where no structured one is there. Undefined where they say the same, or not with
 * certainty how much and how often.
 *
 * @example
 * daysOfDirections({ quantity: { value: 60, unit: 'tablet' }, dosages: [twiceDailyThatSaysThreeTimesInItsText] })
 * // { days: 20, note: ... }
 */
export function daysOfDirections(supply: DaysSupplyInput): DaysRead | undefined {
  const { quantity, dosages, fills = 1 } = supply;
  const dosage = onlyDosage(dosages);
  const amount = readAmount(quantity);
  if (typeof dosage === 'string' || quantity?.comparator !== undefined || amount === undefined) return undefined;
  const sig = readSig(dosage.patientInstruction ?? dosage.text);
  const lasts = sig && lastingBy(sig, dosage, amount, supply);
  if (sig?.totalDays === undefined || sig.changes || sig.isUnread) return lasts;
  const isOfFills = lasts !== undefined && fills > 1 && takesFills(sig.totalDays, lasts.days, fills);
  return isOfFills ? lasts : endingAfter(sig.totalDays);
}

function lastingBy(
  sig: SigReading,
  dosage: Dosage,
  amount: DoseAmount,
  { strength, container }: DaysSupplyInput,
): DaysRead | undefined {
  if (sig.rate === undefined || !tellsDose(dosage, sig, strength)) return undefined;
  const opened = openedPerDose(amount, sig.dose ?? sig.mass, container);
  const units = opened?.units ?? unitsInDirections(sig, amount.unit, strength);
  if (units === undefined) return undefined;
  const days = (wholeQuotient([opened?.count ?? amount.value], [units, sig.rate.times]) ?? 0) * sig.rate.days;
  if (days < 1 || days > mostDays) return undefined;
  return { days, note: `${amountText(amount)} at ${opened?.words ?? units}, ${rateText(sig.rate)}, by the directions` };
}

// They say another dose than the structured one, or are all that says one.
function tellsDose(dosage: Dosage, sig: SigReading, strength: MassOfOne | undefined): boolean {
  if (sig.isAsNeeded || sig.isRange || sig.changes || sig.isUnread) return false;
  if (compareReading(dosage, sig, strength).result === 'differs') return true;
  return saysNothingElse(dosage, sig, strength) && textsAgree(dosage, sig);
}

function textsAgree(dosage: Dosage, { dose, mass, rate, totalDays }: SigReading): boolean {
  return [...textsOf(dosage)].map(readSig).every((other) => {
    if (other === undefined) return true;
    if (other.isAsNeeded || other.isRange || other.changes || other.isUnread) return false;
    if (other.totalDays !== undefined && other.totalDays !== totalDays) return false;
    const isSameDose = isSameOrSilent(dose, other.dose) && isSameOrSilent(mass, other.mass);
    return isSameDose && (other.rate === undefined || (rate !== undefined && isSameRate(rate, other.rate)));
  });
}

function isSameOrSilent(one: DoseAmount | undefined, other: DoseAmount | undefined): boolean {
  return one === undefined || other === undefined || isSameAmount(one, other);
}

function unitsInDirections(
  { dose, mass }: SigReading,
  unit: string,
  strength: MassOfOne | undefined,
): number | undefined {
  if (dose === undefined) {
    const units = mass === undefined ? undefined : unitsOf(mass, unit, strength);
    return typeof units === 'number' ? units : undefined;
  }
  const isCounted = dose.unit === unit || dose.unit === 'any' || (dose.unit === 'piece' && isSolidUnit(unit));
  return isCounted ? dose.value : undefined;
}

// Systems repeat an entry; a loading and a maintenance dose differ.
function onlyDosage(dosages: readonly Dosage[]): Dosage | string {
  const [first] = dosages;
  if (first === undefined) return 'the order has no dose';
  if (dosages.length === 1) return first;
  return dosages.every((other) => isSamePart(other, first)) ? first : 'several instructions';
}

// Every text beside the dose has a say, also the additional instructions ("then stop").
function contradiction(dosage: Dosage, { strength, fills }: DaysSupplyInput, days: number): string | undefined {
  for (const text of textsOf(dosage)) {
    const sig = readSig(text);
    const compared = compareReading(dosage, sig, strength);
    if ('words' in compared) return compared.words;
    const { totalDays } = sig ?? {};
    if (totalDays !== undefined && !takesFills(totalDays, days, fills))
      return `the directions end after ${daysText(totalDays)}, the quantity lasts ${days}`;
  }
  return undefined;
}

function textsOf({ text, patientInstruction, additionalInstruction }: Dosage): Iterable<string> {
  if (patientInstruction === undefined && additionalInstruction === undefined) return text === undefined ? [] : [text];
  const additional = (additionalInstruction ?? []).flatMap(({ text: words, coding = [] }) => [
    words,
    ...coding.map(({ display }) => display),
  ]);
  return new Set([text, patientInstruction, ...additional].filter((one) => one !== undefined));
}

function endingAfter(days: number): DaysRead {
  const endsAfter = daysText(days);
  return { days, note: `the directions end after ${endsAfter}`, endsAfter };
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
