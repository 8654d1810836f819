import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { loadBases } from '../laws/bases.ts';
import { changes } from '../laws/changes/index.ts';
import { pairs } from '../laws/generator.ts';
import { type Entries, toldOf, toldTogether } from './told.ts';
import { compareAll, toldPlainly } from './told-plainly.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

const cases = listFixtures(root).map((folder) => loadFixture(folder).entries);
const generated = Array.from(
  pairs(loadBases(), changes, { count: 100, seed: 20261122 }),
  ({ draft }) => draft.entries as Entries,
);

let plainly: string[][];
beforeAll(() => {
  // One process: to start it takes as long as to map a hundred charts.
  plainly = toldPlainly([...cases, ...generated]);
});

describe('the plain engine gives the bytes of the generated one: body, gaps with looks, provenance', () => {
  test('for every mapping case that the generated one maps together with others', () => {
    expect(compareAll(toldTogether(cases), plainly.slice(0, cases.length))).toBeGreaterThan(500);
  });

  // The long tests take every case alone, more charts, and public data.
  test('for generated charts of two changes, each alone', () => {
    const plain = plainly.slice(cases.length);
    expect(compareAll(generated.map(toldOf), plain)).toBeGreaterThan(90);
  });
});
