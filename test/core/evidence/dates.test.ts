import { describe, expect, test } from 'vitest';
import { Cited } from '../../../src/core/evidence/cite.ts';
import { byNewest, clearestDate, evidenceDay, newest, oldest } from '../../../src/core/evidence/dates.ts';

const at = (value: string) => new Cited(value, { resource: 'Observation/1', path: 'Observation.effectiveDateTime' });
const zone = 'America/New_York';

describe('V13: newest is told by the instant', () => {
  // 23:30 in New York is 04:30 UTC of the next day, after 01:00 UTC of that day
  const [newYork, london] = [at('2026-11-20T23:30:00-05:00'), at('2026-11-21T01:00:00Z')];

  test('not by the letters of two time zones', () => {
    expect([london, newYork].map((date) => ({ date })).sort(byNewest(zone))[0]?.date).toBe(newYork);
    expect(newest([london, newYork], zone)).toBe(newYork);
    expect(oldest([newYork, london], zone)).toBe(london);
  });

  test('a date without a time is a day of the site', () => {
    // November 21 begins in New York at 05:00 UTC, after 01:00 UTC
    expect(newest([london, at('2026-11-21')], zone)?.value).toBe('2026-11-21');
    expect(newest([london, at('2026-11-21')], 'Europe/Paris')).toBe(london);
  });

  test('what has no date comes last', () => {
    expect([{ date: undefined }, { date: london }].sort(byNewest(zone))[0]?.date).toBe(london);
  });
});

test.each([
  ['2026-11-21', '2026-11-21'],
  ['2026-11-21T10:00:00Z', '2026-11-21'],
  ['2026-11', undefined],
  ['2026-13-45', undefined],
  ['yesterday', undefined],
])('%s names the day %s', (date, day) => {
  expect(evidenceDay(at(date))).toBe(day);
});

test('the first date that names a day wins over an earlier one that does not', () => {
  expect(clearestDate(undefined, at('2026'), at('2026-11-21'))?.value).toBe('2026-11-21');
});

test('without a day the first year or month is told, and nothing that is no date', () => {
  expect(clearestDate(undefined, at('yesterday'), at('2026-11'), at('2025'))?.value).toBe('2026-11');
  expect(clearestDate(at('2026-13'), undefined)).toBeUndefined();
});
