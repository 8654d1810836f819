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

export interface DaysSupplyInput {
  /** `MedicationRequest.dispenseRequest.quantity`. */
  readonly quantity: Quantity | undefined;
  readonly dosages: readonly Dosage[];
  /** The mass in one tablet or capsule, such as `{ value: 10, unit: 'mg' }`. Absent for other forms. */
  readonly strength?: MassOfOne | undefined;
  /** The single-dose container, such as a prefilled syringe, if the drug comes in one. */
  readonly container?: SingleDose | undefined;
  /** How often the quantity is dispensed: once, and once for each ordered refill. */
  readonly fills?: number | undefined;
}

/** The days that a quantity lasts with a note on how they were computed, or the reason why they are not certain. */
export type DaysReading = DaysRead | string;

export interface DaysRead {
  readonly days: number;
  readonly note: string;
  /** The duration after which the directions end, whatever the quantity is: `10 days`. */
  readonly endsAfter?: string;
}

// No more than a year's supply is dispensed at once.
const mostDays = 366;

/**
 * The whole days that a quantity lasts at one regular dose, never rounded. The timing must be fully understood, the
 * doses identical, the unit the same or convertible by a known strength, and the directions in agreement.
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
 * The days that the quantity lasts at the structured dose, without regard to the directions. Undefined when uncertain.
 */
export function daysOfQuantity(supply: DaysSupplyInput): number | undefined {
  const found = lasting(supply);
  return typeof found === 'string' ? undefined : found.days;
}

interface Lasting {
  /** The dosage without the course length. */
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
  // Only whole periods count: with two doses in four days, one dose lasts no certain number of days.
  const periods = wholeQuotient([opened?.count ?? amount.value], [units, timing.times]);
  const days = (periods ?? 0) * timing.days;
  if (days < 1 || days > mostDays) return 'the quantity is not a whole number of days';
  if (course !== undefined && !takesFills(course, days, fills)) return 'the timing has an end';
  return { dosage, days, note: `${amountText(amount)} at ${opened?.words ?? units}, ${rateText(timing)}` };
}

// A course of 12 weeks needs three fills of 28 days. Part of the last fill may be left over.
function takesFills(course: number, days: number, fills = 1): boolean {
  return days <= course && Math.ceil(course / days) === fills;
}

interface Opened {
  /** The number of containers in the quantity. */
  readonly count: number;
  /** The number of containers used for one dose. */
  readonly units: number;
  readonly words: string;
}

// The rest of a syringe or ampule is discarded, so the number of containers limits the number of doses.
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

// Separates the course length from the timing, so that the length can be compared with the days that the quantity
// lasts. Any other bound stays in the timing.
function courseOf(dosage: Dosage): { readonly dosage: Dosage; readonly course?: number } {
  if (dosage.timing?.repeat?.boundsDuration === undefined) return { dosage };
  const { boundsDuration, ...repeat } = dosage.timing.repeat;
  const course = daysOfDuration(boundsDuration);
  return course === undefined ? { dosage } : { dosage: { ...dosage, timing: { ...dosage.timing, repeat } }, course };
}

/**
 * The days according to the directions: the duration after which they end, or how long the quantity lasts at a dose
 * that only the directions state or that differs from the structured dose. Undefined when they agree with the
 * structured dose, or do not clearly state how much and how often.
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
  if (sig.rate === undefined || !statesDose(dosage, sig, strength)) return undefined;
  const opened = openedPerDose(amount, sig.dose ?? sig.mass, container);
  const units = opened?.units ?? unitsInDirections(sig, amount.unit, strength);
  if (units === undefined) return undefined;
  const days = (wholeQuotient([opened?.count ?? amount.value], [units, sig.rate.times]) ?? 0) * sig.rate.days;
  if (days < 1 || days > mostDays) return undefined;
  return { days, note: `${amountText(amount)} at ${opened?.words ?? units}, ${rateText(sig.rate)}, by the directions` };
}

// Whether the directions state a different dose than the structure, or are the only source of a dose.
function statesDose(dosage: Dosage, sig: SigReading, strength: MassOfOne | undefined): boolean {
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

// Some systems repeat an entry, so identical dosages count as one. A loading dose and a maintenance dose are not
// identical.
function onlyDosage(dosages: readonly Dosage[]): Dosage | string {
  const [first] = dosages;
  if (first === undefined) return 'the order has no dose';
  if (dosages.length === 1) return first;
  return dosages.every((other) => isSamePart(other, first)) ? first : 'several instructions';
}

// Checks every text of the dosage, additional instructions ("then stop") included.
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
