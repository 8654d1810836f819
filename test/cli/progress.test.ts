import { expect, test } from 'vitest';
import type { RunProgress } from '../../src/batch/run.ts';
import { progressLines } from '../../src/cli/progress.ts';

const mapping = { step: 'mapping', files: 4, of: 4 } as const;

/** What each step says, at its second. */
function said(steps: readonly (readonly [second: number, progress: RunProgress])[]): string[] {
  const lineOf = progressLines();
  return steps.map(([second, progress]) => lineOf(progress, second * 1000));
}

test('while files are read it says how many; then the part mapped, orders, rate and time left', () => {
  expect(
    said([
      [1, { step: 'reading', files: 2, of: 4, orders: 0, done: 0 }],
      [10, { ...mapping, orders: 0, done: 0 }],
      [20, { ...mapping, orders: 8000, done: 0.25 }],
      [30, { ...mapping, orders: 16_000, done: 0.5 }],
    ]),
  ).toEqual([
    '2 of 4 files read',
    '0% mapped, 0 orders',
    '25% mapped, 8,000 orders, 800 a second, 30 s left',
    '50% mapped, 16,000 orders, 800 a second, 20 s left',
  ]);
});

test('what a stopped run had done took this run no time', () => {
  const lines = said([
    [2, { ...mapping, orders: 60_000, done: 0.75 }],
    [12, { ...mapping, orders: 64_000, done: 0.8 }],
  ]);
  // a twentieth in ten seconds: four more twentieths
  expect(lines).toEqual(['75% mapped, 60,000 orders', '80% mapped, 64,000 orders, 400 a second, 40 s left']);
});

test('a long time left is told in minutes', () => {
  const lines = said([
    [0, { ...mapping, orders: 0, done: 0 }],
    [60, { ...mapping, orders: 600, done: 0.1 }],
  ]);
  expect(lines[1]).toBe('10% mapped, 600 orders, 10 a second, 9 min left');
});
