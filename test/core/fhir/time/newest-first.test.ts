import { describe, expect, test } from 'vitest';
import { newestFirst, oldestFirst } from '../../../../src/core/fhir/time/newest-first.ts';

const compare = newestFirst('America/New_York');

test('newestFirst puts what has no date last, and the more precise date of one moment first', () => {
  expect(['2025', undefined, '2026-01-01', '2026'].sort(compare)).toEqual(['2026-01-01', '2026', '2025', undefined]);
  expect(['soon', '2025', '2026-01', '2026', '2026-01-01'].sort(compare)).toEqual([
    '2026-01-01',
    '2026-01',
    '2026',
    '2025',
    'soon',
  ]);
});

test('V13: an offset does not turn the order round', () => {
  // 00:30 at +09:00 on the 22nd is 15:30 UTC on the 21st, before 20:00 at -05:00 on the 21st (01:00 UTC on the 22nd).
  const [tokyo, newYork] = ['2026-11-22T00:30:00+09:00', '2026-11-21T20:00:00-05:00'];
  expect([tokyo, newYork].sort(compare)).toEqual([newYork, tokyo]);
  expect([newYork, tokyo].sort(oldestFirst('America/New_York'))).toEqual([tokyo, newYork]);
});

test('a date counts from the first moment of its day in the zone', () => {
  // 04:30 UTC on the 21st is still the 20th in New York, and already the 21st in Berlin.
  const instant = '2026-11-21T04:30:00Z';
  expect(['2026-11-21', instant].sort(newestFirst('America/New_York'))).toEqual(['2026-11-21', instant]);
  expect(['2026-11-21', instant].sort(newestFirst('Europe/Berlin'))).toEqual([instant, '2026-11-21']);
});

test('the same instant in two offsets keeps the order it had', () => {
  const [one, other] = ['2026-11-21T10:00:00-05:00', '2026-11-21T15:00:00Z'];
  expect([one, other].sort(compare)).toEqual([one, other]);
  expect([other, one].sort(compare)).toEqual([other, one]);
});

test('oldestFirst leaves what has no date last', () => {
  expect([undefined, '2026', '2025', 'soon'].sort(oldestFirst('UTC'))).toEqual(['2025', '2026', 'soon', undefined]);
});

describe('the comparison is an order', () => {
  const dates = [
    '2026',
    '2026-11',
    '2026-11-21',
    '2026-11-22',
    '2026-11-22T01:00:00+14:00',
    '2026-11-21T12:00:00Z',
    '2026-11-20T23:30:00-05:00',
    '2026-11-21T00:00:00-05:00',
    '2026-13',
  ];
  test('of any three', () => {
    for (const a of dates)
      for (const b of dates)
        for (const c of dates) {
          expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0);
          if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
        }
  });
});
