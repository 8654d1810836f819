import type { Dosage, Quantity } from 'fhir/r4.js';
import { type Amount, isLiquidUnit, isSolidUnit, unitName, unitOfQuantity } from './dose-unit.ts';
import { readDose, unitsPerDose } from './read-dose.ts';
import { readSig } from './read-sig.ts';

const mostPieces = 12;

/**
 * What is implausible about a dose that nothing contradicts, as a sentence for advice; undefined when nothing is. More than twelve
 * tablets or capsules at once, by the structure or by the directions.
 */
export function oddDose(
  dosages: readonly Dosage[],
  quantity: Quantity | undefined,
  strength?: Amount,
): string | undefined {
  const unit = quantity === undefined ? undefined : unitOfQuantity(quantity);
  const isOdd = dosages.some((dosage) =>
    [...structuredPieces(dosage, unit, strength), ...writtenPieces(dosage)].some((pieces) => pieces > mostPieces),
  );
  return isOdd ? 'One dose is more than twelve tablets or capsules.' : undefined;
}

/** Whether one quantity is counted in tablets or capsules and the other measured as a liquid, by code or unit. */
export function unitsContradict(one: Quantity, other: Quantity): boolean {
  const [left, right] = [one, other].map(({ code, unit }) => [unitName(code), unitName(unit)]);
  const isSolid = (units: typeof left) => units?.some(isSolidUnit) === true;
  const isLiquid = (units: typeof left) => units?.some(isLiquidUnit) === true;
  return (isSolid(left) && isLiquid(right)) || (isLiquid(left) && isSolid(right));
}

function structuredPieces(dosage: Dosage, unit: string | undefined, strength: Amount | undefined): number[] {
  const dose = readDose(dosage);
  if (typeof dose === 'string') return [];
  if (isSolidUnit(dose.unit)) return [dose.value];
  const pieces = unit !== undefined && isSolidUnit(unit) ? unitsPerDose(dosage, unit, strength) : undefined;
  return typeof pieces === 'number' ? [pieces] : [];
}

function writtenPieces({ text, patientInstruction }: Dosage): number[] {
  return [text, patientInstruction].flatMap((words) => {
    const { dose } = readSig(words) ?? {};
    return dose !== undefined && isSolidUnit(dose.unit) ? [dose.value] : [];
  });
}
