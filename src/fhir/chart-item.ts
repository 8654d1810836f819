import type { FhirResource, Identifier, Resource } from 'fhir/r4.js';
import { baseOf } from './address.ts';
import type { Entry } from './bundle.ts';
import { isResource } from './is-resource.ts';
import { isResourceType } from './model/model.ts';
import { identifiersOf, type Referable } from './reference-index.ts';
import { readShape, type Shape } from './shape/read-shape.ts';
import { readDateTime } from './time/date-time.ts';

/**
 * A resource of the chart with what finding it by reference asks. Its elements are looked at when somebody reads it: of
 * most resources of a chart nobody does.
 */
export class ChartItem implements Referable {
  private knownBase: string | undefined;
  private knownShape: Shape | undefined;

  constructor(
    /** As it was given. */
    readonly stated: Resource,
    readonly type: string,
    readonly id: string | undefined,
    readonly reference: string,
    readonly fullUrl: string | undefined,
  ) {}

  /** As far as it has the form of FHIR R4. */
  get resource(): FhirResource {
    return asFhir(this.read().resource);
  }

  /** Only where it is not wholly of the form of FHIR R4. */
  get shape(): Shape | undefined {
    const shape = this.read();
    return shape.resource === this.stated ? undefined : shape;
  }

  /** Worked out when it is asked for: most resources of a chart are never resolved from. */
  get base(): string | undefined {
    if (this.knownBase === undefined) this.knownBase = baseOf(this.fullUrl) ?? '';
    return this.knownBase === '' ? undefined : this.knownBase;
  }

  identifiers(): readonly Identifier[] {
    return identifiersOf(this.resource);
  }

  /** The same resource under another name. */
  named(reference: string): ChartItem {
    return new ChartItem(this.stated, this.type, this.id, reference, this.fullUrl);
  }

  private read(): Shape {
    this.knownShape ??= readShape(this.stated);
    return this.knownShape;
  }
}

/** The resource of an entry, or the resource that was given itself. */
export function resourceOf(given: Resource | Entry): Resource {
  return isEntry(given) ? given.resource : given;
}

/**
 * Every resource as an item, in the order given. It is called `Type/id`, unless two servers use that: then each by its
 * fullUrl. Without an id by the fullUrl; without both by the type alone.
 */
export function itemsOf(given: readonly (Resource | Entry)[]): ChartItem[] {
  const addresses = new Map<string, string>();
  const shared = new Set<string>();
  const items = given.map((one) => {
    const entry = isEntry(one) ? one : undefined;
    const item = itemOf(entry?.resource ?? (one as Resource), entry?.fullUrl); // what is no entry is a resource
    const { reference, fullUrl } = item;
    if (fullUrl?.startsWith('http') === true) {
      if ((addresses.get(reference) ?? fullUrl) !== fullUrl) shared.add(reference);
      addresses.set(reference, fullUrl);
    }
    return item;
  });
  if (shared.size === 0) return items;
  return items.map((item) => (shared.has(item.reference) ? item.named(item.fullUrl ?? item.reference) : item));
}

// An id that is no text is none, and a type that FHIR R4 does not have is read before it is named.
function itemOf(stated: Resource, fullUrl: string | undefined): ChartItem {
  const { resourceType } = isResourceType(stated.resourceType) ? stated : readShape(stated).resource;
  const id = typeof stated.id === 'string' ? stated.id : undefined;
  const name = id === undefined ? (fullUrl ?? resourceType) : `${resourceType}/${id}`;
  return new ChartItem(stated, resourceType, id, name, fullUrl);
}

/** By reference, and of one reference the newest first. */
export function byReference(left: ChartItem, right: ChartItem): number {
  return compare(left.reference, right.reference) || newer(right.stated, left.stated);
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
  const read = readDateTime(meta?.lastUpdated);
  return read?.precision === 'instant' ? read.instant : 0;
}

function isEntry(given: Resource | Entry): given is Entry {
  return 'resource' in given && isResource(given.resource);
}

// Resource is the base type of the same objects; what they are is told by resourceType, which every reader narrows by.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
