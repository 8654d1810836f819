import type { MedicationRequest } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { roles } from '../../../mappings/roles.ts';
import { defineRoles } from '../../../src/core/roles/define.ts';
import { given, oneOf, when } from '../../../src/core/roles/index.ts';
import { refusalByStatus } from '../../../src/core/roles/refusal-by-status.ts';
import { candidateOrders } from '../../../src/core/roles/select.ts';

const statuses = ['active', 'on-hold', 'cancelled', 'completed', 'entered-in-error', 'stopped', 'draft', 'unknown'];

function orderWith(content: object): MedicationRequest {
  return {
    resourceType: 'MedicationRequest',
    id: 'm1',
    status: 'completed',
    intent: 'order',
    subject: { reference: 'Patient/p1' },
    medicationCodeableConcept: { text: 'Invented 10 mg tablet' },
    ...content,
  };
}

/** What reading the order says of it. */
function judged(order: MedicationRequest): string | undefined {
  const [found] = candidateOrders([order], { roles, now: new Date('2026-11-25'), site: {} });
  return found?.fits === false ? found.reason : undefined;
}

const others: readonly object[] = [
  {},
  { intent: 'proposal' },
  { doNotPerform: true },
  { reportedBoolean: true },
  { category: [{ coding: [{ code: 'inpatient' }] }] },
  { implicitRules: 'http://example.org/rules' },
  { modifierExtension: [{ url: 'http://example.org/not', valueBoolean: true }] },
  { intent: 'plan', doNotPerform: true, requester: { reference: 'Patient/p1' } },
];

for (const status of statuses)
  test(`an order that is ${status} is refused in the same words as when it is read, whatever else it says`, () => {
    const refusalOf = refusalByStatus(roles);
    for (const other of others) {
      const order = orderWith({ ...other, status });
      const refusal = refusalOf(order);
      expect(refusal).toBe(status === 'active' ? undefined : judged(order));
    }
  });

test('an order that is not in the form of FHIR R4, has no status, or is another resource is not refused by it', () => {
  const refusalOf = refusalByStatus(roles);
  expect(refusalOf(orderWith({ status: undefined }))).toBeUndefined();
  expect(refusalOf(orderWith({ dosageInstruction: 'daily' }))).toBeUndefined();
  expect(refusalOf({ resourceType: 'Condition', id: 'c1' })).toBeUndefined();
});

const options = { isSensitive: () => false, tellsSensitive: () => false };

test('roles whose first reason reads more than the status, or says more, refuse nothing by it', () => {
  const active = oneOf('status', ['active'], 'it is {status}');
  const tables = [
    [when('doNotPerform = true', 'it says not to give the drug'), active],
    [oneOf('status', ['active'], 'it is {status} and its intent is {intent}')],
    [],
  ].map((unless) => defineRoles('own', { order: given('MedicationRequest', { unless }) }, options));
  for (const table of tables) expect(refusalByStatus(table)(orderWith({}))).toBeUndefined();
  const own = defineRoles('own', { order: given('MedicationRequest', { unless: [active] }) }, options);
  expect(refusalByStatus(own)(orderWith({}))).toBe('it is completed');
});
