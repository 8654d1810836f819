import { describe, expect, test } from 'vitest';
import { Cited } from '../../src/evidence/cited.ts';
import { byInstant, firstFullDate, isFullDate, newest, newestFirst, oldest } from '../../src/evidence/dates.ts';

const at = (value: string) => new Cited(value, { resource: 'Observation/1', path: 'Observation.effectiveDateTime' });

describe('V13: newest is told by the instant', () => {
  // 23:30 in New York is 04:30 UTC of the next day, after 01:00 UTC of that day
  const [newYork, london] = [at('2026-11-20T23:30:00-05:00'), at('2026-11-21T01:00:00Z')];

  test('not by the letters of two time zones', () => {
    expect([london, newYork].map((date) => ({ date })).sort(newestFirst)[0]?.date).toBe(newYork);
    expect(newest([london, newYork])).toBe(newYork);
    expect(oldest([newYork, london])).toBe(london);
  });

  test('one instant in two spellings is neither newer nor older', () => {
    expect(byInstant('2026-11-21T01:00:00Z', '2026-11-20T20:00:00-05:00')).toBe(0);
  });

  test('what has no date comes last', () => {
    expect([{ date: undefined }, { date: london }].sort(newestFirst)[0]?.date).toBe(london);
    expect(byInstant(undefined, 'not a date')).toBe(0);
  });
});

test.each([
  ['2026-11-21', true],
  ['2026-11-21T10:00:00Z', true],
  ['2026-11', false],
  ['2026-13-45', false],
  ['yesterday', false],
])('%s names a day: %s', (date, expected) => {
  expect(isFullDate(date)).toBe(expected);
});

test('the first date that names a day wins over an earlier one that does not', () => {
  expect(firstFullDate(undefined, at('2026'), at('2026-11-21'))?.value).toBe('2026-11-21');
});
