import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasPublicData, publicData } from '../support/public-data.ts';
import { judgeOutcome } from './laws.ts';
import { mapFolder } from './product.ts';

const sets = hasPublicData
  ? readdirSync(publicData(), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  : [];

describe.skipIf(sets.length === 0)('the laws that hold for any chart hold for public FHIR data', () => {
  test.each(sets)('%s', async (set) => {
    const broken: string[] = [];
    for await (const { outcome, entries } of mapFolder(publicData(set)))
      for (const [law, detail] of judgeOutcome(outcome, entries, { country: 'USA' }))
        broken.push(`${outcome.order}: ${law}: ${detail}`);
    expect(broken).toEqual([]);
  });
});
