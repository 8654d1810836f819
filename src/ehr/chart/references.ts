import type {
  Coverage,
  DocumentReference,
  Encounter,
  Identifier,
  MedicationRequest,
  Practitioner,
  PractitionerRole,
  Reference,
  Resource,
} from 'fhir/r4.js';
import { hasCode } from '../../core/fhir/codes/concept.ts';
import { isNpi } from '../../core/fhir/codes/npi.ts';
import { canonicalSystem, systems } from '../../core/fhir/codes/systems.ts';
import { cardAddresses } from '../../core/fhir/documents/attachments.ts';
import { isCard } from '../../core/fhir/documents/kinds.ts';

/**
 * Returns the references of a resource that a request needs, as `Type/id` relative to `base` or as a search
 * (`PractitionerRole?practitioner=…`; `Practitioner?identifier=system|value` for a conditional or a typed logical
 * reference). Contained references and references to other servers are left out. With a focal `order`, the people of
 * other orders are not followed, but the Medication of every order is.
 */
export function openReferences(resource: Resource, base: string, order: string | undefined): string[] {
  return neededBy(resource, base, order).flatMap((reference) => relative(reference, base) ?? []);
}

function neededBy(resource: Resource, base: string, order: string | undefined): (string | undefined)[] {
  if (isType<MedicationRequest>(resource, 'MedicationRequest'))
    return resource.id === order ? ofOrder(resource) : [resource.medicationReference?.reference];
  if (isType<Practitioner>(resource, 'Practitioner')) return [roleSearch(resource)];
  if (isType<PractitionerRole>(resource, 'PractitionerRole'))
    return references(resource.practitioner, resource.organization, ...(resource.location ?? []).slice(0, 3));
  if (isType<Coverage>(resource, 'Coverage'))
    return [...references(...(resource.payor ?? [])), ...cardAddresses(resource).map((url) => binary(url, base))];
  if (isType<Encounter>(resource, 'Encounter'))
    return references(resource.serviceProvider, ...(resource.diagnosis ?? []).map((diagnosis) => diagnosis.condition));
  // The files of notes are read only after a person has selected the notes: `openNotes`.
  if (isType<DocumentReference>(resource, 'DocumentReference') && isCard(resource))
    return (resource.content ?? []).map((content) => binary(content.attachment?.url, base));
  return [];
}

function ofOrder(order: MedicationRequest): (string | undefined)[] {
  const { medicationReference, requester, encounter, dispenseRequest, reasonReference = [], insurance = [] } = order;
  return references(
    medicationReference,
    requester,
    encounter,
    dispenseRequest?.performer,
    ...reasonReference,
    ...insurance,
  );
}

/** A search costs a round of requests. So it is made only if the Practitioner has no NPI, address, phone or fax. */
function roleSearch({ id, identifier = [], address = [], telecom = [] }: Practitioner): string | undefined {
  const isReachable =
    identifier.some(isNpiOf) &&
    address.length > 0 &&
    telecom.some(({ system }) => system === 'phone') &&
    telecom.some(({ system }) => system === 'fax');
  return isReachable || id === undefined ? undefined : `PractitionerRole?practitioner=${id}`;
}

function isNpiOf({ system = '', type, value = '' }: Identifier): boolean {
  const isMarked = hasCode(type, 'NPI') || /^\s*NPI\s*$/i.test(type?.text ?? '');
  return isNpi(value.trim()) && (isMarked || canonicalSystem(system) === systems.npi);
}

function binary(url: string | undefined, base: string): string | undefined {
  return url === undefined
    ? undefined
    : /^Binary\/[^/?#]+$/.exec(url.startsWith(`${base}/`) ? url.slice(base.length + 1) : url)?.[0];
}

function references(...elements: readonly (Reference | undefined)[]): (string | undefined)[] {
  return elements.map((element) => element?.reference ?? logical(element));
}

function logical(element: Reference | undefined): string | undefined {
  const { type, display, identifier: { system = '', value } = {} } = element ?? {};
  // For a payer (Organization), the name in the reference is enough.
  const isNamed = type === 'Organization' && display !== undefined;
  // Without a type, the bridge cannot know what to search for.
  return type === undefined || value === undefined || isNamed
    ? undefined
    : `${type}?identifier=${encodeURIComponent(system === '' ? value : `${system}|${value}`)}`;
}

/**
 * Conditional references (FHIR R4 3.1.0.11.2), only for types that belong to no patient: only the launch states the
 * patient.
 */
const byIdentifier = /^(?:Practitioner|PractitionerRole|Organization|Location|Medication)\?identifier=[^&]+$/;

function relative(reference: string | undefined, base: string): string | undefined {
  if (reference === undefined) return undefined;
  return /^PractitionerRole\?practitioner=[A-Za-z0-9.-]{1,64}$/.test(reference) || byIdentifier.test(reference)
    ? reference
    : relativeTo(base, reference);
}

/**
 * Returns `Patient/123` for a reference to the server at `base`, relative or absolute, with or without a version.
 * Undefined for any other reference.
 */
export function relativeTo(base: string, reference: string): string | undefined {
  const path = reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference;
  return /^([A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/.exec(path)?.[1];
}

function isType<T extends Resource>(resource: Resource, type: T['resourceType']): resource is T {
  return resource.resourceType === type;
}
