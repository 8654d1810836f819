import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { loadBases } from '../laws/bases.ts';
import { changes } from '../laws/changes/index.ts';
import { pairs } from '../laws/generator.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';
import { type Entries, toldOf, toldTogether } from './told.ts';

const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

/** What a process tells of each chart that may not make functions of text. */
function toldPlainly(all: readonly Entries[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'plain-'));
  const [charts, told] = [join(folder, 'charts'), join(folder, 'told')];
  writeFileSync(charts, all.map((entries) => JSON.stringify(entries)).join('\n'));
  execFileSync(process.execPath, [
    '--disallow-code-generation-from-strings',
    '--experimental-transform-types',
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'tell-plainly.ts'),
    charts,
    told,
  ]);
  const lines = readFileSync(told, 'utf8').split('\n');
  rmSync(folder, { recursive: true });
  return lines.map((line) => JSON.parse(line) as string[]);
}

/** How many results were the same. */
function compareAll(told: readonly string[][], plainly: readonly string[][]): number {
  for (const [at, texts] of told.entries()) expect(texts).toEqual(plainly[at]);
  return told.flat().length;
}

const cases = listFixtures(root).map((folder) => loadFixture(folder).entries);
const generated = Array.from(
  pairs(loadBases(), changes, { count: 200, seed: 20261122 }),
  ({ draft }) => draft.entries as Entries,
);
const published = hasPublicData ? filesIn(publicData()).flatMap(entriesOf) : [];

let plainly: string[][];
beforeAll(() => {
  // One process: to start it takes as long as to map a hundred charts.
  plainly = toldPlainly([...cases, ...generated, ...published]);
});

describe('the plain engine gives the bytes of the generated one: body, gaps with looks, provenance', () => {
  test('for every mapping case, alone and where the generated one maps it together with others', () => {
    const plain = plainly.slice(0, cases.length);
    expect(compareAll(cases.map(toldOf), plain)).toBeGreaterThan(500);
    expect(compareAll(toldTogether(cases), plain)).toBeGreaterThan(500);
  });

  test('for generated charts of two changes', () => {
    const plain = plainly.slice(cases.length, cases.length + generated.length);
    expect(compareAll(generated.map(toldOf), plain)).toBeGreaterThan(180);
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
