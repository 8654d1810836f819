import { expect, test } from 'vitest';
import { isUsPhone } from '../../../src/core/fhir/us-phone.ts';

test.each([
  '2175550142',
  '217-555-0142',
  '(217) 555-0142',
  '217.555.0142',
  '+1 217 555 0142',
  '1-217-555-0142',
  'tel:+1-217-555-0142',
  '217-555-0142 x12',
  '217-555-0142 ext. 1234',
  '217-555-0142;ext=5',
])('%s can be called from anywhere in the US', (text) => {
  expect(isUsPhone(text)).toBe(true);
});

test.each([
  ['', 'nothing'],
  ['12', 'too short'],
  ['555-0142', 'no area code'],
  ['117-555-0142', 'no area code begins with 1'],
  ['217-155-0142', 'no exchange begins with 1'],
  ['217-555-01422', 'eleven digits that do not begin with 1'],
  ['+44 20 7946 0958', 'of another country'],
])('%s is no such number: %s', (text) => {
  expect(isUsPhone(text)).toBe(false);
});
