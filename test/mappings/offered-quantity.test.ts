import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { priorAuthCurrent } from '../../mappings/prior-auth-current.ts';
import { readBundle } from '../../src/core/fhir/bundle.ts';
import { indexChart } from '../../src/core/fhir/references/graph.ts';
import { runMapping } from '../../src/core/mapping/run/run.ts';
import { ordersIn } from '../../src/core/roles/select.ts';

// A quantity that the bridge does not send by itself is offered to the person who is asked for one.

const base = join(import.meta.dirname, '../../fixtures/charts/everything-in-the-chart-is-complete/bundle.json');

function mappedWith(dispenseRequest: object, mapping: typeof priorAuth) {
  const bundle = JSON.parse(readFileSync(base, 'utf8'));
  for (const { resource } of bundle.entry)
    if (resource.resourceType === 'MedicationRequest') resource.dispenseRequest = dispenseRequest;
  const now = new Date('2026-11-20T12:00:00Z');
  const site = { country: 'USA', diagnoses: 'accept-single' } as const;
  const [order] = ordersIn(indexChart(readBundle(bundle).entries), { roles: mappings.roles, now, site });
  if (order === undefined) throw new Error('the chart has an order');
  return runMapping(mapping, order.chart);
}

const current = priorAuthCurrent as unknown as typeof priorAuth; // both have a quantity under prescription

test.each([
  ['the interface document', priorAuth],
  ['the service as it is', current],
])('a limit and a first fill are offered by the contract of %s, and not sent', (_, mapping) => {
  const limit = { value: 90, comparator: '<=', unit: 'tablet' };
  const { gaps } = mappedWith({ quantity: limit, initialFill: { quantity: { value: 30, unit: 'tablet' } } }, mapping);
  const asked = gaps.find(({ target }) => target === 'prescription.quantity');
  expect(asked).toMatchObject({ severity: 'blocks', reason: 'missing' });
  expect(asked?.options).toMatchObject([
    { value: '90', reason: 'not certain: the order gives a limit, not an amount' },
    { value: '30', reason: 'not certain: the quantity of the first fill' },
  ]);
});
