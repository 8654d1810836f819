import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { row, Switches, WrongOrder } from '../../../../src/dev/sandbox/control/switches.ts';

const table = {
  slow: row({ meaning: 'm', value: z.int().min(1), values: 'a whole number', off: 'o', example: 1, of: 'request' }),
  lost: row({ meaning: 'm', value: z.enum(['all', 'some']), values: 'v', off: 'o', example: 'all', of: 'record' }),
};

function start() {
  let now = Date.parse('2026-11-21T10:00:00Z');
  const switches = new Switches(table, () => new Date(now), true);
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { switches, pass };
}

const wrong = (order: unknown) => {
  try {
    start().switches.add(order);
    return [];
  } catch (thrown) {
    if (thrown instanceof WrongOrder) return thrown.problems;
    throw thrown;
  }
};

describe('which order is followed', () => {
  test('without an order nothing happens', () => {
    expect(start().switches.take('slow', {})).toBeUndefined();
  });

  test('an order without limits is followed until it is taken back', () => {
    const { switches } = start();
    const id = switches.set({ switch: 'slow', value: 5 });
    expect([switches.take('slow', {}), switches.take('slow', {})]).toEqual([5, 5]);
    expect(switches.clear(id)).toBe(true);
    expect(switches.take('slow', {})).toBeUndefined();
    expect(switches.clear(id)).toBe(false);
  });

  test('the first that fits is followed, and when its times are over the next one', () => {
    const { switches } = start();
    switches.set({ switch: 'slow', value: 1, times: 2 });
    switches.set({ switch: 'slow', value: 2 });
    expect([1, 2, 3].map(() => switches.take('slow', {}))).toEqual([1, 1, 2]);
    expect(switches.standing().map(({ used, over }) => [used, over])).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  test('method, path and site have to fit', () => {
    const { switches } = start();
    switches.set({ switch: 'slow', value: 1, method: 'POST', path: '/a/*/cancel', site: 'valley' });
    const occasion = { method: 'POST', path: '/a/7/cancel', site: 'valley' };
    expect(switches.take('slow', occasion)).toBe(1);
    expect(switches.take('slow', { ...occasion, method: 'GET' })).toBeUndefined();
    expect(switches.take('slow', { ...occasion, path: '/a/7/cancel/more' })).toBeUndefined();
    expect(switches.take('slow', { ...occasion, path: '/b/7/cancel' })).toBeUndefined();
    expect(switches.take('slow', { ...occasion, site: 'river' })).toBeUndefined();
  });

  test('a dot in a path is a dot', () => {
    const { switches } = start();
    switches.set({ switch: 'slow', value: 1, path: '/a.b' });
    expect(switches.take('slow', { path: '/axb' })).toBeUndefined();
    expect(switches.take('slow', { path: '/a.b' })).toBe(1);
  });

  test('forSeconds and until end an order', () => {
    const { switches, pass } = start();
    switches.set({ switch: 'slow', value: 1, forSeconds: 10 });
    switches.set({ switch: 'lost', value: 'all', until: '2026-11-21T11:00:20+01:00' });
    pass(9);
    expect([switches.take('slow', {}), switches.take('lost', {})]).toEqual([1, 'all']);
    pass(1);
    expect([switches.take('slow', {}), switches.take('lost', {})]).toEqual([undefined, 'all']);
    pass(10);
    expect(switches.take('lost', {})).toBeUndefined();
  });

  test('a rate draws the same cases for the same seed, others for another, and about its share', () => {
    const drawn = (seed?: number) => {
      const { switches } = start();
      switches.set({ switch: 'slow', value: 1, rate: 0.3, ...(seed === undefined ? {} : { seed }) });
      return Array.from({ length: 1000 }, () => switches.take('slow', {}) === 1);
    };
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
    expect(drawn()).toEqual(drawn(1));
    const share = drawn(7).filter((yes) => yes).length;
    expect(share).toBeGreaterThan(250);
    expect(share).toBeLessThan(350);
  });

  test('times counts only what was drawn', () => {
    const { switches } = start();
    switches.set({ switch: 'slow', value: 1, rate: 0.5, times: 3 });
    expect(Array.from({ length: 200 }, () => switches.take('slow', {})).filter((one) => one === 1)).toHaveLength(3);
  });

  test('what a server states of itself follows no order', () => {
    const { switches } = start();
    switches.set({ switch: 'slow', value: 4, times: 1 });
    expect([switches.stating('slow'), switches.stating('slow')]).toEqual([[4], [4]]);
    switches.take('slow', {});
    expect(switches.stating('slow')).toEqual([]);
  });
});

describe('an order that is not valid is refused with the reason', () => {
  const shared = 'times, forSeconds, until, rate, seed';
  test.each([
    [{ value: 1 }, 'switch: expected one of slow, lost'],
    [{ switch: 'sloe', value: 1 }, 'switch: expected one of slow, lost'],
    [{ switch: 'toString', value: 1 }, 'switch: expected one of slow, lost'],
    [{ switch: 'slow', value: 0 }, 'value: expected a whole number, such as 1'],
    [{ switch: 'slow' }, 'value: expected a whole number, such as 1'],
    [{ switch: 'slow', value: 1, times: 0 }, 'times: expected a whole number, at least 1'],
    [{ switch: 'slow', value: 1, rate: 0 }, 'rate: expected a number above 0, at most 1'],
    [{ switch: 'slow', value: 1, time: 2 }, `time: slow takes no such limit; it takes ${shared}, site, method, path`],
    [{ switch: 'lost', value: 'all', path: '/a' }, `path: lost takes no such limit; it takes ${shared}, site`],
    ['slow', 'switch: expected one of slow, lost'],
  ])('%j', (order, problem) => {
    expect(wrong(order)).toEqual([problem]);
  });

  test('an EHR is one site, so its orders name none', () => {
    const switches = new Switches(table, () => new Date(), false);
    expect(() => switches.add({ switch: 'slow', value: 1, site: 'valley' })).toThrow('site: slow takes no such limit');
  });
});
