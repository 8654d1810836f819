import type { FhirResource, Reference, Resource } from 'fhir/r4.js';
import { canonicalReference, plainAddress, textAlone } from '../address.ts';
import type { Entry } from '../bundle.ts';
import { byReference, type ChartItem, itemsOf } from '../chart-item.ts';
import { isObject } from '../is-object.ts';
import { containedId, containedIn } from '../is-resource.ts';
import { hasSameContent } from '../same-content.ts';
import type { Decoded, Shape } from '../shape/read-shape.ts';
import type { Decoding } from '../text/damage.ts';
import { DecodedTexts } from '../text/decoded-texts.ts';
import { currentVersion } from '../version.ts';
import type { OwnServer } from './own-server.ts';
import { ownersOf } from './owner.ts';
import { passedOverText } from './passed-over.ts';
import { ReferenceIndex } from './reference-index.ts';
import { isSameReference } from './same-reference.ts';

/** A resource and the name that provenance uses for it. */
export interface Located<T extends Resource = FhirResource> {
  readonly resource: T;
  /** `Patient/123`, or `Medication/m1 in MedicationRequest/9`. */
  readonly reference: string;
}

/** The resources of one chart, found by type and by reference; independent of their order in the input. */
export interface Graph {
  /** Each resource once, in the order of their references. */
  readonly located: readonly Located[];
  ofType(type: string): readonly Located[];
  /**
   * The resources of a type that cannot be used because an element that could change their meaning is unreadable;
   * listed so that the reason can be shown.
   */
  unusableOf(type: string): readonly Located[];
  /** The resource of this name, including contained ones (`Medication/m1 in MedicationRequest/9`). */
  find(name: string): Located | undefined;
  /**
   * The target of a Reference element or its text. `from` is the resource that holds it: a reference to a contained
   * resource resolves within its container. Undefined when the target is not in the chart or is ambiguous.
   */
  resolve(reference: unknown, from?: Located<Resource>): Located | undefined;
  /** Whether two references have the same target. If neither resolves, their canonical spellings are compared. */
  sameTarget(
    one: Reference | undefined,
    fromOne: Located<Resource>,
    other: Reference | undefined,
    fromOther: Located<Resource>,
  ): boolean;
  /** Whether two resources have the same content, however they write references to the same target. */
  hasSameContent(one: Resource, other: Resource): boolean;
  /**
   * The reference of the Patient to whom the resource belongs (`Patient/123`); undefined for a resource that belongs to
   * no patient.
   */
  ownerOf(resource: FhirResource): string | undefined;
  /**
   * Whether the chart of this patient may show the resource: it belongs to this patient or to none, and is not another
   * Patient. A contained resource follows its container.
   */
  isOpenTo(resource: FhirResource, patient: string): boolean;
  readonly warnings: readonly string[];
  /** Sentences about references that do not resolve, although another server has a resource of the same name. */
  passedOver(patient: string): readonly string[];
  /** Names that came with different contents, none of them known to be newer: none of these resources is used. */
  readonly disputed: ReadonlySet<string>;
  /**
   * Resources that do not fully have the form of FHIR R4, with the parts that were not read. An unusable resource is
   * found only here, not by type or reference.
   */
  readonly shapes: ReadonlyMap<Located, Shape>;
  /** Whether any resource read so far does not fully have the form of FHIR R4. */
  readonly isMisshapen: boolean;
  /** A resource as it was given, if it does not fully have the form of FHIR R4. */
  statedOf(name: string): Resource | undefined;
  /** The shape of one resource by its name; undefined if the resource fully has the form of FHIR R4. */
  shapeOf(name: string): Shape | undefined;
  /**
   * How the text of a value at a place was decoded. The function is undefined if no text had to be decoded so far, as
   * in nearly every chart.
   */
  readonly decodedAt: ((value: string, place: DecodedPlace) => Decoding | undefined) | undefined;
}

/** A place in the terms of provenance: `Patient/1`, `Patient.name[0].family`. */
export interface DecodedPlace {
  readonly resource: string;
  readonly path: string;
}

/** The input for a chart: its resources, or the graph that `indexChart` built, so that they are indexed once. */
export type ChartResources = Graph | readonly (Resource | Entry)[];

