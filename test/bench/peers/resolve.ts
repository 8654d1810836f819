import type { Bundle, FhirResource, MedicationRequest, Reference } from 'fhir/r4.js';
import type { Resolved } from './leaves.ts';

/**
 * The resources that a request is made of, found as plainly as can be: the first order and what it refers to. It is
 * part of every engine's time, since none of their languages looks up a reference in a Bundle by itself.
 */
export function resolve({ entry = [] }: Bundle<FhirResource>): Resolved {
  const byName = new Map<string, FhirResource>();
  const resources: FhirResource[] = [];
  for (const { fullUrl, resource } of entry) {
    if (resource === undefined) continue;
    resources.push(resource);
    byName.set(`${resource.resourceType}/${resource.id}`, resource);
    if (fullUrl !== undefined) byName.set(fullUrl, resource);
  }
  const order = resources.find((one): one is MedicationRequest => one.resourceType === 'MedicationRequest');
  const at = (reference: Reference | undefined) => byName.get(reference?.reference ?? '');
  const drug = at(order?.medicationReference);
  return {
    patient: at(order?.subject),
    order,
    drug: order?.medicationCodeableConcept ?? (drug?.resourceType === 'Medication' ? drug.code : undefined),
    condition: at(order?.reasonReference?.[0]),
    prescriber: at(order?.requester),
    coverage: resources.find(({ resourceType }) => resourceType === 'Coverage'),
  };
}
