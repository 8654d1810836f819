import { describe, expect, test } from 'vitest';
import { trendsOf } from '../../src/cases/trends.ts';
import type { TrendCase } from '../../src/store/types.ts';

// A Friday. Its week began on Monday, November 23.
const now = new Date('2026-11-27T12:00:00Z');
const time = { now, timeZone: 'America/New_York' };

const some = (count: number, one: TrendCase): TrendCase[] => Array.from({ length: count }, () => one);
const approved: TrendCase = {
  sentAt: '2026-11-16T15:00:00Z',
  endedAt: '2026-11-18T15:00:00Z',
  waits: 'approved',
  isFirst: true,
  typed: 2,
  payer: 'Acme Health',
};
const week = (cases: readonly TrendCase[], from: string) =>
  trendsOf(cases, time).weeks.find((one) => one.from === from);

describe('trends', () => {
  test('are of thirteen weeks, from Monday on, and the last is under way', () => {
    const { weeks } = trendsOf([], time);
    expect(weeks).toHaveLength(13);
    expect([weeks[0]?.from, weeks[12]?.from]).toEqual(['2026-08-31', '2026-11-23']);
  });

  test('count what was sent and decided in a week, who passed at once, and what was typed', () => {
    const cases = [
      ...some(6, approved),
      ...some(2, { ...approved, isFirst: false, typed: 6 }),
      ...some(2, { ...approved, waits: 'denied', typed: 2 }),
    ];
    // 6 of 10 at once; (8 x 2 + 2 x 6) / 10 = 2.8.
    expect(week(cases, '2026-11-16')).toEqual({
      from: '2026-11-16',
      sent: 10,
      decided: 10,
      firstPass: 0.6,
      typed: 2.8,
    });
  });

  test('leave out every figure of one to four requests; none is a number', () => {
    expect(week(some(4, approved), '2026-11-16')).toEqual({ from: '2026-11-16' });
    expect(week(some(4, approved), '2026-11-09')).toEqual({ from: '2026-11-09', sent: 0, decided: 0 });
    const mixed = [...some(4, approved), ...some(3, { ...approved, waits: 'other' })];
    expect(week(mixed, '2026-11-16')).toMatchObject({ sent: 7, decided: 7 });
    expect(week(mixed, '2026-11-16')).not.toHaveProperty('firstPass');
    expect(trendsOf(some(4, approved), time).payers).toEqual([]);
  });

  test('put a request sent on Sunday evening at the clinic into the week that ends then', () => {
    const sunday = { ...approved, sentAt: '2026-11-23T03:00:00Z', endedAt: '2026-11-24T03:00:00Z' };
    expect(week(some(5, sunday), '2026-11-16')).toMatchObject({ sent: 5, decided: 0 });
  });

  test('take the median of the days with each payer, the slowest first', () => {
    const decidedAfter = (days: number, payer: string): TrendCase => ({
      ...approved,
      payer,
      endedAt: new Date(Date.parse(approved.sentAt) + days * 86_400_000).toISOString(),
    });
    const cases = [
      ...[1, 2, 3, 4, 90].map((days) => decidedAfter(days, 'Slow Plan')),
      ...some(6, decidedAfter(0.5, 'Quick Plan')),
    ];
    expect(trendsOf(cases, time).payers).toEqual([
      { payer: 'Slow Plan', decided: 5, days: 3 },
      { payer: 'Quick Plan', decided: 6, days: 0.5 },
    ]);
  });

  test('a canceled request and one whose decision is not known are no first pass', () => {
    const cases = [...some(5, approved), ...some(5, { ...approved, waits: 'cancelled' })];
    expect(week(cases, '2026-11-16')).toMatchObject({ sent: 10, decided: 5, firstPass: 1 });
    expect(week([...some(5, approved), ...some(3, { ...approved, waits: 'unwritten' })], '2026-11-16')).toMatchObject({
      decided: 8,
      firstPass: 1,
    });
  });
});
