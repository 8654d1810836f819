import type { Dosage } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { knowledge } from '../../../../mappings/drug-roles.ts';
import { certainDifference } from '../../../../src/core/drug/dosage/compare-sig.ts';
import { besideDose, besideDrug, besideText } from '../../../../src/core/drug/dosage/directions.ts';
import { otherDrugIn } from '../../../../src/core/drug/dosage/dosed-drug.ts';
import { readDrugs } from '../../../../src/core/drug/several-drugs.ts';

const tablets = (value: number, frequency: number, change: Partial<Dosage> = {}): Dosage => ({
  doseAndRate: [{ doseQuantity: { value, unit: 'tablet' } }],
  timing: { repeat: { frequency, period: 1, periodUnit: 'd' } },
  ...change,
});
const fiveMg = () => ({ value: 5, unit: 'mg' });

describe('directions that name a drug', () => {
  const ordered = (...names: string[]) => names.flatMap((name) => readDrugs(name, knowledge));
  const xeljanz = ['tofacitinib 5 MG Oral Tablet [Xeljanz]'];

  test.each([
    ['Take 1 tablet of metformin by mouth twice daily', xeljanz, 'metformin'],
    ['Take metformin 500 mg by mouth twice daily', xeljanz, 'metformin'],
    ['Metformin 500 mg twice daily', xeljanz, 'Metformin'],
    ['Inject Humira 40 mg under the skin every 2 weeks', xeljanz, 'Humira'],
    ['TAKE ONE (1) METFORMIN TABLET DAILY. TAKE WITH FOOD.', xeljanz, 'METFORMIN'],
    [
      'Inject 10 units of insulin lispro',
      ['insulin glargine 100 UNT/ML Injectable Solution [Lantus]'],
      'insulin lispro',
    ],
  ])('tell a dose of another one: %s', (text, names, expected) => {
    expect(otherDrugIn(text, () => ordered(...names), knowledge)).toBe(expected);
  });

  test.each([
    ['no drug', 'Take 1 tablet by mouth twice daily with food', xeljanz],
    ['a companion', 'Take 1 tablet by mouth twice daily with methotrexate', xeljanz],
    ['a drug that comes before it', 'Take 30 minutes after levothyroxine', xeljanz],
    ['a companion with a verb of its own', 'Take 4 tablets once a week. Take folic acid 1 mg daily.', xeljanz],
    ['a drug that it replaces', 'Take 1 tablet daily instead of metformin', xeljanz],
    ['a drug that must not be taken', 'Do not take ibuprofen', xeljanz],
    ['the ordered brand', 'Take 1 Xeljanz tablet twice daily', xeljanz],
    ['the ingredient of the brand', 'Take tofacitinib 5 mg twice daily', xeljanz],
    ['another brand of the ingredient', 'Inject Hyrimoz 40 mg', ['adalimumab 40 MG/0.4 ML Prefilled Syringe [Humira]']],
    [
      'one part of a combination',
      'Take 1 tablet of metformin daily',
      ['metformin / sitagliptin Oral Tablet [Janumet]'],
    ],
    ['the ordered one too', 'Take metformin and Xeljanz 5 mg daily', xeljanz],
    ['a drug that nobody knows', 'Take 1 tablet of zzyzxumab daily', xeljanz],
    ['an ordered drug that nobody knows', 'Take 1 tablet of metformin daily', ['Zzyzx 5 mg tablet']],
    ['an order without a name', 'Take 1 tablet of metformin daily', []],
  ])('name %s', (_what, text, names) => {
    expect(otherDrugIn(text, () => ordered(...names), knowledge)).toBeUndefined();
  });

  test('are asked with the directions and the stated dose', () => {
    const dosage = tablets(1, 2, { text: 'Take 1 tablet of metformin twice daily' });
    expect(besideDrug([dosage], () => ordered(...xeljanz), knowledge)).toEqual({
      said: 'The directions name metformin, the order Xeljanz',
      options: [
        { value: 'Take 1 tablet of metformin twice daily', reason: 'the directions' },
        { value: '1 tablet twice a day', reason: 'the stated dose' },
      ],
    });
  });
});

