import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mappings } from '../../../mappings/index.ts';
import type { MappingResult, Provenance } from '../../../src/core/mapping/result.ts';
import { runMapping } from '../../../src/core/mapping/run/run.ts';
import { selectChart } from '../../../src/core/roles/select.ts';
import { auditResult } from '../../../src/dev/kit/audit/audit.ts';
import { loadFixture } from '../../../src/dev/kit/fixture.ts';
import { auditTables } from '../../support/audit-tables.ts';

const patient = {
  resourceType: 'Patient',
  id: 'p1',
  name: [{ family: 'Old' }, { family: ' Fenwick ' }],
  gender: 'female',
};
const other = { resourceType: 'Patient', id: 'p2', name: [{ family: 'Fenwick' }] };
const order = {
  resourceType: 'MedicationRequest',
  id: 'm1',
  subject: { reference: 'Patient/p1' },
  authoredOn: '2026-11-12',
  contained: [{ resourceType: 'Medication', id: 'med', form: { text: 'Tablet' } }],
  medicationCodeableConcept: { text: '0.4 ML adalimumab 100 MG/ML Auto-Injector [Humira]' },
  dosageInstruction: [
    {
      text: 'Take 1 tablet daily',
      timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd' } },
      doseAndRate: [{ doseQuantity: { value: 1, unit: 'tablet' } }],
    },
  ],
  dispenseRequest: { quantity: { value: 60, unit: 'tablet' }, expectedSupplyDuration: { value: 4, code: 'wk' } },
};
const text = 'MedicationRequest.medicationCodeableConcept.text';

function audit(target: string, value: unknown, resource: string, path: string) {
  const [part = '', leaf = ''] = target.split('.');
  const provenance: Provenance[] = [{ target, kind: 'chart', rule: 'prior-auth', source: { resource, path } }];
  const result: MappingResult<unknown> = {
    status: 'incomplete',
    draft: { [part]: { [leaf]: value } },
    provenance,
    gaps: [],
  };
  const entries = [patient, other, order].map((one) => ({ resource: one }));
  const findings = auditResult(result, {
    entries,
    patient: 'Patient/p1',
    order: 'MedicationRequest/m1',
    tables: auditTables,
  });
  return findings.map(({ reason }) => reason);
}

const differs = ['the value does not follow from the cited element'];

describe('a value read again at the element it cites', () => {
  test.each([
    ['a trimmed text', 'patient.last_name', 'Fenwick', 'Patient/p1', 'Patient.name[1].family', []],
    [
      'a text of the element beside it',
      'patient.last_name',
      'Fenwick',
      'Patient/p1',
      'Patient.name[0].family',
      differs,
    ],
    [
      'an element that is not there',
      'patient.last_name',
      'Fenwick',
      'Patient/p1',
      'Patient.name[2].family',
      ['the cited element is not there'],
    ],
    [
      'another patient',
      'patient.last_name',
      'Fenwick',
      'Patient/p2',
      'Patient.name[0].family',
      ['the cited resource is of another patient'],
    ],
    [
      'a contained resource',
      'prescription.dose_form',
      'tablet',
      'Medication/med in MedicationRequest/m1',
      'Medication.form',
      [],
    ],
    [
      'another row of the table',
      'prescription.dose_form',
      'capsule',
      'Medication/med in MedicationRequest/m1',
      'Medication.form',
      differs,
    ],
    [
      'midnight of a date',
      'prescription.prescription_date',
      '2026-11-12T00:00:00.000000',
      'MedicationRequest/m1',
      'MedicationRequest.authoredOn',
      [],
    ],
    [
      'another hour',
      'prescription.prescription_date',
      '2026-11-12T01:00:00.000000',
      'MedicationRequest/m1',
      'MedicationRequest.authoredOn',
      differs,
    ],
    ['a concentration in its volume', 'prescription.strength', '40 MG/0.4 ML', 'MedicationRequest/m1', text, []],
    ['ten times the strength', 'prescription.strength', '400 MG/0.4 ML', 'MedicationRequest/m1', text, differs],
    ['another volume', 'prescription.strength', '100 MG/0.8 ML', 'MedicationRequest/m1', text, differs],
    ['the brand', 'prescription.drug_name', 'Humira', 'MedicationRequest/m1', text, []],
    ['another drug', 'prescription.drug_name', 'Hyrimoz', 'MedicationRequest/m1', text, differs],
    [
      'weeks in days',
      'prescription.days_supply',
      28,
      'MedicationRequest/m1',
      'MedicationRequest.dispenseRequest.expectedSupplyDuration',
      [],
    ],
    [
      'days at the dose of the order',
      'prescription.days_supply',
      30,
      'MedicationRequest/m1',
      'MedicationRequest.dosageInstruction[0]',
      [],
    ],
    [
      'days at another dose',
      'prescription.days_supply',
      60,
      'MedicationRequest/m1',
      'MedicationRequest.dosageInstruction[0]',
      differs,
    ],
    [
      'the directions',
      'prescription.directions',
      'Take 1 tablet daily',
      'MedicationRequest/m1',
      'MedicationRequest.dosageInstruction[0].text',
      [],
    ],
    [
      'more than the directions',
      'prescription.directions',
      'Take 1 tablet daily; then 2',
      'MedicationRequest/m1',
      'MedicationRequest.dosageInstruction[0].text',
      differs,
    ],
  ] as const)('%s', (_what, target, value, resource, path, found) => {
    expect(audit(target, value, resource, path)).toEqual(found);
  });

  test('a value that cites nothing is told', () => {
    const result: MappingResult<unknown> = {
      status: 'complete',
      body: { patient: { first_name: 'Ada' } },
      provenance: [],
      gaps: [],
    };
    const entries = [{ resource: patient }];
    expect(
      auditResult(result, { entries, patient: 'Patient/p1', order: 'MedicationRequest/m1', tables: auditTables }),
    ).toEqual([{ target: 'patient.first_name', cited: '', reason: 'the value cites nothing' }]);
  });
});

test('every value of the cases of the profile current follows from the element that it cites', async () => {
  const root = join(import.meta.dirname, '../../../fixtures/charts');
  const found: string[] = [];
  for (const name of ['current-everything-in-the-chart-is-complete', 'coded-everything-in-the-chart-is-complete']) {
    const fixture = loadFixture(join(root, name));
    const mapping = mappings['prior-auth'][fixture.request.mapping['prior-auth'] ?? '']!;
    const [patient, order] = ['Patient/p1', 'MedicationRequest/m1'];
    const now = new Date(fixture.request.now);
    const site = { country: 'USA', diagnoses: 'ask' as const, timeZone: 'UTC' };
    const result = runMapping(mapping, selectChart(fixture.entries, { order, roles: mappings.roles, now, site }));
    expect(result.status).toBe('complete');
    for (const { target } of auditResult(result, { entries: fixture.entries, patient, order, tables: auditTables }))
      found.push(`${name}: ${target}`);
  }
  expect(found).toEqual([]);
});
