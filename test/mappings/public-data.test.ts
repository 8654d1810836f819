import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { type Entry, readBundle } from '../../src/core/fhir/bundle.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { chartsOf } from '../support/charts-of.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';

const root = publicData();
const sets = hasPublicData
  ? readdirSync(root, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  : [];
const now = new Date('2026-11-21T15:00:00Z');

describe.skipIf(sets.length === 0)('public FHIR data', () => {
  test.each(sets)('every medication order of %s gets a result or a reason', (set) => {
    const orders = poolsOf(join(root, set)).flatMap((pool) =>
      chartsOf(pool, { roles: mappings.roles, now, site: { country: 'USA' } }),
    );
    for (const { chart, fits, reason, order } of orders) {
      expect(order).toMatch(/^MedicationRequest\/.+|^urn:uuid:.+/);
      expect(reason).not.toBe('');
      expect(chart !== undefined).toBe(fits);
      if (chart === undefined) continue;
      const result = runMapping(priorAuth, chart);
      const blocked = result.gaps.some(({ severity }) => severity === 'blocks');
      expect(result.status).toBe(blocked ? 'incomplete' : 'complete');
    }
  });
});

describe.skipIf(!sets.includes('synthea-smart-r4'))('Synthea', () => {
  test('active orders give drafts whose gaps are what the data lacks', () => {
    const orders = poolsOf(join(root, 'synthea-smart-r4')).flatMap((pool) =>
      chartsOf(pool, { roles: mappings.roles, now, site: { country: 'USA' } }),
    );
    const results = orders.flatMap(({ chart }) => (chart === undefined ? [] : [runMapping(priorAuth, chart)]));
    expect(orders.length).toBe(148);
    expect(results.length).toBe(30);
    // Synthea has no dispenseRequest, no directions, no coverage, no ICD-10-CM codes and NPIs that are record numbers.
    for (const { gaps } of results) {
      const blocking = gaps.filter(({ severity }) => severity === 'blocks').map(({ target }) => target);
      expect(blocking).toEqual(
        expect.arrayContaining([
          'diagnoses',
          'prescription.quantity',
          'prescription.directions',
          'prescription.dispense_unit',
          'provider.npi',
          'insurance_content.member_number',
        ]),
      );
      // some of its patients have died
      const asked = gaps.filter(({ severity, target }) => severity === 'blocks' && target.startsWith('patient'));
      expect(asked.map(({ why }) => why).filter((why) => why !== 'deceased')).toEqual([]);
    }
    expect([...new Set(orders.filter(({ fits }) => !fits).map(({ reason }) => reason))]).toEqual(['it is stopped']);
  });
});

/** A bundle is a pool of its own; single resources and bulk lines of a set are one. What is no JSON is no FHIR. */
function poolsOf(folder: string): Entry[][] {
  const single: Entry[] = [];
  const bundles: Entry[][] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(nd)?json$/.test(name),
  )) {
    for (const json of documentsOf(join(folder, file))) {
      const { entries } = readBundle(json);
      if (typeof json === 'object' && json !== null && 'resourceType' in json && json.resourceType === 'Bundle')
        bundles.push([...entries]);
      else single.push(...entries);
    }
  }
  return [...bundles, single];
}

function documentsOf(path: string): unknown[] {
  const text = readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  const parts = path.endsWith('.ndjson') ? text.split('\n').filter((line) => line.trim() !== '') : [text];
  return parts.flatMap((part) => {
    try {
      return [JSON.parse(part) as unknown];
    } catch {
      return [];
    }
  });
}