/**
 * The graph of a chart's resources. If `resources` is a graph already, it is returned unchanged, so that a caller that
 * reads, lists and selects from one chart builds the graph only once. `own` is the server of resources without an
 * address; by default, the server that the resources name.
 *
 * @example
 * const graph = indexChart(readBundle(bundle).entries);
 * const request = { roles, now: new Date('2026-11-21T15:00:00Z'), site: {} };
 * const charts = candidateOrders(graph, request).map(({ order }) => selectChart(graph, { ...request, order }));
 */
export function indexChart(resources: ChartResources, own?: OwnServer): Graph {
  return isGraph(resources) ? resources : new ChartGraph(resources, own);
}

/** The reason shown for a resource in `disputed`. */
export const disputedReason =
  'it came more than once with different content, and nothing tells which is newer; none of it is used';

function isGraph(resources: ChartResources): resources is Graph {
  return resources instanceof ChartGraph;
}

/** The target of a reference text in a resource at `base`. */
interface Meant {
  readonly base: string | undefined;
  readonly item: ChartItem | undefined;
}

// The content of a resource is read when its type, its name or a reference to it is requested.
class ChartGraph implements Graph {
  readonly warnings: readonly string[];
  isMisshapen = false;
  private readonly settled: Settled | undefined;
  private readonly items: readonly ChartItem[];
  private readonly index: ReferenceIndex<ChartItem>;
  private readonly byName: Map<string, ChartItem>;
  private readonly byType: ReadonlyMap<string, ChartItem[]>;
  private readonly usable = new Map<string, readonly ChartItem[]>();
  private readonly itemOf = new Map<Resource, ChartItem>();
  // Built on first use: contained resources are not needed in most charts.
  private containers: Map<Resource, ChartItem> | undefined;
  private owners: Map<Resource, string | undefined> | undefined;
  private readonly resolved = new Map<string, Meant>();
  private everything: readonly ChartItem[] | undefined;
  private decoded: DecodedTexts | undefined;

  private readonly own: OwnServer;

  constructor(given: readonly (Resource | Entry)[], stated: OwnServer | undefined) {
    const { items: all, byName, own } = itemsOf(given, stated);
    this.byName = byName;
    this.own = own;
    this.settled = byName.size === all.length ? undefined : settle(all, byName, own);
    this.warnings = this.settled?.warnings ?? none;
    this.items = byName.size === all.length ? all : [...byName.values()];
    this.index = new ReferenceIndex(this.items, own);
    this.byType = byTypeOf(this.items);
  }

  get disputed(): ReadonlySet<string> {
    return this.settled?.disputed ?? noNames;
  }

  get located(): readonly Located[] {
    this.everything ??= this.items.filter((item) => this.read(item) !== undefined).sort(byReference);
    return this.everything;
  }

  get shapes(): ReadonlyMap<Located, Shape> {
    const odd = this.items.filter(({ shape }) => shape !== undefined).sort(byReference);
    return new Map(odd.flatMap((item) => (item.shape === undefined ? [] : [[item, item.shape] as const])));
  }

  statedOf(name: string): Resource | undefined {
    const item = this.byName.get(name);
    return item?.shape === undefined ? undefined : item.stated;
  }

  shapeOf(name: string): Shape | undefined {
    return this.byName.get(name)?.shape;
  }

  get decodedAt(): Graph['decodedAt'] {
    const { decoded } = this;
    return decoded === undefined ? undefined : (value, place) => decoded.decodingOf(value, place);
  }

  ofType(type: string): readonly Located[] {
    const known = this.usable.get(type);
    if (known !== undefined) return known;
    const found = inOrder((this.byType.get(type) ?? noItems).filter((item) => this.read(item) !== undefined));
    this.usable.set(type, found);
    return found;
  }

  unusableOf(type: string): readonly Located[] {
    const found = inOrder((this.byType.get(type) ?? noItems).filter(({ shape }) => shape?.isUsable === false));
    for (const item of found) this.itemOf.set(item.resource, item);
    return found;
  }

  find(name: string): Located | undefined {
    const known = this.byName.get(name);
    if (known !== undefined) return this.read(known);
    const [, container] = name.split(' in ');
    const holder = container === undefined ? undefined : this.byName.get(container);
    if (holder === undefined || this.read(holder) === undefined) return undefined;
    const all = containedIn(holder.resource).map((resource) => containedItem(resource, holder));
    return all.find(({ reference }) => reference === name);
  }

