import type { AuditEvent, AuditEventAgent, AuditEventEntity } from 'fhir/r4.js';
import type { AuditRow } from '../../store/types.ts';
import { type AuditAction, auditAction, dicom } from './actions.ts';

const own = 'urn:prior-auth-bridge';
const dcm = 'http://dicom.nema.org/resources/ontology/DCM';
const entityType = 'http://terminology.hl7.org/CodeSystem/audit-entity-type';
const objectRole = 'http://terminology.hl7.org/CodeSystem/object-role';

/**
 * A row of the trail as FHIR R4 AuditEvent. The patient is identified by the bridge's mark; users by their reference at
 * the site's EHR, as an identifier, because the event is stored on another server.
 */
export function auditEventOf(row: AuditRow): AuditEvent {
  const action = auditAction(row.action);
  return {
    resourceType: 'AuditEvent',
    // The id comes from the row's own hash, so that exporting a row twice gives the same event.
    id: Buffer.from(row.hash, 'base64url').toString('hex'),
    type: { system: dcm, code: action.type, display: dicom[action.type] },
    subtype: [{ system: `${own}:audit`, code: row.action, display: action.label }],
    action: action.action,
    recorded: row.at,
    outcome: row.outcome === 'success' ? '0' : '8',
    agent: agentsOf(row, action),
    source: {
      ...(row.site === '' ? {} : { site: row.site }),
      observer: { display: 'prior-auth-bridge' },
    },
    ...withEntities(row),
  };
}

function agentsOf(row: AuditRow, action: AuditAction): AuditEventAgent[] {
  const recipient = row.recipient ?? action.recipient;
  const actor: AuditEventAgent = {
    type: { coding: [{ system: dcm, code: '110153', display: 'Source Role ID' }] },
    who: { identifier: { system: `${own}:user${row.site === '' ? '' : `:${row.site}`}`, value: row.actor } },
    requestor: true,
  };
  if (recipient === undefined) return [actor];
  const disclosedTo: AuditEventAgent = {
    type: { coding: [{ system: dcm, code: '110152', display: 'Destination Role ID' }] },
    who: { display: recipient },
    requestor: false,
  };
  return [actor, disclosedTo];
}

function withEntities({ patientMark, caseId, launch, facts = {} }: AuditRow): Pick<AuditEvent, 'entity'> {
  const detail = Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([type, value]) => ({ type, valueString: String(value) }));
  const entity: AuditEventEntity[] = [
    ...(patientMark === undefined ? [] : [entityOf('patient-mark', patientMark, '1', 'Person', '1', 'Patient')]),
    ...(caseId === undefined ? [] : [entityOf('case', caseId, '2', 'System Object', '20', 'Job')]),
    ...(launch === undefined ? [] : [entityOf('launch', launch, '2', 'System Object', '21', 'Job Stream')]),
  ];
  const [first, ...rest] = entity;
  if (first === undefined) return detail.length === 0 ? {} : { entity: [{ name: 'facts', detail }] };
  return { entity: [detail.length === 0 ? first : { ...first, detail }, ...rest] };
}

function entityOf(
  kind: string,
  value: string,
  type: string,
  typeName: string,
  role: string,
  roleName: string,
): AuditEventEntity {
  return {
    what: { identifier: { system: `${own}:${kind}`, value } },
    type: { system: entityType, code: type, display: typeName },
    role: { system: objectRole, code: role, display: roleName },
  };
}
