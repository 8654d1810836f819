import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { loadBases } from '../laws/bases.ts';
import { changes } from '../laws/changes/index.ts';
import { pairs } from '../laws/generator.ts';
import { type Entries, toldOf } from './told.ts';
import { compareAll, toldPlainly } from './told-plainly.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');
const cases = listFixtures(root).map((folder) => loadFixture(folder).entries);
const generated = Array.from(
  pairs(loadBases(), changes, { count: 600, seed: 20261122 }),
  ({ draft }) => draft.entries as Entries,
);

test('the plain engine gives the bytes of the generated one for every case and 600 generated charts, each alone', () => {
  const charts = [...cases, ...generated];
  expect(compareAll(charts.map(toldOf), toldPlainly(charts))).toBeGreaterThan(1_000);
});
