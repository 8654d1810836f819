import { expect, test } from 'vitest';
import { codeQuery, matches } from '../../src/config/code-query.ts';

test.each([
  ['m057', { code: 'M05.7', words: ['m057'] }],
  ['M05.79', { code: 'M05.79', words: ['m05', '79'] }],
  ['i10', { code: 'I10', words: ['i10'] }],
  ['m0', { code: 'M0', words: ['m0'] }],
  ['seropos rheum', { words: ['seropos', 'rheum'] }],
  ["Crohn's", { words: ['crohn', 's'] }],
  ['type 2', { words: ['type', '2'] }],
  ['r', { words: [] }],
  ['  ', { words: [] }],
  ['a & !b:* | c', { words: [] }],
])('%j is read as %j', (text, query) => {
  expect(codeQuery(text)).toEqual(query);
});

test.each([
  ['m05.7', true],
  ['factor rheumatoid', true],
  ['rheum arth', true],
  ['heumatoid', false],
  ['rheumatoid gout', false],
  ['m06', false],
])('M05.79, rheumatoid arthritis with rheumatoid factor: %s is %s', (text, expected) => {
  const one = { code: 'M05.79', title: 'Rheumatoid arthritis with rheumatoid factor' };
  expect(matches(one, codeQuery(text))).toBe(expected);
});

test('an apostrophe is typed or not', () => {
  const one = { code: 'K50.90', title: "Crohn's disease" };
  expect(['crohns', "crohn's", 'crohn'].map((text) => matches(one, codeQuery(text)))).toEqual([true, true, true]);
});
