import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { formatDiff } from '../../src/mapping/diff.ts';
import { listFixtures, loadFixture, runFixture } from '../../src/proof/fixture.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');
const folders = listFixtures(root);

describe('a chart of fixtures/charts becomes what was worked out by hand', () => {
  test.each(folders.map((folder) => [folder.slice(root.length + 1), folder] as const))('%s', async (_name, folder) => {
    const result = await runFixture(loadFixture(folder), mappings);
    const told = result.diffs.map((diff) => `${diff.file}\n${formatDiff([diff])}`).join('\n');
    expect(told).toBe('');
    expect(result.ok).toBe(true);
  });
});

test('there are at least eighty cases, and every one states what must come out', () => {
  expect(folders.length).toBeGreaterThanOrEqual(80);
  expect(folders.filter((folder) => Object.keys(loadFixture(folder).expected).length === 0)).toEqual([]);
});

test('every case with an order is compared through both mappings: messages, options, warnings, choices', async () => {
  const without: string[] = [];
  for (const fixture of folders.map(loadFixture)) {
    const { actual } = await runFixture(fixture, mappings);
    if (actual['recorded.json'] !== undefined && fixture.expected['recorded.json'] === undefined)
      without.push(fixture.name);
  }
  expect(without).toEqual([]);
});
