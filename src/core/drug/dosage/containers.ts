import type { SingleDose } from '../single-dose.ts';
import { type DoseAmount, timesOf } from './dose-unit.ts';
import { wholeQuotient } from './whole-quotient.ts';

const containers = new Set(['syringe', 'pen', 'vial', 'ampule', 'nebule', 'injection']);

/**
 * The number of single-dose containers in a quantity; undefined if it is not whole, or the quantity counts other
 * things.
 */
export function containersIn({ value, unit }: DoseAmount, one: SingleDose): number | undefined {
  return unit === 'ml' ? wholeQuotient([value], [one.milliliters]) : containersOf({ value, unit });
}

/** How many containers one dose uses. The rest of the last one is discarded. */
export function containersFor(dose: DoseAmount, { milliliters, content }: SingleDose): number | undefined {
  const counted = containersOf(dose);
  if (counted !== undefined) return counted;
  const share = timesOf(dose, { value: milliliters, unit: 'ml' }) ?? (content && timesOf(dose, content));
  // tolerates binary rounding errors, as in 0.3 / 0.1
  return share === undefined ? undefined : Math.ceil(share - 1e-9);
}

function containersOf({ value, unit }: DoseAmount): number | undefined {
  return containers.has(unit) && Number.isInteger(value) ? value : undefined;
}
