import type { Dosage } from 'fhir/r4.js';
import { type Amount, amountText, isMass, isSameAmount, isSolidUnit, isTimes } from './dose-unit.ts';
import { isSameRate, rateText } from './rate.ts';
import { readDose } from './read-dose.ts';
import type { SigReading } from './read-sig.ts';
import { readTiming } from './read-timing.ts';

/**
 * How directions stand to the structured dose beside them. `silent`: they say nothing of amounts and times; `unknown`:
 * they may say
 * more than was understood, or the structure says nothing certain to compare with. The words say what differs or is not
 * known.
 */
export type SigComparison =
  | { readonly result: 'agrees' | 'silent' }
  | { readonly result: 'differs' | 'unknown'; readonly words: string };

/**
 * Compares directions, as `readSig` reads them, with a structured dose, by meaning: "twice daily" agrees with every 12
 * hours, "2 tablets" with 20 mg of a drug of 10 mg. The strength is that of one tablet or capsule.
 *
 * @example compareReading(onceDaily, readSig('Take 2 tablets twice daily'))
 * // { result: 'differs', words: 'the directions say twice a day, the dose once a day' }
 */
export function compareReading(dosage: Dosage, sig: SigReading | undefined, strength?: Amount): SigComparison {
  if (sig === undefined) return { result: 'silent' };
  const parts = [openness(sig, dosage), compareRate(sig, dosage), ...compareDose(sig, dosage, strength)];
  return (
    parts.find((part) => part?.result === 'differs') ??
    parts.find((part) => part?.result === 'unknown') ??
    parts.find((part) => part?.result === 'agrees') ?? { result: 'silent' }
  );
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

function compareRate({ rate }: SigReading, dosage: Dosage): SigComparison | undefined {
  if (rate === undefined) return undefined;
  const timing = readTiming(dosage);
  if (!timing.isWhole) return unknown(timing.notWhole);
  return isSameRate(rate, timing)
    ? agrees
    : differs(`the directions say ${rateText(rate)}, the dose ${rateText(timing)}`);
}

function compareDose(sig: SigReading, dosage: Dosage, strength: Amount | undefined): SigComparison[] {
  const { dose: count, mass, strength: one } = sig;
  if (count === undefined && mass === undefined) return [];
  const dose = readDose(dosage);
  if (typeof dose === 'string') return [unknown(dose)];
  const strengths = one === undefined || strength === undefined ? [] : [compareStrengths(one, strength)];
  return isMass(dose)
    ? [compareMass(sig, dose, one ?? strength), ...strengths]
    : [compareCount(sig, dose, one ?? strength), ...strengths];
}

function compareStrengths(one: Amount, strength: Amount): SigComparison {
  return isSameAmount(one, strength)
    ? agrees
    : differs(`the directions name ${amountText(one)}, the drug has ${amountText(strength)}`);
}

// The dose is a mass. Directions state that mass, or a number of pieces; in "2 tablets (10 mg)" it may be of one piece.
function compareMass({ dose: count, mass }: SigReading, dose: Amount, one: Amount | undefined): SigComparison {
  if (mass !== undefined) {
    const isSame = isSameAmount(mass, dose) || (count !== undefined && isTimes(dose, mass, count.value));
    return isSame ? agrees : saysOther(mass, dose);
  }
  if (count === undefined || one === undefined || !isPiece(count)) return unknown('the dose is not stated in one unit');
  return isTimes(dose, one, count.value) ? agrees : saysOther(count, dose);
}

// The dose is counted. Directions state the same count, or its mass.
function compareCount({ dose: count, mass }: SigReading, dose: Amount, one: Amount | undefined): SigComparison {
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

function isPiece({ unit }: Amount): boolean {
  return isSolidUnit(unit) || unit === 'piece' || unit === 'any';
}

// "Take 1 daily" counts whatever the dose counts, and a pill is a tablet or a capsule.
function isAnyOf(count: Amount, dose: Amount): boolean {
  return count.unit === 'any' || (count.unit === 'piece' && isSolidUnit(dose.unit));
}

function saysOther(said: Amount, dose: Amount): SigComparison {
  return differs(`the directions say ${amountText(said)}, the dose ${amountText(dose)}`);
}
