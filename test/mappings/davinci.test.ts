import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { type Entry, readBundle } from '../../src/core/fhir/bundle.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { selectChart } from '../../src/core/roles/select.ts';
import { hasPublicData, publicData } from '../support/public-data.ts';
import { expectations } from './davinci.expected.ts';

const folder = publicData('davinci-test-ehr');

describe.skipIf(!hasPublicData)('the orders of pat014 in the Da Vinci test EHR data', () => {
  const entries: Entry[] = hasPublicData
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .flatMap((file) => readBundle(JSON.parse(readFileSync(join(folder, file), 'utf8'))).entries)
    : [];

  test.each(Object.entries(expectations))(
    '%s gives every value and gap that was read from the source by hand',
    (order, { draft, gaps }) => {
      const chart = selectChart(entries, {
        roles: mappings.roles,
        order,
        now: new Date('2026-11-21T15:00:00Z'),
        site: { country: 'USA', diagnoses: 'ask' },
      });
      const result = runMapping(priorAuth, chart);
      expect(result.status).toBe('incomplete');
      expect('draft' in result && result.draft).toEqual(draft);
      const found = result.gaps.map(({ target, severity, reason }) => ({ target, severity, reason }));
      expect(found.sort((left, right) => left.target.localeCompare(right.target))).toEqual(gaps);
    },
  );

  test('the stated reason is named with its own words, and no other problem stands in for it', () => {
    const chart = selectChart(entries, {
      roles: mappings.roles,
      order: 'MedicationRequest/pat014-mr-azathioprine',
      now: new Date('2026-11-21T15:00:00Z'),
      site: {},
    });
    const asked = runMapping(priorAuth, chart).gaps.find(({ target }) => target === 'diagnoses');
    expect(asked?.message).toContain('Systemic lupus erythematosus glomerulonephritis syndrome');
    expect(asked?.message).toContain('SNOMED CT only');
    expect(chart.root('diagnosis').nodes).toEqual([]);
  });
});
