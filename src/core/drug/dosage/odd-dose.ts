import type { Dosage, Quantity } from 'fhir/r4.js';
import type { MassOfOne } from '../strength-of-one.ts';
import { isLiquidUnit, isSolidUnit, unitName, unitOfQuantity } from './dose-unit.ts';
import { readDose, unitsPerDose } from './read-dose.ts';
import { readSig } from './read-sig.ts';

const mostPieces = 12;
// Numbers above twelve have two digits or end in "teen" or "ty", so most directions need not be parsed.
const twoFigures = /\d\d|teen|ty\b/i;

/**
 * A warning when one dose is more than twelve tablets or capsules, by the structure or the directions. `strength` is
 * called only for a dose in milligrams.
 */
export function oddDose(
  dosages: readonly Dosage[],
  quantity: Quantity | undefined,
  strength: () => MassOfOne | undefined,
): string | undefined {
  const unit = quantity === undefined ? undefined : unitOfQuantity(quantity);
  const isOdd = dosages.some((dosage) =>
    [...structuredPieces(dosage, unit, strength), ...writtenPieces(dosage)].some((pieces) => pieces > mostPieces),
  );
  return isOdd ? 'One dose is more than twelve tablets or capsules.' : undefined;
}

/**
 * Whether the dose counts tablets or capsules while the quantity measures a liquid, or the reverse. Checks both the
 * code and the unit of the quantity.
 */
export function unitsContradict(dosages: readonly Dosage[], quantity: Quantity | undefined): boolean {
  const units = [unitName(quantity?.code), unitName(quantity?.unit)];
  return dosages.some((dosage) => {
    const dose = readDose(dosage);
    if (typeof dose === 'string') return false;
    return (isSolidUnit(dose.unit) && units.some(isLiquidUnit)) || (isLiquidUnit(dose.unit) && units.some(isSolidUnit));
  });
}

function structuredPieces(dosage: Dosage, unit: string | undefined, strength: () => MassOfOne | undefined): number[] {
  const dose = readDose(dosage);
  if (typeof dose === 'string') return [];
  if (isSolidUnit(dose.unit)) return [dose.value];
  const pieces = unit !== undefined && isSolidUnit(unit) ? unitsPerDose(dosage, unit, strength()) : undefined;
  return typeof pieces === 'number' ? [pieces] : [];
}

function writtenPieces({ text, patientInstruction }: Dosage): number[] {
  return [text, patientInstruction].flatMap((words) => {
    if (words === undefined || !twoFigures.test(words)) return [];
    const { dose } = readSig(words) ?? {};
    return dose !== undefined && isSolidUnit(dose.unit) ? [dose.value] : [];
  });
}
