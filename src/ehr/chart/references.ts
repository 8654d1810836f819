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
 * The references of a resource from an EHR that a request needs, as `Type/id` relative to `base`, or as a search
 * (`PractitionerRole?practitioner=…`, `Practitioner?identifier=system|value` for a conditional or a typed logical
 * reference). Contained and foreign references are left out: they are resolved locally or shown by their display.
 * With a focal `order`, only that order's people are followed; the Medication is followed for every order.
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
  // Notes are fetched only when a person selects them: openNotes.
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

/**
 * Only if the Practitioner lacks its identity, or the address or contact of the practice, because a search costs a
 * round.
 */
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

// Without a type, no search finds it, because it could refer to anything. A payer needs only its name, which is in the
// reference itself.
function logical(element: Reference | undefined): string | undefined {
  const { type, display, identifier: { system = '', value } = {} } = element ?? {};
  const isNamed = type === 'Organization' && display !== undefined;
  return type === undefined || value === undefined || isNamed
    ? undefined
    : `${type}?identifier=${encodeURIComponent(system === '' ? value : `${system}|${value}`)}`;
}

/**
 * Conditional references (FHIR R4 3.1.0.11.2), for types that belong to no patient: a patient is never identified by
 * anything but the launch.
 */
const byIdentifier = /^(?:Practitioner|PractitionerRole|Organization|Location|Medication)\?identifier=[^&]+$/;

function relative(reference: string | undefined, base: string): string | undefined {
  if (reference === undefined) return undefined;
  return /^PractitionerRole\?practitioner=[A-Za-z0-9.-]{1,64}$/.test(reference) || byIdentifier.test(reference)
    ? reference
    : relativeTo(base, reference);
}

/**
 * `Patient/123` from a reference to the server at `base`, relative or absolute, with a version or without; undefined
 * for any other reference, including one to another server.
 */
export function relativeTo(base: string, reference: string): string | undefined {
  const path = reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference;
  return /^([A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64})(?:\/_history\/[A-Za-z0-9.-]{1,64})?$/.exec(path)?.[1];
}

function isType<T extends Resource>(resource: Resource, type: T['resourceType']): resource is T {
  return resource.resourceType === type;
}
