import type { FhirResource, Identifier, Resource } from 'fhir/r4.js';
import { baseOf, textAlone } from './address.ts';
import type { Entry } from './bundle.ts';
import { isResource } from './is-resource.ts';
import { isResourceType } from './model/model.ts';
import { OwnServer } from './references/own-server.ts';
import { ownersOf } from './references/owner.ts';
import { identifiersOf, type Referable } from './references/reference-index.ts';
import { referencesIn } from './references/references-in.ts';
import { contentText } from './same-content.ts';
import { type Decoded, readShape, type Shape } from './shape/read-shape.ts';

/**
 * A resource of the chart, with what is needed to find it by reference. Its elements are read on first use, because
 * most resources of a chart are never used.
 */
export class ChartItem implements Referable {
  private knownBase: string | undefined;
  private knownShape: Shape | undefined;
  private knownReferences: readonly unknown[] | undefined;
  /** Set by the graph; null for a resource that belongs to no patient. */
  owner: string | null | undefined;
  /** Whether the graph has indexed its contained resources. */
  isPlaced = false;

  constructor(
    /** The resource as given. */
    readonly stated: Resource,
    readonly type: string,
    readonly id: string | undefined,
    readonly reference: string,
    readonly fullUrl: string | undefined,
    /** The reference before `named` changed it: `Type/id` if the resource has an id. */
    readonly name: string = reference,
  ) {}

  /** The resource, as far as it has the form of FHIR R4. */
  get resource(): FhirResource {
    return asFhir(this.read().resource);
  }

  /** Set only if parts of the resource do not have the form of FHIR R4, or if texts in it are damaged. */
  get shape(): Shape | undefined {
    const shape = this.read();
    const isWhole = shape.misshapen.length === 0 && shape.foreign.length === 0 && shape.lost === undefined;
    return isWhole ? undefined : shape;
  }

  /** How texts of the resource were decoded; undefined if no text had to be decoded. */
  get decoded(): readonly Decoded[] | undefined {
    return this.read().decoded;
  }

  /** Every reference in the resource to another resource, as stated. */
  get references(): readonly unknown[] {
    this.knownReferences ??= referencesIn(this.stated);
    return this.knownReferences;
  }

  /** The server part of the fullUrl. Computed on first use, because references in most resources are never resolved. */
  get base(): string | undefined {
    if (this.knownBase === undefined) this.knownBase = this.baseAbove() ?? baseOf(this.fullUrl) ?? '';
    return this.knownBase === '' ? undefined : this.knownBase;
  }

  // A fast path: nearly every fullUrl is the base, a slash and the reference.
  private baseAbove(): string | undefined {
    const { fullUrl, reference } = this;
    if (fullUrl === undefined || reference.length >= fullUrl.length || !plainReference.test(reference))
      return undefined;
    const end = fullUrl.length - reference.length - 1;
    const isAbove = fullUrl[end] === '/' && fullUrl.endsWith(reference) && server.test(fullUrl);
    return isAbove ? fullUrl.slice(0, end) : undefined;
  }

  identifiers(): readonly Identifier[] {
    return identifiersOf(this.resource);
  }

  /** The same resource with another reference. */
  named(reference: string): ChartItem {
    return new ChartItem(this.stated, this.type, this.id, reference, this.fullUrl, this.name);
  }

  private read(): Shape {
    this.knownShape ??= readShape(this.stated);
    return this.knownShape;
  }
}

const plainReference = /^[A-Za-z]+\/[A-Za-z0-9.-]+$/;
const server = /^https?:\/\/[^/]/;

export function resourceOf(given: Resource | Entry): Resource {
  return isEntry(given) ? given.resource : given;
}

/** Resources as items in the given order, and by name. If several have the same name, `byName` has the first. */
export interface NamedItems {
  readonly items: readonly ChartItem[];
  readonly byName: Map<string, ChartItem>;
  /** The server of the items without an address. */
  readonly own: OwnServer;
}

/**
 * Every resource as an item. Its name is `Type/id`, or its fullUrl where two servers use the same `Type/id` or where it
 * has no id. Without either, the name is the type; several such resources of one type are numbered in the order of
 * their texts, so that the numbers do not depend on the order of the input.
 */
