import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { compareDrugs } from '../../../src/core/drug/compare-drugs.ts';
import { certainDifference } from '../../../src/core/drug/dosage/compare-sig.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { readDrugName } from '../../../src/core/drug/read-drug-name.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';
import { strengthOfOne } from '../../../src/core/drug/strength-of-one.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

describe('[K12] the mass of a base or an element that the name states is no second strength', () => {
  test.each([
    ['calcium carbonate 1250 mg (500 mg of elemental calcium) tablet', '1250 mg'],
    ['calcium carbonate 1250 mg tablet (500 mg elemental calcium)', '1250 mg'],
    ['phenytoin sodium 100 mg (92 mg of phenytoin) capsule', '100 mg'],
    ['phenytoin sodium 100 mg capsule (equivalent to 92 mg of phenytoin)', '100 mg'],
    ['ferrous sulfate 325 mg (65 mg iron) tablet', '325 mg'],
    ['ferrous sulfate 325 (65 Fe) MG tablet', '325 MG'],
    ['zinc sulfate 220 mg (50 mg zinc) capsule', '220 mg'],
    ['magnesium oxide 400 mg (241.3 mg magnesium) tablet', '400 mg'],
    ['primaquine 26.3 mg (15 mg base) tablet', '26.3 mg'],
    ['sodium fluoride 1.1 % (0.5 % fluoride) gel', '1.1 %'],
    ['Sodium Fluoride 2.2 (1 F) MG Oral Tablet Chewable', '2.2 MG'],
  ])('%s', (text, strength) => {
    expect(readDrugs(text, knowledge).map((drug) => [drug.strength, drug.isCertain])).toEqual([[strength, true]]);
  });

  test('of the salt the comma divides thousands, since it weighs more than its element', () => {
    expect(readDrugName('calcium carbonate 500 mg calcium (1,250 mg) tablet')?.strength).toBe('1250 mg');
  });

  test.each([
    ['Xeljanz 5 mg tablet (11 mg)', 2],
    ['aspirin 325 mg calcium carbonate 500 mg tablet', 1],
  ])('another amount stays one: %s', (text, readings) => {
    const drugs = readDrugs(text, knowledge);
    expect(drugs).toHaveLength(readings);
    expect(drugs.every(({ bases }) => bases === undefined)).toBe(true);
  });

  test('the mass of the element alone is no strength of the salt', () => {
    expect(readDrugName('calcium carbonate (500 mg elemental calcium) tablet')?.strength).toBeUndefined();
  });

  test.each([
    ['calcium carbonate 500 mg calcium (1,250 mg) tablet', 'calcium carbonate 1250 MG Oral Tablet'],
    ['ferrous gluconate 324 mg (38 mg iron) tablet', 'ferrous gluconate 324 MG Oral Tablet'],
    ['primaquine 26.3 mg (15 mg base) tablet', 'primaquine phosphate 26.3 MG Oral Tablet'],
  ])('%s agrees with %s', (left, right) => {
    const [one, other] = [readDrugName(left), readDrugName(right)];
    if (one === undefined || other === undefined) throw new Error('not a drug');
    expect(compareDrugs(one, other, knowledge)).toEqual([]);
  });
});

describe('[K12] the volume behind the base is that of the salt and of every ingredient', () => {
  test.each([
    [
      'ipratropium 0.5 mg-albuterol 3 mg (2.5 mg base)/3 mL nebulization soln',
      'ipratropium 0.5 mg/3 mL / albuterol 3 mg/3 mL',
      '3 ML albuterol 0.833 MG/ML / ipratropium bromide 0.167 MG/ML Inhalation Solution',
    ],
    [
      'ipratropium 0.5 mg-albuterol 3 mg (2.5 mg base)/3 mL nebulization soln',
      'ipratropium 0.5 mg/3 mL / albuterol 3 mg/3 mL',
      '3 ML albuterol 1 MG/ML / ipratropium bromide 0.167 MG/ML Inhalation Solution',
    ],
    [
      'albuterol sulfate 3 mg (2.5 mg base)/3 mL nebulization soln',
      '3 mg/3 mL',
      '3 ML albuterol 0.833 MG/ML Inhalation Solution',
    ],
    ['zanvitide citrate 6 mg (5 mg zanvitide)/2 mL vial', '6 mg/2 mL', '2 ML zanvitide 2.5 MG/ML Injection'],
  ])('%s', (text, strength, code) => {
    const drugs = readDrugs(text, knowledge);
    expect(drugs.map((drug) => [drug.strength, drug.isCertain])).toEqual([[strength, true]]);
    const other = readDrugName(code);
    if (drugs[0] === undefined || other === undefined) throw new Error('not a drug');
    expect(compareDrugs(drugs[0], other, knowledge).filter(({ aspect }) => aspect === 'strength')).toEqual([]);
  });

  test('another amount of the base differs', () => {
    const [one] = readDrugs('ipratropium 0.5 mg-albuterol 3 mg (2.5 mg base)/3 mL nebulization soln', knowledge);
    const other = readDrugName('3 ML albuterol 0.417 MG/ML / ipratropium bromide 0.167 MG/ML Inhalation Solution');
    if (one === undefined || other === undefined) throw new Error('not a drug');
    expect(compareDrugs(one, other, knowledge)).toContainEqual({ aspect: 'strength', certainty: 'differs' });
  });
});

describe('[K12] directions may name the base or the element', () => {
  test.each([
    ['calcium carbonate 1250 MG Oral Tablet', 'Take 1 tablet (500 mg of elemental calcium) by mouth daily'],
    ['calcium carbonate 1250 mg (500 mg of calcium) tablet', 'Take 1 tablet (500 mg) by mouth daily'],
    ['phenytoin sodium 100 mg (92 mg of phenytoin) capsule', 'Take 1 capsule (92 mg) by mouth daily'],
    ['chloroquine phosphate 500 MG Oral Tablet', 'Take 1 tablet (300 mg base) by mouth daily'],
  ])('%s: %s', (drug, text) => expect(difference(drug, text)).toBeUndefined());

  test('another mass still differs', () =>
    expect(
      difference('calcium carbonate 1250 mg (500 mg of calcium) tablet', 'Take 1 tablet (600 mg) by mouth daily'),
    ).toBe('the directions say 600 mg in 1 tablet, the drug has 1250 mg'));

  function difference(drug: string, text: string): string | undefined {
    const reading = readDrugName(drug);
    return certainDifference({ text }, text, () => strengthOfOne(reading === undefined ? [] : [reading]));
  }
});
