import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { indexChart } from '../../src/core/fhir/references/graph.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { ordersIn } from '../../src/core/roles/select.ts';

const base = join(import.meta.dirname, '../../fixtures/charts/everything-in-the-chart-is-complete/bundle.json');

// The chart orders tofacitinib as tablets of 5 mg.
function saidOfDose(milligrams: number): readonly string[] {
  const bundle = JSON.parse(readFileSync(base, 'utf8'));
  const doseQuantity = { value: milligrams, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' };
  for (const { resource } of bundle.entry)
    if (resource.resourceType === 'MedicationRequest')
      resource.dosageInstruction = [
        {
          text: `Take ${milligrams} mg by mouth once daily`,
          timing: { repeat: { frequency: 1, period: 1, periodUnit: 'd' } },
          doseAndRate: [{ doseQuantity }],
        },
      ];
  const now = new Date('2026-11-20T12:00:00Z');
  const site = { country: 'USA', diagnoses: 'accept-single' } as const;
  const [order] = ordersIn(indexChart(readBundle(bundle).entries), { roles: mappings.roles, now, site });
  if (order === undefined) throw new Error('the chart has an order');
  return runMapping(priorAuth, order.chart).gaps.map(({ message }) => message);
}

const warning = 'One dose is more than twelve tablets or capsules.';

test('a dose in milligrams that makes more than twelve tablets is warned of', () => {
  expect(saidOfDose(65)).toContain(warning);
  expect(saidOfDose(60)).not.toContain(warning);
});
