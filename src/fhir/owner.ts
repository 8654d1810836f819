import type { Reference, Resource } from 'fhir/r4.js';
import { isObject } from './is-object.ts';

/** The element that names the person whom a resource is about, wherever its type keeps it; undefined for what is about nobody. */
export function ownerOf(resource: Resource): Reference | undefined {
  for (const element of ['subject', 'beneficiary', 'patient', ...(ofOneType.get(resource.resourceType) ?? [])]) {
    const value: unknown = Reflect.get(resource, element);
    if (isObject(value)) return value;
  }
  return undefined;
}

// `for` and `individual` are something else in other types.
const ofOneType: ReadonlyMap<string, readonly string[]> = new Map([
  ['Task', ['for']],
  ['ResearchSubject', ['individual']],
]);
