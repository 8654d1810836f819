import type { Dosage, Timing } from 'fhir/r4.js';
import type { MassOfOne } from '../strength-of-one.ts';
import { amountText, type DoseAmount, isMass, isSameAmount, isSolidUnit, isTimes, massesOf } from './dose-unit.ts';
import { isSameRate, rateText } from './rate.ts';
import { readDose } from './read-dose.ts';
import { readSig, type SigReading } from './read-sig.ts';
import { readTiming, type TimingReading } from './read-timing.ts';

/**
 * How directions compare with the structured dose. `silent`: the directions state no amount or time. `unknown`: the
 * directions may say more than was understood, or the structure is not certain. `words` names the difference.
 */
export type SigComparison =
  | { readonly result: 'agrees' | 'silent' }
  | { readonly result: 'differs' | 'unknown'; readonly words: string };

/**
 * Compares the meaning of directions with a structured dose: "twice daily" agrees with every 12 hours, and "2 tablets"
 * agrees with 20 mg if a tablet has 10 mg. `strength` is the mass of one tablet or capsule.
 *
 * @example compareReading(onceDaily, readSig('Take 2 tablets twice daily'))
 * // { result: 'differs', words: 'the directions say twice a day, the dose once a day' }
 */
export function compareReading(dosage: Dosage, sig: SigReading | undefined, strength?: MassOfOne): SigComparison {
  const compared = massesOf(strength).map((mass) => compareByMass(dosage, sig, mass));
  return compared.find(({ result }) => result !== 'differs') ?? compared[0] ?? { result: 'silent' };
}

function compareByMass(dosage: Dosage, sig: SigReading | undefined, strength: DoseAmount | undefined): SigComparison {
  if (sig === undefined) return { result: 'silent' };
  const parts = [openness(sig, dosage), compareRate(sig, dosage), ...compareDose(sig, dosage, strength)];
  return (
    parts.find((part) => part?.result === 'differs') ??
    parts.find((part) => part?.result === 'unknown') ??
    parts.find((part) => part?.result === 'agrees') ?? { result: 'silent' }
  );
}

/**
 * A certain difference between directions and the structured dose, in words. As-needed use, a duration, a tablet called
 * a capsule, or "2 tablets daily" for one tablet twice a day are not differences. `strength` is called only when one of
 * the two states a mass.
 *
 * @example
 * certainDifference(onceDaily, 'Take 2 tablets twice daily', () => undefined)
 * // 'the directions say twice a day, the dose once a day'
 */
export function certainDifference(
  dosage: Dosage,
  text: string,
  strength: () => MassOfOne | undefined,
): string | undefined {
  const sig = readSig(text);
  if (sig === undefined || sig.isUnread || sig.isRange || sig.changes) return undefined;
  const dose = readDose(dosage);
  const isMeasured = sig.mass !== undefined || sig.strength !== undefined || (typeof dose !== 'string' && isMass(dose));
  const found = massesOf(isMeasured ? strength() : undefined).map((one) => differenceBy(one, sig, dosage, text));
  return found.includes(undefined) ? undefined : found[0];
}

function differenceBy(one: DoseAmount | undefined, sig: SigReading, dosage: Dosage, text: string): string | undefined {
  const dose = readDose(dosage);
  const rate = readTiming(dosage.timing === undefined ? {} : { timing: withoutEnd(dosage.timing) });
  const compared = [compareTimes(sig, rate), ...compareDose(counted(sig, dose), dosage, one), compareDrug(sig, one)];
  const found = compared.find((part) => part?.result === 'differs');
  if (found === undefined || !('words' in found) || typeof dose === 'string') return wordsOf(found);
  const whole = mayBeTotal.test(text) ? dosedDaily(dose, rate) : undefined;
  return whole !== undefined && isOf(sig, whole, one) ? undefined : found.words;
}

