import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { noReadings } from '../../../src/core/fhir/documents/readings.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { defineRoles, given, pick } from '../../../src/core/roles/index.ts';
import { RoleRun } from '../../../src/core/roles/role-run.ts';

// A contact of a patient has telecom, and so has the patient: what was not read of one says nothing of the other.

const table = defineRoles(
  'sample',
  {
    patient: given('Patient'),
    contact: pick(['Patient.contact'], ['%patient.contact']),
    phone: pick(['ContactPoint'], ['%contact.telecom']),
  },
  { isSensitive: () => false, tellsSensitive: () => false },
);

const phone = { system: 'phone', value: '217-555-0111' };
const unreadPhone = { system: ['phone'], value: '217-555-0112' };

function phoneOf(person: { readonly telecom: object[]; readonly contact: object[] }) {
  const graph = indexChart([{ resourceType: 'Patient', id: 'p', ...person } as Resource]); // written out here
  const site = { diagnoses: 'ask' } as const;
  const request = { patient: 'Patient/p', order: 'MedicationRequest/o', now: new Date(0), site, answers: {} };
  const { nodes, unread } = new RoleRun(table, graph, { ...request, readings: noReadings }, () => []).root('phone');
  return { found: nodes.map(({ value }) => value), isUnread: (unread ?? []).length > 0 };
}

test.each([
  ['with a phone has it', [{ telecom: [phone] }], { found: [phone], isUnread: false }],
  ['without one has none', [{ name: { family: 'Fenwick' } }], { found: [], isUnread: false }],
])('a contact %s, where a phone of the patient was not read', (_, contact, expected) => {
  expect(phoneOf({ telecom: [unreadPhone], contact })).toEqual(expected);
});

test('a phone of a contact of which something was not read says so', () => {
  expect(phoneOf({ telecom: [phone], contact: [{ telecom: [unreadPhone] }] })).toEqual({
    found: [{ value: '217-555-0112' }],
    isUnread: true,
  });
});
