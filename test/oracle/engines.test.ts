import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
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
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
  return readFileSync(told, 'utf8')
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);
}

/** How many results were the same. */
function compareAll(told: readonly string[][], plainly: readonly string[][]): number {
  for (const [at, texts] of told.entries()) expect(texts).toEqual(plainly[at]);
  return told.flat().length;
}

describe('the plain engine gives the bytes of the generated one: body, gaps with looks, provenance', () => {
  test('for every mapping case, alone and where the generated one maps it together with others', () => {
    const cases = listFixtures(root).map((folder) => loadFixture(folder).entries);
    const plainly = toldPlainly(cases);
    expect(compareAll(cases.map(toldOf), plainly)).toBeGreaterThan(500);
    expect(compareAll(toldTogether(cases), plainly)).toBeGreaterThan(500);
  });

  test('for generated charts of two changes', () => {
    const generated = pairs(loadBases(), changes, { count: 200, seed: 20261122 });
    const charts = Array.from(generated, ({ draft }) => draft.entries);
    expect(compareAll(charts.map(toldOf), toldPlainly(charts))).toBeGreaterThan(180);
  });

  test.skipIf(!hasPublicData)('for public FHIR data', () => {
    const charts = filesIn(publicData()).flatMap(entriesOf);
    expect(compareAll(charts.map(toldOf), toldPlainly(charts))).toBeGreaterThan(50);
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
