import type { SingleDose } from '../single-dose.ts';
import { type DoseAmount, timesOf } from './dose-unit.ts';
import { wholeQuotient } from './whole-quotient.ts';

const containers = new Set(['syringe', 'pen', 'vial', 'ampule', 'nebule', 'injection']);

/**
 * The number of single-dose containers in a quantity. Undefined if the number is not whole, or the quantity counts
 * something else.
 */
export function containersIn({ value, unit }: DoseAmount, one: SingleDose): number | undefined {
  return unit === 'ml' ? wholeQuotient([value], [one.milliliters]) : containersOf({ value, unit });
}

/** The number of containers that one dose uses. The rest of the last container is discarded. */
export function containersFor(dose: DoseAmount, { milliliters, content }: SingleDose): number | undefined {
  const counted = containersOf(dose);
  if (counted !== undefined) return counted;
  const share = timesOf(dose, { value: milliliters, unit: 'ml' }) ?? (content && timesOf(dose, content));
  // tolerates rounding errors, as in 0.3 / 0.1
  return share === undefined ? undefined : Math.ceil(share - 1e-9);
}

function containersOf({ value, unit }: DoseAmount): number | undefined {
  return containers.has(unit) && Number.isInteger(value) ? value : undefined;
}
