import type { FhirResource, Patient, Reference, Resource } from 'fhir/r4.js';
import { type Entry, indexResources, type ResourceIndex } from '../fhir/bundle.ts';
import type { Located } from './scene.ts';

/** The resources of one chart, found by type and by reference; the same whatever order they came in. */
export interface Graph {
  readonly located: readonly Located[];
  readonly resolve: (reference: Reference | undefined, from: Located<Resource>) => Located | undefined;
  /** true when the reference means this patient: by what it resolves to, else by its last two segments. */
  readonly isAbout: (reference: Reference | undefined, patient: string) => boolean;
  readonly warnings: readonly string[];
}

export function buildGraph(entries: readonly (Resource | Entry)[]): Graph {
  const all = entries.map(asEntry).sort((left, right) => compare(keyOf(left), keyOf(right)) || newer(right.resource, left.resource));
  const unique = all.filter((entry, index) => index === 0 || keyOf(entry) !== keyOf(all[index - 1] ?? entry));
  const index = indexResources(unique);
  const names = new Map<Resource, string>(unique.map((entry) => [entry.resource, keyOf(entry)]));
  const locate = (resource: Resource): Located | undefined => {
    const reference = names.get(resource);
    return reference === undefined ? undefined : { resource: asFhir(resource), reference };
  };
  return {
    located: unique.map((entry) => ({ resource: asFhir(entry.resource), reference: keyOf(entry) })),
    resolve: (reference, from) => resolveIn(index, locate, reference, from),
    isAbout: (reference, patient) => {
      const resolved = reference === undefined ? undefined : index.resolve(reference);
      return resolved === undefined ? segmentsOf(reference?.reference) === patient : names.get(resolved) === patient;
    },
    warnings: all.length === unique.length ? [] : [`${all.length - unique.length} resources came more than once; the newest version was used.`],
  };
}

/** The subject of a resource, wherever its type keeps it. */
export function ownerOf(resource: FhirResource): Reference | undefined {
  if ('subject' in resource && isReference(resource.subject)) return resource.subject;
  if ('beneficiary' in resource && isReference(resource.beneficiary)) return resource.beneficiary;
  if ('patient' in resource && isReference(resource.patient)) return resource.patient;
  if (resource.resourceType === 'Task') return resource.for;
  return undefined;
}

/** `Patient/123` of any reference text: absolute, with a version, or relative. */
export function segmentsOf(reference: string | undefined): string | undefined {
  return /([A-Z][A-Za-z]+\/[A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/.exec(reference ?? '')?.[1] ?? reference;
}

export function isPatient(located: Located): located is Located<Patient> {
  return located.resource.resourceType === 'Patient';
}

function resolveIn(index: ResourceIndex, locate: (resource: Resource) => Located | undefined, reference: Reference | undefined, from: Located<Resource>): Located | undefined {
  if (reference === undefined) return undefined;
  const found = index.resolve(reference, from.resource);
  if (found === undefined) return undefined;
  return locate(found) ?? { resource: asFhir(found), reference: `${found.resourceType}/${found.id} in ${from.reference}` };
}

function asEntry(given: Resource | Entry): Entry {
  return 'resource' in given && typeof given.resource === 'object' ? given : { resource: given as Resource };
}

// A resource without id is known by its fullUrl; without both by its type, so that it can still be read but never referenced.
function keyOf({ resource, fullUrl }: Entry): string {
  return resource.id === undefined ? (fullUrl ?? resource.resourceType) : `${resource.resourceType}/${resource.id}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function newer(left: Resource, right: Resource): number {
  const [a, b] = [left.meta?.lastUpdated ?? '', right.meta?.lastUpdated ?? ''];
  return compare(a, b) || Number(left.meta?.versionId ?? 0) - Number(right.meta?.versionId ?? 0) || compare(JSON.stringify(left), JSON.stringify(right));
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Resource is the base type of the same objects; what they are is told by resourceType, which every reader narrows by.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
