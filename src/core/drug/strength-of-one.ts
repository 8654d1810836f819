import { unitKindsOf } from './dispense-unit.ts';
import type { DrugReading } from './reading.ts';
import type { Strength } from './strength.ts';
import type { Amount } from './unit.ts';

/**
 * The mass in one tablet or capsule. `bases` are the masses of its base or element if the name states them, such as 65
 * mg of iron.
 */
export interface MassOfOne extends Amount {
  readonly bases?: readonly Amount[] | undefined;
}

/** The mass in one tablet or capsule. Undefined unless all readings of a solid form with a single amount agree. */
export function strengthOfOne(readings: readonly DrugReading[]): MassOfOne | undefined {
  const solid = readings.filter(({ form, amounts }) => amounts.length === 1 && unitKindsOf(form).includes('counted'));
  const amounts = solid.flatMap(({ amounts: [only] }) => (only === undefined ? [] : [only]));
  const [first] = amounts;
  if (first === undefined) return undefined;
  const isOne = amounts.every(
    ({ amount, per }) => isOfOne(per) && amount.value === first.amount.value && amount.unit === first.amount.unit,
  );
  if (!isOne) return undefined;
  const bases = solid.flatMap((reading) => reading.bases ?? []);
  return bases.length === 0 ? first.amount : { ...first.amount, bases };
}

// "10 mg per 1 tablet" in a Medication's ingredient equals "10 mg" in a name.
function isOfOne(per: Strength['per']): boolean {
  return per === undefined || (per.unit === 'piece' && per.value === 1);
}
