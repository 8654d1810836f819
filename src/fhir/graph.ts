import type { FhirResource, Identifier, Reference, Resource } from 'fhir/r4.js';
import { baseOf, canonicalReference, conditionalReference, logicalReference, withoutVersion } from './address.ts';
import type { Entry } from './bundle.ts';
import { isObject } from './is-object.ts';
import { containedIn, isResource } from './is-resource.ts';
import { ownerOf } from './owner.ts';
import { identifiersOf, type Referable, ReferenceIndex } from './reference-index.ts';
import { readShape, type Shape } from './shape/read-shape.ts';

/** A resource and how sources name it. */
export interface Located<T extends Resource = FhirResource> {
  readonly resource: T;
  /** `Patient/123`, or `Medication/m1 in MedicationRequest/9`. */
  readonly reference: string;
}

/** The resources of one chart, found by type and by reference; the same whatever order they came in. */
export interface Graph {
  /** Each resource once, in the order of their references. */
  readonly located: readonly Located[];
  ofType(type: string): readonly Located[];
  /** The resource of this name, contained ones too (`Medication/m1 in MedicationRequest/9`). */
  find(name: string): Located | undefined;
  /**
   * What a Reference element or its text means; `from` is the resource that holds it: a contained resource resolves within its container.
   * Undefined when it is not here, or when more than one could be meant.
   */
  resolve(reference: unknown, from?: Located<Resource>): Located | undefined;
  /** Whether two references mean one thing. Where neither leads to a resource that is here, their words are compared in one spelling. */
  sameTarget(
    one: Reference | undefined,
    fromOne: Located<Resource>,
    other: Reference | undefined,
    fromOther: Located<Resource>,
  ): boolean;
  /** Whose the resource is, as its Patient is named here (`Patient/123`); undefined for what belongs to nobody. */
  ownerOf(resource: FhirResource): string | undefined;
  /** Whether a chart of this patient may show the resource: it belongs to nobody or to this patient, and is no other Patient. */
  isOpenTo(resource: FhirResource, patient: string): boolean;
  readonly warnings: readonly string[];
  /**
   * Resources that are not wholly of the form of FHIR R4, with what was not read. Those that are not usable are in here alone: no type and no
   * reference leads to them.
   */
  readonly shapes: ReadonlyMap<Located, Shape>;
}

/** What a chart can be given as: its resources, or the graph that `indexChart` made of them, so that they are indexed once. */
export type ChartResources = Graph | readonly (Resource | Entry)[];

/**
 * The graph of a chart's resources. A graph is returned as it is: who reads, lists and selects from one chart makes it once and passes it on.
 *
 * @example
 * const graph = indexChart(entries);
 * const readings = await readDocuments(graph);
 * for (const { order } of candidateOrders(graph)) selectChart(graph, { order, now, site, readings });
 */
export function indexChart(resources: ChartResources): Graph {
  return isGraph(resources) ? resources : new ChartGraph(resources);
}

/** The resources themselves, as they were given. */
export function resourcesOf(resources: ChartResources): readonly Resource[] {
  return isGraph(resources) ? resources.located.map(({ resource }) => resource) : resources.map(resourceOf);
}

function isGraph(resources: ChartResources): resources is Graph {
  return resources instanceof ChartGraph;
}

class ChartGraph implements Graph {
  readonly located: readonly Item[];
  readonly warnings: readonly string[];
  readonly shapes: ReadonlyMap<Located, Shape>;
  private readonly index: ReferenceIndex<Item>;
  private readonly itemOf = new Map<Resource, Item>();
  private readonly byType: ReadonlyMap<string, readonly Item[]>;
  private readonly containers = new Map<Resource, Item>();
  private readonly byName = new Map<string, Item>();
  private readonly owners = new Map<Resource, string | undefined>();

