import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { type Fixture, listFixtures, loadFixture, runFixture } from '../../src/proof/fixture.ts';

const folders = listFixtures(join(import.meta.dirname, '..', '..', 'fixtures', 'charts'));

/** The same entries, dealt in another order that depends on nothing but `step`. */
function dealt<Item>(items: readonly Item[], step: number): Item[] {
  const left = [...items];
  const out: Item[] = [];
  for (let at = step; left.length > 0; at += step) out.push(...left.splice(at % left.length, 1));
  return out;
}

test('the same chart in any entry order gives byte-equal results', async () => {
  const different: string[] = [];
  for (const folder of folders) {
    const fixture = loadFixture(folder);
    const told = async (changed: Fixture) => JSON.stringify((await runFixture(changed, mappings)).actual);
    const first = await told(fixture);
    const others = [fixture.entries.toReversed(), dealt(fixture.entries, 3), dealt(fixture.entries, 7)];
    const again = await Promise.all(others.map((entries) => told({ ...fixture, entries })));
    if (again.some((one) => one !== first)) different.push(fixture.name);
  }
  expect(different).toEqual([]);
});

test('a chart that is read twice gives the same result twice', async () => {
  for (const folder of folders.slice(0, 20)) {
    const once = JSON.stringify((await runFixture(loadFixture(folder), mappings)).actual);
    expect(JSON.stringify((await runFixture(loadFixture(folder), mappings)).actual)).toBe(once);
  }
});
