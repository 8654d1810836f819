import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { noReadings } from '../../../src/core/fhir/documents/readings.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { choose, coded, defineRoles, given, oneOf } from '../../../src/core/roles/index.ts';
import { RoleRun } from '../../../src/core/roles/role-run.ts';

// What the EHR links to the patient may be another person's: only a person chooses it, and is asked only for a reason.

const drug = coded('type', ['DRUGPOL'], 'a drug benefit');
const table = defineRoles(
  'sample',
  {
    patient: given('Patient'),
    coverage: choose('Coverage', {
      unless: [oneOf('status', ['active'], 'it is {status}')],
      answer: 'coverage',
      linked: {
        refused: 'it belongs to a linked patient record',
        when: drug,
        ask: { severity: 'warns', reason: 'choice', message: 'A linked record has a drug benefit.' },
      },
    }),
  },
  { isSensitive: () => false, tellsSensitive: () => false },
);
const patient = { resourceType: 'Patient', id: 'p', link: [{ other: { reference: 'Patient/q' }, type: 'seealso' }] };
const plan = (id: string, owner: string, code: string, status = 'active') => ({
  resourceType: 'Coverage',
  id,
  status,
  beneficiary: { reference: `Patient/${owner}` },
  type: { coding: [{ code }] },
  payor: [{ display: 'Evergreen' }],
});

function asked(coverages: readonly object[], answers: object = {}) {
  const resources = [patient, { resourceType: 'Patient', id: 'q' }, { resourceType: 'Patient', id: 'r' }, ...coverages];
  const graph = indexChart(resources as Resource[]); // resources of a test are written out here
  const site = { diagnoses: 'ask' } as const;
  const request = { patient: 'Patient/p', order: 'MedicationRequest/o', now: new Date(0), site, answers };
  const run = new RoleRun(table, graph, { ...request, readings: noReadings }, () => []);
  const options = run.questions(['coverage']).flatMap((one) => (one.options ?? []).map(({ value }) => value));
  return { chosen: run.choice('coverage')?.chosen, options };
}

const medical = plan('own', 'p', 'EHCPOL');

test('a drug plan of a linked record is asked for where the patient’s own plan is none', () => {
  expect(asked([medical, plan('theirs', 'q', 'DRUGPOL')])).toEqual({
    chosen: 'Coverage/own',
    options: ['Coverage/theirs'],
  });
});

test.each([
  ['the patient’s own plan is one', [plan('own', 'p', 'DRUGPOL'), plan('theirs', 'q', 'DRUGPOL')]],
  ['the linked record has another plan', [medical, plan('theirs', 'q', 'EHCPOL')]],
  ['it has ended', [medical, plan('theirs', 'q', 'DRUGPOL', 'cancelled')]],
  ['it is of a record that is not linked', [medical, plan('theirs', 'r', 'DRUGPOL')]],
])('it is not where %s', (_, coverages) => {
  expect(asked(coverages)).toEqual({ chosen: 'Coverage/own', options: [] });
});

test('it is never chosen by itself, and by a person without a further question', () => {
  const coverages = [medical, plan('theirs', 'q', 'DRUGPOL')];
  expect(asked(coverages.slice(1)).chosen).toBeUndefined();
  expect(asked(coverages, { coverage: 'Coverage/theirs' })).toEqual({ chosen: 'Coverage/theirs', options: [] });
});
