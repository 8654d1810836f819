import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { loadBases } from '../laws/bases.ts';
import { changes } from '../laws/changes/index.ts';
import { pairs } from '../laws/generator.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';
import { type Entries, toldOf } from './told.ts';
import { compareAll, toldPlainly } from './told-plainly.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');
const cases = listFixtures(root).map((folder) => loadFixture(folder).entries);
const generated = Array.from(
  pairs(loadBases(), changes, { count: 600, seed: 20261122 }),
  ({ draft }) => draft.entries as Entries,
);

test('the plain engine gives the bytes of the generated one for every case and 600 generated charts, alone', () => {
  const charts = [...cases, ...generated];
  expect(compareAll(charts.map(toldOf), toldPlainly(charts))).toBeGreaterThan(1_000);
});

test.skipIf(!hasPublicData)('the plain engine gives the bytes of the generated one for public FHIR data', () => {
  const charts = filesIn(publicData()).flatMap(entriesOf);
  expect(compareAll(charts.map(toldOf), toldPlainly(charts))).toBeGreaterThan(50);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).size < 5_000_000);
}

function entriesOf(file: string): Entries[] {
  try {
    return [readBundle(JSON.parse(readFileSync(file, 'utf8'))).entries];
  } catch {
    return []; // some files of the public sets are no JSON on purpose
  }
}
