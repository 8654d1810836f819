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
  return firstOrder(bundle).chart;
}

function firstOrder(bundle: unknown) {
  const now = new Date('2026-11-20T12:00:00Z');
  const site = { country: 'USA', diagnoses: 'accept-single' } as const;
  const [order] = ordersIn(indexChart(readBundle(bundle).entries), { roles: mappings.roles, now, site });
  if (order === undefined) throw new Error('the chart has an order');
  return order;
}

// "81" and "82" are self-pay and no charge in the Source of Payment Typology.
test.each(['pay', '81', '82', 'SELFPAY'])('a coverage of the type %s is no plan', (code) => {
  const choice = chartWith((coverage) => {
    coverage.type = { coding: [{ code }] };
  }).choice('coverage');
  expect(choice?.chosen).toBeUndefined();
  expect(choice?.candidates).toMatchObject([{ fits: false, reason: 'it is self-pay' }]);
});

// HL7 v3 ActCode and Source of Payment Typology.
test.each([
  ['MEDICAID', 1],
  ['SUBSIDIZ', 1],
  ['2', 1],
  ['21', 1],
  ['211', 1],
  ['EHCPOL', 0],
])('which plan pays is asked beside a coverage of the type %s: %i', (code, asked) => {
  const bundle = JSON.parse(readFileSync(base, 'utf8'));
  const { resource: plan } = bundle.entry.find(
    ({ resource }: { resource: Coverage }) => resource.resourceType === 'Coverage',
  );
  // The other is marked as a pharmacy benefit, and would be chosen for it.
  const last = { ...plan, id: 'last', type: { coding: [{ code }] } };
  Object.assign(plan, { order: 1, type: { coding: [{ code: 'EHCPOL' }] }, class: [] });
  bundle.entry.push({ fullUrl: 'https://ehr.example.org/fhir/Coverage/last', resource: last });
  const { chart } = firstOrder(bundle);
  expect(chart.choice('coverage')?.candidates).toHaveLength(2);
  const questions = chart.questions(['coverage']).filter(({ message }) => message.startsWith('Medicaid pays after'));
  expect(questions).toHaveLength(asked);
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
