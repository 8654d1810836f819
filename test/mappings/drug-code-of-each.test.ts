import { expect, test } from 'vitest';
import { drugCode } from '../../mappings/drug-codes.ts';
import { systems } from '../../src/core/fhir/codes/systems.ts';

const follows = drugCode(systems.rxnorm, { name: 'drug_name', strength: 'strength', form: 'dose_form' });
const concept = {
  coding: [{ system: systems.rxnorm, code: '308988', display: 'carbidopa 25 MG / levodopa 100 MG Oral Tablet' }],
};

// 308988 and its display are those of the mapping case drug-strengths-of-two-ingredients-that-are-swapped-are-asked.
test.each([
  [{ strength: 'carbidopa 25 MG / levodopa 100 MG' }, true],
  [{ strength: 'levodopa 100 MG / carbidopa 25 MG' }, true],
  [{ drug_name: 'carbidopa / levodopa', strength: 'carbidopa 25 mg / levodopa 100 mg', dose_form: 'tablet' }, true],
  [{ strength: 'carbidopa 100 mg / levodopa 25 mg' }, false],
  [{ drug_name: 'Xeljanz', strength: 'carbidopa 25 mg / levodopa 100 mg' }, false],
])('[K2] a code stays with a strength of each ingredient that is its own: %o is %s', (entered, agrees) => {
  expect(follows.agrees?.call(concept, new Map(Object.entries(entered)))).toBe(agrees);
});

test.each([
  ['metformin hydrochloride 500 MG Oral Tablet', 'metformin', true],
  ['immediate release metformin 500 MG Oral Tablet', 'metformin', true],
  ['24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet', 'metformin', false],
  ['24 HR metformin hydrochloride 500 MG Extended Release Oral Tablet', 'metformin ER', true],
  ['metformin hydrochloride 500 MG Oral Tablet', 'metformin ER', false],
])('the code of %s beside %s that a person entered: %s', (display, name, agrees) => {
  const entered = new Map([
    ['drug_name', name],
    ['strength', '500 mg'],
    ['dose_form', 'tablet'],
  ]);
  const one = { coding: [{ system: systems.rxnorm, code: '860975', display }] };
  expect(follows.agrees?.call(one, entered)).toBe(agrees);
});
