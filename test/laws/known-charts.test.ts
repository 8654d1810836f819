import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { judgeOutcome } from './laws.ts';
import { mapFixture } from './product.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

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
