import type { Resource } from 'fhir/r4.js';
import { noReadings } from '../../../src/core/fhir/documents/readings.ts';
import { indexChart } from '../../../src/core/fhir/references/graph.ts';
import { formatLook } from '../../../src/core/mapping/review/explain-result.ts';
import type { RoleRequest } from '../../../src/core/roles/facts.ts';
import { defineRoles, given } from '../../../src/core/roles/index.ts';
import { RoleRun } from '../../../src/core/roles/role-run.ts';
import type { RoleRules } from '../../../src/core/roles/words.ts';

/** The roles of these rules over resources that a test writes out, of the patient and the order that are there. */
export function runOf(rules: RoleRules, resources: readonly object[], request: Partial<RoleRequest> = {}): RoleRun {
  const table = defineRoles(
    'sample',
    { patient: given('Patient'), order: given('MedicationRequest'), ...rules },
    { isSensitive: ({ meta }) => meta?.security !== undefined, tellsSensitive: () => false },
  );
  const graph = indexChart(withUsual(resources) as Resource[]); // written out by the test
  const named = { patient: 'Patient/p', order: 'MedicationRequest/o' };
  const open = { now: new Date('2026-11-20T12:00:00Z'), site: {}, answers: {}, readings: noReadings };
  return new RoleRun(table, graph, { ...named, ...open, ...request }, () => []);
}

function withUsual(resources: readonly object[]): readonly object[] {
  const isThere = (type: string) => resources.some((one) => Reflect.get(one, 'resourceType') === type);
  return [...resources, ...[patient, order].filter(({ resourceType }) => !isThere(resourceType))];
}

const patient = { resourceType: 'Patient', id: 'p' };
const order = {
  resourceType: 'MedicationRequest',
  id: 'o',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p' },
  medicationCodeableConcept: { text: 'adalimumab' },
};

/** Everything that is said of a role: looks as text, of the chosen nodes where they stand. */
export function saidOf(run: RoleRun, role: string) {
  const { nodes, looks = [], note, kind, uncoded = [] } = run.root(role);
  const { chosen, reason, candidates = [] } = run.choice(role) ?? {};
  return {
    nodes: nodes.map(({ value, source }) => (source === undefined ? value : placed(source))),
    looks: looks.map(formatLook),
    note,
    kind,
    uncoded: uncoded.map(({ source }) => (source === undefined ? undefined : placed(source))),
    chosen,
    reason,
    candidates: candidates.map(({ reference, label, fits, reason: why }) => [reference, label, fits, why]),
    questions: run.questions([role]).filter((question) => question.role === role),
    warnings: run.warnings,
  };
}

function placed({ resource, path }: { readonly resource: string; readonly path: string }): string {
  return `${resource} ${path}`;
}