  resolve(reference: unknown, from?: Located<Resource>): Located | undefined {
    const text = textOf(reference);
    const holder = this.holderOf(from);
    if (text?.startsWith('#') === true) return holder === undefined ? undefined : containedOf(holder, text);
    const found = this.meant(reference, text, holder?.base);
    if (found !== undefined) return this.read(found);
    return holder === undefined || text === undefined || text.includes('/') ? undefined : containedOf(holder, text);
  }

  // Targets are cached by the reference text, because a chart references the same few resources again and again.
  private meant(reference: unknown, text: string | undefined, base: string | undefined): ChartItem | undefined {
    if (text === undefined || (isObject(reference) && reference.identifier !== undefined))
      return this.index.resolve(reference, base);
    const known = this.resolved.get(text);
    if (known !== undefined && known.base === base) return known.item;
    const item = this.index.resolve(reference, base);
    this.resolved.set(text, { base, item });
    return item;
  }

  sameTarget(
    one: Reference | undefined,
    fromOne: Located<Resource>,
    other: Reference | undefined,
    fromOther: Located<Resource>,
  ): boolean {
    const [left, right] = [this.resolve(one, fromOne), this.resolve(other, fromOther)];
    if (left !== undefined || right !== undefined) return left?.resource === right?.resource;
    return isSameReference(
      { reference: one, base: this.baseAt(fromOne) },
      { reference: other, base: this.baseAt(fromOther) },
      this.own,
    );
  }

  hasSameContent(one: Resource, other: Resource): boolean {
    const [left, right] = [one, other].map((resource) => this.baseAt({ resource, reference: '' }));
    return hasSameContent(one, other, targets(this.own, left, right));
  }

  ownerOf(resource: FhirResource): string | undefined {
    const item = this.itemOf.get(resource);
    if (item !== undefined) {
      if (item.owner === undefined) item.owner = this.ownerName(resource) ?? null;
      return item.owner ?? undefined;
    }
    this.owners ??= new Map();
    if (!this.owners.has(resource)) this.owners.set(resource, this.ownerName(resource));
    return this.owners.get(resource);
  }

  isOpenTo(resource: FhirResource, patient: string): boolean {
    const known = this.itemFor(resource);
    if (resource.resourceType === 'Patient' && known !== undefined) return known.reference === patient;
    const owner = this.ownerOf(resource) ?? this.containerOwner(resource);
    return owner === undefined || owner === patient;
  }

  private containerOwner(resource: FhirResource): string | undefined {
    const container = this.containers?.get(resource);
    return container === undefined ? undefined : this.ownerOf(container.resource);
  }

  private ownerName(resource: FhirResource): string | undefined {
    const [owner, ...others] = ownersOf(resource);
    if (owner === undefined) return undefined;
    if (others.length > 0) return 'several patients';
    const item = this.itemFor(resource);
    const found = this.resolve(owner, item ?? { resource, reference: '' });
    if (found !== undefined) return this.itemFor(found.resource)?.reference ?? 'a contained patient';
    // An unresolved reference is compared by its text. The text never matches a Patient of the chart, because a
    // reference to that Patient would have resolved.
    const words = owner.reference === undefined ? undefined : plainAddress(owner.reference);
    if (words === undefined || this.index.has(words)) return 'a patient elsewhere';
    return this.own.isSame(item?.base, undefined) ? words : canonicalReference(words, item?.base);
  }

  passedOver(patient: string): readonly string[] {
    if (this.items.every(({ fullUrl }) => fullUrl !== undefined) && this.own.several.length === 0) return none;
    const open = this.items.filter((item) => this.isOpenTo(item.resource, patient));
    return [...new Set(open.flatMap((item) => this.passedOverBy(item)))].sort();
  }

  private passedOverBy(item: ChartItem): string[] {
    return item.references.flatMap((reference) => {
      const text = textAlone(reference);
      if (text === undefined || this.index.candidates(reference, item.base).length > 0) return [];
      const [namesake] = this.index.namesakes(reference);
      return namesake === undefined ? [] : [passedOverText(item, text, namesake, this.own)];
    });
  }

  private holderOf(from: Located<Resource> | undefined): ChartItem | undefined {
    if (from === undefined) return undefined;
    return this.itemFor(from.resource) ?? this.containers?.get(from.resource);
  }

  /** The item of a resource of the chart; undefined for a contained resource. */
  private itemFor(resource: Resource): ChartItem | undefined {
    const known = this.itemOf.get(resource);
    if (known !== undefined || this.containers?.has(resource) === true || this.everything !== undefined) return known;
    return this.located.length === 0 ? undefined : this.itemOf.get(resource);
  }

