import { describe, expect, test } from 'vitest';
import { type Stated, statedNumbers } from './limits.ts';
import { judge, notMeasured, tableOf } from './table.ts';

const page: Stated = { name: 'page', floor: 'a bare page', measure: 'processor', limit: { full: 30, short: 200 } };
const jobs: Stated = {
  name: 'jobs',
  floor: 'a bare queue',
  measure: 'clock',
  limit: { full: undefined, short: undefined },
};
const stated = new Map([page, jobs].map((one) => [one.name, one]));

describe('a number that was measured', () => {
  test.each([
    ['at its limit', 30, false],
    ['over its limit', 30.01, true],
    ['no number', Number.NaN, true],
  ])('%s', (_, ratio, isOver) => {
    expect(judge({ name: 'page', ratio }, stated, 'full').isOver).toBe(isOver);
  });

  test('has limits of its own in the short form', () => {
    expect(judge({ name: 'page', ratio: 100 }, stated, 'short').isOver).toBe(false);
    expect(judge({ name: 'page', ratio: 201 }, stated, 'short').isOver).toBe(true);
  });

  test('without a limit is over when there is no number', () => {
    expect(judge({ name: 'jobs', ratio: 900 }, stated, 'full').isOver).toBe(false);
    expect(judge({ name: 'jobs', ratio: Number.NaN }, stated, 'full').isOver).toBe(true);
  });

  test('that docs/develop/speed.md does not have is refused', () => {
    expect(() => judge({ name: 'unheard of', ratio: 1 }, stated, 'full')).toThrow('docs/develop/speed.md');
  });
});

test('the table marks what is over, and shows what was measured beside it', () => {
  const judged = [
    judge({ name: 'page', ratio: 65.754, peers: { 'another page': 12 } }, stated, 'full'),
    judge({ name: 'jobs', ratio: 0.5 }, stated, 'full'),
  ];
  expect(tableOf(judged, 'full').split('\n')).toEqual([
    '                  measured in  ratio  limit        over',
    'page              processor    65.75  30.00  OVER  a bare page',
    '    another page               12.00',
    'jobs              clock         0.50               a bare queue',
  ]);
});

test('a number with a limit that was not measured is named', () => {
  expect(notMeasured([], stated, 'full')).toEqual(['page']);
  expect(notMeasured([judge({ name: 'page', ratio: 2 }, stated, 'full')], stated, 'full')).toEqual([]);
});

test('docs/develop/speed.md states what each number is over, and no limit is looser than what was promised', () => {
  const limits = new Map([...statedNumbers().values()].map(({ name, limit }) => [name, limit.full]));
  const promised = {
    'one chart of 20 KiB': 2,
    'Synthea-shaped, 20 KiB': 2.5,
    'one chart of 4 KiB': 6,
    'bundles of 1 to 5 MB, --fast': 0.3,
    'bundles of 1 to 5 MB': 1.5,
    'map of an export, two workers, an order for every patient': 2,
    'map of an export, two workers, an order for one patient in five': 0.8,
    'two workers over what is asked of them, an order for every patient': 1,
    'two workers over what is asked of them, an order for one patient in five': 1,
    'peak memory, 1,000,000 patients over 20,000': 1.5,
    'peak memory, an order for every patient': 1,
    'map --help': 5,
    'npm start, first start, processor time': 0.5,
    'npm start, first start, memory': 0.5,
    'review page': 30,
    'launch to draft, 50 ms an answer': 1,
    'launch to draft, 150 ms an answer': 1,
    'launch to draft, 600 ms an answer': 1,
    'first page of a worklist': 4,
  };
  for (const [name, limit] of Object.entries(promised)) expect(limits.get(name), name).toBeLessThanOrEqual(limit);
});
