import type { Medication, Ratio } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { compareDrugs } from '../../../src/core/drug/compare-drugs.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { readMedication } from '../../../src/core/drug/read-medication.ts';

function medication(strength: Ratio | undefined, form?: string): Medication {
  return {
    resourceType: 'Medication',
    ...(form === undefined ? {} : { form: { text: form } }),
    ingredient: [{ itemCodeableConcept: { text: 'drug' }, ...(strength === undefined ? {} : { strength }) }],
  };
}

describe('a strength is read as it stands', () => {
  test.each([
    [
      'per one tablet adds nothing',
      { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, unit: 'tablet' } },
      '5 mg',
    ],
    [
      'an annotation of one tablet adds nothing',
      { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, code: '{tbl}' } },
      '5 mg',
    ],
    [
      'a coded form adds nothing',
      { numerator: { value: 5, code: 'mg' }, denominator: { value: 1, code: 'ORTAB', unit: 'Oral Tablet' } },
      '5 mg',
    ],
    ['without a denominator', { numerator: { value: 5, unit: 'mg' } }, '5 mg'],
    ['per volume', { numerator: { value: 40, unit: 'mg' }, denominator: { value: 0.4, unit: 'mL' } }, '40 mg/0.4 mL'],
    ['per one milliliter', { numerator: { value: 100, unit: 'U' }, denominator: { value: 1, unit: 'mL' } }, '100 U/mL'],
    [
      'by its code beside a word that names no unit',
      { numerator: { value: 40, unit: 'mgs.', code: 'mg' }, denominator: { value: 0.4, unit: 'Lm', code: 'mL' } },
      '40 mg/0.4 mL',
    ],
    ['by its code', { numerator: { value: 2, code: 'mg' }, denominator: { value: 1, code: 'mL' } }, '2 mg/mL'],
  ])('%s', (_what, strength, text) => {
    expect(readMedication(medication(strength))).toMatchObject({ strength: text, isCertain: true, isDerived: false });
  });
});

describe('what is no strength is refused with its reason (V10)', () => {
  test.each([
    ['no unit', { numerator: { value: 250 } }, 'strength_without_unit'],
    ['a unit that is a number', { numerator: { value: 250, unit: '1' } }, 'strength_without_unit'],
    ['a rate per hour', { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, unit: 'hr' } }, 'only_a_dose'],
    [
      'a rate per minute',
      { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, unit: 'min' } },
      'only_a_dose',
    ],
    ['a rate in the unit', { numerator: { value: 5, unit: 'mg/hr' } }, 'only_a_dose'],
    ['a dose by weight', { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, unit: 'kg' } }, 'only_a_dose'],
    [
      'an amount without a unit below',
      { numerator: { value: 5, unit: 'mg' }, denominator: { value: 5 } },
      'strength_without_unit',
    ],
    ['a comparator', { numerator: { value: 5, unit: 'mg', comparator: '<' as const } }, 'only_a_bound'],
    [
      'a unit below whose code says another',
      { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, unit: 'L', code: 'mL' } },
      'unit_differs',
    ],
    ['nothing', undefined, 'ingredient_without_strength'],
  ])('%s', (_what, strength, refused) => {
    const reading = readMedication(medication(strength, 'Tablet'));
    expect(reading).toMatchObject({ refused, amounts: [], isCertain: false });
    expect(reading?.strength).toBeUndefined();
  });

  test('the rate of a patch is its strength, whether its form has words or a code', () => {
    const strength = { numerator: { value: 9.5, unit: 'mg' }, denominator: { value: 24, unit: 'h' } };
    expect(readMedication(medication(strength, 'Transdermal patch'))?.strength).toBe('9.5 mg/24 h');
    const coded: Medication = { ...medication(strength), form: { coding: [{ code: 'TPATCH' }] } };
    expect(readMedication(coded)?.strength).toBeUndefined();
    expect(readMedication(coded, () => 'patch')?.strength).toBe('9.5 mg/24 h');
  });
});

test('one ingredient without a strength leaves the drug without one; an inactive one does not count', () => {
  const strength = { numerator: { value: 5, unit: 'mg' } };
  const two: Medication = {
    resourceType: 'Medication',
    ingredient: [{ itemCodeableConcept: { text: 'aspirin' }, strength }, { itemCodeableConcept: { text: 'caffeine' } }],
  };
  expect(readMedication(two)?.strength).toBeUndefined();
  const inactive = {
    ...two,
    ingredient: two.ingredient?.map((one, index) => ({ ...one, isActive: index === 0 })) ?? [],
  };
  expect(readMedication(inactive)).toMatchObject({ strength: '5 mg', ingredients: ['aspirin'] });
});

test('names come from the ingredients, a whole product among them is taken apart', () => {
  const named = (...texts: string[]): Medication => ({
    resourceType: 'Medication',
    ingredient: texts.map((text) => ({ itemCodeableConcept: { text } })),
  });
  expect(readMedication(named('Hydrocortisone (substance)'))?.ingredients).toEqual(['Hydrocortisone']);
  const epic = readMedication(named('drospirenone-ethinyl estradiol (YAZ) tablet 3-0.02 mg'));
  expect(epic).toMatchObject({ ingredients: ['drospirenone', 'ethinyl estradiol'], brand: 'YAZ' });
});

test('the kind of release is read from the form', () => {
  const reading = readMedication({ resourceType: 'Medication', form: { text: 'Extended Release Oral Tablet' } });
  expect(reading).toMatchObject({ form: 'Oral Tablet', release: { kind: 'extended' }, route: 'oral' });
});

test('a Medication without form and ingredient says nothing', () => {
  expect(readMedication({ resourceType: 'Medication' })).toBeUndefined();
});

describe('[K14] the form of a Medication keeps its kind of release, however it is written', () => {
  test.each([
    ['TB24', { kind: 'extended', hours: 24 }, '24 HR extended release'],
    ['TB12', { kind: 'extended', hours: 12 }, '12 HR extended release'],
    ['CP24', { kind: 'extended', hours: 24 }, '24 HR extended release'],
    ['TBCR', { kind: 'extended' }, 'extended release'],
    ['TBEC', { kind: 'delayed' }, 'delayed release'],
    ['CPDR', { kind: 'delayed' }, 'delayed release'],
    ['CPEP', { kind: 'delayed' }, 'delayed release'],
    ['24 Hour Extended Release Tablet', { kind: 'extended', hours: 24 }, '24 HR Extended Release'],
    ['Tablet, Film Coated, Extended Release', { kind: 'extended' }, 'Extended Release'],
    ['capsule,delayed release(DR/EC)', { kind: 'delayed' }, 'delayed release'],
  ])('%s', (text, release, words) => {
    const read = readMedication({ resourceType: 'Medication', form: { text } });
    expect(read?.release).toEqual({ ...release, words });
  });
});

test('[K14] what is coated to dissolve late and a chewable tablet are two drugs', () => {
  const chewable = readMedication({ resourceType: 'Medication', form: { text: 'Chewable Tablet' } });
  const coated = readMedication({ resourceType: 'Medication', form: { text: 'Enteric Coated Tablet' } });
  const knowledge = drugKnowledge(drugNames, ingredientNames);
  if (chewable === undefined || coated === undefined) throw new Error('not read');
  expect(compareDrugs(chewable, coated, knowledge)).toEqual([{ aspect: 'release', certainty: 'differs' }]);
});
