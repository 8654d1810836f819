import type { Dosage, Quantity, Timing } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { daysOf, daysOfDirections } from '../../../../src/core/drug/dosage/days-supply.ts';
import { readDrugName } from '../../../../src/core/drug/read-drug-name.ts';
import { singleDoseOf } from '../../../../src/core/drug/single-dose.ts';

const tablets = (value: number): Quantity => ({ value, unit: 'tablet' });
const mg = (value: number): Quantity => ({ value, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' });
const tenMg = { value: 10, unit: 'mg' };
const daily = { frequency: 1, period: 1, periodUnit: 'd' } as const;

function dosage(doseQuantity: Quantity, more: Omit<Dosage, 'timing'> & { readonly timing?: Timing } = {}): Dosage {
  return { timing: { repeat: daily }, doseAndRate: [{ doseQuantity }], ...more };
}

const one = dosage(tablets(1));
const many = (frequency: number, period = 1, periodUnit: 'd' | 'wk' = 'd'): { readonly timing: Timing } => ({
  timing: { repeat: { frequency, period, periodUnit } },
});

describe('the days that a quantity lasts', () => {
  test.each<[string, Quantity, readonly Dosage[], number, string]>([
    ['30 tablets, one a day', tablets(30), [one], 30, '30 tablets at 1, once a day'],
    ['60 tablets, one twice a day', tablets(60), [dosage(tablets(1), many(2))], 30, '60 tablets at 1, twice a day'],
    ['45 tablets, one and a half a day', tablets(45), [dosage(tablets(1.5))], 30, '45 tablets at 1.5, once a day'],
    ['24 tablets, six a week', tablets(24), [dosage(tablets(6), many(1, 1, 'wk'))], 28, '24 tablets at 6, once a week'],
    [
      '2 pens, one in two weeks',
      { value: 2, unit: 'pen' },
      [dosage({ value: 1, unit: 'Pen' }, many(1, 2, 'wk'))],
      28,
      '2 pens at 1, every 2 weeks',
    ],
    ['60 tablets of 10 mg, 20 mg a day', tablets(60), [dosage(mg(20))], 30, '60 tablets at 2, once a day'],
    [
      '60 tablets of 10 mg, 0.02 g a day',
      tablets(60),
      [dosage({ value: 0.02, unit: 'g' })],
      30,
      '60 tablets at 2, once a day',
    ],
    [
      '0.9 mL at 0.1 mL',
      { value: 0.9, unit: 'mL' },
      [dosage({ value: 0.1, unit: 'mL' }, many(3))],
      3,
      '0.9 ml at 0.1, 3 times a day',
    ],
    [
      'an entry that is repeated',
      tablets(30),
      [
        { ...one, sequence: 1 },
        { ...one, sequence: 2 },
      ],
      30,
      '30 tablets at 1, once a day',
    ],
    [
      'directions that say the same',
      tablets(60),
      [
        dosage(tablets(1), {
          ...many(2),
          text: 'Take 1 tablet (10 mg) every 12 hours',
          patientInstruction: 'Take one tablet twice daily',
        }),
      ],
      30,
      '60 tablets at 1, twice a day',
    ],
    [
      'directions for as many days',
      tablets(20),
      [dosage(tablets(1), { ...many(2), text: 'Take 1 tablet twice daily for 10 days' })],
      10,
      '20 tablets at 1, twice a day',
    ],
    [
      'an instruction of another kind',
      tablets(30),
      [dosage(tablets(1), { additionalInstruction: [{ text: 'Take with food' }] })],
      30,
      '30 tablets at 1, once a day',
    ],
    [
      'an ordered dose beside the dispensed one',
      tablets(60),
      [
        {
          ...one,
          doseAndRate: [
            { type: { coding: [{ code: 'ordered' }] }, doseQuantity: mg(20) },
            { type: { coding: [{ code: 'admin-amount' }] }, doseQuantity: tablets(2) },
          ],
        },
      ],
      30,
      '60 tablets at 2, once a day',
    ],
  ])('%s', (_, quantity, dosages, days, note) => {
    expect(daysOf({ quantity, dosages, strength: tenMg })).toEqual({ days, note });
  });
});

describe('V6: days are not derived, with the reason', () => {
  test.each<[string, Quantity | undefined, readonly Dosage[], string]>([
    ['no dose', tablets(30), [], 'the order has no dose'],
    ['two doses', tablets(30), [one, dosage(tablets(2))], 'several instructions'],
    ['no quantity', undefined, [one], 'the order states no quantity'],
    ['a bound of quantity', { ...tablets(30), comparator: '<' }, [one], 'the quantity is only a bound'],
    ['a bound of dose', tablets(30), [dosage({ ...tablets(1), comparator: '<' })], 'no single ordered dose'],
    ['a quantity without a unit', { value: 30 }, [one], 'the quantity has no certain unit'],
    ['a quantity of two units', { value: 30, unit: 'tablet', code: 'mL' }, [one], 'the quantity has no certain unit'],
    ['"each"', { value: 30, unit: 'each' }, [dosage({ value: 1, unit: 'each' })], 'the quantity has no certain unit'],
    ['another unit', { value: 30, unit: 'mL' }, [one], 'dose and quantity are in different units'],
    [
      'half a tablet by its mass',
      tablets(30),
      [dosage(mg(5))],
      'the dose is not a whole number of tablets or capsules',
    ],
    [
      'a dose of 1 to 2',
      tablets(30),
      [{ ...one, doseAndRate: [{ doseRange: { low: tablets(1), high: tablets(2) } }] }],
      'the dose is a range',
    ],
    [
      'a rate',
      tablets(30),
      [{ ...one, doseAndRate: [{ doseQuantity: tablets(1), rateQuantity: { value: 1 } }] }],
      'the dose is given at a rate',
    ],
    ['a part of a day', tablets(31), [dosage(tablets(2))], 'the quantity is not a whole number of days'],
    ['a part of a dose', tablets(3), [dosage(tablets(2), many(1, 2))], 'the quantity is not a whole number of days'],
    [
      'one of two doses in four days',
      tablets(1),
      [dosage(tablets(1), many(2, 4))],
      'the quantity is not a whole number of days',
    ],
    ['more than a year', tablets(367), [one], 'the quantity is not a whole number of days'],
    ['as needed', tablets(30), [{ ...one, asNeededBoolean: true }], 'the drug is taken as needed'],
    [
      'as needed in the text alone',
      tablets(30),
      [{ ...one, text: 'Take 1 tablet daily as needed' }],
      'the directions say as needed, the dose does not',
    ],
    [
      '1 to 2 in the text alone',
      tablets(30),
      [{ ...one, text: 'Take 1 to 2 tablets daily' }],
      'the directions give a range',
    ],
    [
      '2 tablets twice daily in the text alone',
      tablets(30),
      [{ ...one, text: '2 tablets twice daily' }],
      'the directions say twice a day, the dose once a day',
    ],
    [
      'another dose for the patient',
      tablets(30),
      [{ ...one, text: 'Take 1 tablet daily', patientInstruction: 'Take 2 tablets daily' }],
      'the directions say 2 tablets, the dose 1 tablet',
    ],
    [
      'a taper in the text',
      tablets(30),
      [{ ...one, text: 'Take 1 tablet daily, then taper' }],
      'the directions tell of a dose that changes, ends or has a condition',
    ],
    [
      'an end in an additional instruction',
      tablets(30),
      [{ ...one, additionalInstruction: [{ text: 'for 7 days' }] }],
      'the directions end after 7 days, the quantity lasts 30',
    ],
    [
      'BID beside once daily',
      tablets(30),
      [dosage(tablets(1), { timing: { code: { text: 'BID' }, repeat: daily } })],
      'the timing says twice a day by its code and once a day by its frequency',
    ],
    [
      'two times of day, once a day',
      tablets(30),
      [dosage(tablets(1), { timing: { repeat: { ...daily, timeOfDay: ['08:00:00', '20:00:00'] } } })],
      'the timing names 2 times of the day and says once a day',
    ],
    [
      'morning and evening, once a day',
      tablets(30),
      [dosage(tablets(1), { timing: { repeat: { ...daily, when: ['MORN', 'EVE'] } } })],
      'the timing names 2 times of the day and says once a day',
    ],
    [
      'bounds beside a code',
      tablets(30),
      [dosage(tablets(1), { timing: { code: { text: 'BID' }, repeat: { boundsDuration: { value: 7, unit: 'd' } } } })],
      'the timing has an end',
    ],
    [
      'two dispensed tablets of one ordered',
      tablets(60),
      [
        {
          ...one,
          doseAndRate: [
            { type: { coding: [{ code: 'ordered' }] }, doseQuantity: mg(10) },
            { type: { coding: [{ code: 'admin-amount' }] }, doseQuantity: tablets(2) },
          ],
        },
      ],
      'the dose is stated in two ways that differ',
    ],
  ])('%s', (_, quantity, dosages, reason) => {
    expect(daysOf({ quantity, dosages, strength: tenMg })).toBe(reason);
  });

  test('morning and evening without a frequency are two doses a day', () => {
    const timing: Timing = { repeat: { period: 1, periodUnit: 'd', when: ['MORN', 'EVE'] } };
    expect(daysOf({ quantity: tablets(30), dosages: [dosage(tablets(1), { timing })] })).toMatchObject({ days: 15 });
  });

  test('a mass without a known strength', () => {
    expect(daysOf({ quantity: tablets(30), dosages: [dosage(mg(10))] })).toBe(
      'dose and quantity are in different units',
    );
  });
});

describe('the days by directions that are all that says a dose', () => {
  test.each<[string, Quantity, Dosage, number | undefined]>([
    ['tablets', tablets(60), { text: '1 tab PO BID' }, 30],
    ['pills', tablets(60), { text: 'Take 1 pill twice daily' }, 30],
    ['a mass of a known strength', tablets(60), { text: 'Take 20 mg twice daily' }, 15],
    ['beside the same timing', tablets(60), { text: '1 tab PO BID', ...many(2) }, 30],
    [
      'beside the same text',
      tablets(60),
      { text: '1 tab PO BID', patientInstruction: 'Take 1 tablet twice a day' },
      30,
    ],
    ['another unit', { value: 60, unit: 'mL' }, { text: '1 tab PO BID' }, undefined],
    ['as needed', tablets(60), { text: '1 tab PO BID PRN' }, undefined],
    ['as needed beside them', tablets(60), { text: '1 tab PO BID', asNeededBoolean: true }, undefined],
    ['a range', tablets(60), { text: '1-2 tabs PO BID' }, undefined],
    ['a taper', tablets(60), { text: '4 tabs daily, then decrease by 1 tab weekly' }, undefined],
    ['words that nobody reads', tablets(60), { text: '1 tab PO BID on both odd days' }, undefined],
    ['no whole number of days', tablets(61), { text: '1 tab PO BID' }, undefined],
    ['another timing, which they contradict', tablets(60), { text: '1 tab BID', ...many(2, 1, 'wk') }, 30],
    ['a greatest dose', tablets(60), { text: '1 tab BID', maxDosePerAdministration: tablets(1) }, undefined],
    [
      'another instruction that ends',
      tablets(60),
      { text: '1 tab PO BID', additionalInstruction: [{ text: 'then stop' }] },
      undefined,
    ],
  ])('%s', (_, quantity, dosage, days) => {
    expect(daysOfDirections({ quantity, dosages: [dosage], strength: tenMg })?.days).toBe(days);
  });
});

describe('[K11] a container for one dose is used up by it', () => {
  const milliliters = (value: number): Quantity => ({ value, unit: 'mL', code: 'mL' });
  const counted = (value: number, unit: string): Quantity => ({ value, unit });
  const supplied = (drug: string, quantity: Quantity, dose: Quantity, times = many(1)) => {
    const reading = readDrugName(drug);
    const container = singleDoseOf(reading === undefined ? [] : [reading]);
    return daysOf({ quantity, dosages: [dosage(dose, times)], container });
  };

  test.each<[string, Quantity, Quantity, { readonly timing: Timing }, number]>([
    ['0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe', milliliters(12), milliliters(0.3), many(1), 30],
    ['0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe', counted(30, 'syringe'), milliliters(0.3), many(1), 30],
    ['0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe', counted(60, 'syringe'), mg(30), many(2), 30],
    ['0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe', milliliters(24), mg(60), many(1), 30],
    ['enoxaparin 40 mg/0.4 mL syringe', milliliters(12), milliliters(0.3), many(1), 30],
    ['2 ML dupilumab 150 MG/ML Auto-Injector [Dupixent]', milliliters(4), mg(200), many(1, 2, 'wk'), 28],
    ['3 ML albuterol 0.83 MG/ML Inhalation Solution', milliliters(360), milliliters(1.5), many(4), 30],
    ['ketorolac 60 mg/2 mL single-dose vial', counted(10, 'vial'), mg(30), many(2), 5],
    ['octreotide 0.1 mg/0.5 mL ampule', counted(90, 'ampule'), counted(1, 'ampule'), many(3), 30],
  ])('%s', (drug, quantity, dose, times, days) => {
    expect(supplied(drug, quantity, dose, times)).toMatchObject({ days });
  });

  test.each<[string, Quantity, Quantity, number]>([
    ['3 ML insulin glargine 100 UNT/ML Pen Injector [Lantus]', milliliters(15), milliliters(0.5), 30],
    ['insulin lispro 100 unit/mL (3 mL) syringe', milliliters(15), milliliters(0.5), 30],
    ['heparin 50,000 unit/5 mL multi-dose vial', milliliters(15), milliliters(0.5), 30],
    ['3 ML semaglutide 1.34 MG/ML Pen Injector [Ozempic]', milliliters(3), milliliters(0.75), 4],
    ['0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe', milliliters(9), milliliters(0.3), 30],
  ])(
    'what holds several doses, or is no whole number of containers, lasts by its volume: %s',
    (drug, quantity, dose, days) => {
      expect(supplied(drug, quantity, dose)).toMatchObject({ days });
    },
  );

  test('directions alone count containers too', () => {
    const reading = readDrugName('0.4 ML enoxaparin sodium 100 MG/ML Prefilled Syringe');
    const container = singleDoseOf(reading === undefined ? [] : [reading]);
    const dosages = [{ text: 'Inject 0.3 mL under the skin once daily' }];
    expect(daysOfDirections({ quantity: milliliters(12), dosages, container })).toMatchObject({ days: 30 });
  });
});

describe('V6: directions for a course that takes all the fills', () => {
  const course = (text: string, more: { timing?: Timing } = {}) => [dosage(tablets(1), { text, ...more })];
  const weeks = { repeat: { ...daily, boundsDuration: { value: 12, code: 'wk' } } };

  test.each([
    ['12 weeks of 28 tablets', 28, 3, course('Take 1 tablet daily for 12 weeks'), 28],
    ['12 weeks in the timing', 28, 3, course('Take 1 tablet daily', { timing: weeks }), 28],
    ['12 weeks of 30 tablets, the last fill for a part of it', 30, 3, course('Take 1 tablet daily for 12 weeks'), 30],
    ['24 weeks of 28 tablets', 28, 6, course('Take 1 tablet daily for 24 weeks'), 28],
  ])('%s', (_, count, fills, dosages, days) => {
    expect(daysOf({ quantity: tablets(count), dosages, fills })).toMatchObject({ days });
  });

  test.each([
    ['no refill', 28, 1],
    ['more refills than it takes', 28, 6],
    ['fewer refills', 28, 2],
    ['a quantity for longer', 90, 1],
  ])('not of %s', (_, count, fills) => {
    const dosages = course('Take 1 tablet daily for 12 weeks');
    expect(daysOf({ quantity: tablets(count), dosages, fills })).toMatch('the directions end after 84 days');
  });

  test('directions alone', () => {
    const dosages: Dosage[] = [{ text: 'Take 1 tablet daily for 12 weeks' }];
    const quantity = tablets(28);
    expect(daysOfDirections({ quantity, dosages, fills: 3 })).toMatchObject({ days: 28 });
    expect(daysOfDirections({ quantity, dosages })).toMatchObject({ days: 84, endsAfter: '84 days' });
  });
});
