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
