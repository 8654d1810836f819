import { describe, expect, test } from 'vitest';
import { icd10OfCoding, normaliseIcd10 } from '../../src/fhir/icd10.ts';
import { newestFirst, standing } from '../../src/fhir/period.ts';

// Noon in UTC is the same calendar day from Honolulu to Tokyo's morning; the suite runs in several time zones.
const now = new Date('2026-11-21T15:00:00Z');

describe('standing counts an end date to its last moment', () => {
  test.each([
    [undefined, 'current'],
    [{}, 'current'],
    [{ end: '2026-11-21' }, 'current'],
    [{ end: '2026-11-20' }, 'ended'],
    [{ end: '2026-11' }, 'current'],
    [{ end: '2026-10' }, 'ended'],
    [{ end: '2026' }, 'current'],
    [{ end: '2025' }, 'ended'],
    [{ start: '2026-11-21' }, 'current'],
    [{ start: '2026-11-22' }, 'future'],
    [{ start: '2027' }, 'future'],
    [{ end: '2026-11-21T14:59:59Z' }, 'ended'],
    [{ end: '2026-11-21T15:00:00Z' }, 'current'],
    [{ start: '2026-11-21T16:00:00+00:00' }, 'future'],
    [{ end: 'soon' }, 'current'],
  ] as const)('%o is %s', (period, expected) => {
    expect(standing(period, now)).toBe(expected);
  });
});

test('newestFirst puts what has no date last', () => {
  expect(['2025', undefined, '2026-01-01', '2026'].sort(newestFirst)).toEqual([
    '2026-01-01',
    '2026',
    '2025',
    undefined,
  ]);
});

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
  expect(icd10OfCoding({ system: 'urn:oid:2.16.840.1.113883.6.90', code: 'M05.79' })).toBe('M05.79');
  expect(icd10OfCoding({ system: 'http://hl7.org/fhir/sid/icd-10', code: 'M05.79' })).toBeUndefined();
  expect(icd10OfCoding({ code: 'M05.79' })).toBeUndefined();
});
