import type { Identifier } from 'fhir/r4.js';
import { baseOf, canonicalReference } from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { ownerOf } from '../core/fhir/references/owner.ts';
import { identifiersOf, type Referable } from '../core/fhir/references/reference-index.ts';
import { referencesIn } from '../core/fhir/references/references-in.ts';
import type { Version } from '../core/fhir/version.ts';
import type { InputPlace } from './report/order-outcome.ts';

interface SlotFacts extends Pick<Slot, 'type' | 'id' | 'fullUrl' | 'owner' | 'isPersonal' | 'place' | 'load'> {
  readonly isElsewhere?: boolean;
  readonly refusal?: string | undefined;
}

/** The place of a resource, and what is needed to group it. The resource itself is read again when it is needed. */
export class Slot implements Referable {
  readonly type: string;
  readonly id: string | undefined;
  readonly fullUrl: string | undefined;
  readonly base: string | undefined;
  /** Identifies the resource in the pool; empty if it has no identity. */
  readonly key: string;
  /** `MedicationRequest/9`, or the fullUrl if the resource has no id. */
  readonly name: string;
  /** The reference to the patient, as text or as a Reference. */
  readonly owner: unknown;
  /** Whether the type always belongs to one patient. Without a reference to a patient, the resource is in no chart. */
  readonly isPersonal: boolean;
  /**
   * Why the status rules the resource out as an order; undefined if more than the status decides, and for other types.
   */
  readonly refusal: string | undefined;
  /**
   * Whether the resource belongs to another part of the pool. It is here only because a resource of this part has the
   * same name.
   */
  readonly isElsewhere: boolean;
  readonly place: InputPlace;
  private loaded: PlacedEntry | undefined;
  private referred: readonly unknown[] | undefined;

  constructor(private readonly facts: SlotFacts) {
    const { type, id, fullUrl, owner, isPersonal, refusal, isElsewhere = false, place } = facts;
    const name = id === undefined ? undefined : `${type}/${id}`;
    this.type = type;
    this.id = id;
    this.fullUrl = fullUrl;
    this.base = baseOf(fullUrl);
    this.key = keyOf(name, fullUrl, this.base);
    this.name = name ?? fullUrl ?? type;
    this.owner = owner;
    this.isPersonal = isPersonal;
    this.refusal = refusal;
    this.isElsewhere = isElsewhere;
    this.place = place;
  }

  load(): PlacedEntry {
    this.loaded ??= this.facts.load();
    return this.loaded;
  }

  /** Cached, since resources that belong to no patient are loaded for many patients. */
  get references(): readonly unknown[] {
    this.referred ??= referencesIn(this.load().resource);
    return this.referred;
  }

  get isOrder(): boolean {
    return this.type === 'MedicationRequest';
  }

  get version(): Version {
    return textsOf(this.load().resource.meta ?? {}, ['versionId', 'lastUpdated']);
  }

  get practitioner(): unknown {
    return this.type === 'PractitionerRole'
      ? bareReference(Reflect.get(this.load().resource, 'practitioner'))
      : undefined;
  }

  /** Only Patients are referenced by identifier, so the identifiers of other personal resources are not indexed. */
  identifiers(): readonly Identifier[] {
    if (this.isPersonal && this.type !== 'Patient') return none;
    return identifiersOf(this.load().resource).map((identifier) => textsOf(identifier, ['system', 'value']));
  }
}

const none: readonly never[] = [];

export function slotOf({ resource, fullUrl }: PlacedEntry, at: Pick<SlotFacts, 'place' | 'load' | 'refusal'>): Slot {
  const { resourceType: type, id } = resource;
  const owner = type === 'Patient' ? undefined : ownerOf(resource);
  const isPersonal = type === 'Patient' || owner !== undefined || personalTypes.has(type);
  return new Slot({ type, id, fullUrl, owner: bareReference(owner), isPersonal, ...at });
}

export const personalTypes: ReadonlySet<string> = new Set(
  (
    'AllergyIntolerance Condition Coverage DiagnosticReport DocumentReference Encounter MedicationAdministration ' +
    'MedicationDispense MedicationRequest MedicationStatement Observation Procedure'
  ).split(' '),
);

/**
 * The key is the fullUrl if that is no server URL (`urn:uuid:`). A resource without any identity is identified only by
 * its content.
 */
function keyOf(name: string | undefined, fullUrl: string | undefined, base: string | undefined): string {
  if (fullUrl !== undefined && base === undefined) return fullUrl;
  return name === undefined ? '' : canonicalReference(name, base);
}

/** Returns only the members that are compared, since an export has millions of references. */
function bareReference(reference: unknown): unknown {
  if (!isObject(reference)) return undefined;
  const { reference: text, type, identifier } = reference;
  if (isObject(identifier)) return { reference: text, type, identifier };
  return typeof text === 'string' ? text : undefined;
}

/** Returns the reference to the patient as text; empty if the patient is referenced in another way. */
export function ownerText({ owner }: Pick<Slot, 'owner'>): string {
  const text = isObject(owner) ? owner.reference : owner;
  return typeof text === 'string' ? text : '';
}

function textsOf(value: object, names: readonly string[]): Readonly<Record<string, string>> {
  const texts = names.map((name): [string, unknown] => [name, Reflect.get(value, name)]);
  return Object.fromEntries(texts.filter((one): one is [string, string] => typeof one[1] === 'string'));
}

/** Returns the common end of all spellings of a name: relative, absolute, or an id alone. */
export function tailOf(reference: string): string {
  const plain = reference
    .trim()
    .replace(/\/$/, '')
    .replace(/\/_history\/[^/]*$/, '');
  return plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf(':')) + 1);
}
