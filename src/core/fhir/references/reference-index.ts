import type { Identifier } from 'fhir/r4.js';
import {
  addressOf,
  conditionalReference,
  isSameIdentifier,
  type LogicalReference,
  logicalReference,
  plainAddress,
  textAlone,
} from '../address.ts';
import { isObject } from '../is-object.ts';
import { OwnServer } from './own-server.ts';

/** What a resource must provide to be found by reference. */
export interface Referable {
  readonly type: string;
  readonly id: string | undefined;
  /** `Type/id`, where it has an id. */
  readonly name: string;
  readonly fullUrl: string | undefined;
  /** The server part of `fullUrl`. */
  readonly base: string | undefined;
  identifiers(): readonly Identifier[];
}

/**
 * Resolves references by the rules of FHIR R4 "Resolving references in Bundles": by fullUrl (`urn:uuid:`, `urn:oid:`,
 * absolute), relative to the base of the resource that holds the reference, by `Type/id` with or without a version, by
 * search (`Practitioner?identifier=s|v`) or by logical identifier. References to contained resources are not resolved
 * here, because their container has to be known.
 *
 * @example
 * const names = { type: 'Patient', id: '1', name: 'Patient/1', fullUrl: undefined, base: undefined };
 * const patient = { ...names, identifiers: () => [] };
 * const index = new ReferenceIndex([patient]);
 * index.resolve({ reference: 'Patient/1' }); // the item
 */
export class ReferenceIndex<T extends Referable> {
  // Each map is created with its first entry, because every chart has an index and most charts need few of the maps.
  private byFullUrl: Map<string, T> | undefined;
  /** The resources that share a fullUrl. */
  private atOneUrl: Map<string, T[]> | undefined;
  private names: ReadonlyMap<string, T | T[]> | undefined;
  private byId: Map<string, T[]> | undefined;
  /** By the requested type, or undefined for any type. Resources of other types are not indexed. */
  private byValue: Map<string | undefined, Map<string, T[]>> | undefined;

  /** `own` is the server of resources that state no server; by default, the server of the fullUrls. */
  constructor(
    private readonly items: readonly T[],
    private readonly own: OwnServer = new OwnServer(() => basesIn(items)),
  ) {
    for (const item of items) if (item.fullUrl !== undefined) this.setUrl(item.fullUrl, item);
  }

  // Computed on first use: in a Bundle nearly every reference resolves by fullUrl.
  private get byName(): ReadonlyMap<string, T | T[]> {
    if (this.names !== undefined) return this.names;
    const names = new Map<string, T | T[]>();
    for (const item of this.items) {
      if (item.id === undefined) continue;
      const known = names.get(item.name);
      if (known === undefined) names.set(item.name, item);
      else if (Array.isArray(known)) known.push(item);
      else names.set(item.name, [known, item]);
    }
    this.names = names;
    return names;
  }

  // If two resources have the same fullUrl, the target is ambiguous. The same resource twice counts once.
  private setUrl(fullUrl: string, item: T): void {
    this.byFullUrl ??= new Map();
    const known = this.byFullUrl.get(fullUrl);
    if (known === undefined) {
      this.byFullUrl.set(fullUrl, item);
      return;
    }
    this.atOneUrl ??= new Map();
    const all = this.atOneUrl.get(fullUrl) ?? [known];
    if (all.every((one) => namedAs(one) !== namedAs(item))) all.push(item);
    if (all.length > 1) this.atOneUrl.set(fullUrl, all);
  }

  private atUrl(fullUrl: string): readonly T[] | undefined {
    const known = this.byFullUrl?.get(fullUrl);
    return known === undefined ? undefined : (this.atOneUrl?.get(fullUrl) ?? [known]);
  }

  /** Whether any resource here has this fullUrl or the name `Type/id`. */
  has(reference: string): boolean {
    return this.byFullUrl?.has(reference) === true || this.byName.has(reference);
  }

  /**
   * The one item that is the target of a Reference element or its text; `base` is the base of the resource that holds
   * the reference. Undefined when there is no possible target or more than one.
   */
  resolve(reference: unknown, base?: string): T | undefined {
    return only(this.byLiteral(reference, base)) ?? only(this.byLogical(reference));
  }

  candidates(reference: unknown, base?: string): readonly T[] {
    const found = this.byLiteral(reference, base);
    return found.length > 0 ? found : this.byLogical(reference);
  }

