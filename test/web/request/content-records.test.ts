import { expect, test } from 'vitest';
import { withRecordWords } from '../../../src/web/request/content-records.ts';

test.each([
  [['Medication/pen in MedicationRequest/9'], 'Medication record'],
  [['Medication/pen in MedicationRequest/9', 'MedicationRequest/9'], 'Medication record, medication order'],
  [['Observation/1', 'Observation/2'], 'Results (2)'],
])('the records %j of an answer are named by their kinds', (records, words) => {
  expect(withRecordWords({ sources: { dose: records } })).toEqual({ sources: { dose: words } });
});

test('what only looks like a record stays', () => {
  const content = { sources: { dose: ['Tablet/day'] } };
  expect(withRecordWords(content)).toEqual(content);
});
