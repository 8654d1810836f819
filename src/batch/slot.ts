import type { Identifier, Resource } from 'fhir/r4.js';
import { baseOf, canonicalReference } from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { ownerOf } from '../core/fhir/owner.ts';
import { identifiersOf, type Referable } from '../core/fhir/reference-index.ts';
import type { Version } from '../core/fhir/version.ts';
import type { Place } from './outcome.ts';

/** Where one resource stands and what it takes to group it; the resource itself is read again when it is needed. */
export interface Slot extends Referable {
  /** Tells it from every other resource of the pool; empty for a resource without any identity. */
  readonly key: string;
  /** `MedicationRequest/9`; its fullUrl when it has no id. */
  readonly name: string;
  readonly base: string | undefined;
  readonly place: Place;
  readonly load: () => PlacedEntry;
  /** The reference to its patient, as text or as Reference element. */
  readonly owner: unknown;
  /** Whether it is always about one patient: without a reference to one it belongs to nobody's chart. */
  readonly isPersonal: boolean;
  readonly version: Version;
  /** Of a PractitionerRole, the reference to its practitioner. */
  readonly practitioner: unknown;
  /** It belongs to another part of its pool and is here only because something of this part has its name. */
  readonly isElsewhere: boolean;
}

/** The slot of an entry. */
export function slotOf(
  { resource, fullUrl }: PlacedEntry,
  place: Place,
  load: () => PlacedEntry,
  isElsewhere = false,
): Slot {
  return new LoadedSlot(resource, fullUrl, place, load, isElsewhere);
}

/** What is asked of one resource in many is read from it when it is asked for. */
class LoadedSlot implements Slot {
  readonly type: string;
  readonly id: string | undefined;
  readonly key: string;
  readonly name: string;
  readonly base: string | undefined;
  readonly owner: unknown;
  readonly isPersonal: boolean;
  readonly practitioner: unknown;

  constructor(
    resource: Resource,
    readonly fullUrl: string | undefined,
    readonly place: Place,
    readonly load: () => PlacedEntry,
    readonly isElsewhere: boolean,
  ) {
    const { resourceType: type, id } = resource;
    const owner = type === 'Patient' ? undefined : ownerOf(resource);
    const name = id === undefined ? undefined : `${type}/${id}`;
    this.type = type;
    this.id = id;
    this.base = baseOf(fullUrl);
    this.key = keyOf(name, fullUrl, this.base);
    this.name = name ?? fullUrl ?? type;
    this.owner = bareReference(owner);
    this.isPersonal = type === 'Patient' || owner !== undefined || personalTypes.has(type);
    this.practitioner = bareReference(practitionerOf(resource));
  }

  get version(): Version {
    return versionOf(this.load().resource);
  }

  /** Nobody refers to a patient's own resources by what they are called elsewhere, but to the patient. */
  identifiers(): readonly Identifier[] {
    return this.isPersonal && this.type !== 'Patient' ? none : identifiersOf(this.load().resource).map(bareIdentifier);
  }
}

const none: readonly never[] = [];

function versionOf({ meta }: Resource): Version {
  const { versionId, lastUpdated } = meta ?? {};
  return Object.fromEntries(Object.entries({ versionId, lastUpdated }).filter(([, text]) => typeof text === 'string'));
}

export const personalTypes: ReadonlySet<string> = new Set(
  (
    'AllergyIntolerance Condition Coverage DiagnosticReport DocumentReference Encounter MedicationAdministration ' +
    'MedicationDispense MedicationRequest MedicationStatement Observation Procedure'
  ).split(' '),
);

/**
 * A fullUrl that is no server address (`urn:uuid:`) is the key; a resource without any identity is known by its content
 * only.
 */
function keyOf(name: string | undefined, fullUrl: string | undefined, base: string | undefined): string {
  if (fullUrl !== undefined && base === undefined) return fullUrl;
  return name === undefined ? '' : canonicalReference(name, base);
}

function practitionerOf(resource: Resource): unknown {
  return resource.resourceType === 'PractitionerRole' ? Reflect.get(resource, 'practitioner') : undefined;
}

/** Only what is compared, since an export has millions of them. */
function bareReference(reference: unknown): unknown {
  if (!isObject(reference)) return undefined;
  const { reference: text, type, identifier } = reference;
  if (isObject(identifier)) return { reference: text, type, identifier };
  return typeof text === 'string' ? text : undefined;
}

function bareIdentifier({ system, value }: Identifier): Identifier {
  return Object.fromEntries(Object.entries({ system, value }).filter(([, text]) => typeof text === 'string'));
}
