import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { indexChart } from '../../src/core/fhir/references/graph.ts';
import { ordersIn } from '../../src/core/roles/select.ts';

const base = join(import.meta.dirname, '../../fixtures/charts/everything-in-the-chart-is-complete/bundle.json');

/** The whole chart, with its one coverage changed. */
function chartWith(change: (coverage: Coverage) => void) {
  const bundle = JSON.parse(readFileSync(base, 'utf8'));
  for (const { resource } of bundle.entry) if (resource.resourceType === 'Coverage') change(resource);
  const now = new Date('2026-11-20T12:00:00Z');
  const site = { country: 'USA', diagnoses: 'accept-single' } as const;
  const [order] = ordersIn(indexChart(readBundle(bundle).entries), { roles: mappings.roles, now, site });
  if (order === undefined) throw new Error('the chart has an order');
  return order.chart;
}

// "81" and "82" are self-pay and no charge in the Source of Payment Typology.
test.each(['pay', '81', '82', 'SELFPAY'])('a coverage of the type %s is no plan', (code) => {
  const choice = chartWith((coverage) => {
    coverage.type = { coding: [{ code }] };
  }).choice('coverage');
  expect(choice?.chosen).toBeUndefined();
  expect(choice?.candidates).toMatchObject([{ fits: false, reason: 'it is self-pay' }]);
});

test('a number of the card that carries a modifier is not taken for the number', () => {
  const found = (modifierExtension: object) =>
    chartWith((coverage) => {
      for (const one of coverage.class ?? []) if (one.value === '012345') Object.assign(one, modifierExtension);
    })
      .root('rxBin')
      .nodes.map(({ value }) => Reflect.get(Object(value), 'value'));
  expect(found({})).toEqual(['012345']);
  expect(found({ modifierExtension: [{ url: 'https://ehr.example/former', valueBoolean: true }] })).toEqual([]);
});
