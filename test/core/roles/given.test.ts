import type { Resource } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { noReadings } from '../../../src/core/fhir/documents/readings.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { defineRoles, given } from '../../../src/core/roles/index.ts';
import { RoleRun } from '../../../src/core/roles/role-run.ts';

test('a resource that the request names and the chart lacks says what was looked for', () => {
  const options = { isSensitive: () => false, tellsSensitive: () => false };
  const table = defineRoles('sample', { patient: given('Patient') }, options);
  const graph = indexChart([{ resourceType: 'Patient', id: 'another' } as Resource]);
  const site = { diagnoses: 'ask' } as const;
  const request = { patient: 'Patient/p', order: 'MedicationRequest/o', now: new Date(0), site, answers: {} };
  const run = new RoleRun(table, graph, { ...request, readings: noReadings }, () => []);
  expect(run.root('patient')).toMatchObject({
    nodes: [],
    looks: [{ expression: '%patient', steps: [{ step: 'Patient', items: 0 }] }],
  });
});
