import type { Encounter, MedicationRequest } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { watchResources } from '../../../src/dev/kit/watch-resources.ts';

const order: MedicationRequest = {
  resourceType: 'MedicationRequest',
  id: 'm1',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p1' },
  encounter: { reference: 'Encounter/e1' },
  medicationCodeableConcept: { text: 'examplumab' },
};
const encounter: Encounter = { resourceType: 'Encounter', id: 'e1', status: 'finished', class: { code: 'AMB' } };

test('of a resource that a reference leads to, only what is read of it is noted, not the look at its form', () => {
  const watched = watchResources([{ resource: order }, { resource: encounter }]);
  watched.forget();
  const [found] = watched.graph.ofType('MedicationRequest');
  const visit = watched.graph.resolve(order.encounter, found);
  expect([...watched.read]).toEqual([]);
  expect(visit?.resource).toMatchObject({ status: 'finished' });
  expect([...watched.read]).toEqual(['Encounter.status']);
  expect([...watched.touched]).toEqual(['Encounter/e1 Encounter.status']);
});