  /** Reads the item and indexes its contained resources; undefined if the item cannot be used. */
  private read(item: ChartItem): ChartItem | undefined {
    if (item.isPlaced) return item;
    const { shape, resource } = item;
    if (shape !== undefined) this.isMisshapen = true;
    if (shape?.isUsable === false) return undefined;
    item.isPlaced = true;
    if (item.decoded !== undefined) this.addDecoded(item, item.decoded);
    if (this.itemOf.has(resource)) return item;
    this.itemOf.set(resource, item);
    const contained = containedIn(resource);
    if (contained.length > 0) this.containers ??= new Map();
    for (const inner of contained) this.containers?.set(inner, item);
    return item;
  }

  private addDecoded({ reference, resource }: ChartItem, decoded: readonly Decoded[]): void {
    this.decoded ??= new DecodedTexts();
    this.decoded.add({ reference, resource, decoded });
  }

  private baseAt(from: Located<Resource>): string | undefined {
    return this.holderOf(from)?.base;
  }
}

const none: readonly string[] = [];
const noItems: readonly ChartItem[] = [];
const noNames: ReadonlySet<string> = new Set();

interface Settled {
  readonly warnings: readonly string[];
  readonly disputed: ReadonlySet<string>;
}

/** Keeps one version of each name, or none where it is unknown which is current. */
function settle(all: readonly ChartItem[], byName: Map<string, ChartItem>, own: OwnServer): Settled {
  const disputed = new Set<string>();
  let replaced = 0;
  for (const [name, versions] of repeatedIn(all, byName)) {
    const current = currentVersion(
      versions,
      ({ stated }) => stated,
      (one, other) => hasSameContent(one.stated, other.stated, targets(own, one.base, other.base)),
    );
    if (current === undefined) {
      byName.delete(name);
      disputed.add(name);
    } else {
      byName.set(name, current);
      replaced += versions.length - 1;
    }
  }
  const summary = replaced === 0 ? [] : [`${replaced} resources came more than once; the newest version was used.`];
  return { warnings: [...summary, ...[...disputed].sort().map((name) => `${name}: ${disputedReason}.`)], disputed };
}

/** Compares the reference texts of two resources at these bases by their targets. */
function targets(own: OwnServer, left: string | undefined, right: string | undefined) {
  return (one: string, other: string) =>
    (one === other && left === right) || own.spelled(one, left) === own.spelled(other, right);
}

function repeatedIn(
  all: readonly ChartItem[],
  byName: ReadonlyMap<string, ChartItem>,
): ReadonlyMap<string, ChartItem[]> {
  const repeated = new Map<string, ChartItem[]>();
  for (const item of all) {
    const first = byName.get(item.reference);
    if (first !== undefined && first !== item) push(repeated, item.reference, first, item);
  }
  return repeated;
}

// Most types have at most one item, so most lists are not sorted.
function inOrder(items: ChartItem[]): ChartItem[] {
  return items.length < 2 ? items : items.sort(byReference);
}

function byTypeOf(items: readonly ChartItem[]): Map<string, ChartItem[]> {
  const byType = new Map<string, ChartItem[]>();
  for (const item of items) {
    const known = byType.get(item.type);
    if (known === undefined) byType.set(item.type, [item]);
    else known.push(item);
  }
  return byType;
}

function push(lists: Map<string, ChartItem[]>, name: string, known: ChartItem, item: ChartItem): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [known, item]);
  else list.push(item);
}

function containedOf(holder: ChartItem, text: string): Located | undefined {
  if (text === '#') return holder;
  const id = containedId(text);
  const [resource, ...others] = containedIn(holder.resource).filter(
    (inner) => typeof inner.id === 'string' && containedId(inner.id) === id,
  );
  return resource === undefined || others.length > 0 ? undefined : containedItem(resource, holder);
}

function containedItem(resource: Resource, holder: ChartItem): Located {
  const name = `${resource.resourceType}/${containedId(`${resource.id}`)}`;
  return { resource: asFhir(resource), reference: `${name} in ${holder.reference}` };
}

function textOf(reference: unknown): string | undefined {
  const text = isObject(reference) ? reference.reference : reference;
  return typeof text === 'string' ? text.trim() : undefined;
}

// `Resource` is only the base type of these objects; every reader narrows them by resourceType.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
