import type { SingleDose } from '../single-dose.ts';
import { type DoseAmount, timesOf } from './dose-unit.ts';
import { wholeQuotient } from './whole-quotient.ts';

const containers = new Set(['syringe', 'pen', 'vial', 'ampule', 'nebule', 'injection']);

/**
 * How many single-dose containers a quantity is; undefined where that is no whole number, or it counts other things.
 */
export function containersIn({ value, unit }: DoseAmount, one: SingleDose): number | undefined {
  return unit === 'ml' ? wholeQuotient([value], [one.milliliters]) : containersOf({ value, unit });
}

/** How many containers one dose uses up: what is left in the last one is thrown away. */
export function containersFor(dose: DoseAmount, { milliliters, content }: SingleDose): number | undefined {
  const counted = containersOf(dose);
  if (counted !== undefined) return counted;
  const share = timesOf(dose, { value: milliliters, unit: 'ml' }) ?? (content && timesOf(dose, content));
  // the binary fractions of 0.3 / 0.1
  return share === undefined ? undefined : Math.ceil(share - 1e-9);
}

function containersOf({ value, unit }: DoseAmount): number | undefined {
  return containers.has(unit) && Number.isInteger(value) ? value : undefined;
}
