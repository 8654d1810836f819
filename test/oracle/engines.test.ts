import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { enrollment } from '../../mappings/enrollment.ts';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import type { MappingResult } from '../../src/core/mapping/result.ts';
import { runMapping, runMappings } from '../../src/core/mapping/run/run.ts';
import type { Mapping } from '../../src/core/mapping/words/define.ts';
import type { Chart } from '../../src/core/roles/chart.ts';
import { fillTogether } from '../../src/core/roles/fill-together.ts';
import { listFixtures, loadFixture } from '../../src/dev/kit/fixture.ts';
import { loadBases } from '../laws/bases.ts';
import { changes } from '../laws/changes/index.ts';
import { pairs } from '../laws/generator.ts';
import { chartsOf } from '../support/charts-of.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';
import { runInterpreted } from './run-interpreted.ts';

/** The mapping is compiled; the oracle walks the trees of the same expressions and the same plan. */

const now = new Date('2026-11-21T15:00:00Z');
const site = { country: 'USA', diagnoses: 'ask' } as const;
const request = { roles: mappings.roles, now, site };
const root = join(import.meta.dirname, '..', '..', 'fixtures', 'charts');

function textOf<T>(result: MappingResult<T>): string {
  const { gaps, provenance } = result;
  return JSON.stringify({ body: result.status === 'complete' ? result.body : result.draft, gaps, provenance });
}

function compiled<T>(mapping: Mapping<T>, chart: Chart): string {
  return textOf(runMapping(mapping, chart));
}

/** How many results were compared. */
function compareAll(entries: Parameters<typeof chartsOf>[0]): number {
  let count = 0;
  for (const { chart } of chartsOf(entries, request)) {
    if (chart === undefined) continue;
    expect(compiled(priorAuth, chart)).toBe(JSON.stringify(runInterpreted(priorAuth, chart)));
    expect(compiled(enrollment, chart)).toBe(JSON.stringify(runInterpreted(enrollment, chart)));
    count += 2;
  }
  return count;
}

interface Twice {
  readonly chart: Chart;
  /** The same, with no role filled. */
  readonly alone: Chart;
}

function compareTogether<T>(mapping: Mapping<T>, charts: readonly Twice[]): void {
  const all = charts.map(({ chart }) => chart);
  fillTogether(all, mappings.roles.closureOf(mapping.plan.roles));
  expect(runMappings(mapping, all).map(textOf)).toEqual(
    charts.map(({ alone }) => JSON.stringify(runInterpreted(mapping, alone))),
  );
}

describe('the compiled engine gives the bytes of the interpreted one: body, gaps with looks, provenance', () => {
  test('for every mapping case', () => {
    const count = listFixtures(root).reduce((all, folder) => all + compareAll(loadFixture(folder).entries), 0);
    expect(count).toBeGreaterThan(500);
  });

  // `map` takes several orders in one go
  test('for every mapping case, mapped together with others', () => {
    const charts = listFixtures(root).flatMap((folder) => {
      const alone = chartsOf(loadFixture(folder).entries, request).flatMap(({ chart }) => chart ?? []);
      const together = chartsOf(loadFixture(folder).entries, request).flatMap(({ chart }) => chart ?? []);
      return together.flatMap((chart, at) => {
        const other = alone[at];
        return other === undefined ? [] : [{ chart, alone: other }];
      });
    });
    compareTogether(priorAuth, charts);
    compareTogether(enrollment, charts);
    expect(charts.length).toBeGreaterThan(250);
  });

  test('for generated charts of two changes', () => {
    let count = 0;
    for (const { draft } of pairs(loadBases(), changes, { count: 600, seed: 20261122 }))
      count += compareAll(draft.entries);
    expect(count).toBeGreaterThan(500);
  });

  test.skipIf(!hasPublicData)('for public FHIR data', () => {
    const count = filesIn(publicData()).reduce((all, file) => all + compareFile(file), 0);
    expect(count).toBeGreaterThan(50);
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).size < 5_000_000);
}

function compareFile(file: string): number {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return 0; // some files of the public sets are no JSON on purpose
  }
  return compareAll(readBundle(json).entries);
}
