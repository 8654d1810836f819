import type { FhirResource, Reference, Resource } from 'fhir/r4.js';
import { type Entry, indexResources, type ResourceIndex } from './bundle.ts';
import { ownerOf } from './owner.ts';
import { readShape, type Shape } from './shape/read-shape.ts';

/** A resource and how sources name it. */
export interface Located<T extends Resource = FhirResource> {
  readonly resource: T;
  /** `Patient/123`, or `Medication/m1 in MedicationRequest/9`. */
  readonly reference: string;
}

/** The resources of one chart, found by type and by reference; the same whatever order they came in. */
export interface Graph {
  readonly located: readonly Located[];
  readonly ofType: (type: string) => readonly Located[];
  readonly resolve: (reference: Reference | undefined, from: Located<Resource>) => Located | undefined;
  /** Whose the resource is, as its Patient is named here (`Patient/123`); undefined for what belongs to nobody. */
  readonly ownerOf: (resource: FhirResource) => string | undefined;
  readonly warnings: readonly string[];
  /**
   * Resources that are not wholly of the form of FHIR R4, with what was not read. Those that are not usable are in here alone: no type and no
   * reference leads to them.
   */
  readonly shapes: ReadonlyMap<Located, Shape>;
}

// The documents of one chart are read, its orders listed and then mapped one by one: the same list is indexed once. Only the last one is kept:
// a WeakMap would hold every chart until a full garbage collection, and copying them there costs more than the indexing.
let latest:
  | { readonly resources: readonly (Resource | Entry)[]; readonly size: number; readonly graph: Graph }
  | undefined;

/** The same list of resources again gives the same graph. */
export function graphOf(resources: readonly (Resource | Entry)[]): Graph {
  if (latest?.resources === resources && latest.size === resources.length) return latest.graph;
  const graph = buildGraph(resources);
  latest = { resources, size: resources.length, graph };
  return graph;
}

function buildGraph(entries: readonly (Resource | Entry)[]): Graph {
  const all = named(entries).sort(
    (left, right) => compare(left.reference, right.reference) || newer(right.resource, left.resource),
  );
  const distinct = all.filter(({ reference }, position) => reference !== all[position - 1]?.reference);
  const located = distinct.filter(({ shape }) => shape?.isUsable !== false);
  const index = indexResources(located);
  const known = new Map<Resource, Located>(located.map((one) => [one.resource, one]));
  const byType = Map.groupBy(located, ({ resource }) => resource.resourceType as string);
  const owners = new Map<Resource, string | undefined>();
  return {
    located,
    ofType: (type) => byType.get(type) ?? [],
    resolve: (reference, from) => resolveIn(index, known, reference, from),
    ownerOf: (resource) => {
      if (!owners.has(resource)) owners.set(resource, ownerName(index, known, resource));
      return owners.get(resource);
    },
    shapes: new Map(distinct.flatMap((one) => (one.shape === undefined ? [] : [[one, one.shape] as const]))),
    warnings:
      all.length === distinct.length
        ? []
        : [`${all.length - distinct.length} resources came more than once; the newest version was used.`],
  };
}

// What does not resolve is compared by its words, but never with a Patient that is here: that one would have been found.
function ownerName(
  index: ResourceIndex,
  known: ReadonlyMap<Resource, Located>,
  resource: FhirResource,
): string | undefined {
  const owner = ownerOf(resource);
  if (owner === undefined) return undefined;
  const found = index.resolve(owner, resource);
  if (found !== undefined) return known.get(found)?.reference ?? 'a contained patient';
  const words = owner.reference?.replace(/\/_history\/[^/]*$/, '');
  return words === undefined || index.byReference.has(words) ? 'a patient elsewhere' : words;
}

function resolveIn(
  index: ResourceIndex,
  known: ReadonlyMap<Resource, Located>,
  reference: Reference | undefined,
  from: Located<Resource>,
): Located | undefined {
  if (reference === undefined) return undefined;
  const found = index.resolve(reference, from.resource);
  if (found === undefined) return undefined;
  return (
    known.get(found) ?? { resource: asFhir(found), reference: `${found.resourceType}/${found.id} in ${from.reference}` }
  );
}

type Named = Located & Pick<Entry, 'fullUrl'> & { readonly shape?: Shape };

// `Type/id`, unless two servers use it: then each by its fullUrl. Without an id by the fullUrl; without both by the type alone.
function named(given: readonly (Resource | Entry)[]): Named[] {
  const bases = new Map<string, string>();
  const shared = new Set<string>();
  const all = given.map((one): Named => {
    const { resource: stated, fullUrl }: Entry =
      'resource' in one && typeof one.resource === 'object' ? one : { resource: one as Resource };
    const shape = readShape(stated);
    const { resource } = shape;
    const name =
      resource.id === undefined ? (fullUrl ?? resource.resourceType) : `${resource.resourceType}/${resource.id}`;
    if (fullUrl?.startsWith('http') === true && (bases.get(name) ?? fullUrl) !== fullUrl) shared.add(name);
    if (fullUrl?.startsWith('http') === true) bases.set(name, fullUrl);
    return {
      resource: asFhir(resource),
      reference: name,
      ...(fullUrl === undefined ? {} : { fullUrl }),
      ...(resource === stated ? {} : { shape }),
    };
  });
  return shared.size === 0
    ? all
    : all.map((one) => (shared.has(one.reference) ? { ...one, reference: one.fullUrl ?? one.reference } : one));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function newer(left: Resource, right: Resource): number {
  const [a, b] = [left.meta?.lastUpdated ?? '', right.meta?.lastUpdated ?? ''];
  return (
    compare(a, b) ||
    Number(left.meta?.versionId ?? 0) - Number(right.meta?.versionId ?? 0) ||
    compare(JSON.stringify(left), JSON.stringify(right))
  );
}

// Resource is the base type of the same objects; what they are is told by resourceType, which every reader narrows by.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
