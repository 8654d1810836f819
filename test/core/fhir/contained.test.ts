import { join } from 'node:path';
import type { Medication, MedicationRequest, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { type Fixture, loadFixture, runFixture } from '../../../src/dev/kit/fixture.ts';

const orderOf = (reference: string, ...contained: readonly Medication[]): MedicationRequest => ({
  resourceType: 'MedicationRequest',
  id: 'r1',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p1' },
  medicationReference: { reference },
  contained: [...contained],
});
const medication = (id: string): Medication => ({ resourceType: 'Medication', id });
const resolved = (order: MedicationRequest, ...others: readonly Resource[]) => {
  const graph = indexChart([order, ...others]);
  const found = graph.resolve(order.medicationReference, graph.find('MedicationRequest/r1'));
  // what is told by its name is found by it
  return found === undefined ? undefined : graph.find(found.reference);
};

describe('[K15] the mark of a reference to what is contained', () => {
  const forms = ['#m1', 'm1', '##m1', ' #m1 '].flatMap((reference) => ['m1', '#m1'].map((id) => [reference, id]));

  test.each(forms)('%j leads to the contained id %j', (reference = '', id = '') => {
    const inner = medication(id);
    expect(resolved(orderOf(reference, medication('other'), inner))).toEqual({
      resource: inner,
      reference: 'Medication/m1 in MedicationRequest/r1',
    });
  });

  const unclear: readonly [string, MedicationRequest, readonly Resource[]][] = [
    ['two that could be meant', orderOf('#m1', medication('m1'), medication('#m1')), []],
    ['another id', orderOf('#m1', medication('#m2')), []],
    ['no id', orderOf('#undefined', { resourceType: 'Medication' }), []],
    ['a resource of the chart, without its type', orderOf('m1'), [medication('m1')]],
  ];
  test.each(unclear)('%s: it leads to nothing', (_, order, others) => {
    expect(resolved(order, ...others)).toBeUndefined();
  });

  test('what is at an address is meant before what is contained', () => {
    const outer = medication('m1');
    expect(resolved(orderOf('Medication/m1', medication('m1')), outer)?.resource).toBe(outer);
  });
});

describe('[K15] a mapping case with a contained Medication', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'charts', 'story-medication-contained');
  const fixture = loadFixture(folder);
  const written = (change: (text: string) => string): Fixture => ({
    ...fixture,
    entries: fixture.entries.map(({ resource, ...entry }) => ({
      ...entry,
      resource: JSON.parse(change(JSON.stringify(resource))),
    })),
  });
  const inner = fixture.entries.flatMap(({ resource }) => (resource as MedicationRequest).contained ?? [])[0]?.id ?? '';

  test.each([
    ['the mark in the id too', (text: string) => text.replaceAll(`"id":"${inner}"`, `"id":"#${inner}"`)],
    ['no mark', (text: string) => text.replaceAll(`"#${inner}"`, `"${inner}"`)],
  ])('says the same with %s', async (_, change) => {
    expect(written(change)).not.toEqual(fixture);
    expect((await runFixture(written(change), mappings)).actual).toEqual((await runFixture(fixture, mappings)).actual);
  });
});
