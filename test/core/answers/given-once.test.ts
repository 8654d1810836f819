import type { Encounter, MedicationAdministration } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { given, sheetFor, statement, subject } from './support.ts';

const opioid = 'oxycodone ER 10 mg tablet';
const context = { reference: 'Encounter/e1' };
const encounter = (code: string): Encounter => ({
  resourceType: 'Encounter',
  id: 'e1',
  status: 'finished',
  class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code },
  subject,
});
const fentanyl = (id: string, more: Partial<MedicationAdministration> = {}) =>
  given(id, 'fentanyl 0.05 MG/ML Injection', '2026-03-01', more);
const inpatient = { coding: [{ code: 'inpatient' }] };

test.each<[string, Parameters<typeof sheetFor>[1]]>([
  ['of a stay in hospital', [encounter('IMP'), fentanyl('a1', { context })]],
  ['that says so itself', [fentanyl('a1', { category: inpatient })]],
  ['of a procedure', [fentanyl('a1', { partOf: [{ reference: 'Procedure/p1' }] })]],
])('a single dose %s is no trial of a drug for home', (_what, resources) => {
  expect(sheetFor(opioid, resources)).not.toHaveProperty('trials');
});

test.each<[string, Parameters<typeof sheetFor>[1], Parameters<typeof sheetFor>[2]]>([
  ['of a visit', [encounter('AMB'), fentanyl('a1', { context })], {}],
  ['with another one', [encounter('IMP'), fentanyl('a1', { context }), fentanyl('a2', { context })], {}],
  ['of a drug that is told to be taken', [fentanyl('a1', { category: inpatient }), statement('s1', 'fentanyl')], {}],
  ['before an order for a stay', [fentanyl('a1', { category: inpatient })], { focal: { category: [inpatient] } }],
])('a dose %s is one', (_what, resources, request) => {
  expect(sheetFor(opioid, resources, request).trials).toMatchObject([{ ingredient: 'fentanyl' }]);
});
