import { expect, test } from 'vitest';
import { drugNames } from '../../../mappings/knowledge/brands.ts';
import { ingredientNames } from '../../../mappings/knowledge/ingredients.ts';
import { drugKnowledge } from '../../../src/core/drug/drug-knowledge.ts';
import { readDrugs } from '../../../src/core/drug/several-drugs.ts';

const knowledge = drugKnowledge(drugNames, ingredientNames);
const said = (text: string) =>
  readDrugs(text, knowledge).map(({ name, strength }) => [name, strength].filter((part) => part).join(' '));

test.each([
  ['Xeljanz 5 mg tablet or Rinvoq 15 mg tablet', ['Xeljanz 5 mg', 'Rinvoq 15 mg']],
  ['Xeljanz 5 mg tablet, Rinvoq 15 mg tablet', ['Xeljanz 5 mg', 'Rinvoq 15 mg']],
  ['Xeljanz 5 mg tablet; methotrexate 2.5 mg tablet', ['Xeljanz 5 mg', 'methotrexate 2.5 mg']],
  ['Rinvoq or Xeljanz 5 mg tablet', ['Rinvoq', 'Xeljanz 5 mg']],
  ['Humalog or Novolog 100 units/mL pen', ['Humalog', 'Novolog 100 units/mL']],
  [
    'insulin lispro (HUMALOG) or insulin aspart (NOVOLOG) 100 unit/mL pen',
    ['insulin lispro (HUMALOG)', 'insulin aspart (NOVOLOG) 100 unit/mL'],
  ],
])('two drugs: %s', (text, drugs) => expect(said(text)).toEqual(drugs));

test.each([
  ['Xeljanz 5 mg tablet (11 mg)', ['Xeljanz 5 mg', 'Xeljanz 11 mg']],
  ['Xeljanz 5 mg or 11 mg tablet', ['Xeljanz 5 mg', 'Xeljanz 11 mg']],
  ['Xeljanz 5 mg tablet, 11 mg', ['Xeljanz 5 mg', 'Xeljanz 11 mg']],
  ['Xeljanz 5 mg tablet 11 mg', ['Xeljanz 5 mg', 'Xeljanz 11 mg']],
  ['warfarin 2 mg tablet and warfarin 5 mg tablet', ['warfarin 2 mg', 'warfarin 5 mg']],
])('two strengths: %s', (text, strengths) => expect(said(text)).toEqual(strengths));

test.each([
  'Xeljanz (tofacitinib) 5 mg tablet',
  'Xeljanz 5 mg tablet or generic',
  'Xeljanz 5 mg tablet or tofacitinib 5 mg tablet',
  'Xeljanz 5 mg tablet, take 2 (10 mg) tablets',
  'Xeljanz 5 mg tablet take 2 tablets (10 mg) by mouth daily',
  'Xeljanz 5 mg (5 mg/tab)',
  'Xeljanz 5000 mcg (5 mg) tablet',
  'Xeljanz 10 mg (2 x 5 mg)',
  'Xeljanz 5 mg tablet (60 tablets)',
  'Xeljanz 5 mg tablet with methotrexate',
  'Xeljanz 5 mg tablet, replaces Humira',
  'lisinopril 10 mg oral tablet, 20 mg = 2 tab(s)',
  'prednisone 20 mg tablet, 30 mg daily',
  'ferrous sulfate 325 mg (65 mg iron) tablet',
  'ferrous sulfate 325 mg (65 mg) tablet',
  'hydrocodone-acetaminophen 5-325 mg tablet',
  'hydrocodone 5 mg, acetaminophen 325 mg tablet',
  'lidocaine 1% with epinephrine 1:100,000 injection',
  'varenicline 0.5 mg tablet, 0.7 mg tablet starter pack',
  'fluticasone propionate 50 mcg/actuation nasal spray, 16 g',
  'tofacitinib 5 MG Oral Tablet [Xeljanz]',
])('one drug: %s', (text) => expect(readDrugs(text, knowledge)).toHaveLength(1));

test('the parts of a combination are one drug with all strengths', () => {
  const [drug] = readDrugs('hydrochlorothiazide 12.5 mg and lisinopril 10 mg tablet', knowledge);
  expect(drug).toMatchObject({
    ingredients: ['hydrochlorothiazide', 'lisinopril'],
    strength: 'hydrochlorothiazide 12.5 mg / lisinopril 10 mg',
    isCertain: true,
  });
});

test('names no drug', () => expect(readDrugs('250 mg capsule', knowledge)).toEqual([]));

test('takes time in proportion to the length of a hostile text', () => {
  const started = process.cpuUsage();
  for (const part of [' or 5 mg', ', Xeljanz', '(5 mg', ' tablet 5', 'take ']) readDrugs(part.repeat(240), knowledge);
  // Of the processor, not of the clock.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000);
});
