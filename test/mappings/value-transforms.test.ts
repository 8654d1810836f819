import { describe, expect, test } from 'vitest';
import {
  country,
  datetimeValue,
  days,
  email,
  fullDate,
  furtherLines,
  identifier,
  markedNpi,
  ndc11,
  npiValue,
  phone,
  quantity,
  singleRxNorm,
  state,
  statedStrength,
  text,
  wholeQuantity,
} from '../../mappings/value-transforms.ts';
import type { Transform } from '../../src/core/mapping/words/rules.ts';

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
  [['1357547'], '1357547'],
  [[' 1357547 '], '1357547'],
  [[' 1357547', '1357547'], '1357547'],
  [['RXCUI: 1357547'], '1357547'],
  [['1357547', '1357548'], 'refused'],
  [[], 'refused'],
])('the RxNorm code of %j is %s', (codes, expected) => {
  const coding = codes.map((code) => ({ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code }));
  expect(made(singleRxNorm, { coding })).toBe(expected);
});

// 8 or 9 digits are a product without its package, or a code that lost a digit.
test.each([
  '0074-0554',
  '00740554',
  '68462-502',
  '684625020',
  '0074-054-02',
  '0074-0554-2',
  '00074-055-2',
  '12345-6789',
])('[K21] an NDC of 8 or 9 digits is refused, not padded to another product: %s', (value) =>
  expect(made(ndc11, value)).toBe('refused'),
);

test.each([
  ['2026-10-05', '2026-10-05T00:00:00.000000'],
  ['2026-10-05T09:30:00-04:00', '2026-10-05T09:30:00-04:00'],
  ['2026-10-05T09:30:00.123456', '2026-10-05T09:30:00.123456'],
  ['2026-10', 'refused'],
])('a datetime of %s is %s', (value, expected) => {
  expect(made(datetimeValue, value)).toBe(expected);
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

test('a strength is the one of the source, derived where it was computed', () => {
  expect(statedStrength.apply({ strength: '50 MG', isDerived: false })).toEqual({ value: '50 MG' });
  expect(statedStrength.apply({ strength: '40 MG/0.4 ML', isDerived: true, note: 'computed of 100 MG/ML' })).toEqual({
    value: '40 MG/0.4 ML',
    derived: true,
    note: 'computed of 100 MG/ML',
  });
  expect(made(statedStrength, { refused: 'ingredient_without_strength' })).toBe('refused');
});

test.each([
  ['none@none.com', 'refused'],
  ['no-email@example.org', 'refused'],
  ['mailto:ada@example.org', 'ada@example.org'],
])('V15 the e-mail address %s is %s', (written, expected) => {
  expect(made(email, written)).toBe(expected);
});

test.each([
  ['555-555-5555', 'refused'],
  ['(123) 456-7890', 'refused'],
  ['tel:+1-503-555-0142', '+1-503-555-0142'],
])('V15 the phone number %s is %s', (written, expected) => {
  expect(made(phone, written)).toBe(expected);
});

test('small values are taken as they are or refused, never repaired', () => {
  expect(made(fullDate, '1984-03-09')).toBe('1984-03-09');
  expect(made(fullDate, '1984')).toBe('refused');
  expect(made(npiValue, ' 1234567893 ')).toBe('1234567893');
  expect(made(npiValue, '123456789')).toBe('refused');
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

describe('[K19] a number of another kind is no misspelled NPI', () => {
  test.each([
    ['a DEA number', { system: 'urn:oid:2.16.840.1.113883.4.814', value: 'BA1234563' }],
    ['a license of ten digits', { system: 'https://licenses.example.org', value: '1234567893' }],
    ['a number without system or type', { value: '1234567893' }],
    ['a tax number by its type', { type: { coding: [{ code: 'TAX' }] }, value: '123456789' }],
  ])('%s', (_, identifier) => {
    expect(markedNpi.apply(identifier)).toEqual({ refused: 'not_marked_npi' });
  });

  test.each([
    ['by its system', { system: 'http://hl7.org/fhir/sid/us-npi', value: '1' }],
    ['by the OID of its system', { system: '2.16.840.1.113883.4.6', value: '1' }],
    ['by the code of its type', { type: { coding: [{ code: 'NPI' }] }, value: '1' }],
    ['by the words of its type', { type: { text: ' npi ' }, value: '1' }],
  ])('an NPI %s', (_, identifier) => {
    expect(markedNpi.apply(identifier)).toEqual({ value: identifier });
  });
});

describe('lines of an address after the first', () => {
  test.each([
    ['two', { line: ['12 Quillback Lane', 'Suite 210'] }, 'Suite 210'],
    ['three', { line: ['12 Quillback Lane', 'Floor 2', 'Suite 210'] }, 'Floor 2, Suite 210'],
    ['one behind a null, which is the first', { line: [null, 'Suite 210'] }, 'refused'],
    ['two behind a null', { line: [null, '12 Quillback Lane', 'Suite 210'] }, 'Suite 210'],
    ['a null between two', { line: ['12 Quillback Lane', null, 'Suite 210'] }, 'Suite 210'],
    ['one behind a line that is masked', { line: [null, 'Suite 210'], _line: [{ extension: [] }, null] }, 'Suite 210'],
  ])('%s', (_, address, expected) => {
    expect(made(furtherLines, address)).toBe(expected);
  });
});

test.each([
  [1, { value: 1 }],
  [30, { value: 30 }],
  [0, { refused: 'not_positive' }],
  [-1, { refused: 'not_positive' }],
  [1.5, { refused: 'whole_number' }],
  ['3', { refused: 'not_positive' }],
])('%j as a whole quantity', (value, expected) => {
  expect(wholeQuantity.apply(value)).toEqual(expected);
});
