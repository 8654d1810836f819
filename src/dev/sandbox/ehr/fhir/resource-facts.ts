import { createHash } from 'node:crypto';
import type { Resource } from '@medplum/fhirtypes';
import { patientsOf } from './access.ts';

/** The facts of a written resource for the ledger, which can be read without the chart. */
export function resourceFacts(resource: Resource): Record<string, unknown> {
  return {
    resource: `${resource.resourceType}/${resource.id}`,
    type: resource.resourceType,
    id: resource.id,
    version: resource.meta?.versionId,
    status: 'status' in resource ? resource.status : undefined,
    identifier: 'identifier' in resource ? [resource.identifier].flat() : [],
    patients: [...patientsOf(resource)],
    ...(resource.resourceType === 'Provenance' ? { targets: resource.target.map(({ reference }) => reference) } : {}),
    files: datasOf(resource).map((data) => createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex')),
  };
}

/** The base64 data of the attachments, or of a Binary. */
function datasOf(resource: Resource): readonly string[] {
  if (resource.resourceType === 'Binary') return resource.data === undefined ? [] : [resource.data];
  if (resource.resourceType !== 'DocumentReference') return [];
  return resource.content.flatMap(({ attachment }) => (attachment.data === undefined ? [] : [attachment.data]));
}