describe('directions beside a structured dose', () => {
  test.each([
    ['another amount', 'Take 2 tablets daily', tablets(1, 1), 'the directions say 2 tablets, the dose 1 tablet'],
    ['another time', 'Take 1 tablet once daily', tablets(1, 2), 'the directions say once a day, the dose twice a day'],
    ['as needed too', 'Take 2 tablets as needed', tablets(1, 1), 'the directions say 2 tablets, the dose 1 tablet'],
    [
      'a time beside bounds',
      'Take 1 tablet three times daily for 10 days',
      tablets(1, 2, { timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd', count: 20 } } }),
      'the directions say 3 times a day, the dose twice a day',
    ],
    ['another mass', 'Take 20 mg daily', tablets(1, 1), 'the directions say 20 mg, the dose 1 tablet'],
    ['another strength', 'Take one 10 mg tablet daily', tablets(1, 1), 'the directions name 10 mg, the drug has 5 mg'],
    [
      'one dose that makes as much a day',
      'Take 2 tablets once daily',
      tablets(1, 2),
      'the directions say once a day, the dose twice a day',
    ],
  ])('say %s', (_what, text, dosage, expected) => {
    expect(certainDifference(dosage, text, fiveMg)).toBe(expected);
  });

  test.each([
    ['the same', 'Take 1 tablet by mouth twice daily', tablets(1, 2)],
    ['the same in mass', 'Take 10 mg daily', tablets(2, 1)],
    ['the same for a day in all', 'Take 2 tablets daily', tablets(1, 2)],
    ['the same mass for a day in all', 'Take 10 mg daily', tablets(1, 2)],
    ['a capsule of a tablet', 'Take 1 capsule daily', tablets(1, 1)],
    ['as needed', 'Take 1 tablet daily as needed', tablets(1, 1)],
    ['a range', 'Take 1 to 2 tablets daily', tablets(1, 1)],
    ['a taper', 'Take 4 tablets daily, then decrease by 1 tablet each week', tablets(1, 1)],
    ['what nobody reads', 'Take 2 teaspoons every 3rd night', tablets(1, 1)],
    ['nothing of the dose', 'Use as directed', tablets(1, 1)],
    ['a time beside a dose without one', 'Take 1 tablet twice daily', tablets(1, 1, { timing: {} })],
  ])('say %s', (_what, text, dosage) => {
    expect(certainDifference(dosage, text, fiveMg)).toBeUndefined();
  });

  test.each([
    ['one tablet of another strength', 'Take one 10 mg tablet daily', 'the directions name 10 mg, the drug has 5 mg'],
    [
      'another mass in one tablet',
      'Take 1 tablet (10 mg) daily',
      'the directions say 10 mg in 1 tablet, the drug has 5 mg',
    ],
    ['the mass of two tablets', 'Take 2 tablets (10 mg total) daily', undefined],
    ['the mass of each', 'Take 2 tablets (5 mg) daily', undefined],
    ['a mass alone', 'Take 10 mg daily', undefined],
    ['milliliters', 'Take 5 mL (10 mg) daily', undefined],
  ])('alone tell of the drug: %s', (_what, text, expected) => {
    expect(certainDifference({ text }, text, fiveMg)).toBe(expected);
  });

  test('that an EHR repeats beside each of several doses are not compared with one of them', () => {
    const text = 'Take 1 tablet in the morning and 1 tablet at bedtime';
    expect(besideDose([tablets(1, 1, { text }), tablets(1, 1, { text, sequence: 2 })], fiveMg)).toBeUndefined();
  });

  test('of several doses are asked without directions to choose', () => {
    const doses = [
      tablets(1, 1, { text: 'Take 2 tablets daily' }),
      tablets(1, 2, { text: 'Take 1 tablet twice daily' }),
    ];
    expect(besideDose(doses, fiveMg)).toEqual({
      said: 'The directions say 2 tablets, the dose 1 tablet',
      options: [],
    });
  });

  test('are the instruction for the patient, where there is one', () => {
    const dosage = tablets(1, 1, { text: 'Take 2 tablets daily', patientInstruction: 'Take 1 tablet once daily' });
    expect(besideDose([dosage], fiveMg)).toBeUndefined();
    expect(besideText([dosage])?.options.map(({ value }) => value)).toEqual([
      'Take 1 tablet once daily',
      'Take 2 tablets daily',
    ]);
  });
});
