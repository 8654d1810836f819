import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { type Fixture, listFixtures, loadFixture, runFixture } from '../../src/dev/kit/fixture.ts';

const folders = listFixtures(join(import.meta.dirname, '..', '..', 'fixtures', 'charts'));

/** The same entries, dealt in another order that depends on nothing but `step`. */
function dealt<Item>(items: readonly Item[], step: number): Item[] {
  const left = [...items];
  const out: Item[] = [];
  for (let at = step; left.length > 0; at += step) out.push(...left.splice(at % left.length, 1));
  return out;
}

// Each chart in one of them: the laws compare the sources too, of many charts in two orders.
const orders = [
  (entries: Fixture['entries']) => entries.toReversed(),
  (entries: Fixture['entries']) => dealt(entries, 3),
  (entries: Fixture['entries']) => dealt(entries, 7),
];

test('the same chart in another entry order becomes what it becomes in its own', async () => {
  const different: string[] = [];
  for (const [index, folder] of folders.entries()) {
    const fixture = loadFixture(folder);
    const entries = orders[index % orders.length]?.(fixture.entries) ?? [];
    const { diffs } = await runFixture({ ...fixture, entries }, mappings);
    different.push(...diffs.map(({ path }) => `${fixture.name}: ${path}`));
  }
  expect(different).toEqual([]);
});

test('a chart that is read twice gives the same result twice', async () => {
  for (const folder of folders.slice(0, 20)) {
    const once = JSON.stringify((await runFixture(loadFixture(folder), mappings)).actual);
    expect(JSON.stringify((await runFixture(loadFixture(folder), mappings)).actual)).toBe(once);
  }
});
