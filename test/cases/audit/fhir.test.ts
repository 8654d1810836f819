import { expect, test } from 'vitest';
import { auditActions } from '../../../src/cases/audit/actions.ts';
import { auditEventOf } from '../../../src/cases/audit/fhir.ts';
import type { AuditRow } from '../../../src/store/types.ts';
import { fhirProblems } from '../../support/fhir-validate.ts';

const row: AuditRow = {
  site: 'valley',
  seq: 7,
  at: '2026-11-21T10:00:00.000Z',
  action: 'sent',
  actor: 'Practitioner/12',
  patientMark: 'kPq3',
  caseId: '0d5f1d3e-7a43-4c27-a0c4-9f0c1f9d9c11',
  launch: 'launch-1',
  outcome: 'success',
  facts: { attempt: 2 },
  hash: Buffer.alloc(32, 1).toString('base64url'),
};

test.each(Object.keys(auditActions))('%s is a valid AuditEvent', (action) => {
  expect(fhirProblems(auditEventOf({ ...row, action }))).toEqual([]);
});

test('what an operator does to the whole store is a valid AuditEvent too', () => {
  const { patientMark: _, caseId: __, launch: ___, ...whole } = row;
  const event = auditEventOf({ ...whole, site: '', action: 'rekeyed', actor: 'operator', outcome: 'failure' });
  expect(fhirProblems(event)).toEqual([]);
  expect(event.outcome).toBe('8');
  expect(fhirProblems(auditEventOf({ ...whole, facts: {} }))).toEqual([]);
});

test('says who sent whose data to whom, by a mark and never a name', () => {
  expect(auditEventOf(row)).toMatchObject({
    id: '01'.repeat(32),
    action: 'E',
    recorded: '2026-11-21T10:00:00.000Z',
    subtype: [{ code: 'sent', display: 'Sent to the service' }],
    agent: [
      { who: { identifier: { value: 'Practitioner/12' } }, requestor: true },
      { who: { display: 'prior authorization service' }, requestor: false },
    ],
    source: { site: 'valley' },
    entity: [
      { what: { identifier: { system: 'urn:prior-auth-bridge:patient-mark', value: 'kPq3' } } },
      { what: { identifier: { system: 'urn:prior-auth-bridge:case' } } },
      { what: { identifier: { system: 'urn:prior-auth-bridge:launch' } } },
    ],
  });
});

test('holds every part of a row, and nothing for what a row has not', () => {
  const system = 'http://dicom.nema.org/resources/ontology/DCM';
  const named = (kind: string, value: string) => ({ identifier: { system: `urn:prior-auth-bridge:${kind}`, value } });
  const entity = (kind: string, value: string, type: [string, string], role: [string, string]) => ({
    what: named(kind, value),
    type: {
      system: 'http://terminology.hl7.org/CodeSystem/audit-entity-type',
      code: type[0],
      display: type[1],
    },
    role: { system: 'http://terminology.hl7.org/CodeSystem/object-role', code: role[0], display: role[1] },
  });
  expect(auditEventOf({ ...row, facts: { attempt: 2, left: '' } })).toEqual({
    resourceType: 'AuditEvent',
    id: '01'.repeat(32),
    type: { system, code: expect.any(String), display: expect.any(String) },
    subtype: [{ system: 'urn:prior-auth-bridge:audit', code: 'sent', display: 'Sent to the service' }],
    action: 'E',
    recorded: row.at,
    outcome: '0',
    agent: [
      {
        type: { coding: [{ system, code: '110153', display: 'Source Role ID' }] },
        who: named('user:valley', 'Practitioner/12'),
        requestor: true,
      },
      {
        type: { coding: [{ system, code: '110152', display: 'Destination Role ID' }] },
        who: { display: 'prior authorization service' },
        requestor: false,
      },
    ],
    source: { site: 'valley', observer: { display: 'prior-auth-bridge' } },
    entity: [
      {
        ...entity('patient-mark', 'kPq3', ['1', 'Person'], ['1', 'Patient']),
        detail: [{ type: 'attempt', valueString: '2' }],
      },
      entity('case', row.caseId!, ['2', 'System Object'], ['20', 'Job']),
      entity('launch', 'launch-1', ['2', 'System Object'], ['21', 'Job Stream']),
    ],
  });
  const { patientMark: _, caseId: __, launch: ___, ...whole } = row;
  const bare = { ...whole, site: '', action: 'rekeyed', actor: 'operator', outcome: 'failure' } as const;
  expect(auditEventOf(bare)).toMatchObject({
    agent: [{ who: named('user', 'operator') }],
    entity: [{ name: 'facts', detail: [{ type: 'attempt', valueString: '2' }] }],
  });
  expect(auditEventOf(bare).agent).toHaveLength(1);
  expect(auditEventOf(bare).source).not.toHaveProperty('site');
  expect(auditEventOf({ ...bare, facts: {} })).not.toHaveProperty('entity');
  expect(auditEventOf({ ...whole, caseId: row.caseId!, facts: {} }).entity).toEqual([
    entity('case', row.caseId!, ['2', 'System Object'], ['20', 'Job']),
  ]);
  expect(auditEventOf({ ...row, recipient: 'the EHR' }).agent[1]?.who).toEqual({ display: 'the EHR' });
});
