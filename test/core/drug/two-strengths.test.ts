import { describe, expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);

// Wording is invented; zanvitide (Zanvo) is no drug.
describe('[K2] a second strength that says something else is asked', () => {
  test.each([
    'Zanvo 80 mg (40 mg/0.4 mL) pen',
    'Zanvo 90 mg (45 mg/0.5 mL) syringe',
    'Zanvo 40 mg (2 x 20 mg/0.2 mL) syringe',
    'Zanvo 80 mg/0.8 mL (40 mg/0.4 mL) pen',
    'Zanvo 80 mg/0.8 mL and 40 mg/0.4 mL pen',
    'Zanvo 80 mg/0.8 mL, 40 mg/0.4 mL pen kit',
    'Zanvo 80 mg/0.8 mL (1)- 40 mg/0.4 mL (2)',
    'zanvitide 0.25 mg (2 mg/3 mL) pen',
    'vancomycin 1 g (5 g/100 mL) vial',
    'amoxicillin 500 mg (250 mg/5 mL) oral suspension',
    'prednisolone 30 mg (15 mg/5 mL) oral solution',
    'Zanvo 300 mg (2 pens of 150 mg/mL)',
    'Zanvo 300 mg (150 mg/mL x 2) pens',
    'Zanvo 160 mg (80 mg/mL x2) syringe',
    '500 mg amoxicillin 250 mg capsule',
    '1 g cefazolin 2 g vial',
    '20 MG prednisone 10 MG tablet',
    'ketorolac 30 mg (15 mg/mL) injection',
    'methotrexate sodium 15 mg (25 mg/mL) injection solution',
    'testosterone cypionate 100 mg (200 mg/mL) intramuscular oil',
    'enoxaparin 80 mg (100 mg/mL) syringe',
    'epinephrine 0.3 mg (1 mg/mL) auto-injector',
  ])('%s', (text) => {
    expect(readDrugs(text, knowledge)).toMatchObject([
      { strength: undefined, refused: 'several_strengths', isCertain: false },
    ]);
  });

  test.each([
    ['enoxaparin 80 mg (80 mg/0.8 mL) syringe', '80 mg'],
    ['liraglutide 0.6 mg/0.1 mL (18 mg/3 mL) subcutaneous pen injector', '0.6 mg/0.1 mL'],
    ['potassium chloride 10 % (20 mEq/15 mL) oral liquid', '10 %'],
    ['potassium chloride 20 mEq/15 mL (10 %) oral liquid', '20 mEq/15 mL'],
    ['morphine 10 mg (10 mg/mL) injection', '10 mg'],
    ['methotrexate 50 mg/2 mL (25 mg/mL) vial', '50 mg/2 mL'],
    ['heparin 5,000 unit/mL (10,000 units/2 mL) vial', '5000 unit/mL'],
    ['amoxicillin 400 mg/5 mL (80 mg/mL) suspension', '400 mg/5 mL'],
    ['acetaminophen 325 mg/10.15 mL (160 mg/5 mL) oral solution', '325 mg/10.15 mL'],
    ['albuterol 2.5 mg/3 mL (0.083 %) nebulizer solution', '2.5 mg/3 mL'],
    ['albuterol 2.5 mg (0.083 %) nebulizer solution', '2.5 mg'],
    ['insulin glargine 100 unit/mL (3 mL) subcutaneous pen', '100 unit/mL'],
    ['Zanvo 150 mg dose (75 mg/0.83 mL x2) syringe kit', '75 mg/0.83 mL'],
    ['Zanvo 300 mg dose (150 mg/mL x 2) pens', '150 mg/mL'],
    ['Zanvo 150 mg/dose (75 mg/0.83 mL x 2) kit', '75 mg/0.83 mL'],
  ])('but not one that says the same, or what one dose is: %s', (text, strength) => {
    expect(readDrugs(text, knowledge)).toMatchObject([{ strength, isCertain: true, unread: [] }]);
  });
});

describe('[K12] the gauge of a needle is no mass', () => {
  test.each([
    'BD insulin syringe 1 mL 31G',
    'BD insulin syringe 31 g 1 mL',
    'insulin syringe 0.5 mL 30G x 1/2"',
    'pen needle 31 G',
    'BD pen needle 32G x 4 mm',
    'lancets 33G',
    'syringe with needle 3 mL 25 g x 1"',
  ])('%s', (text) => {
    for (const reading of readDrugs(text, knowledge))
      expect(reading).toMatchObject({ strength: undefined, amounts: [], isCertain: false });
  });

  test.each([
    ['ceftriaxone 1 G syringe', '1 G'],
    ['cefazolin 2 g/20 mL syringe', '2 g/20 mL'],
    ['vancomycin 20 g vial', '20 g'],
  ])('%s', (text, strength) => {
    expect(readDrugs(text, knowledge)).toMatchObject([{ strength, isCertain: true }]);
  });
});
