import { describe, expect, test } from 'vitest';
import { isUndated, standing } from '../../../../src/core/fhir/time/standing.ts';
import { todayAt } from '../../../../src/core/fhir/time/today.ts';

const today = todayAt(new Date('2026-11-21T15:00:00Z'), 'America/New_York');

test.each([
  [undefined, false],
  [{}, false],
  [{ start: '2026', end: '2026-11-21' }, false],
  [{ end: ' 2025-12-31 ' }, false],
  [{ end: '' }, false],
  [{ end: 'N/A' }, false],
  [{ end: '12/31/2025' }, true],
  [{ end: '20251231' }, true],
  [{ end: '2025-02-30' }, true],
  [{ start: '2025-12-31 00:00:00' }, true],
] as const)('a period of %j is written as no date: %s', (period, expected) => {
  expect(isUndated(period)).toBe(expected);
});

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
    [{ end: '2026-02-30' }, 'current'],
    [{ end: '2026-11-20T10:00:00' }, 'ended'],
  ] as const)('%o is %s', (period, expected) => {
    expect(standing(period, today)).toBe(expected);
  });
});

describe('V13: a period ends on the day of the site, not of the machine', () => {
  // 03:00 UTC on November 21 is 22:00 on November 20 in New York and 16:00 on November 21 in Auckland.
  const now = new Date('2026-11-21T03:00:00Z');
  test.each([
    ['America/New_York', '2026-11-20', 'current', 'future'],
    ['Pacific/Auckland', '2026-11-21', 'ended', 'current'],
  ])('in %s it is %s', (zone, day, endedYesterday, startsToday) => {
    const there = todayAt(now, zone);
    expect(there.day).toBe(day);
    expect(standing({ end: '2026-11-20' }, there)).toBe(endedYesterday);
    expect(standing({ start: '2026-11-21' }, there)).toBe(startsToday);
    expect(standing({ end: '2026-11-20T21:59:00-05:00' }, there)).toBe('ended');
    expect(standing({ end: '2026-11-20T22:00:00-05:00' }, there)).toBe('current');
  });
});
