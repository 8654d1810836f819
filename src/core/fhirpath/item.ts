import { isObject } from '../fhir/is-object.ts';

/** The place of a value: `Patient/123`, its version, and a FHIRPath with every index. */
export interface ItemPlace {
  readonly resource: string;
  readonly version?: string;
  readonly path: string;
}

/** The start of a chain of items. `tag` belongs to the caller (the engine stores the root there). */
export interface Origin {
  readonly place?: ItemPlace | undefined;
  /** All items inside this value have the same place. */
  readonly whole?: true | undefined;
  /**
   * For a value that was composed from several places: the places of its parts, by their path inside it
   * (`results[0].observation`).
   */
  readonly parts?: Readonly<Record<string, ItemPlace>> | undefined;
  readonly tag?: unknown;
  /** An item with the same place; its place is computed only on request. */
  readonly of?: Item | undefined;
}

/** How an item is reached from its parent. */
export class ItemStep {
  constructor(
    /** The JSON property, e.g. `valueQuantity`. */
    readonly key: string,
    /** -1 when the property is not a list. */
    readonly index: number = -1,
    /** The FHIR type if it comes from a choice element: `Quantity`, `dateTime`. */
    readonly type: string | undefined = undefined,
  ) {}
}

const start = new ItemStep('');

/**
 * One item of a FHIRPath collection. It knows its parent, so its exact place is computed only on request. `value` is
 * undefined for a primitive that has extensions but no value (FHIR JSON, "primitive elements").
 *
 * A chart makes hundreds of items, so each holds only three references, and items of the same step share one ItemStep.
 */
export class Item {
  constructor(value: unknown, from: Origin);
  constructor(value: unknown, from: ItemStep, parent: Item);
  constructor(
    readonly value: unknown,
    private readonly from: Origin | ItemStep,
    readonly parent: Item | undefined = undefined,
  ) {}

  private get step(): ItemStep {
    return this.parent === undefined ? start : (this.from as ItemStep); // an item with a parent has an ItemStep
  }

  /** The origin of the first item of its chain. */
  get origin(): Origin {
    let first: Item = this;
    while (first.parent !== undefined) first = first.parent;
    return first.from as Origin; // an item without a parent has an Origin
  }

  get key(): string {
    return this.step.key;
  }

  get index(): number {
    return this.step.index;
  }

  get type(): string | undefined {
    return this.step.type;
  }

  /** The `_property` of a primitive: its id and extensions. Computed on request, because it is rarely needed. */
  get element(): unknown {
    const holder = this.parent?.value;
    if (!isObject(holder)) return undefined;
    const beside = holder[`_${this.key}`];
    if (this.index < 0) return beside;
    return Array.isArray(beside) ? (beside[this.index] ?? undefined) : undefined;
  }
}

const nowhere: Origin = {};

/** An item that is not part of a resource: a literal or the result of an operator. */
export function literal(value: unknown): Item {
  return new Item(value, nowhere);
}

export function resourceTypeOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.resourceType === 'string' ? value.resourceType : undefined;
}

/** The place of an item; undefined for literals and for roots outside the chart. */
export function itemPlace(item: Item): ItemPlace | undefined {
  let path = '';
  for (let at = item; ; ) {
    const type = startsResource(at) ? resourceTypeOf(at.value) : undefined;
    if (type !== undefined) return resourcePlace(at, type, path);
    if (at.parent === undefined) return rootPlace(at.origin, path);
    path = at.index < 0 ? `.${at.key}${path}` : `.${at.key}[${at.index}]${path}`;
    at = at.parent;
  }
}

/**
 * A place in the resource that holds an item, for callers that need only the resource. It is the same resource as in
 * the item's own place, without the cost of writing the path.
 */
export function holderPlaceOf(item: Item): ItemPlace | undefined {
  let at = item;
  while (at.parent !== undefined && !(startsResource(at) && resourceTypeOf(at.value) !== undefined)) at = at.parent;
  if (at.parent !== undefined || at.origin.parts !== undefined) return itemPlace(item);
  return at.origin.of === undefined ? at.origin.place : holderPlaceOf(at.origin.of);
}

function rootPlace({ place: stated, whole, parts, of }: Origin, path: string): ItemPlace | undefined {
  const part = parts === undefined ? undefined : partPlace(parts, path);
  if (part !== undefined) return part;
  const place = of === undefined ? stated : itemPlace(of);
  if (place === undefined || whole === true || path === '') return place;
  return place.version === undefined
    ? { resource: place.resource, path: place.path + path }
    : { resource: place.resource, version: place.version, path: place.path + path };
}

// The place of the longest path above the item that has a place of its own.
function partPlace(parts: Readonly<Record<string, ItemPlace>>, path: string): ItemPlace | undefined {
  let end = path.length;
  while (end > 0) {
    const name = path.slice(1, end);
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part !== undefined) return { ...part, path: part.path + path.slice(end) };
    end = Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1));
  }
  return undefined;
}

// A resource inside another one (contained, Bundle.entry.resource, Parameters.parameter.resource) has its own place.
function startsResource(item: Item): boolean {
  return item.parent !== undefined && (item.key === 'contained' || item.key === 'resource');
}

function resourcePlace(item: Item, type: string, path: string): ItemPlace {
  const value = item.value as Readonly<Record<string, unknown>>; // resourceTypeOf has checked the type
  const name = typeof value.id === 'string' ? `${type}/${value.id}` : type;
  const outer = item.key === 'contained' && item.parent !== undefined ? itemPlace(item.parent) : undefined;
  const version = outer?.version ?? resourceVersion(value);
  return {
    resource: outer === undefined ? name : `${name} in ${outer.resource}`,
    ...(version === undefined ? {} : { version }),
    path: type + path,
  };
}

export function resourceVersion(resource: unknown): string | undefined {
  const meta = isObject(resource) ? resource.meta : undefined;
  return isObject(meta) && typeof meta.versionId === 'string' ? meta.versionId : undefined;
}
