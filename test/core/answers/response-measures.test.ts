import type { Observation } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { answerLines } from '../../../src/core/answers/answer-text.ts';
import { fill, observed, sheetFor } from './support.ts';

const furosemide = 'furosemide 40 MG Oral Tablet';
const forCode = (code: string) => ({
  focal: { reasonCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/icd-10-cm', code }] }] },
});
const began = fill('d1', furosemide, '2026-02-01', 300);

const twice = (code: string, values: readonly [Partial<Observation>, Partial<Observation>]) =>
  values.map((value, at) =>
    observed(`${code}-${at}`, code, { ...value, effectiveDateTime: ['2026-01-15', '2026-10-01'][at]! }),
  );
const amount = (value: number, unit: string) => ({ valueQuantity: { value, unit } });
const pressure = (systolic: number, diastolic: number): Partial<Observation> => ({
  category: [{ coding: [{ code: 'vital-signs' }] }],
  component: [
    { code: { text: 'Systolic' }, ...amount(systolic, 'mmHg') },
    { code: { text: 'Diastolic' }, ...amount(diastolic, 'mmHg') },
  ],
});

test('a blood pressure before and now has its two values, as among the tests', () => {
  const chart = [began, ...twice('85354-9', [pressure(152, 94), pressure(128, 76)])];
  const { response } = sheetFor(furosemide, chart, forCode('I10'));
  expect(response).toMatchObject([
    {
      before: {
        components: [
          { test: 'Systolic', value: '152 mmHg' },
          { test: 'Diastolic', value: '94 mmHg' },
        ],
      },
      now: { components: [{ value: '128 mmHg' }, { value: '76 mmHg' }] },
    },
  ]);
  expect(answerLines('response', response)[0]).toBe(
    'Blood pressure: Systolic 152 mmHg, Diastolic 94 mmHg on Jan 15, 2026 before the first dose, ' +
      'Systolic 128 mmHg, Diastolic 76 mmHg on Oct 1, 2026',
  );
});

describe('a test of a usual panel', () => {
  const panel = ['2028-9', '2075-0', '2823-3', '3094-0', '2345-7', '17861-6', '2951-2', '6768-6', '1751-7', '2885-2'];
  const all = panel.flatMap((code) => twice(code, [amount(5, 'x'), amount(4, 'x')]));
  const measured = (code: string) =>
    (sheetFor(furosemide, [began, ...all], forCode(code)).response ?? []).map((row) => row?.measure).sort();

  test.each([
    ['I10', []],
    ['N18.3', ['Blood urea nitrogen']],
    ['E87.6', ['Blood carbon dioxide', 'Blood chloride', 'Blood sodium', 'Potassium']],
    ['E11.9', ['Glucose']],
  ])('of an order for %s shows the response only where it measures that: %j', (code, expected) => {
    expect(measured(code)).toEqual(expected);
  });

  test('is none where nobody has coded what the order is for', () => {
    expect(sheetFor(furosemide, [began, ...all])).not.toHaveProperty('response');
  });
});
