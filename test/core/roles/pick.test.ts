import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { noReadings } from '../../../src/core/fhir/documents/readings.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { formatLook } from '../../../src/core/mapping/review/explain-result.ts';
import { defineRoles, given, oneOf, pick } from '../../../src/core/roles/index.ts';
import { RoleRun } from '../../../src/core/roles/role-run.ts';

const table = defineRoles(
  'sample',
  {
    patient: given('Patient'),
    address: pick(['Address'], ['%patient.address'], { unless: [oneOf('use', ['home'], 'it is of use {use}')] }),
  },
  { isSensitive: () => false, tellsSensitive: () => false },
);

function looksOf(address: readonly object[]): readonly string[] {
  const graph = indexChart([{ resourceType: 'Patient', id: 'p', address } as Resource]); // written out here
  const site = { diagnoses: 'ask' } as const;
  const request = { patient: 'Patient/p', order: 'MedicationRequest/o', now: new Date(0), site, answers: {} };
  const run = new RoleRun(table, graph, { ...request, readings: noReadings }, () => []);
  return (run.root('address').looks ?? []).map(formatLook);
}

test.each([
  [[], 'Patient (1) > address (0) > can be used (0)'],
  [
    [{ use: 'old', city: 'Lakeside' }],
    'Patient (1) > address (1) > can be used (0): Patient/p#address[0]: it is of use old',
  ],
  [
    [
      { use: 'old', city: 'Lakeside' },
      { use: 'work', city: 'Fenwick' },
    ],
    'Patient (1) > address (2) > can be used (0): Patient/p#address[0]: it is of use old; ' +
      'Patient/p#address[1]: it is of use work',
  ],
])('of the addresses %j is told how many there are, and why none can be used', (address, look) => {
  const [told, ...others] = looksOf(address);
  expect(told).toBe(look);
  expect(others).toEqual([]);
});
