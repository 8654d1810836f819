import { describe, expect, test } from 'vitest';
import {
  country,
  datetime,
  days,
  email,
  fullDate,
  identifier,
  ingredientStrength,
  ndc11,
  npi,
  phone,
  quantity,
  state,
  text,
} from '../../mappings/values.ts';
import type { Transform } from '../../src/mapping/words/rules.ts';

/** The value, or `refused`. */
function made(transform: Transform<unknown>, value: unknown): unknown {
  const result = transform.apply(value);
  return 'value' in result ? result.value : 'refused';
}

describe('a text', () => {
  test.each([
    ['keeps its words', '  27  Figment\tStreet ', '27 Figment Street'],
    ['loses what cannot be seen', 'Fen\u200bwick\u202e', 'Fenwick'],
    ['keeps accents as one letter', 'Jose\u0301', 'José'],
    ['is not NA', 'NA', 'refused'],
    ['is not :None:None', ':None:None', 'refused'],
    ['is not 000-00', '000-00', 'refused'],
    ['is not unknown', 'Unknown', 'refused'],
    ['is not a dash', ' - ', 'refused'],
    ['may be of zeros', '0000', '0000'],
    ['may hold a placeholder among words', 'Unknown Road 5', 'Unknown Road 5'],
    ['is no number', 5, 'refused'],
  ])('%s', (_what, value, expected) => {
    expect(made(text, value)).toBe(expected);
  });
});

test.each([
  ['0012345', '0012345'],
  ['00000', 'refused'],
  ['000-00-0000', 'refused'],
  ['EM-77', 'EM-77'],
])('an identifier %s is %s', (value, expected) => {
  expect(made(identifier, value)).toBe(expected);
});

test.each([
  ['(217) 555-0111', '(217) 555-0111'],
  ['000-000-0000', 'refused'],
  ['9999999999', 'refused'],
  ['555', 'refused'],
  ['none', 'refused'],
])('a phone %s is %s', (value, expected) => {
  expect(made(phone, value)).toBe(expected);
});

test.each([
  ['0074-0554-02', '00074-0554-02'],
  ['68462-502-01', '68462-0502-01'],
  ['68462-0502-1', '68462-0502-01'],
  ['00074055402', '00074-0554-02'],
  ['0074055402', 'refused'],
  ['0074-0554', 'refused'],
  ['a-b-c', 'refused'],
])('an NDC %s is %s', (value, expected) => {
  expect(made(ndc11, value)).toBe(expected);
});

test.each([
  ['2026-10-05', '2026-10-05T00:00:00.000000'],
  ['2026-10-05T09:30:00-04:00', '2026-10-05T09:30:00-04:00'],
  ['2026-10-05T09:30:00.123456', '2026-10-05T09:30:00.123456'],
  ['2026-10', 'refused'],
])('a datetime of %s is %s', (value, expected) => {
  expect(made(datetime, value)).toBe(expected);
});

test.each([
  [{ value: 30, unit: 'days', code: 'd' }, 30],
  [{ value: 30, unit: 'Day' }, 30],
  [{ value: 4, code: 'wk' }, 28],
  [{ value: 1, code: 'mo' }, 'refused'],
  [{ value: 0.5, code: 'd' }, 'refused'],
  [{ value: 72, code: 'h' }, 'refused'],
  [{}, 'refused'],
  [28, 28],
])('days of %o are %s', (value, expected) => {
  expect(made(days, value)).toBe(expected);
});

test('strengths of a Medication are one text, in its own words', () => {
  const of = (...strengths: readonly unknown[]) =>
    made(ingredientStrength, { resourceType: 'Medication', ingredient: strengths.map((strength) => ({ strength })) });
  expect(of({ numerator: { value: 50, unit: 'mg' }, denominator: { value: 1, code: 'TAB' } })).toBe('50 mg');
  expect(of({ numerator: { value: 50, unit: 'mg' }, denominator: { value: 1, unit: 'mL' } })).toBe('50 mg/mL');
  expect(of({ numerator: { value: 40, unit: 'mg' }, denominator: { value: 0.4, unit: 'mL' } })).toBe('40 mg/0.4 mL');
  expect(of({ numerator: { value: 325, unit: 'mg' } }, { numerator: { value: 7.5, unit: 'mg' } })).toBe(
    '325 mg / 7.5 mg',
  );
  expect(of({ numerator: { value: 325, unit: 'mg' } }, undefined)).toBe('refused');
  expect(of()).toBe('refused');
});

test('small values are taken as they are or refused, never repaired', () => {
  expect(made(fullDate, '1984-03-09')).toBe('1984-03-09');
  expect(made(fullDate, '1984')).toBe('refused');
  expect(made(npi, ' 1234567893 ')).toBe('1234567893');
  expect(made(npi, '123456789')).toBe('refused');
  expect(made(quantity, 0)).toBe('refused');
  expect(made(quantity, 7.5)).toBe(7.5);
  expect(made(email, 'a@example.org')).toBe('a@example.org');
  expect(made(email, 'a at example')).toBe('refused');
  expect(made(state, 'Oregon')).toBe('OR');
  expect(made(state, 'or')).toBe('OR');
  expect(made(state, 'Ontario')).toBe('Ontario');
  expect(made(state, '20')).toBe('refused');
  expect(made(country, 'us')).toBe('USA');
  expect(made(country, 'Canada')).toBe('Canada');
});
