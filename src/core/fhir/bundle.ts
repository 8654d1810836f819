import type { Resource } from 'fhir/r4.js';
import { baseOf, baseOfRequest, plainAddress } from './address.ts';
import { type Deletion, deletionIn, isDeletedBy, isDeletion } from './deletion.ts';
import { isObject } from './is-object.ts';
import { isResource } from './is-resource.ts';
import { OwnServer } from './references/own-server.ts';

/** A resource and the address that its Bundle gives it. */
export interface Entry {
  readonly resource: Resource;
  readonly fullUrl?: string;
}

/** An entry and its place in its document. */
export interface PlacedEntry extends Entry {
  /** `entry[3].resource`; empty for a document that is the resource itself. */
  readonly path: string;
}

/** A place in a document that could not be used, and the reason; never with a value from the document. */
export interface BundleIssue {
  /** `entry[3].resource` */
  readonly path: string;
  readonly message: string;
}

/** The content of a document, and the parts of it that could not be used. */
export interface ReadBundle {
  readonly entries: readonly PlacedEntry[];
  readonly issues: readonly BundleIssue[];
  readonly deletions: readonly Deletion[];
  /** The number of OperationOutcomes that report no error. */
  readonly messages: number;
}

/**
 * The resources of a parsed JSON document: a Bundle of any type (nested ones and Parameters too), one resource, or an
 * array of resources. An entry without a resource is normal where it states a request or a response (deletes, responses
 * without a body), and so is an OperationOutcome that reports on a search; any other such entry is an issue.
 *
 * @example
 * const { entries, issues } = readBundle(bundle);
 */
export function readBundle(json: unknown): ReadBundle {
  return readParts([{ path: '', value: json }]);
}

/** Reads several values of one document as `readBundle` does, each with its path: `context.draftOrders`. */
export function readParts(parts: readonly { readonly path: string; readonly value: unknown }[]): ReadBundle {
  const found: Found = { entries: [], issues: [], deletions: [], messages: 0 };
  for (const { path, value } of parts) read(value, { path, fullUrl: undefined, depth: 0 }, found);
  return found;
}

/**
 * The entries of a document without the resources that it states as deleted. In a document with addresses of several
 * servers, a deletion without a server is ignored, because its server is unknown.
 */
export function withoutDeleted({ entries, deletions }: ReadBundle): readonly PlacedEntry[] {
  if (deletions.length === 0) return entries;
  const addresses = [...entries.map(({ fullUrl }) => fullUrl), ...deletions.map(({ reference }) => reference)];
  const server = new OwnServer(() => addresses.flatMap((address) => baseOf(address) ?? []));
  const byName = Map.groupBy(deletions, ({ reference }) => server.spelled(reference));
  return entries.filter(({ resource, fullUrl }) => {
    const deleting = byName.get(server.spelled(fullUrl ?? `${resource.resourceType}/${resource.id}`)) ?? [];
    return !deleting.some((deletion) => isDeletedBy(deletion, resource.meta ?? {}));
  });
}

interface Found {
  readonly entries: PlacedEntry[];
  readonly issues: BundleIssue[];
  readonly deletions: Deletion[];
  messages: number;
}

interface Place {
  readonly path: string;
  readonly fullUrl: string | undefined;
  readonly depth: number;
}

/** The limit for Bundles in Bundles; a batch of batches is two deep. */
const deepest = 8;

function read(json: unknown, place: Place, found: Found): void {
  const { path, depth } = place;
  if (depth > deepest) found.issues.push({ path, message: 'it is nested too deep' });
  else if (Array.isArray(json))
    for (const [index, item] of json.entries())
      read(item, { path: `${path}[${index}]`, fullUrl: undefined, depth: depth + 1 }, found);
  else if (isResource(json)) readResource(json, place, found);
  else found.issues.push({ path, message: isAbsent(json) ? 'no resource' : 'not a FHIR resource: no resourceType' });
}

/** Whether a resource is read itself: it is neither a list of other resources nor a message. */
export function isSingle({ resourceType: type }: Resource): boolean {
  return type !== 'Bundle' && type !== 'Parameters' && type !== 'OperationOutcome';
}

