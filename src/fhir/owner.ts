import type { Reference, Resource } from 'fhir/r4.js';
import { isObject } from './is-object.ts';

/** The element that names the person whom a resource is about, wherever its type keeps it; undefined for what is about nobody. */
export function ownerOf(resource: Resource): Reference | undefined {
  const { subject, beneficiary, patient }: Resource & Owners = resource;
  if (isObject(subject)) return subject;
  if (isObject(beneficiary)) return beneficiary;
  if (isObject(patient)) return patient;
  const element = ofOneType.get(resource.resourceType);
  const own: unknown = element === undefined ? undefined : Reflect.get(resource, element);
  return isObject(own) ? own : undefined;
}

interface Owners {
  readonly subject?: unknown;
  readonly beneficiary?: unknown;
  readonly patient?: unknown;
}

// `for` and `individual` are something else in other types.
const ofOneType: ReadonlyMap<string, string> = new Map([
  ['Task', 'for'],
  ['ResearchSubject', 'individual'],
]);
