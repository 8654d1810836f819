import type { Resource } from 'fhir/r4.js';
import type { Located } from '../fhir/references/graph.ts';
import { resourceVersion } from '../fhirpath/item.ts';
import type { Node } from '../mapping/input.ts';

/**
 * A node for a value at a path of a resource. Without a path, the source is the whole resource.
 * @example nodeAt(patient, name, 'name[1]')
 */
export function nodeAt({ resource, reference }: Located<Resource>, value: unknown, path?: string): Node {
  const place = {
    resource: reference,
    path: path === undefined ? resource.resourceType : `${resource.resourceType}.${path}`,
  };
  const version = resourceVersion(resource);
  return { value, source: version === undefined ? place : { ...place, version } };
}
