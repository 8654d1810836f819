import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { compareDrugs } from '../../../src/core/drug/compare-drugs.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

// Wording is invented after the grammar of such names; zanvitide is no drug.
describe('[K13] what one dose of a pen may be is no strength', () => {
  test.each([
    ['0.25 MG, 0.5 MG Dose 3 ML zanvitide 0.68 MG/ML Pen Injector [Zanvo]', 'Zanvo', '0.68 MG/ML'],
    ['0.25 MG, 0.5 MG Dose 1.5 ML zanvitide 1.34 MG/ML Pen Injector [Zanvo]', 'Zanvo', '1.34 MG/ML'],
    ['1 MG Dose 3 ML zanvitide 1.34 MG/ML Pen Injector', 'zanvitide', '1.34 MG/ML'],
    ['2 MG Dose 3 ML zanvitide 2.68 MG/ML Pen Injector [Zanvo]', 'Zanvo', '2.68 MG/ML'],
    ['5 MCG Dose 1.2 ML zanvitide 0.25 MG/ML Pen Injector', 'zanvitide', '0.25 MG/ML'],
    ['Zanvo 0.25 mg or 0.5 mg (2 mg/3 mL) subcutaneous pen injector', 'Zanvo', '2 mg/3 mL'],
    ['Zanvo 0.25 mg or 0.5 mg(2 mg/1.5 mL) PnIj', 'Zanvo', '2 mg/1.5 mL'],
    ['Zanvo 1 mg/dose (4 mg/3 mL) subcutaneous pen injector', 'Zanvo', '4 mg/3 mL'],
    ['zanvitide 2 mg/dose (8 mg/3 mL) PnIj', 'zanvitide', '8 mg/3 mL'],
    ['ZANVO 0.25-0.5 MG/DOSE 2 MG/3ML Subcutaneous Solution Pen-injector', 'ZANVO', '2 MG/3ML'],
    ['ZANVO (0.25 OR 0.5 MG/DOSE) 2 MG/1.5ML Subcutaneous Solution Pen-injector', 'ZANVO', '2 MG/1.5ML'],
    ['ZANVO (1 MG/DOSE) 4 MG/3ML Subcutaneous Solution Pen-injector', 'ZANVO', '4 MG/3ML'],
    ['Zanvo 5 mcg/dose (250 mcg/mL) 1.2 mL subcutaneous pen injector', 'Zanvo', '250 mcg/mL'],
  ])('%s', (text, name, strength) => {
    expect(readDrugs(text, knowledge)).toMatchObject([{ name, strength, isCertain: true, unread: [] }]);
  });

  test.each([
    'Zanvo 0.25 mg or 0.5 mg (2 mg/3 mL) subcutaneous pen injector',
    'ZANVO 0.25-0.5 MG/DOSE 2 MG/3ML Subcutaneous Solution Pen-injector',
    'zanvitide 0.25 mg or 0.5 mg (2 mg/3 mL) PnIj',
  ])('%s agrees with the concentration that RxNorm names', (text) => {
    const [ours] = readDrugs(text, knowledge);
    const [theirs] = readDrugs('0.25 MG, 0.5 MG Dose 3 ML zanvitide 0.68 MG/ML Pen Injector [Zanvo]', knowledge);
    if (ours === undefined || theirs === undefined) throw new Error('not a drug');
    expect(compareDrugs(theirs, ours, knowledge).filter(({ aspect }) => aspect === 'strength')).toEqual([]);
  });

  test('another pen of the same doses differs', () => {
    const [ours] = readDrugs('Zanvo 1 mg/dose (4 mg/3 mL) subcutaneous pen injector', knowledge);
    const [theirs] = readDrugs('1 MG Dose 3 ML zanvitide 0.68 MG/ML Pen Injector [Zanvo]', knowledge);
    if (ours === undefined || theirs === undefined) throw new Error('not a drug');
    expect(compareDrugs(theirs, ours, knowledge)).toContainEqual({ aspect: 'strength', certainty: 'differs' });
  });

  test('doses without a container, or more than it holds, stay a question', () => {
    expect(readDrugs('Zanvo 1 mg or 2 mg pen injector', knowledge)).toMatchObject([{ refused: 'several_strengths' }]);
    expect(readDrugs('Zanvo 80 mg or 120 mg (40 mg/0.4 mL) pen', knowledge)).toMatchObject([
      { refused: 'several_strengths' },
    ]);
    expect(readDrugs('Zanvo 0.25 mg or 0.5 mg tablet', knowledge)).toHaveLength(2);
  });
});
