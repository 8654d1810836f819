import { describe, expect, test } from 'vitest';
import { coveredBy, daysIn, type Fill, trialsIn } from '../../../src/core/answers/days-covered.ts';
import { dayAfter, daysBetween } from '../../../src/core/fhir/time/calendar-days.ts';

const fill = (day: string, days = 30, product = 'tablet 10 MG'): Fill => ({ day, days, product });

describe('days covered', () => {
  test('are the days of the supply, from the day that it was handed over', () => {
    expect(coveredBy([fill('2026-01-01')])).toEqual([{ from: '2026-01-01', to: '2026-01-30' }]);
    expect(daysIn(coveredBy([fill('2026-01-01')]))).toBe(30);
  });

  test('of an early refill come after those of the fill before it', () => {
    // 30 days from Jan 1 to Jan 30; the 30 days of Jan 21 are used from Jan 31 to Mar 1
    expect(coveredBy([fill('2026-01-01'), fill('2026-01-21')])).toEqual([{ from: '2026-01-01', to: '2026-03-01' }]);
  });

  test('of another strength begin on its own day', () => {
    // Jan 1 to Jan 30 and Jan 21 to Feb 19: 50 days
    const spans = coveredBy([fill('2026-01-01'), fill('2026-01-21', 30, 'tablet 20 MG')]);
    expect(spans).toEqual([{ from: '2026-01-01', to: '2026-02-19' }]);
    expect(daysIn(spans)).toBe(50);
  });

  test('are carried over a fill of another strength in between', () => {
    // 10 MG: Jan 1 to Jan 30, then Jan 31 to Mar 1; 20 MG: Jan 11 to Jan 20
    const spans = coveredBy([fill('2026-01-01'), fill('2026-01-11', 10, 'tablet 20 MG'), fill('2026-01-15')]);
    expect(daysIn(spans)).toBe(60);
  });

  test('are not carried over a time without the drug', () => {
    expect(coveredBy([fill('2026-01-01'), fill('2026-03-01', 10)])).toEqual([
      { from: '2026-01-01', to: '2026-01-30' },
      { from: '2026-03-01', to: '2026-03-10' },
    ]);
  });

  test('of one fill that two systems record are counted once', () => {
    expect(daysIn(coveredBy([fill('2026-01-01'), fill('2026-01-01')]))).toBe(30);
  });

  test('up to a day leave out the supply that is still at hand', () => {
    expect(daysIn(coveredBy([fill('2026-01-01')]), '2026-01-10')).toBe(10);
    expect(daysIn(coveredBy([fill('2026-01-01')]), '2025-12-31')).toBe(0);
  });
});

describe('a gap', () => {
  const spans = coveredBy([fill('2026-01-01'), fill('2026-03-02', 10)]); // Jan 31 to Mar 1 are 30 days without

  test('of as many days as the site allows belongs to the trial', () => {
    expect(trialsIn(spans, 30)).toHaveLength(1);
  });

  test('of one day more begins another trial', () => {
    expect(trialsIn(spans, 29)).toHaveLength(2);
  });
});

// Deterministic: a failure is found again by its seed.
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((state / 4294967296) * below);
  };
}

function generated(seed: number): Fill[] {
  const pick = random(seed);
  return Array.from({ length: 1 + pick(12) }, () =>
    fill(dayAfter('2025-06-01', pick(400)), 1 + pick(90), ['tablet 10 MG', 'tablet 20 MG', 'solution'][pick(3)]),
  );
}

describe('over generated fills', () => {
  const cases = Array.from({ length: 500 }, (_, seed) => ({ seed, fills: generated(seed) }));

  test('their order does not matter', () => {
    const differing = cases.filter(({ fills }) => {
      const spans = JSON.stringify(coveredBy(fills));
      return spans !== JSON.stringify(coveredBy(fills.toReversed()));
    });
    expect(differing).toEqual([]);
  });

  test('a repeated fill adds nothing', () => {
    const differing = cases.filter(
      ({ fills }) => daysIn(coveredBy(fills)) !== daysIn(coveredBy([...fills, ...fills.slice(0, 3)])),
    );
    expect(differing).toEqual([]);
  });

  test('days covered are no more than the days from first to last, nor than the supply', () => {
    const wrong = cases.filter(({ fills }) => {
      const spans = coveredBy(fills);
      const days = daysIn(spans);
      const supply = fills.reduce((sum, one) => sum + one.days, 0);
      return days > daysBetween(spans[0]!.from, spans.at(-1)!.to) + 1 || days > supply;
    });
    expect(wrong).toEqual([]);
  });

  test('of one product every day of supply is counted', () => {
    const wrong = cases.filter(({ fills }) => {
      const one = [...new Map(fills.map((each) => [`${each.day} ${each.days}`, { ...each, product: '' }])).values()];
      return daysIn(coveredBy(one)) !== one.reduce((sum, { days }) => sum + days, 0);
    });
    expect(wrong).toEqual([]);
  });

  test('trials hold every day once, whatever gap a site allows', () => {
    const wrong = cases.filter(({ seed, fills }) => {
      const spans = coveredBy(fills);
      const trials = trialsIn(spans, seed % 60);
      return trials.reduce((sum, trial) => sum + daysIn(trial), 0) !== daysIn(spans);
    });
    expect(wrong).toEqual([]);
  });
});
