import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { mappingKinds } from '../../src/core/contract/kinds.ts';
import { formatDiff } from '../../src/core/mapping/diff.ts';
import { type Fixture, type FixtureResult, listFixtures, loadFixture, runFixture } from '../../src/dev/kit/fixture.ts';
import { sortedText } from '../../src/dev/kit/recorded.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');
const folders = listFixtures(root);
const cases = folders.map(loadFixture);
/** What was found of each case by the first test that needed it. */
const results = new Map<string, FixtureResult>();

async function resultOf(fixture: Fixture): Promise<FixtureResult> {
  const result = results.get(fixture.name) ?? (await runFixture(fixture, mappings));
  results.set(fixture.name, result);
  return result;
}

describe('a chart of fixtures/charts becomes what was worked out by hand', () => {
  test.each(cases.map((fixture) => [fixture.name, fixture] as const))('%s', async (_name, fixture) => {
    const result = await resultOf(fixture);
    const told = result.diffs.map((diff) => `${diff.file}\n${formatDiff([diff])}`).join('\n');
    expect(told).toBe('');
    expect(result.ok).toBe(true);
  });
});

test('there are at least eighty cases, and every one states what must come out', () => {
  expect(folders.length).toBeGreaterThanOrEqual(80);
  expect(cases.filter(({ expected }) => Object.keys(expected).length === 0)).toEqual([]);
});

test('every case with an order is compared through both mappings: messages, options, warnings, choices', async () => {
  const without: string[] = [];
  for (const fixture of cases) {
    const { actual } = await resultOf(fixture);
    if (actual.recorded !== undefined && fixture.recorded === undefined) without.push(fixture.name);
  }
  expect(without).toEqual([]);
});

test('a case has its chart and at most four files beside it', () => {
  const beside = ['request.json', 'expected.json', 'recorded.json', 'why.md'];
  const others = folders.flatMap((folder) => {
    const found = readdirSync(folder).filter((file) => !beside.includes(file));
    return found.length === 1 && /^(bundle|change)\.json$/.test(found[0]!) ? [] : [`${basename(folder)}: ${found}`];
  });
  expect(others).toEqual([]);
});

test('a recording repeats nothing that its case states', () => {
  const repeated = cases.flatMap(({ name, expected, recorded = {} }) => {
    const all = recorded as Record<string, { body?: unknown; gaps?: Record<string, object> }>; // as it is written
    const places = mappingKinds.flatMap((kind) => {
      const { body, gaps } = expected[kind] ?? {};
      const ofGaps = (gaps ?? []).flatMap((gap) =>
        Object.keys(all[kind]?.gaps?.[gap.target] ?? {}).filter((key) => Object.hasOwn(gap, key)),
      );
      return body !== undefined && all[kind]?.body !== undefined ? ['body', ...ofGaps] : ofGaps;
    });
    if (expected.chart !== undefined && all.warnings !== undefined) places.push('warnings');
    return places.map((place) => `${name}: ${place}`);
  });
  expect(repeated).toEqual([]);
});

test('the keys of a recording are sorted', () => {
  const recordings = folders.map((folder) => join(folder, 'recorded.json')).filter((file) => existsSync(file));
  const other = recordings.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return sortedText(JSON.parse(text)) !== text;
  });
  expect(recordings.length).toBeGreaterThan(600);
  expect(other).toEqual([]);
});