/**
 * Whether the structured dose and timing are each absent or agree with the directions. `strength` is the mass of one
 * tablet or capsule.
 *
 * @example saysNothingElse({ text: 'Take 1 tablet twice daily' }, readSig('Take 1 tablet twice daily')) // true
 */
export function saysNothingElse(dosage: Dosage, sig: SigReading, strength?: MassOfOne): boolean {
  const { timing, doseAndRate = [], asNeededBoolean, asNeededCodeableConcept } = dosage;
  if (asNeededBoolean === true || asNeededCodeableConcept !== undefined || hasGreatestDose(dosage)) return false;
  const parts = [timing === undefined ? undefined : compareTimes(sig, readTiming(dosage))];
  const isSame = (part: SigComparison | undefined) => part === undefined || part.result === 'agrees';
  if (!parts.every(isSame)) return false;
  return doseAndRate.length === 0 || massesOf(strength).some((mass) => compareDose(sig, dosage, mass).every(isSame));
}

function hasGreatestDose(dosage: Dosage): boolean {
  const { maxDosePerPeriod, maxDosePerAdministration, maxDosePerLifetime } = dosage;
  return [maxDosePerPeriod, maxDosePerAdministration, maxDosePerLifetime].some((part) => part !== undefined);
}

function wordsOf(compared: SigComparison | undefined): string | undefined {
  return compared !== undefined && 'words' in compared ? compared.words : undefined;
}

const ends = ['boundsDuration', 'boundsPeriod', 'boundsRange', 'count', 'countMax'] as const;

function withoutEnd(timing: Timing): Timing {
  const { repeat } = timing;
  if (repeat === undefined || ends.every((end) => repeat[end] === undefined)) return timing;
  const { boundsDuration, boundsPeriod, boundsRange, count, countMax, ...endless } = repeat;
  return { ...timing, repeat: endless };
}

function counted(sig: SigReading, dose: DoseAmount | string): SigReading {
  if (typeof dose === 'string' || !isSolidUnit(dose.unit) || !isSolidUnit(sig.dose?.unit)) return sig;
  return { ...sig, dose: { value: sig.dose?.value ?? 0, unit: dose.unit } };
}

// "2 tablets daily" may be the total of a day, but "once daily" and "in the morning" are about one dose.
const mayBeTotal =
  /^(?!.*\b(?:once|one time|1 time|morning|noon|lunch|evening|dinner|supper|night|bed|am|pm)).*\bda(?:y|ily)\b/is;

const daily = { times: 1, days: 1 };

function dosedDaily({ value, unit }: DoseAmount, timing: TimingReading): DoseAmount | undefined {
  return timing.isWhole && timing.days === 1 && timing.times > 1 ? { value: value * timing.times, unit } : undefined;
}

function isOf({ dose: count, mass, rate }: SigReading, whole: DoseAmount, one: DoseAmount | undefined): boolean {
  if (rate === undefined || !isSameRate(rate, daily)) return false;
  if (count !== undefined) return (count.unit === whole.unit || isAnyOf(count, whole)) && count.value === whole.value;
  if (mass === undefined) return false;
  return isTimes(mass, whole, 1) || (one !== undefined && isSolidUnit(whole.unit) && isTimes(mass, one, whole.value));
}

const agrees = { result: 'agrees' } as const;
const differs = (words: string): SigComparison => ({ result: 'differs', words });
const unknown = (words: string): SigComparison => ({ result: 'unknown', words });

function openness(sig: SigReading, { asNeededBoolean, asNeededCodeableConcept }: Dosage): SigComparison | undefined {
  if (sig.isAsNeeded && asNeededBoolean !== true && asNeededCodeableConcept === undefined)
    return differs('the directions say as needed, the dose does not');
  if (sig.changes) return unknown('the directions tell of a dose that changes, ends or has a condition');
  if (sig.isRange) return unknown('the directions give a range');
  return sig.isUnread ? unknown('the directions say more than was understood') : undefined;
}

function compareRate(sig: SigReading, dosage: Dosage): SigComparison | undefined {
  return sig.rate === undefined ? undefined : compareTimes(sig, readTiming(dosage));
}

