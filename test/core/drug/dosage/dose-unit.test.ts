import { expect, test } from 'vitest';
import { dispenseUnitTable } from '../../../../mappings/tables/dispense-unit.ts';
import { type DispenseUnit, dispenseUnits } from '../../../../src/core/contract/lists.ts';
import { unitName } from '../../../../src/core/drug/dosage/dose-unit.ts';

/** How directions name the units of the dispense table; the other units of the table are never a dose's. */
const doseUnits: Readonly<Partial<Record<DispenseUnit, string>>> = {
  tablet: 'tablet',
  capsule: 'capsule',
  milliliter: 'ml',
  liter: 'l',
  gram: 'g',
  milligram: 'mg',
  microgram: 'mcg',
  patch: 'patch',
  vial: 'vial',
};

test('directions know each spelling of a unit that can be dispensed', () => {
  const unknown = dispenseUnits.flatMap((unit) => {
    const dose = doseUnits[unit];
    const texts = (dispenseUnitTable.rows[unit] ?? []).filter((key) => !key.includes('|'));
    expect(texts.length, unit).toBeGreaterThan(0);
    return dose === undefined ? [] : texts.filter((text) => unitName(text) !== dose).map((text) => `${text}: ${dose}`);
  });
  expect(unknown).toEqual([]);
});
