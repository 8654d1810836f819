import type { Resource } from 'fhir/r4.js';
import { BridgeError } from '../errors.ts';
import type { FhirApi } from '../fhir/api.ts';

/** Elements that say whose record a resource belongs to. */
const owners = ['subject', 'patient', 'for', 'beneficiary'] as const;
const patientParams = new Set(['patient', 'subject', 'beneficiary', 'for']);

/**
 * The same access, bound to one patient: whatever names another patient is refused with patient_mismatch before a
 * request is made.
 * A token that reaches every chart (Backend Services) is handed out only like this.
 */
export function forPatient(api: FhirApi, patient: string): FhirApi {
  const refuse = (resource: string): never => {
    throw new BridgeError('patient_mismatch', { resource, reason: 'the access is bound to another patient' });
  };
  const isHis = (reference: string) =>
    [patient, `Patient/${patient}`, `${api.base}/Patient/${patient}`].includes(reference);
  const checkOwner = (resource: Resource) => {
    const named = ownerReferences(resource);
    if (named.length === 0 || !named.every(isHis)) refuse(resource.resourceType);
  };
  return {
    base: api.base,
    scopes: api.scopes,
    capabilities: () => api.capabilities(),
    batch: (urls) => api.batch(urls),
    read: async (type, id) => (type === 'Patient' && id !== patient ? refuse('Patient') : api.read(type, id)),
    search: async (type, params, options) =>
      params.some(([name, value]) => patientParams.has(name) && !isHis(value))
        ? refuse(type)
        : api.search(type, params, options),
    create: async (resource, options) => {
      checkOwner(resource);
      return api.create(resource, options);
    },
    update: async (resource, options) => {
      checkOwner(resource);
      return api.update(resource, options);
    },
    patch: async (resource, operations, options) => {
      checkOwner(resource);
      if (
        operations.some(
          ({ path }) => path === '' || owners.some((owner) => path === `/${owner}` || path.startsWith(`/${owner}/`)),
        )
      )
        refuse(resource.resourceType);
      return api.patch(resource, operations, options);
    },
    delete: async (resource) => {
      checkOwner(resource);
      return api.delete(resource);
    },
  };
}

function ownerReferences(resource: Resource): string[] {
  const elements: Readonly<Record<string, unknown>> = { ...resource };
  return owners.flatMap((owner) => {
    const value = elements[owner];
    return typeof value === 'object' && value !== null && 'reference' in value && typeof value.reference === 'string'
      ? [value.reference]
      : [];
  });
}
