import { expect, test } from 'vitest';
import { retryAfterSeconds } from '../../src/base/retry-after.ts';

const now = new Date('2026-11-21T15:00:00Z');
const after = (value: string) => retryAfterSeconds(new Headers({ 'retry-after': value }), now);

test.each([
  ['seconds', '120', 120],
  ['seconds with blanks', ' 7 ', 7],
  ['a date', 'Sat, 21 Nov 2026 15:00:30 GMT', 30],
  ['a date that is over', 'Sat, 21 Nov 2026 14:59:00 GMT', 0],
])('Retry-After is read as %s', (_, value, seconds) => {
  expect(after(value)).toBe(seconds);
});

test.each(['', 'soon', '1.5', '12345678901', '2026-11-21'])('Retry-After is not guessed from "%s"', (value) => {
  expect(after(value)).toBeUndefined();
});

test('without the header there is none', () => {
  expect(retryAfterSeconds(new Headers(), now)).toBeUndefined();
});