function compareTimes({ rate }: SigReading, timing: TimingReading): SigComparison | undefined {
  if (rate === undefined) return undefined;
  if (!timing.isWhole) return unknown(timing.notWhole);
  return isSameRate(rate, timing)
    ? agrees
    : differs(`the directions say ${rateText(rate)}, the dose ${rateText(timing)}`);
}

function compareDose(sig: SigReading, dosage: Dosage, strength: DoseAmount | undefined): SigComparison[] {
  const { dose: count, mass, strength: one } = sig;
  if (count === undefined && mass === undefined) return [];
  const dose = readDose(dosage);
  if (typeof dose === 'string') return [unknown(dose)];
  const strengths = one === undefined || strength === undefined ? [] : [compareStrengths(one, strength)];
  return isMass(dose)
    ? [compareMass(sig, dose, one ?? strength), ...strengths]
    : [compareCount(sig, dose, one ?? strength), ...strengths];
}

function compareStrengths(one: DoseAmount, strength: DoseAmount): SigComparison {
  return isSameAmount(one, strength)
    ? agrees
    : differs(`the directions name ${amountText(one)}, the drug has ${amountText(strength)}`);
}

// Without a structured dose, the directions' strength is compared with the drug's strength. In "2 tablets (10 mg)", the
// mass may be that of one tablet.
function compareDrug({ dose: count, mass, strength: said }: SigReading, one: DoseAmount | undefined) {
  if (one === undefined) return undefined;
  if (said !== undefined) return compareStrengths(said, one);
  if (mass === undefined || count === undefined || !isPiece(count)) return undefined;
  if (isTimes(mass, one, count.value) || isSameAmount(mass, one)) return agrees;
  return differs(`the directions say ${amountText(mass)} in ${amountText(count)}, the drug has ${amountText(one)}`);
}

// Compares a dose that is a mass with directions that state a mass or a number of pieces. In "2 tablets (10 mg)", the
// mass may be that of one piece.
function compareMass({ dose: count, mass }: SigReading, dose: DoseAmount, one: DoseAmount | undefined): SigComparison {
  if (mass !== undefined) {
    const isSame = isSameAmount(mass, dose) || (count !== undefined && isTimes(dose, mass, count.value));
    return isSame ? agrees : saysOther(mass, dose);
  }
  if (count === undefined || one === undefined || !isPiece(count)) return unknown('the dose is not stated in one unit');
  return isTimes(dose, one, count.value) ? agrees : saysOther(count, dose);
}

// Compares a dose that is a count with directions that state a count or a mass.
function compareCount({ dose: count, mass }: SigReading, dose: DoseAmount, one: DoseAmount | undefined): SigComparison {
  if (mass !== undefined && one !== undefined && isSolidUnit(dose.unit)) {
    const isSame = isTimes(mass, one, dose.value) || (count !== undefined && isSameAmount(mass, one));
    if (!isSame) return saysOther(mass, dose);
    if (count === undefined) return agrees;
  }
  if (count === undefined) return unknown('the dose is not stated in one unit');
  if (count.unit === dose.unit || isAnyOf(count, dose))
    return count.value === dose.value ? agrees : saysOther(count, dose);
  return isSolidUnit(count.unit) && isSolidUnit(dose.unit)
    ? saysOther(count, dose)
    : unknown('the dose is not stated in one unit');
}

function isPiece({ unit }: DoseAmount): boolean {
  return isSolidUnit(unit) || unit === 'piece' || unit === 'any';
}

// "Take 1 daily" matches any unit, and a pill is a tablet or a capsule.
function isAnyOf(count: DoseAmount, dose: DoseAmount): boolean {
  return count.unit === 'any' || (count.unit === 'piece' && isSolidUnit(dose.unit));
}

function saysOther(said: DoseAmount, dose: DoseAmount): SigComparison {
  return differs(`the directions say ${amountText(said)}, the dose ${amountText(dose)}`);
}
