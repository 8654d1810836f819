import type { Resource } from 'fhir/r4.js';
import { isObject } from './is-object.ts';
import { isResourceType } from './model/model.ts';

/**
 * A JSON object whose `resourceType` can be a resource type. Whether the resource is valid is checked when it is read.
 */
export function isResource(value: unknown): value is Resource {
  if (!isObject(value) || typeof value.resourceType !== 'string') return false;
  return isResourceType(value.resourceType) || typeName.test(value.resourceType);
}

const typeName = /^[A-Z][A-Za-z]+$/;

const none: readonly Resource[] = [];

/**
 * The id of a contained resource without `#`, as in FHIR R4. Some systems write the `#` into the id, or omit it in
 * references.
 */
export function containedId(stated: string): string {
  return stated.replace(/^#+/, '');
}

export function containedIn(resource: Resource): readonly Resource[] {
  const contained: unknown = Reflect.get(resource, 'contained');
  return Array.isArray(contained) ? contained.filter(isResource) : none;
}
