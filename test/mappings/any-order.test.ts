import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { type Fixture, listFixtures, loadFixture, runFixture } from '../../src/chart/fixture.ts';

const folders = listFixtures(join(import.meta.dirname, '..', '..', 'fixtures', 'charts'));

/** The same entries, dealt in another order that depends on nothing but `step`. */
function dealt<Item>(items: readonly Item[], step: number): Item[] {
  const left = [...items];
  const out: Item[] = [];
  for (let at = step; left.length > 0; at += step) out.push(...left.splice(at % left.length, 1));
  return out;
}

test('the same chart in any entry order gives byte-equal results', () => {
  const different: string[] = [];
  for (const folder of folders) {
    const fixture = loadFixture(folder);
    const told = (changed: Fixture) => JSON.stringify(runFixture(changed, mappings).actual);
    const first = told(fixture);
    const others = [fixture.entries.toReversed(), dealt(fixture.entries, 3), dealt(fixture.entries, 7)];
    if (others.some((entries) => told({ ...fixture, entries }) !== first)) different.push(fixture.name);
  }
  expect(different).toEqual([]);
});

test('a chart that is read twice gives the same result twice', () => {
  for (const folder of folders.slice(0, 20)) {
    const once = JSON.stringify(runFixture(loadFixture(folder), mappings).actual);
    expect(JSON.stringify(runFixture(loadFixture(folder), mappings).actual)).toBe(once);
  }
});
