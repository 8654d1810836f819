import type { CareTeam, FhirResource, MedicationRequest, Patient, RelatedPerson, Resource } from 'fhir/r4.js';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import type { Node } from '../../../src/core/mapping/input.ts';
import { selectChart } from '../../../src/core/roles/select.ts';

const own: FhirResource = {
  resourceType: 'RelatedPerson',
  id: 'c',
  name: [{ family: 'Own' }],
  patient: { reference: '#' },
};
const somebody = (id: string): FhirResource => ({ resourceType: 'Practitioner', id, name: [{ family: 'Else' }] });
const role: FhirResource = { resourceType: 'PractitionerRole', id: 'role', practitioner: { reference: '#only' } };
// The patient and the order each contain somebody called "c".
const patient: Patient = { resourceType: 'Patient', id: 'p1', contained: [own] };
const order: MedicationRequest = {
  resourceType: 'MedicationRequest',
  id: 'o1',
  status: 'active',
  intent: 'order',
  subject: { reference: 'Patient/p1' },
  contained: [somebody('c'), somebody('only'), role],
};
const team: CareTeam = { resourceType: 'CareTeam', id: 't1', subject: { reference: 'Patient/p1' } };
const otherTeam: CareTeam = { resourceType: 'CareTeam', id: 't2', subject: { reference: 'Patient/p2' } };
const other: Patient = { resourceType: 'Patient', id: 'p2' };
const mother: RelatedPerson = { resourceType: 'RelatedPerson', id: 'r2', patient: { reference: 'Patient/p2' } };

function resolve(reference: string, holder: string): string | undefined {
  const resources: Resource[] = [patient, order, team, otherTeam, other, mother];
  const chart = selectChart(resources, {
    roles: mappings.roles,
    order: 'MedicationRequest/o1',
    now: new Date('2026-11-21'),
    site: {},
  });
  const from: Node = { value: { reference }, source: { resource: holder, path: 'x' } };
  return chart.resolve({ reference }, from)?.source?.resource;
}

describe('V12: resolve() in a mapping', () => {
  test('leads from the resource that holds the reference, not from the order', () => {
    expect(resolve('#c', 'Patient/p1')).toBe('RelatedPerson/c in Patient/p1');
    expect(resolve('#only', 'Patient/p1')).toBeUndefined();
    expect(resolve('#c', 'MedicationRequest/o1')).toBe('Practitioner/c in MedicationRequest/o1');
  });

  test('leads from a contained resource to the others of its container', () => {
    expect(resolve('#only', 'PractitionerRole/role in MedicationRequest/o1')).toBe(
      'Practitioner/only in MedicationRequest/o1',
    );
  });

  test('leads to resources of any type', () => {
    expect(resolve('CareTeam/t1', 'MedicationRequest/o1')).toBe('CareTeam/t1');
  });

  test.each(['Patient/p2', 'CareTeam/t2', 'RelatedPerson/r2'])(
    'never leads into another patient’s record: %s',
    (to) => {
      expect(resolve(to, 'MedicationRequest/o1')).toBeUndefined();
    },
  );

  test('leads nowhere from what is not in the chart', () => {
    expect(resolve('#c', 'Patient/p9')).toBeUndefined();
  });
});
