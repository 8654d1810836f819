import type { Reference, Resource } from 'fhir/r4.js';
import { isObject } from '../is-object.ts';
import { elementsOf } from '../model/model.ts';

// The elements of FHIR R4 for the person that a record is about. `author` or `performer` may also be a patient, but the
// record is not about that patient.
const words: readonly string[] = ['subject', 'beneficiary', 'patient', 'for', 'candidate', 'individual'];

/**
 * The properties of a resource type that hold the patient that the record is about, usually one: `subject` of an
 * Observation, `beneficiary` of a Coverage, `for` of a Task. Empty for types that do not belong to a patient
 * (Organization, Medication) and for Patient itself.
 *
 * @example ownerProperties('Task') // ['for']
 */
export function ownerProperties(type: string): readonly string[] {
  const known = found.get(type);
  if (known !== undefined) return known;
  const properties = elementsOf(type) === undefined ? words : words.flatMap((word) => holdsPatient(type, word));
  found.set(type, properties);
  return properties;
}

const found = new Map<string, readonly string[]>();

// `ActivityDefinition.subject` may only be a Group, and `individual` is a patient in ResearchSubject but another person
// in other types.
function holdsPatient(type: string, word: string): string[] {
  const elements = [...(elementsOf(type)?.values() ?? [])];
  return elements
    .filter((element) => element.name === word && element.type === 'Reference')
    .filter(
      ({ targets }) => targets === undefined || targets.some((target) => ['Patient', 'Resource'].includes(target)),
    )
    .map(({ key }) => key);
}

/** The reference to the patient that a resource is about; undefined for a resource about no patient or several. */
export function ownerOf(resource: Resource): Reference | undefined {
  const [owner, ...others] = ownersOf(resource);
  return others.length === 0 ? owner : undefined;
}

/** Every reference to a patient that a resource is about: an Account can be about several patients. */
export function ownersOf(resource: Resource): readonly Reference[] {
  for (const property of ownerProperties(resource.resourceType)) {
    const given: unknown = Reflect.get(resource, property);
    if (isObject(given)) return [given];
    const stated = Array.isArray(given) ? given.filter(isObject) : none;
    if (stated.length > 0) return stated;
  }
  return none;
}

const none: readonly Reference[] = [];
