import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { loadBases } from '../laws/bases.ts';
import { changes } from '../laws/changes/index.ts';
import { pairs } from '../laws/generator.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';
import { type Entries, toldOf, toldTogether } from './told.ts';
import { compareAll, toldPlainly } from './told-plainly.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

const cases = listFixtures(root).map((folder) => loadFixture(folder).entries);
const generated = Array.from(
  pairs(loadBases(), changes, { count: 100, seed: 20261122 }),
  ({ draft }) => draft.entries as Entries,
);
const published = hasPublicData ? filesIn(publicData()).flatMap(entriesOf) : [];

let plainly: string[][];
beforeAll(() => {
  // One process: to start it takes as long as to map a hundred charts.
  plainly = toldPlainly([...cases, ...generated, ...published]);
});

describe('the plain engine gives the bytes of the generated one: body, gaps with looks, provenance', () => {
  test('for every mapping case that the generated one maps together with others', () => {
    expect(compareAll(toldTogether(cases), plainly.slice(0, cases.length))).toBeGreaterThan(500);
  });

  // The long tests take every case alone, and more charts.
  test('for generated charts of two changes, each alone', () => {
    const plain = plainly.slice(cases.length, cases.length + generated.length);
    expect(compareAll(generated.map(toldOf), plain)).toBeGreaterThan(90);
  });

  test.skipIf(!hasPublicData)('for public FHIR data', () => {
    const plain = plainly.slice(cases.length + generated.length);
    expect(compareAll(published.map(toldOf), plain)).toBeGreaterThan(50);
  });
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
