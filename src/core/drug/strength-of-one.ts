import { unitKindsOf } from './dispense-unit.ts';
import type { DrugReading } from './reading.ts';
import type { Strength } from './strength.ts';
import type { Amount } from './unit.ts';

/** The mass in one tablet or capsule, and what its name states of its base or element beside it (65 mg of iron). */
export interface MassOfOne extends Amount {
  readonly bases?: readonly Amount[] | undefined;
}

/** The mass in one tablet or capsule, when every reading of a solid drug that states one says the same. */
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

// "10 mg per 1 tablet" of a Medication's ingredient is the "10 mg" of a name.
function isOfOne(per: Strength['per']): boolean {
  return per === undefined || (per.unit === 'piece' && per.value === 1);
}