  constructor(given: readonly (Resource | Entry)[]) {
    const all = itemsOf(given).sort(byReference);
    const distinct = all.filter(({ reference }, position) => reference !== all[position - 1]?.reference);
    this.located = distinct.filter(({ shape }) => shape?.isUsable !== false);
    this.index = new ReferenceIndex(this.located);
    this.byType = Map.groupBy(this.located, ({ type }) => type);
    for (const item of this.located) {
      this.itemOf.set(item.resource, item);
      this.byName.set(item.reference, item);
      if ('contained' in item.resource)
        for (const inner of containedIn(item.resource)) this.containers.set(inner, item);
    }
    const repeated = all.length - distinct.length;
    this.warnings = repeated === 0 ? [] : [`${repeated} resources came more than once; the newest version was used.`];
    this.shapes = new Map(distinct.flatMap((item) => (item.shape === undefined ? [] : [[item, item.shape] as const])));
  }

  ofType(type: string): readonly Located[] {
    return this.byType.get(type) ?? [];
  }

  find(name: string): Located | undefined {
    const known = this.byName.get(name);
    const [inner = '', container] = known === undefined ? name.split(' in ') : [];
    const holder = container === undefined ? undefined : this.byName.get(container);
    if (holder === undefined) return known;
    const resource = containedIn(holder.resource).find((one) => `${one.resourceType}/${one.id}` === inner);
    return resource === undefined ? undefined : containedItem(resource, holder);
  }

  resolve(reference: unknown, from?: Located<Resource>): Located | undefined {
    const text = textOf(reference);
    const holder = this.holderOf(from);
    if (text?.startsWith('#') === true) return holder === undefined ? undefined : containedOf(holder, text.slice(1));
    return this.index.resolve(reference, baseOf(holder?.fullUrl));
  }

  sameTarget(
    one: Reference | undefined,
    fromOne: Located<Resource>,
    other: Reference | undefined,
    fromOther: Located<Resource>,
  ): boolean {
    const [left, right] = [this.resolve(one, fromOne), this.resolve(other, fromOther)];
    if (left !== undefined || right !== undefined) return left?.resource === right?.resource;
    return isSameText(spelled(one, this.baseAt(fromOne)), spelled(other, this.baseAt(fromOther)));
  }

  ownerOf(resource: FhirResource): string | undefined {
    if (!this.owners.has(resource)) this.owners.set(resource, this.ownerName(resource));
    return this.owners.get(resource);
  }

  isOpenTo(resource: FhirResource, patient: string): boolean {
    if (resource.resourceType === 'Patient') return this.itemOf.get(resource)?.reference === patient;
    const owner = this.ownerOf(resource) ?? this.containerOwner(resource);
    return owner === undefined || owner === patient;
  }

  private containerOwner(resource: FhirResource): string | undefined {
    const container = this.containers.get(resource);
    return container === undefined ? undefined : this.ownerOf(container.resource);
  }

  // What does not resolve is compared by its words, but never with a Patient that is here: that one would have been found.
  private ownerName(resource: FhirResource): string | undefined {
    const owner = ownerOf(resource);
    if (owner === undefined) return undefined;
    const found = this.resolve(owner, this.itemOf.get(resource) ?? { resource, reference: '' });
    if (found !== undefined) return this.itemOf.get(found.resource)?.reference ?? 'a contained patient';
    const words = owner.reference === undefined ? undefined : withoutVersion(owner.reference);
    return words === undefined || this.index.has(words) ? 'a patient elsewhere' : words;
  }

  private holderOf(from: Located<Resource> | undefined): Item | undefined {
    if (from === undefined) return undefined;
    return this.itemOf.get(from.resource) ?? this.containers.get(from.resource);
  }

  private baseAt(from: Located<Resource>): string | undefined {
    return baseOf(this.holderOf(from)?.fullUrl);
  }
}

/** A resource of the chart with what finding it by reference asks. */
class Item implements Located, Referable {
  constructor(
    readonly resource: FhirResource,
    readonly reference: string,
    readonly fullUrl: string | undefined,
    /** Only where it is not wholly of the form of FHIR R4. */
    readonly shape: Shape | undefined,
  ) {}

