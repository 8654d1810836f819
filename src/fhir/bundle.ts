import type { Identifier, Resource } from 'fhir/r4.js';
import { isObject } from './is-object.ts';

/** A resource and where it stood in its Bundle. */
export interface Entry {
  readonly resource: Resource;
  readonly fullUrl?: string;
}

/** A place in a document that could not be used, and why; never with a value from it. */
export interface BundleIssue {
  /** `entry[3].resource` */
  readonly path: string;
  readonly message: string;
}

export interface ReadBundle {
  readonly entries: readonly Entry[];
  readonly issues: readonly BundleIssue[];
}

/** The resources of a parsed JSON document: a Bundle (nested ones and Parameters too), one resource, or an array of resources. */
export function readBundle(json: unknown): ReadBundle {
  const entries: Entry[] = [];
  const issues: BundleIssue[] = [];
  read(json, { path: '', fullUrl: undefined, depth: 0 }, { entries, issues });
  return { entries, issues };
}

interface Spot {
  readonly path: string;
  readonly fullUrl: string | undefined;
  readonly depth: number;
}

const deepest = 5;

function read(json: unknown, spot: Spot, into: { entries: Entry[]; issues: BundleIssue[] }): void {
  if (Array.isArray(json)) {
    for (const [index, item] of json.entries())
      read(item, { path: `${spot.path}[${index}]`, fullUrl: undefined, depth: spot.depth }, into);
  } else if (!isResource(json)) {
    into.issues.push({
      path: spot.path,
      message: json === undefined || json === null ? 'no resource' : 'not a FHIR resource: no resourceType',
    });
  } else if (json.resourceType === 'OperationOutcome') {
    into.issues.push({ path: spot.path, message: 'an OperationOutcome instead of data' });
  } else if ((json.resourceType === 'Bundle' || json.resourceType === 'Parameters') && spot.depth < deepest) {
    readParts(json, spot, into);
  } else {
    into.entries.push(entryOf(json, spot.fullUrl));
  }
}

/** What is not simply an entry. */
const special: ReadonlySet<string> = new Set(['Bundle', 'Parameters', 'OperationOutcome']);

function entryOf(resource: Resource, fullUrl: string | undefined): Entry {
  return fullUrl === undefined ? { resource } : { resource, fullUrl };
}

function readParts(whole: Resource, spot: Spot, into: { entries: Entry[]; issues: BundleIssue[] }): void {
  const name = whole.resourceType === 'Bundle' ? 'entry' : 'parameter';
  const parts: unknown = Reflect.get(whole, name);
  const prefix = spot.path === '' ? '' : `${spot.path}.`;
  if (parts !== undefined && !Array.isArray(parts))
    into.issues.push({ path: `${prefix}${name}`, message: `${name} is not a list` });
  if (!Array.isArray(parts)) return;
  for (const [index, part] of parts.entries()) {
    const resource: unknown = isObject(part) ? part.resource : undefined;
    const fullUrl = isObject(part) && typeof part.fullUrl === 'string' ? part.fullUrl : undefined;
    // Parameters hold plain values beside resources, and a Bundle's answers to writes hold none.
    if (
      resource === undefined &&
      isObject(part) &&
      (name === 'parameter' || part.response !== undefined || part.request !== undefined)
    )
      continue;
    if (isResource(resource) && !special.has(resource.resourceType)) into.entries.push(entryOf(resource, fullUrl));
    else read(resource, { path: `${prefix}${name}[${index}].resource`, fullUrl, depth: spot.depth + 1 }, into);
  }
}

export interface ResourceIndex {
  /** `Patient/123` and every fullUrl -> resource. */
  readonly byReference: ReadonlyMap<string, Resource>;
  /** The resource that a Reference (or reference string) means, seen from the resource that holds it; undefined when it is not here or more than one could be meant. */
  resolve(reference: unknown, from?: Resource): Resource | undefined;
}

/**
 * Finds resources as FHIR R4 "Resolving references in Bundles" does: `#contained`, fullUrl (urn:uuid, urn:oid, absolute),
 * relative to the base of the holder's own fullUrl, `Type/id` with or without `/_history/n`, conditional
 * (`Practitioner?identifier=system|value`) and logical references (`identifier`).
 */
export function indexResources(entries: readonly (Resource | Entry)[]): ResourceIndex {
  const index = new Index(entries.map(asEntry));
  return { byReference: index.byReference, resolve: (reference, from) => index.resolve(reference, from) };
}

class Index {
  readonly byReference = new Map<string, Resource>();
  private readonly fullUrlOf = new Map<Resource, string>();
  private readonly containerOf = new Map<Resource, Resource>();
  private readonly byName = new Map<string, Resource[]>();
  private readonly resources: Resource[] = [];

  constructor(entries: readonly Entry[]) {
    for (const { resource, fullUrl } of entries) this.add(resource, fullUrl);
  }

