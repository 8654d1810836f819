import { expect, test } from 'vitest';
import { hasRecordMark } from '../../../src/core/fhir/references/record-mark.ts';

test.each([
  'Smith (DECEASED)',
  'Smith *deceased*',
  'Smith - DUPLICATE',
  'DUPLICATE',
  'Do Not Use',
  'ZZTEST',
  'Zz-Test',
  'XXTEST',
  'ZZZSmith',
  'Smith (inactive)',
  'MERGED Smith',
  'Testpatient',
  'Smith, wrong chart',
  'Entered in Error',
])('%s marks its record [K5]', (name) => {
  expect(hasRecordMark(name)).toBe(true);
});

test.each([
  'Smith',
  'Test',
  'Testa',
  'Patient',
  'Null',
  'Void',
  'Doe',
  'BABY BOY',
  'Deas',
  'Merger',
  'Zzyzx',
  'Smith, MD',
  'Errorick',
  'Donotelli',
  'Dupree',
])('%s is a name [K5]', (name) => {
  expect(hasRecordMark(name)).toBe(false);
});
