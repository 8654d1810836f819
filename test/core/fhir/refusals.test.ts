import { describe, expect, test } from 'vitest';
import { elementWords } from '../../../src/core/fhir/element-words.ts';
import { isRefusal, refusals } from '../../../src/core/fhir/references/refusals.ts';

test.each(Object.entries(refusals))('%s has words for staff and for engineers [K19]', (name, words) => {
  const { staff, next, engineer } = words as { staff: string; next?: string; engineer: string };
  expect(isRefusal(name)).toBe(true);
  // it stands behind the name of a field and a colon
  expect(staff).toMatch(/^(?!.*[.:]$)[a-z]/);
  expect(staff).not.toMatch(/data-absent-reason|clause|expression|row|coding/);
  expect(next ?? 'Enter it.').toMatch(/^[A-Z].*\.$/);
  expect(engineer).not.toBe('');
});

test('a text that names no row is no reason', () => {
  expect(isRefusal('the check digit is wrong')).toBe(false);
  expect(isRefusal('toString')).toBe(false);
});

describe('a value of the chart is told as a person recognizes it [K19]', () => {
  test.each([
    ['a text', ' 1234567890 ', '1234567890'],
    ['a number', 2, '2'],
    ['a Quantity', { value: 4, unit: 'syringe', code: '{syringe}' }, '4 syringe'],
    ['a Quantity with a code alone', { comparator: '<', value: 30, code: 'mL' }, '< 30 mL'],
    ['an Address', { line: ['HOMELESS'], city: 'Springfield', state: 'IL' }, 'HOMELESS, Springfield, IL'],
    ['a HumanName', { given: ['Ada', 'M.'], family: 'Fenwick' }, 'Ada M. Fenwick'],
    ['a name of text alone', { text: 'Fenwick, Ada' }, 'Fenwick, Ada'],
    ['a CodeableConcept', { coding: [{ code: '1' }, { display: 'Oral' }] }, '1'],
    ['a Ratio', { numerator: { value: 5, unit: 'mg' }, denominator: { value: 1, unit: 'mL' } }, '5 mg per 1 mL'],
    ['an Identifier', { system: 'http://hl7.org/fhir/sid/us-npi', value: '12' }, '12'],
    ['a resource has its place, no words', { resourceType: 'Coverage', subscriberId: '12' }, undefined],
    ['a long text is cut', 'a'.repeat(500), `${'a'.repeat(200)}…`],
    ['nothing', undefined, undefined],
    ['an empty element', {}, undefined],
  ])('%s', (_what, value, words) => {
    expect(elementWords(value)).toBe(words);
  });
});
