import type { Dosage, Quantity } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { compareReading } from '../../../../src/core/drug/dosage/compare-sig.ts';
import { oddDose, unitsContradict } from '../../../../src/core/drug/dosage/odd-dose.ts';
import { readSig } from '../../../../src/core/drug/dosage/read-sig.ts';

const ucum = 'http://unitsofmeasure.org';
const mg = (value: number) => ({ value, unit: 'mg', system: ucum, code: 'mg' });
const tablets = (value: number) => ({ value, unit: 'tablet' });

function dosage(doseQuantity: Quantity | undefined, frequency = 1): Dosage {
  return {
    timing: { repeat: { frequency, period: 1, periodUnit: 'd' } },
    doseAndRate: doseQuantity === undefined ? [] : [{ doseQuantity }],
  };
}

const tenMg = { value: 10, unit: 'mg' };

describe('directions that mean the same agree', () => {
  test.each([
    ['Take 1 tablet daily', dosage(tablets(1))],
    ['Take 1 tablet twice daily', dosage(tablets(1), 2)],
    ['Take 1 tablet every 12 hours', dosage(tablets(1), 2)],
    ['Take 1 pill in the morning and at bedtime', dosage(tablets(1), 2)],
    ['Take 1 daily', dosage(tablets(1))],
    ['Take 2 tablets (20 mg total) daily', dosage(mg(20))],
    ['Take 2 tablets (20 mg total) daily', dosage(tablets(2))],
    ['Take 2 tablets (10 mg) daily', dosage(tablets(2))],
    ['Take 2 tablets daily', dosage(mg(20))],
    ['Take two 10 mg tablets daily', dosage(mg(20))],
    ['Take 20 mg daily', dosage(tablets(2))],
    ['Take 0.02 g daily', dosage(mg(20))],
    ['Twice daily', dosage(undefined, 2)],
  ])('%s', (text, structured) => {
    expect(compareReading(structured, readSig(text), tenMg)).toEqual({ result: 'agrees' });
  });
});

describe('V6: directions that mean something else differ, with words', () => {
  test.each([
    ['Take 2 tablets twice daily', dosage(tablets(1)), 'the directions say twice a day, the dose once a day'],
    ['Take 2 tablets daily', dosage(tablets(1)), 'the directions say 2 tablets, the dose 1 tablet'],
    ['Take 1 tablet daily as needed', dosage(tablets(1)), 'the directions say as needed, the dose does not'],
    ['Take 1 capsule daily', dosage(tablets(1)), 'the directions say 1 capsule, the dose 1 tablet'],
    ['Take 5 mg daily', dosage(tablets(1)), 'the directions say 5 mg, the dose 1 tablet'],
    ['Take 1 tablet daily', dosage(mg(20)), 'the directions say 1 tablet, the dose 20 mg'],
    ['Take one 5 mg tablet daily', dosage(tablets(1)), 'the directions name 5 mg, the drug has 10 mg'],
    ['Take 40 mg daily', dosage(mg(20)), 'the directions say 40 mg, the dose 20 mg'],
    ['Take 1 tablet every 12 hours', dosage(tablets(1)), 'the directions say every 12 hours, the dose once a day'],
    ['Take 1 tablet every other day', dosage(tablets(1)), 'the directions say every 2 days, the dose once a day'],
  ])('%s', (text, structured, words) => {
    expect(compareReading(structured, readSig(text), tenMg)).toEqual({ result: 'differs', words });
  });
});

describe('what is open is unknown, and what says nothing is silent', () => {
  test.each([
    ['Take 1 to 2 tablets daily', dosage(tablets(1)), 'unknown'],
    ['Take 1 tablet daily, then 2', dosage(tablets(1)), 'unknown'],
    ['Take 1 teaspoon daily', dosage({ value: 5, unit: 'mL' }), 'unknown'],
    ['Take 1 tablet daily', { timing: { event: ['2026-01-01'] } } as Dosage, 'unknown'],
    ['Inject 1 pen daily', dosage(mg(40)), 'unknown'],
    ['Use as directed', dosage(tablets(1)), 'silent'],
    [undefined, dosage(tablets(1)), 'silent'],
  ])('%s', (text, structured, result) => {
    expect(compareReading(structured, readSig(text)).result).toBe(result);
  });
});

describe('an implausible dose', () => {
  const sentence = 'One dose is more than twelve tablets or capsules.';
  test.each([
    ['13 tablets', [dosage(tablets(13))], sentence],
    ['12 tablets', [dosage(tablets(12))], undefined],
    ['130 mg of tablets of 10 mg', [dosage(mg(130))], sentence],
    ['30 tablets in the directions alone', [{ text: 'Take 30 tablets by mouth twice daily' }], sentence],
    ['50 units', [dosage({ value: 50, unit: 'units' })], undefined],
    ['no dose', [], undefined],
  ])('%s', (_, dosages, expected) => {
    expect(oddDose(dosages, tablets(90), () => tenMg)).toBe(expected);
  });

  test('tablets do not fit a quantity in milliliters, by its code or its unit', () => {
    expect(unitsContradict([dosage(tablets(1))], { value: 100, unit: 'mL' })).toBe(true);
    expect(unitsContradict([dosage(tablets(1))], { value: 100, unit: 'tablet', code: 'mL' })).toBe(true);
    expect(unitsContradict([dosage({ value: 5, unit: 'mL' })], tablets(30))).toBe(true);
    expect(unitsContradict([dosage(tablets(1))], tablets(30))).toBe(false);
    expect(unitsContradict([dosage(mg(10))], tablets(30))).toBe(false);
    expect(unitsContradict([dosage(tablets(1))], undefined)).toBe(false);
  });
});