  get type(): string {
    return this.resource.resourceType;
  }

  get id(): string | undefined {
    return this.resource.id;
  }

  identifiers(): readonly Identifier[] {
    return identifiersOf(this.resource);
  }
}

// `Type/id`, unless two servers use it: then each by its fullUrl. Without an id by the fullUrl; without both by the type alone.
function itemsOf(given: readonly (Resource | Entry)[]): Item[] {
  const addresses = new Map<string, string>();
  const shared = new Set<string>();
  const items = given.map((one) => {
    const fullUrl = isEntry(one) ? one.fullUrl : undefined;
    const stated = resourceOf(one);
    const shape = readShape(stated);
    const { resource } = shape;
    const { resourceType, id } = resource;
    const name = id === undefined ? (fullUrl ?? resourceType) : `${resourceType}/${id}`;
    if (fullUrl?.startsWith('http') === true) {
      if ((addresses.get(name) ?? fullUrl) !== fullUrl) shared.add(name);
      addresses.set(name, fullUrl);
    }
    return new Item(asFhir(resource), name, fullUrl, resource === stated ? undefined : shape);
  });
  if (shared.size === 0) return items;
  return items.map((item) =>
    shared.has(item.reference)
      ? new Item(item.resource, item.fullUrl ?? item.reference, item.fullUrl, item.shape)
      : item,
  );
}

function containedOf(holder: Item, id: string): Located | undefined {
  if (id === '') return holder;
  const resource = containedIn(holder.resource).find((inner) => inner.id === id);
  return resource === undefined ? undefined : containedItem(resource, holder);
}

function containedItem(resource: Resource, holder: Item): Located {
  return { resource: asFhir(resource), reference: `${resource.resourceType}/${resource.id} in ${holder.reference}` };
}

function textOf(reference: unknown): string | undefined {
  const text = isObject(reference) ? reference.reference : reference;
  return typeof text === 'string' ? text : undefined;
}

/** `Encounter/1` under its base, or the identifier that is meant; undefined for what has no meaning outside of its holder. */
function spelled(reference: Reference | undefined, base: string | undefined): string | undefined {
  const text = reference?.reference;
  const logical = text === undefined ? logicalReference(reference) : conditionalReference(text);
  if (logical !== undefined) return `${logical.identifier.system ?? ''}|${logical.identifier.value}`;
  return text === undefined || text === '' || text.startsWith('#') ? undefined : canonicalReference(text, base);
}

// Where only one of two has a base, the other one stands at the same server as far as anybody can tell.
function isSameText(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const [bases, names] = [
    [left, right].map((text) => baseOf(text)),
    [left, right].map((text) => text.slice((baseOf(text)?.length ?? -1) + 1)),
  ];
  return names[0] === names[1] && (bases[0] ?? bases[1]) === (bases[1] ?? bases[0]);
}

function byReference(left: Item, right: Item): number {
  return compare(left.reference, right.reference) || newer(right.resource, left.resource);
}

function compare(left: string | number, right: string | number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function newer(left: Resource, right: Resource): number {
  return (
    compare(instantOf(left), instantOf(right)) ||
    compare(Number(left.meta?.versionId ?? 0) || 0, Number(right.meta?.versionId ?? 0) || 0) ||
    compare(JSON.stringify(left), JSON.stringify(right))
  );
}

function instantOf({ meta }: Resource): number {
  return Date.parse(meta?.lastUpdated ?? '') || 0;
}

function isEntry(given: Resource | Entry): given is Entry {
  return 'resource' in given && isResource(given.resource);
}

function resourceOf(given: Resource | Entry): Resource {
  return isEntry(given) ? given.resource : given;
}

// Resource is the base type of the same objects; what they are is told by resourceType, which every reader narrows by.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
