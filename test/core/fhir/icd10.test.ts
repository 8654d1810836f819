import { expect, test } from 'vitest';
import { icd10OfCoding, normaliseIcd10 } from '../../../src/core/fhir/codes/icd10.ts';

test.each([
  ['M05.79', 'M05.79'],
  ['m0579', 'M05.79'],
  ['I10', 'I10'],
  ['S52.501A', 'S52.501A'],
  ['O9A.211', 'O9A.211'],
  ['M5', undefined],
  ['714.0', undefined],
  ['not a code', undefined],
  [undefined, undefined],
])('ICD-10-CM code %s is %s', (text, expected) => {
  expect(normaliseIcd10(text)).toBe(expected);
});

test('a code counts as ICD-10-CM only under its own systems', () => {
  expect(icd10OfCoding({ system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'M05.79' })).toBe('M05.79');
  expect(icd10OfCoding({ system: 'http://hl7.org/fhir/sid/icd-10', code: 'M05.79' })).toBeUndefined();
  expect(icd10OfCoding({ code: 'M05.79' })).toBeUndefined();
});
