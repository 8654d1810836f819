import { describe, expect, test } from 'vitest';
import { unitContradictsForm, unitKindsOf } from '../../../src/core/drug/dispense-unit.ts';

describe('unitContradictsForm', () => {
  test.each([
    ['tablet', 'Auto-Injector'],
    ['tablets', 'Injectable Solution'],
    ['{tbl}', 'pen injector'],
    ['TAB', 'Topical Cream'],
    ['tablet', 'Oral Capsule'],
    ['capsule', 'tablet'],
    ['mL', 'Oral Tablet'],
    ['milliliter', 'tab'],
    ['mL', 'patch'],
    ['gram', 'Oral Capsule'],
    ['inhaler', 'Oral Tablet'],
    ['patch', 'Oral Tablet'],
    ['pen', 'Oral Tablet'],
    ['syringe', 'cream'],
    ['tablet', 'Oral Suspension'],
  ])('%s of %s', (unit, form) => {
    expect(unitContradictsForm(unit, form)).toBe(true);
  });

  test.each([
    ['tablet', 'Oral Tablet'],
    ['tablet', 'Disintegrating Oral Tablet'],
    ['tablet', 'Tablet for Oral Suspension'],
    ['mL', 'Injectable Solution'],
    ['mL', 'Auto-Injector'],
    ['mL', 'Oral Suspension'],
    ['mL', 'Topical Lotion'],
    ['pen', 'Auto-Injector'],
    ['pen', 'injection'],
    ['g', 'Topical Cream'],
    ['g', 'Metered Dose Inhaler'],
    ['gram', 'Powder for Oral Suspension'],
    ['inhaler', 'Metered Dose Inhaler'],
    ['patch', 'Transdermal System'],
    ['each', 'Oral Tablet'],
    ['pack', 'Oral Tablet'],
    ['kit', 'Auto-Injector'],
    ['vial', 'Oral Tablet'],
    ['unit', 'Pen Injector'],
    ['tablet', 'Pack'],
    ['tablet', undefined],
    ['tablet', 'something'],
    ['', 'Oral Tablet'],
  ])('not %s of %s', (unit, form) => {
    expect(unitContradictsForm(unit, form)).toBe(false);
  });
});

test.each([
  ['Oral Tablet', 'counted'],
  ['patch', 'counted'],
  ['Oral Suspension', 'volume'],
  ['Auto-Injector', 'volume'],
  ['Topical Cream', 'mass'],
  ['Dry Powder Inhaler', 'container'],
])('%s is usually dispensed by %s', (form, kind) => {
  expect(unitKindsOf(form)[0]).toBe(kind);
});

test('nothing is known of a form without words', () => {
  expect(unitKindsOf(undefined)).toEqual([]);
});
