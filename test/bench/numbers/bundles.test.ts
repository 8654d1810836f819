import { describe, expect, test } from 'vitest';
import { tableOf } from '../rounds.ts';
import { worst } from './bundles.ts';

describe('the worst ratio of the tables of bundles', () => {
  const timing = (name: string, milliseconds: number, ratio: number) => ({
    name,
    milliseconds,
    ratio,
    spread: [ratio, ratio] as const,
  });
  const tables = [
    tableOf('bundles of 3 MB', [timing('all of it parsed', 314.6, 1.06), timing('--fast', 22, 0.15)]),
    tableOf('bundles of 5 MB', [timing('all of it parsed', 336.6, 1.47), timing('--fast', 33, 0.14)]),
    tableOf('Synthea, 5 MB', [timing('Synthea, all of it parsed', 1184.8, 1.14), timing('Synthea, --fast', 62, 0.34)]),
  ].join('\n');

  test.each([
    ['all of it parsed', 1.47],
    ['--fast', 0.15],
    ['Synthea, all of it parsed', 1.14],
    ['Synthea, --fast', 0.34],
  ])('of "%s" is %d, not milliseconds and not of another name', (name, ratio) => {
    expect(worst(tables, name)).toBe(ratio);
  });

  test('of a name that no line has is an error, not a number under every limit', () => {
    expect(() => worst(tables, 'all of it')).toThrow('no line of the tables is named "all of it"');
  });
});
