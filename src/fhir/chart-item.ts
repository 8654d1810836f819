import type { FhirResource, Identifier, Resource } from 'fhir/r4.js';
import { baseOf } from './address.ts';
import type { Entry } from './bundle.ts';
import { isResource } from './is-resource.ts';
import { identifiersOf, type Referable } from './reference-index.ts';
import { readShape, type Shape } from './shape/read-shape.ts';

/** A resource of the chart with what finding it by reference asks. */
export class ChartItem implements Referable {
  private knownBase: string | undefined;

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

  /** Worked out when it is asked for: most resources of a chart are never resolved from. */
  get base(): string | undefined {
    if (this.knownBase === undefined) this.knownBase = baseOf(this.fullUrl) ?? '';
    return this.knownBase === '' ? undefined : this.knownBase;
  }

  get id(): string | undefined {
    return this.resource.id;
  }

  identifiers(): readonly Identifier[] {
    return identifiersOf(this.resource);
  }
}

/** Every resource as an item, by reference and of one reference the newest first. */
export function itemsInOrder(given: readonly (Resource | Entry)[]): readonly ChartItem[] {
  return itemsOf(given).sort(byReference);
}

/** The resource of an entry, or the resource that was given itself. */
export function resourceOf(given: Resource | Entry): Resource {
  return isEntry(given) ? given.resource : given;
}

// `Type/id`, unless two servers use it: then each by its fullUrl. Without an id by the fullUrl; without both by the
// type alone.
function itemsOf(given: readonly (Resource | Entry)[]): ChartItem[] {
  const addresses = new Map<string, string>();
  const shared = new Set<string>();
  const items = given.map((one) => {
    const entry = isEntry(one) ? one : undefined;
    const fullUrl = entry?.fullUrl;
    const stated = entry === undefined ? (one as Resource) : entry.resource; // what is no entry is a resource
    const shape = readShape(stated);
    const { resource } = shape;
    const { resourceType, id } = resource;
    const name = id === undefined ? (fullUrl ?? resourceType) : `${resourceType}/${id}`;
    if (fullUrl?.startsWith('http') === true) {
      if ((addresses.get(name) ?? fullUrl) !== fullUrl) shared.add(name);
      addresses.set(name, fullUrl);
    }
    return new ChartItem(asFhir(resource), name, fullUrl, resource === stated ? undefined : shape);
  });
  if (shared.size === 0) return items;
  return items.map((item) =>
    shared.has(item.reference)
      ? new ChartItem(item.resource, item.fullUrl ?? item.reference, item.fullUrl, item.shape)
      : item,
  );
}

function byReference(left: ChartItem, right: ChartItem): number {
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

// Resource is the base type of the same objects; what they are is told by resourceType, which every reader narrows by.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
