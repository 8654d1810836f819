import type { MedicationRequest, Resource } from 'fhir/r4.js';
import { conditionalReference, isSameIdentifier, logicalReference } from '../../core/fhir/address.ts';
import { canonicalSystem, systems } from '../../core/fhir/codes/systems.ts';

/**
 * Whether a search (`Practitioner?identifier=…`) is for the requester of an order that states both the requester's NPI
 * and name.
 */
export function isNamedByNpi(query: string, resources: Iterable<Resource>): boolean {
  const wanted = conditionalReference(query)?.identifier;
  if (wanted?.system === undefined || canonicalSystem(wanted.system) !== systems.npi) return false;
  return [...resources].some((resource) => {
    const requester = isOrder(resource) ? resource.requester : undefined;
    const named = requester?.display === undefined ? undefined : logicalReference(requester);
    return named !== undefined && isSameIdentifier(named.identifier, wanted);
  });
}

function isOrder(resource: Resource): resource is MedicationRequest {
  return resource.resourceType === 'MedicationRequest';
}
