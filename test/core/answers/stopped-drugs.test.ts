import type { AllergyIntolerance } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { fill, order, sheetFor, subject } from './support.ts';

const lurasidone = 'lurasidone 40 mg tablet';
const bipolar = {
  reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'F31.81' }], text: 'Bipolar II' }],
};
const stopped = (id: string, text: string, reason: string) =>
  order(id, text, { ...bipolar, status: 'stopped', statusReason: { text: reason } });
const filled = (id: string, text: string, day: string, by: string) =>
  fill(id, text, day, 28, { authorizingPrescription: [{ reference: `MedicationRequest/${by}` }] });
const intolerances = (resources: Parameters<typeof sheetFor>[1]) =>
  sheetFor(lurasidone, resources, { focal: bipolar }).intolerance ?? [];

describe('a drug that was stopped because it was not tolerated', () => {
  test('is what was dispensed, and says what was ordered where that is something else', () => {
    const [row] = intolerances([
      stopped('r1', 'lamotrigine 100 mg tablet', 'Rash'),
      filled('d1', 'lamotrigine 25 mg tablet', '2026-08-12', 'r1'),
    ]);
    expect(row).toMatchObject({
      substance: 'lamotrigine 25 mg tablet',
      ordered_as: 'lamotrigine 100 mg tablet',
      source: 'MedicationRequest/r1',
    });
    expect(answerLines('intolerance', [row!])[0]).toContain(
      'lamotrigine 25 mg tablet; ordered as “lamotrigine 100 mg tablet”',
    );
  });

  test('is the ingredient where nothing shows that it was taken', () => {
    expect(intolerances([stopped('r1', 'lamotrigine 100 mg tablet', 'Rash')])).toMatchObject([
      { substance: 'lamotrigine', ordered_as: 'lamotrigine 100 mg tablet' },
    ]);
  });

  test('is the last of several that were stopped in the same words', () => {
    const rows = intolerances([
      stopped('r1', 'quetiapine 50 mg tablet', 'Gained 15 lb in 6 weeks'),
      filled('d1', 'quetiapine 50 mg tablet', '2026-06-08', 'r1'),
      { ...stopped('r2', 'quetiapine ER 300 mg tablet', 'Gained 15 lb in 6 weeks'), authoredOn: '2026-07-06' },
      filled('d2', 'quetiapine ER 300 mg tablet', '2026-07-06', 'r2'),
    ]);
    expect(rows).toMatchObject([{ substance: 'quetiapine ER 300 mg tablet', source: 'MedicationRequest/r2' }]);
    expect(rows[0]).not.toHaveProperty('ordered_as');
  });
});

test('an allergy to a drug is as sensitive as its trial and its stop', () => {
  const allergy: AllergyIntolerance = {
    resourceType: 'AllergyIntolerance',
    id: 'a1',
    patient: subject,
    code: { text: 'lamotrigine' },
  };
  const { intolerance, trials } = sheetFor(
    lurasidone,
    [
      allergy,
      stopped('r1', 'lamotrigine 100 mg tablet', 'Rash'),
      filled('d1', 'lamotrigine 25 mg tablet', '2026-08-12', 'r1'),
    ],
    { focal: bipolar },
  );
  const rows = [...(intolerance ?? []), ...(trials ?? [])];
  expect(rows.map((row) => row?.sensitive)).toEqual(['mental health', 'mental health', 'mental health']);
});