export function itemsOf(given: readonly (Resource | Entry)[], stated?: OwnServer): NamedItems {
  const items: ChartItem[] = [];
  const byName = new Map<string, ChartItem>();
  let nameless = 0;
  for (const one of given) {
    const entry = isEntry(one) ? one : undefined;
    const item = itemOf(entry?.resource ?? (one as Resource), entry?.fullUrl); // a resource if not an entry
    if (item.reference === item.type) nameless += 1;
    items.push(item);
    byName.set(item.reference, item);
  }
  const own = stated ?? new OwnServer(() => serversNamedBy(items));
  if (byName.size === items.length && nameless < 2) return { items, byName, own };
  const named = apart(numbered(items, own), own);
  const firstOf = new Map<string, ChartItem>();
  for (const item of named) if (!firstOf.has(item.reference)) firstOf.set(item.reference, item);
  return { items: named, byName: firstOf, own };
}

/**
 * The servers of the fullUrls and of the references to owners; if neither names a server, the servers of all
 * references.
 */
function serversNamedBy(items: readonly ChartItem[]): readonly string[] {
  const bases = items.flatMap((item) => [item.base ?? [], ownersOf(item.stated).flatMap(baseOfReference)].flat());
  return bases.length > 0 ? bases : items.flatMap(({ references }) => references.flatMap(baseOfReference));
}

function baseOfReference(reference: unknown): string | readonly never[] {
  const text = textAlone(reference);
  return (text === undefined ? undefined : baseOf(text)) ?? [];
}

/** Adds the server to a name that resources of several servers share. */
function apart(items: readonly ChartItem[], own: OwnServer): ChartItem[] {
  const byName = Map.groupBy(items, ({ reference }) => reference);
  return items.map((item) => {
    const { reference, base } = item;
    const all = byName.get(reference) ?? [];
    if (base === undefined || all.every((other) => own.isSame(other.base, base))) return item;
    const spellings = all.flatMap((other) =>
      other.base !== undefined && own.isSame(other.base, base) ? other.base : [],
    );
    return item.named(`${spellings.sort()[0]}/${reference}`);
  });
}

// Resources without an id and a fullUrl are not versions of each other, so they are numbered.
function numbered(items: readonly ChartItem[], own: OwnServer): readonly ChartItem[] {
  const nameless = items.filter(({ reference, type }) => reference === type);
  if (nameless.length < 2) return items;
  const names = new Map<ChartItem, string>();
  for (const [type, all] of Map.groupBy(nameless, (item) => item.type)) {
    const texts = new Map(all.map((item) => [item, contentText(item.stated, (text) => own.spelled(text))]));
    const sorted = all.toSorted((left, right) => ((texts.get(left) ?? '') < (texts.get(right) ?? '') ? -1 : 1));
    let number = 0;
    for (const [at, item] of sorted.entries()) {
      const before = sorted[at - 1];
      // Identical content gets the same number.
      if (before === undefined || texts.get(before) !== texts.get(item)) number += 1;
      names.set(item, `${type} ${number}`);
    }
  }
  return items.map((item) => {
    const name = names.get(item);
    return name === undefined ? item : item.named(name);
  });
}

function itemOf(stated: Resource, fullUrl: string | undefined): ChartItem {
  // If FHIR R4 does not have the resource type, the type comes from `readShape`.
  const { resourceType } = isResourceType(stated.resourceType) ? stated : readShape(stated).resource;
  // An id that is not a text is ignored.
  const id = typeof stated.id === 'string' ? stated.id : undefined;
  const name = id === undefined ? (fullUrl ?? resourceType) : `${resourceType}/${id}`;
  return new ChartItem(stated, resourceType, id, name, fullUrl);
}

export function byReference(left: Pick<ChartItem, 'reference'>, right: Pick<ChartItem, 'reference'>): number {
  if (left.reference === right.reference) return 0;
  return left.reference < right.reference ? -1 : 1;
}

function isEntry(given: Resource | Entry): given is Entry {
  return 'resource' in given && isResource(given.resource);
}

// `Resource` is only the base type of these objects; every reader narrows them by resourceType.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