  private add(resource: Resource, fullUrl: string | undefined): void {
    this.resources.push(resource);
    if (fullUrl !== undefined && !this.byReference.has(fullUrl)) this.byReference.set(fullUrl, resource);
    if (fullUrl !== undefined) this.fullUrlOf.set(resource, fullUrl);
    for (const inner of containedIn(resource)) this.containerOf.set(inner, resource);
    if (resource.id === undefined) return;
    const name = `${resource.resourceType}/${resource.id}`;
    const sameName = this.byName.get(name);
    if (sameName !== undefined) sameName.push(resource);
    else {
      this.byName.set(name, [resource]);
      this.byReference.set(name, resource);
    }
  }

  private baseOf(resource: Resource): string | undefined {
    const fullUrl = this.fullUrlOf.get(resource);
    return fullUrl === undefined ? undefined : absolute.exec(fullUrl)?.[1];
  }

  resolve(reference: unknown, from: Resource | undefined): Resource | undefined {
    if (typeof reference === 'string') return this.resolveText(reference, from);
    if (!isObject(reference)) return undefined;
    const found = typeof reference.reference === 'string' ? this.resolveText(reference.reference, from) : undefined;
    if (found !== undefined || !isObject(reference.identifier)) return found;
    return this.resolveIdentifier(
      reference.identifier,
      typeof reference.type === 'string' ? reference.type : undefined,
    );
  }

  private resolveText(text: string, from: Resource | undefined): Resource | undefined {
    if (text.startsWith('#')) return this.resolveContained(text.slice(1), from);
    const conditional = text.includes('?') ? /^([A-Z][A-Za-z]+)\?identifier=(.+)$/.exec(text) : null;
    if (conditional !== null) return this.resolveIdentifier(identifierOf(conditional[2] ?? ''), conditional[1]);
    const plain = text.includes('/_history/') ? text.replace(/\/_history\/[^/]*$/, '') : text;
    const parts = plain.startsWith('http') ? absolute.exec(plain) : null;
    if (parts !== null) return this.byReference.get(plain) ?? this.resolveName(parts[2] ?? '', parts[1]);
    if (plain.startsWith('urn:'))
      return this.byReference.get(plain) ?? this.resolveId(plain.replace(/^urn:(uuid|oid):/, ''));
    const base = from === undefined ? undefined : this.baseOf(this.containerOf.get(from) ?? from);
    return (base === undefined ? undefined : this.byReference.get(`${base}/${plain}`)) ?? this.resolveName(plain, base);
  }

  // Another server may use the same id: a resource that is known to come from another base is not meant.
  private resolveName(name: string, base: string | undefined): Resource | undefined {
    const candidates = this.byName.get(name) ?? [];
    if (base === undefined)
      return only(candidates) ?? only(candidates.filter((candidate) => this.baseOf(candidate) === undefined));
    return only(candidates.filter((candidate) => (this.baseOf(candidate) ?? base) === base));
  }

  private resolveId(id: string): Resource | undefined {
    return only(this.resources.filter((resource) => resource.id === id));
  }

  private resolveContained(id: string, from: Resource | undefined): Resource | undefined {
    const holder = from === undefined ? undefined : (this.containerOf.get(from) ?? from);
    if (holder === undefined || id === '') return holder;
    return containedIn(holder).find((inner) => inner.id === id);
  }

  private resolveIdentifier(wanted: Identifier, type: string | undefined): Resource | undefined {
    if (wanted.value === undefined || wanted.value === '') return undefined;
    return only(
      this.resources.filter(
        (resource) =>
          (type === undefined || resource.resourceType === type) &&
          identifiersOf(resource).some((identifier) => same(identifier, wanted)),
      ),
    );
  }
}

const absolute = /^(https?:\/\/.+)\/([A-Z][A-Za-z]+\/[^/]+)$/;

/** The resources inside a resource. */
export function containedIn(resource: Resource): readonly Resource[] {
  const contained: unknown = Reflect.get(resource, 'contained');
  return Array.isArray(contained) ? contained.filter(isResource) : [];
}

function only<T>(candidates: readonly T[] | undefined): T | undefined {
  return candidates?.length === 1 ? candidates[0] : undefined;
}

function asEntry(given: Resource | Entry): Entry {
  return isEntry(given) ? given : { resource: given };
}

function isEntry(given: Resource | Entry): given is Entry {
  return 'resource' in given && isResource(given.resource);
}

function identifiersOf(resource: Resource): readonly Identifier[] {
  const identifiers: unknown = Reflect.get(resource, 'identifier');
  return Array.isArray(identifiers) ? identifiers.filter(isObject) : isObject(identifiers) ? [identifiers] : [];
}

// A token search: `system|value`, `|value` for no system, `value` for any (FHIR R4, "token").
function identifierOf(token: string): Identifier {
  const text = decode(token);
  const bar = text.indexOf('|');
  if (bar < 0) return { value: text };
  return { system: text.slice(0, bar), value: text.slice(bar + 1) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function same(identifier: Identifier, wanted: Identifier): boolean {
  return (
    typeof identifier.value === 'string' &&
    identifier.value.trim() === wanted.value &&
    (wanted.system === undefined || (identifier.system ?? '') === wanted.system)
  );
}

function isResource(value: unknown): value is Resource {
  return isObject(value) && typeof value.resourceType === 'string';
}
