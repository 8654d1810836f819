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
  /** Those of a type that cannot be used, because nobody can read what would change their meaning: to say why. */
  unusableOf(type: string): readonly Located[];
  /** The resource of this name, contained ones too (`Medication/m1 in MedicationRequest/9`). */
  find(name: string): Located | undefined;
  /**
   * What a Reference element or its text means; `from` is the resource that holds it: a contained resource resolves
   * within its container.
   * Undefined when it is not here, or when more than one could be meant.
   */
  resolve(reference: unknown, from?: Located<Resource>): Located | undefined;
  /**
   * Whether two references mean one thing. Where neither leads to a resource that is here, their words are compared in
   * one spelling.
   */
  sameTarget(
    one: Reference | undefined,
    fromOne: Located<Resource>,
    other: Reference | undefined,
    fromOther: Located<Resource>,
  ): boolean;
  /** Whether two resources say the same, however they write the references to one target. */
  hasSameContent(one: Resource, other: Resource): boolean;
  /** Whose the resource is, as its Patient is named here (`Patient/123`); undefined for what belongs to nobody. */
  ownerOf(resource: FhirResource): string | undefined;
  /**
   * Whether a chart of this patient may show the resource: it belongs to nobody or to this patient, and is no other
   * Patient. What is contained is as its container.
   */
  isOpenTo(resource: FhirResource, patient: string): boolean;
  readonly warnings: readonly string[];
  /** References that lead to nothing, beside a resource of that name at another server, in sentences. */
  passedOver(patient: string): readonly string[];
  /** Names under which different contents came and nothing tells which is newer: none of them is used. */
  readonly disputed: ReadonlySet<string>;
  /**
   * Resources that are not wholly of the form of FHIR R4, with what was not read. Those that are not usable are in here
   * alone: no type and no
   * reference leads to them.
   */
  readonly shapes: ReadonlyMap<Located, Shape>;
  /** Whether something that was read so far is not wholly of the form of FHIR R4. */
  readonly isMisshapen: boolean;
  /** A resource as it was given, where it is not wholly of that form. */
  statedOf(name: string): Resource | undefined;
  /** The same of one resource by its name, undefined where it is wholly of that form. */
  shapeOf(name: string): Shape | undefined;
  /**
   * How the text of a value was decoded that comes from a place. The function is undefined while no text of what was
   * read had to be, as of nearly every chart.
   */
  readonly decodedAt: ((value: string, place: DecodedPlace) => Decoding | undefined) | undefined;
}

/** A place as provenance names it: `Patient/1`, `Patient.name[0].family`. */
export interface DecodedPlace {
  readonly resource: string;
  readonly path: string;
}

/**
 * What a chart can be given as: its resources, or the graph that `indexChart` made of them, so that they are indexed
 * once.
 */
export type ChartResources = Graph | readonly (Resource | Entry)[];

/**
 * The graph of a chart's resources. A graph is returned as it is: who reads, lists and selects from one chart makes it
 * once and passes it on. `own`: the server of what has no address; when left out, the one that the resources name.
 *
 * @example
 * const graph = indexChart(readBundle(bundle).entries);
 * const request = { roles, now: new Date('2026-11-21T15:00:00Z'), site: {} };
 * const charts = candidateOrders(graph, request).map(({ order }) => selectChart(graph, { ...request, order }));
 */
export function indexChart(resources: ChartResources, own?: OwnServer): Graph {
  return isGraph(resources) ? resources : new ChartGraph(resources, own);
}

/** Said of a resource in `disputed`. */
export const disputedReason =
  'it came more than once with different content, and nothing tells which is newer; none of it is used';

function isGraph(resources: ChartResources): resources is Graph {
  return resources instanceof ChartGraph;
}

/** What a reference's text means to a resource at this base. */
interface Meant {
  readonly base: string | undefined;
  readonly item: ChartItem | undefined;
}

// What is in a resource is looked at when its type, its name or a reference to it is asked for.
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
  // Of most charts nobody asks for what is contained.
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

  // A chart names the same few resources again and again.
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

  // What does not resolve is compared by its words, but never with a Patient that is here: that one would have been
  // found.
  private ownerName(resource: FhirResource): string | undefined {
    const [owner, ...others] = ownersOf(resource);
    if (owner === undefined) return undefined;
    if (others.length > 0) return 'several patients';
    const item = this.itemFor(resource);
    const found = this.resolve(owner, item ?? { resource, reference: '' });
    if (found !== undefined) return this.itemFor(found.resource)?.reference ?? 'a contained patient';
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

  /** The item of a resource that is one of the chart’s own; undefined for one that is contained. */
  private itemFor(resource: Resource): ChartItem | undefined {
    const known = this.itemOf.get(resource);
    if (known !== undefined || this.containers?.has(resource) === true || this.everything !== undefined) return known;
    return this.located.length === 0 ? undefined : this.itemOf.get(resource);
  }

  /** The item once it was read, with what it contains; undefined when it cannot be used. */
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

/** What became of resources that came more than once. */
interface Settled {
  readonly warnings: readonly string[];
  readonly disputed: ReadonlySet<string>;
}

/** Leaves one version of each name, or none where nobody knows which. */
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
  const told = replaced === 0 ? [] : [`${replaced} resources came more than once; the newest version was used.`];
  return { warnings: [...told, ...[...disputed].sort().map((name) => `${name}: ${disputedReason}.`)], disputed };
}

/** Whether texts of references of two resources at these bases mean one target. */
function targets(own: OwnServer, left: string | undefined, right: string | undefined) {
  return (one: string, other: string) =>
    (one === other && left === right) || own.spelled(one, left) === own.spelled(other, right);
}

/** All of one name, where there are several. */
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

// Of most types there is one at most.
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

// Resource is the base type of the same objects; what they are is told by resourceType, which every reader narrows by.
function asFhir(resource: Resource): FhirResource {
  return resource as FhirResource;
}
