import { beforeAll, describe, expect, test } from 'vitest';
import { type Base, loadBases } from './bases.ts';
import { changes } from './changes/index.ts';
import { type Damaged, damagedCharts } from './damage.ts';
import { pairs, singles } from './generator.ts';
import { judge, type Law, laws, type Violation } from './laws.ts';
import { readingsOf } from './product.ts';

/**
 * The short form; `npm run proof -- laws` takes every base, ten thousand pairs and two hundred thousand damaged charts.
 */
const wholly = [
  'everything-in-the-chart-is-complete',
  'story-medication-contained',
  'vendor-us-core-7-0-role-with-location-and-a-self-reported-plan',
];
const [pairCount, damagedCount, seed] = [100, 400, 20261121];

const violations: Violation[] = [];
const damaged: Damaged[] = [];
let charts = 0;

beforeAll(async () => {
  const bases = await Promise.all(
    loadBases().map(async (base) => ({ ...base, readings: await readingsOf(base.open().entries) })),
  );
  const readings = (base: Base) => bases.find(({ name }) => name === base.name)?.readings ?? { texts: {}, images: {} };
  const some = bases.filter(({ name }) => wholly.includes(name));
  for (const one of [...singles(some, changes), ...pairs(bases, changes, { count: pairCount, seed })]) {
    charts += 1;
    violations.push(...judge(one, readings(one.base)));
  }
  damaged.push(...damagedCharts(bases, { count: damagedCount, seed }));
});

const names = Object.keys(laws) as Law[];

describe('charts with one or two changes', () => {
  test('they are several hundred', () => {
    expect(charts).toBeGreaterThan(700);
  });

  test.each(names.map((law) => [laws[law], law] as const))('%s', (_text, law) => {
    const broken = violations.filter((violation) => violation.law === law);
    const lines = broken.map(({ base, changes, detail }) => {
      const made = changes.map(({ about, name }) => `${about} ${name}`).join(' + ');
      return `${made || 'nothing'} on ${base}: ${detail}`;
    });
    expect(lines.slice(0, 40)).toEqual([]);
  });
});

describe('charts damaged at random', () => {
  test.each(names.map((law) => [laws[law], law] as const))('%s', (_text, law) => {
    const lines = damaged
      .filter((one) => one.law === law)
      .map(({ base, damage, detail }) => `${damage.join(', ')} on ${base}: ${detail}`);
    expect(lines.slice(0, 40)).toEqual([]);
  });
});