  /** The targets of a literal reference if its server is ignored. */
  namesakes(reference: unknown): readonly T[] {
    const text = textAlone(reference);
    const address = text === undefined ? undefined : addressOf(text);
    return address === undefined ? none : this.allNamed(`${address.type}/${address.id}`);
  }

  private byLiteral(reference: unknown, base: string | undefined): readonly T[] {
    const text = isObject(reference) ? reference.reference : reference;
    return typeof text === 'string' ? this.byText(text, base) : [];
  }

  private byLogical(reference: unknown): readonly T[] {
    const logical = logicalReference(reference);
    return logical === undefined ? [] : this.byIdentifier(logical);
  }

  private byText(text: string, base: string | undefined): readonly T[] {
    const conditional = conditionalReference(text);
    if (conditional !== undefined) return this.byIdentifier(conditional);
    const plain = plainAddress(text);
    const atFullUrl = this.atUrl(plain);
    if (atFullUrl !== undefined) return this.unlessContradicted(atFullUrl, plain, base);
    if (plain.startsWith('http')) {
      const address = addressOf(plain);
      return address === undefined ? [] : this.named(`${address.type}/${address.id}`, address.base);
    }
    if (plain.startsWith('urn:')) return this.withId(plain.replace(/^urn:(uuid|oid):/, ''));
    const besideHolder =
      base === undefined || this.byFullUrl === undefined ? undefined : this.atUrl(`${base}/${plain}`);
    return besideHolder === undefined ? this.named(plain, base) : this.unlessContradicted(besideHolder, plain, base);
  }

  // Another server may use the same id, so items known to be at another base are excluded.
  private named(name: string, base: string | undefined): readonly T[] {
    return this.allNamed(name).filter((item) => this.own.isSame(item.base, base));
  }

  /** The items of this name at any server. */
  private allNamed(name: string): readonly T[] {
    const found = this.byName.get(name);
    if (found === undefined) return none;
    return Array.isArray(found) ? found : [found];
  }

  // FHIR R4 forbids a fullUrl whose id differs from the id of its resource; in that case the resource with that id is a
  // possible target too.
  private unlessContradicted(found: readonly T[], plain: string, base: string | undefined): readonly T[] {
    const isPlain = found.every(({ id }) => id === undefined || plain.endsWith(`/${id}`) || plain.startsWith('urn:'));
    if (isPlain) return found;
    const address = addressOf(plain);
    const others = address === undefined ? none : this.named(`${address.type}/${address.id}`, address.base ?? base);
    return [...new Set([...found, ...others])];
  }

  private withId(id: string): readonly T[] {
    if (this.byId === undefined) {
      this.byId = new Map();
      for (const item of this.items) if (item.id !== undefined) push(this.byId, item.id, item);
    }
    return this.byId.get(id) ?? [];
  }

  private byIdentifier({ type, identifier }: LogicalReference): readonly T[] {
    const all = this.valuesIn(type).get(identifier.value ?? '') ?? [];
    return all.filter((item) => item.identifiers().some((one) => isSameIdentifier(one, identifier)));
  }

  private valuesIn(type: string | undefined): ReadonlyMap<string, readonly T[]> {
    this.byValue ??= new Map();
    const known = this.byValue.get(type);
    if (known !== undefined) return known;
    const found = new Map<string, T[]>();
    for (const item of this.items)
      if (type === undefined || item.type === type) for (const value of valuesOf(item)) push(found, value, item);
    this.byValue.set(type, found);
    return found;
  }
}

const none: readonly never[] = [];

function basesIn(items: readonly Referable[]): readonly string[] {
  return items.flatMap(({ base }) => base ?? []);
}

/** The identifiers of a resource, whether its type has one or a list. */
export function identifiersOf(resource: object): readonly Identifier[] {
  const identifiers: unknown = Reflect.get(resource, 'identifier');
  if (Array.isArray(identifiers)) return identifiers.filter(isObject);
  return isObject(identifiers) ? [identifiers] : [];
}

/** Items without an id are treated as one item per type. */
function namedAs({ type, id, name }: Referable): string {
  return id === undefined ? type : name;
}

function valuesOf(item: Referable): ReadonlySet<string> {
  return new Set(item.identifiers().flatMap(({ value }) => (typeof value === 'string' ? value.trim() : [])));
}

function push<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

function only<T>(candidates: readonly T[]): T | undefined {
  return candidates.length === 1 ? candidates[0] : undefined;
}
