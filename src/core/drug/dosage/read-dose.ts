import type { Dosage, DosageDoseAndRate, Quantity } from 'fhir/r4.js';
import type { MassOfOne } from '../strength-of-one.ts';
import { type DoseAmount, isMass, isSolidUnit, massesOf, unitOfQuantity, wholeTimes } from './dose-unit.ts';

/**
 * The single ordered amount of one dose, or the reason why there is none. Systems add calculated and dispensed amounts,
 * so of several entries only one of type `ordered` counts (HL7 dose-rate-type).
 */
export function readDose({ doseAndRate = [] }: Dosage): DoseAmount | string {
  const ordered = doseAndRate.length === 1 ? doseAndRate : doseAndRate.filter((entry) => isOfType(entry, 'ordered'));
  const [entry] = ordered;
  if (entry === undefined || ordered.length > 1) return 'no single ordered dose';
  if (entry.doseRange !== undefined) return 'the dose is a range';
  if (entry.rateQuantity !== undefined || entry.rateRange !== undefined || entry.rateRatio !== undefined)
    return 'the dose is given at a rate';
  return readAmount(entry.doseQuantity) ?? 'no single ordered dose';
}

/** A quantity as an amount. Undefined without a positive value, with a comparator, or when code and unit differ. */
export function readAmount(quantity: Quantity | undefined): DoseAmount | undefined {
  const { value, comparator } = quantity ?? {};
  if (quantity === undefined || comparator !== undefined || typeof value !== 'number' || value <= 0) return undefined;
  const unit = unitOfQuantity(quantity);
  return unit === undefined ? undefined : { value, unit };
}

/**
 * How much of the quantity one dose uses, in `unit`, or the reason why this is not certain. A dose in milligrams is
 * converted to tablets by their strength. Another amount dispensed per dose makes the result uncertain.
 */
export function unitsPerDose(dosage: Dosage, unit: string, strength: MassOfOne | undefined): number | string {
  const dose = readDose(dosage);
  if (typeof dose === 'string') return dose;
  const units = unitsOf(dose, unit, strength);
  const dispensed = (dosage.doseAndRate ?? [])
    .filter((entry) => isOfType(entry, 'admin-amount'))
    .flatMap(({ doseQuantity }) => readAmount(doseQuantity) ?? [])
    .map((amount) => unitsOf(amount, unit, strength));
  return dispensed.some((other) => typeof other === 'number' && typeof units === 'number' && other !== units)
    ? 'the dose is stated in two ways that differ'
    : units;
}

/** An amount in `unit`, or the reason why the conversion is not certain. */
export function unitsOf(dose: DoseAmount, unit: string, strength: MassOfOne | undefined): number | string {
  if (dose.unit === unit) return dose.value;
  if (strength === undefined || !isSolidUnit(unit) || !isMass(dose)) return 'dose and quantity are in different units';
  const times = massesOf(strength).map((mass) => (mass === undefined ? undefined : wholeTimes(dose, mass)));
  return times.find((count) => count !== undefined) ?? 'the dose is not a whole number of tablets or capsules';
}

function isOfType({ type }: DosageDoseAndRate, code: string): boolean {
  return type?.coding?.some((coding) => coding.code === code) ?? false;
}
