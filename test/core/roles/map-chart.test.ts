import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { priorAuth, roles } from '../../../mappings/index.ts';
import { readBundle } from '../../../src/core/fhir/bundle.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { mapChart } from '../../../src/core/roles/map-chart.ts';
import { candidateOrders, selectChart } from '../../../src/core/roles/select.ts';

type Bundle = { entry: { resource?: object; fullUrl?: string; request?: object }[] };

const file = join(import.meta.dirname, '../../../docs/mapping/examples/bundle.json');
const bundle = (): Bundle => JSON.parse(readFileSync(file, 'utf8'));
const now = new Date('2026-11-21T15:00:00Z');
const site = { country: 'USA' } as const;
const options = { mapping: priorAuth, roles, now, site };

test('each candidate of a bundle is mapped, the other orders say why they are none', () => {
  const { orders, issues } = mapChart(bundle(), options);
  expect(orders.map(({ order, fits, result }) => [order, fits, result?.status])).toEqual([
    ['MedicationRequest/m1', true, 'incomplete'],
    ['MedicationRequest/m2', false, undefined],
  ]);
  expect(orders[1]?.reason).toContain('stopped');
  expect(issues).toEqual([]);
});

test('it is the one way: what selecting and mapping by hand gives', () => {
  const { entries } = readBundle(bundle());
  const [mapped] = mapChart(bundle(), options).orders;
  const result = runMapping(priorAuth, selectChart(entries, { roles, now, site, order: 'MedicationRequest/m1' }));
  expect(JSON.stringify(mapped?.result)).toBe(JSON.stringify(result));
  expect(candidateOrders(entries, { roles, now, site }).map(({ order }) => order)).toEqual([
    'MedicationRequest/m1',
    'MedicationRequest/m2',
  ]);
});

test('an order that is named is mapped alone, with what a person entered', () => {
  const edits = { 'prescription.quantity': 2 };
  const { orders } = mapChart(bundle(), { ...options, order: 'MedicationRequest/m1', edits });
  expect(orders).toHaveLength(1);
  expect(orders[0]?.result).toMatchObject({ draft: { prescription: { quantity: 2 } } });
});

test('one that is no candidate is mapped where it is named, and blocks', () => {
  const [stopped] = mapChart(bundle(), { ...options, order: 'MedicationRequest/m2' }).orders;
  expect(stopped).toMatchObject({ fits: false, result: { status: 'incomplete' } });
});

test('an order that is not there is refused', () => {
  expect(() => mapChart(bundle(), { ...options, order: 'MedicationRequest/9' })).toThrow('MedicationRequest/9');
  expect(() => mapChart(bundle(), { ...options, patient: 'Patient/other', order: 'MedicationRequest/m1' })).toThrow(
    'MedicationRequest/m1',
  );
});

test('what of the bundle cannot be read is an issue', () => {
  const { entry, ...rest } = bundle();
  const { orders, issues } = mapChart({ ...rest, entry: [...entry, {}] }, options);
  expect(orders).toHaveLength(2);
  expect(issues).toEqual([{ path: 'entry[4].resource', message: 'no resource' }]);
});

test('an order that the bundle itself says was deleted is not listed', () => {
  const { entry, ...rest } = bundle();
  const deletion = { request: { method: 'DELETE', url: 'MedicationRequest/m1' } };
  const { orders } = mapChart({ ...rest, entry: [...entry, deletion] }, options);
  expect(orders.map(({ order }) => order)).toEqual(['MedicationRequest/m2']);
});

test('a resource that is newer than its deletion stays', () => {
  const { entry, ...rest } = bundle();
  const renewed = entry.map((each) => ({
    ...each,
    resource: { ...each.resource, meta: { lastUpdated: '2026-11-20T12:00:00Z' } },
  }));
  const deletion = {
    request: { method: 'DELETE', url: 'MedicationRequest/m1' },
    response: { lastModified: '2026-11-19T12:00:00Z' },
  };
  const { orders } = mapChart({ ...rest, entry: [...renewed, deletion] }, options);
  expect(orders.map(({ order }) => order)).toContain('MedicationRequest/m1');
});

test('a deletion without an address deletes nothing where the bundle names several servers', () => {
  const { entry, ...rest } = bundle();
  const fullUrls = ['https://a.example/fhir/Patient/p1', 'https://a.example/fhir/MedicationRequest/m1'];
  const addressed = entry.map((each, at) => (at < 2 ? { ...each, fullUrl: fullUrls[at] } : each));
  const elsewhere = {
    fullUrl: 'https://b.example/fhir/Organization/o1',
    resource: { resourceType: 'Organization', id: 'o1' },
  };
  const deletion = { request: { method: 'DELETE', url: 'MedicationRequest/m1' } };
  const { orders } = mapChart({ ...rest, entry: [...addressed, elsewhere, deletion] }, options);
  expect(orders.map(({ order }) => order)).toContain('MedicationRequest/m1');
});
