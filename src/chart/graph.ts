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
  const all = entries.map(keyed).sort((left, right) => compare(left.key, right.key) || newer(right.resource, left.resource));
  const unique = all.filter(({ key }, position) => key !== all[position - 1]?.key);
  const index = indexResources(unique);
  const located = unique.map(({ key, resource }): Located => ({ resource: asFhir(resource), reference: key }));
  const known = new Map<Resource, Located>(located.map((one) => [one.resource, one]));
  return {
    located,
    resolve: (reference, from) => resolveIn(index, known, reference, from),
    isAbout: (reference, patient) => {
      const resolved = reference === undefined ? undefined : index.resolve(reference);
      return resolved === undefined ? segmentsOf(reference?.reference) === patient : known.get(resolved)?.reference === patient;
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

function resolveIn(index: ResourceIndex, known: ReadonlyMap<Resource, Located>, reference: Reference | undefined, from: Located<Resource>): Located | undefined {
  if (reference === undefined) return undefined;
  const found = index.resolve(reference, from.resource);
  if (found === undefined) return undefined;
  return known.get(found) ?? { resource: asFhir(found), reference: `${found.resourceType}/${found.id} in ${from.reference}` };
}

// A resource without id is known by its fullUrl; without both by its type, so that it can still be read but never referenced.
function keyed(given: Resource | Entry): Entry & { readonly key: string } {
  const { resource, fullUrl }: Entry = 'resource' in given && typeof given.resource === 'object' ? given : { resource: given as Resource };
  const key = resource.id === undefined ? (fullUrl ?? resource.resourceType) : `${resource.resourceType}/${resource.id}`;
  return fullUrl === undefined ? { key, resource } : { key, resource, fullUrl };
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
