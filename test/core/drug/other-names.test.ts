import { expect, test } from 'vitest';
import { knowledge } from '../../../mappings/drug-roles.ts';
import { otherNames } from '../../../src/core/drug/other-names.ts';

// What a drug is also called: by the table of brands and nothing else.

test.each([
  ['apremilast 30 MG Oral Tablet', 'Otezla'],
  ['Otezla', 'apremilast'],
  ['adalimumab 40 mg pen', 'Humira'],
  ['adalimumab-adaz 40 mg/0.4 mL pen', 'Hyrimoz'],
  ['Humira (adalimumab) 40 mg/0.4 mL auto-injector', 'adalimumab'],
  ['0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]', 'adalimumab'],
  ['sitagliptin 50 MG / metformin hydrochloride 500 MG Oral Tablet', 'Janumet'],
  ['salbutamol 100 mcg inhaler', 'albuterol'],
])('%s is also called %s', (text, name) => {
  expect(otherNames(text, knowledge)).toContain(name);
});

test.each([
  ['of a biosimilar, another one', 'adalimumab-adaz 40 mg/0.4 mL pen', 'Humira'],
  ['of a brand, another brand', 'Humira (adalimumab) 40 mg/0.4 mL auto-injector', 'Hyrimoz'],
  ['of two ingredients, a brand of one', 'sitagliptin 50 MG / metformin hydrochloride 500 MG Oral Tablet', 'Januvia'],
  ['of one ingredient, a brand of two', 'sitagliptin 50 MG Oral Tablet', 'Janumet'],
])('a drug is not called by the name %s', (_, text, name) => {
  expect(otherNames(text, knowledge)).not.toContain(name);
});

test('a name that the table does not know has no other', () => {
  expect(otherNames('Unheardofium 5 mg tablet', knowledge)).toEqual([]);
  expect(otherNames('250 mg capsule', knowledge)).toEqual([]);
});