function readResource(resource: Resource, place: Place, found: Found): void {
  const { path, fullUrl } = place;
  const type: string = resource.resourceType;
  if (type === 'Bundle') readList(resource, 'entry', place, found);
  else if (type === 'Parameters') readList(resource, 'parameter', place, found);
  else if (!isSingle(resource)) readOutcome(resource, path, found);
  else found.entries.push(fullUrl === undefined ? { resource, path } : { resource, fullUrl, path });
}

function readOutcome(outcome: Resource, path: string, found: Found): void {
  const issues: unknown = Reflect.get(outcome, 'issue');
  const stated = (Array.isArray(issues) ? issues : []).filter(isObject);
  if (stated.length > 0 && stated.every(({ severity }) => severity === 'information' || severity === 'success')) {
    found.messages += 1;
    return;
  }
  // The texts of an OperationOutcome may quote the data; severity and code come from closed lists.
  const [first] = stated.flatMap(({ severity, code }) => {
    const words = [severity, code].filter((word) => typeof word === 'string' && /^[a-z-]{1,40}$/.test(word));
    return words.length === 0 ? [] : ` (${words.join(', ')})`;
  });
  found.issues.push({ path, message: `an OperationOutcome instead of data${first ?? ''}` });
}

function readList(whole: Resource, name: 'entry' | 'parameter', { path, depth }: Place, found: Found): void {
  const list: unknown = Reflect.get(whole, name);
  let server: string | undefined | null = null;
  const prefix = path === '' ? name : `${path}.${name}`;
  if (isAbsent(list)) return;
  if (!Array.isArray(list)) {
    found.issues.push({ path: prefix, message: `${name} is not a list` });
    return;
  }
  for (let index = 0; index < list.length; index += 1) {
    const part: unknown = list[index];
    if (isObject(part) && isDeletion(part)) {
      readDeletion(part, `${prefix}[${index}]`, whole, found);
      continue;
    }
    if (isObject(part) && hasNoData(part, name)) continue;
    const fullUrl = isObject(part) && typeof part.fullUrl === 'string' ? plainAddress(part.fullUrl) : '';
    const value = isObject(part) ? part.resource : undefined;
    const path = prefix === 'entry' ? entryPath(index) : `${prefix}[${index}].resource`;
    if (fullUrl === '' && server === null) server = answeringServer(whole);
    read(value, { path, fullUrl: fullUrl || addressAt(server ?? undefined, value), depth: depth + 1 }, found);
  }
}

function readDeletion(part: object, path: string, whole: Resource, found: Found): void {
  const server = answeringServer(whole);
  const deletion = deletionIn(part, { path, server, timestamp: Reflect.get(whole, 'timestamp') });
  if ('unclear' in deletion) found.issues.push({ path, message: deletion.unclear });
  else found.deletions.push(deletion);
}

/** The base URL that answered a search or history, if its `self` link states it. */
function answeringServer(whole: Resource): string | undefined {
  const [type, link]: readonly unknown[] = ['type', 'link'].map((name) => Reflect.get(whole, name));
  if ((type !== 'searchset' && type !== 'history') || !Array.isArray(link)) return undefined;
  const self: unknown = link.find((one: unknown) => isObject(one) && one.relation === 'self');
  return isObject(self) && typeof self.url === 'string' ? baseOfRequest(self.url) : undefined;
}

function addressAt(server: string | undefined, value: unknown): string | undefined {
  if (server === undefined || !isResource(value) || typeof value.id !== 'string') return undefined;
  return `${server}/${value.resourceType}/${value.id}`;
}

// The paths of entries are the same in every Bundle, so their texts are built once and reused.
function entryPath(index: number): string {
  const known = entryPaths[index];
  if (known !== undefined) return known;
  const path = `entry[${index}].resource`;
  if (index === entryPaths.length && index < mostPaths) entryPaths.push(path);
  return path;
}

const entryPaths: string[] = [];
const mostPaths = 1000;

// Parameters contain plain values and messages beside resources, a Bundle's responses to writes contain no resource,
// and a search may report on itself.
function hasNoData(part: Readonly<Record<string, unknown>>, name: 'entry' | 'parameter'): boolean {
  if (isAbsent(part.resource)) return name === 'parameter' || !isAbsent(part.response) || !isAbsent(part.request);
  const isMessage = isObject(part.resource) && part.resource.resourceType === 'OperationOutcome';
  return isMessage && (name === 'parameter' || (isObject(part.search) && part.search.mode === 'outcome'));
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
