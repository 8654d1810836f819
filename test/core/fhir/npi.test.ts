import { expect, test } from 'vitest';
import { isNpi, npiCheckDigit } from '../../../src/core/fhir/codes/npi.ts';

// The first is the worked example of CMS's "Requirements for NPI and NPI check digit": 80840 and 123456789 give 67, so
// the digit is 3.
test.each([
  ['1234567893', true],
  ['1245319599', true],
  ['1234567890', false],
  ['123456789', false],
  ['12345678933', false],
  ['123456789X', false],
  ['', false],
])('%s is an NPI: %s', (text, is) => {
  expect(isNpi(text)).toBe(is);
});

test('exactly one last digit makes nine digits an NPI', () => {
  for (const digits of ['100000000', '123456789', '299999999'])
    expect([...'0123456789'].filter((last) => isNpi(digits + last))).toEqual([String(npiCheckDigit(digits))]);
});
