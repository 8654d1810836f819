import { expect, test } from 'vitest';
import { isStateCode, stateCode, usStates } from '../../../src/core/fhir/codes/us-states.ts';

test('the list has the 50 states, the District, 5 territories, 3 associated states and 3 military regions', () => {
  expect(usStates).toHaveLength(62);
  expect(new Set(usStates.map(([code]) => code)).size).toBe(62);
  for (const code of ['DC', 'PR', 'GU', 'VI', 'AS', 'MP', 'AA', 'AE', 'AP', 'FM', 'MH', 'PW'])
    expect(isStateCode(code)).toBe(true);
});

test.each([
  ['Illinois', 'IL'],
  ['il', 'IL'],
  [' New York ', 'NY'],
  ['S.D.', 'SD'],
  ['n. y.', 'NY'],
  ['D.C.', 'DC'],
  ['US-SD', 'SD'],
  ['us-pr', 'PR'],
  ['N. Dakota', 'ND'],
  ['W.Virginia', 'WV'],
  ['US-ZZ', undefined],
  ['CA-ON', undefined],
  ['US', undefined],
  ['N. America', undefined],
  ['Illinoi', undefined],
  ['ZZ', undefined],
])('stateCode(%s) is %s', (text, code) => {
  expect(stateCode(text)).toBe(code);
});

test('only the two letters in capitals are a code', () => {
  expect(['IL', 'il', 'Illinois', ''].map(isStateCode)).toEqual([true, false, false, false]);
});
