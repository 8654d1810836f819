import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';
import { judgeOutcome } from './laws.ts';
import { mapFixture, mapFolder } from './product.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');
const sets = hasPublicData
  ? readdirSync(publicData(), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  : [];

test('the laws that hold for any chart hold for every mapping case', async () => {
  const broken: string[] = [];
  for (const fixture of listFixtures(root).map(loadFixture)) {
    const outcome = await mapFixture(fixture);
    if (outcome === undefined) continue;
    for (const [law, detail] of judgeOutcome(outcome, fixture.entries, fixture.request.site))
      broken.push(`${fixture.name}: ${law}: ${detail}`);
  }
  expect(broken).toEqual([]);
});

describe.skipIf(sets.length === 0)('the laws that hold for any chart hold for public FHIR data', () => {
  test.each(sets)('%s', async (set) => {
    const broken: string[] = [];
    for await (const { outcome, entries } of mapFolder(publicData(set)))
      for (const [law, detail] of judgeOutcome(outcome, entries, { country: 'USA' }))
        broken.push(`${outcome.order}: ${law}: ${detail}`);
    expect(broken).toEqual([]);
  });
});
