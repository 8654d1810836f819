import { baseOf, baseOfRequest } from './address.ts';
import { type BundleIssue, type PlacedEntry, type ReadBundle, readParts } from './bundle.ts';
import { isObject } from './is-object.ts';
import { isResource } from './is-resource.ts';
import { OwnServer } from './references/own-server.ts';

/** A CDS Hooks request: the prefetched chart and the orders that are being written. */
export interface HookRequest extends ReadBundle {
  /** `order-sign` */
  readonly hook: string;
  /**
   * The orders in the context that the request is about: all of them, or for `order-select` only those in `selections`.
   * They are named `Type/id`; an order without an id is named by its fullUrl or by its place in the request.
   */
  readonly drafts: ReadonlySet<string>;
  /** The base URL of the calling EHR (`fhirServer`); resources without an address belong to it. */
  readonly server?: string;
}

/**
 * The resources of a CDS Hooks request (CDS Hooks 2.0, "Calling a CDS Service"); undefined for any other JSON. For an
 * order that is being written, the version in the context replaces the version that the EHR has stored.
 *
 * @example
 * readHookRequest({ hook: 'order-sign', hookInstance: '1', context: { draftOrders: bundle } })?.drafts;
 */
export function readHookRequest(json: unknown): HookRequest | undefined {
  if (!isObject(json) || typeof json.hook !== 'string' || typeof json.hookInstance !== 'string') return undefined;
  const context = isObject(json.context) ? json.context : {};
  const prefetch = isObject(json.prefetch) ? json.prefetch : {};
  const written = readParts(draftLists.flatMap((name) => partsAt(`context.${name}`, context[name])));
  const stored = readParts(Object.entries(prefetch).flatMap(([key, value]) => partsAt(`prefetch.${key}`, value)));
  const orders = written.entries.map(named);
  const names = new Set(orders.map(nameOf));
  const server = typeof json.fhirServer === 'string' ? baseOfRequest(json.fhirServer) : undefined;
  return {
    hook: json.hook,
    ...(server === undefined ? {} : { server }),
    drafts: json.hook === 'order-select' ? selected(context.selections, names) : names,
    entries: [...orders, ...stored.entries.filter((entry) => !names.has(nameOf(entry)))],
    issues: [...written.issues, ...stored.issues, ...namesakes({ drafts: orders, stored: stored.entries, server })],
    deletions: [],
    messages: written.messages + stored.messages,
  };
}

/** `medications` was the name of `draftOrders` before CDS Hooks 1.0. */
const draftLists = ['draftOrders', 'medications'] as const;

// Some EHRs prefetch by batch and pass on the batch entry, `{ response, resource }`; a failed entry has no resource.
// null means that there is no data.
function partsAt(path: string, value: unknown): { path: string; value: unknown }[] {
  if (value === undefined || value === null) return [];
  const isBatchEntry = isObject(value) && !isResource(value) && 'response' in value;
  if (!isBatchEntry) return [{ path, value }];
  return isObject(value.resource) ? [{ path: `${path}.resource`, value: value.resource }] : [];
}

/** Prefetched resources that have the id of a draft but belong, or may belong, to another server. */
function namesakes({
  drafts,
  stored,
  server,
}: {
  readonly drafts: readonly PlacedEntry[];
  readonly stored: readonly PlacedEntry[];
  readonly server: string | undefined;
}): BundleIssue[] {
  const bases = [...drafts, ...stored].flatMap(({ fullUrl }) => baseOf(fullUrl) ?? []);
  const own = new OwnServer(() => (server === undefined ? bases : [server]));
  const byName = new Map(drafts.map((draft) => [nameOf(draft), draft]));
  return stored.flatMap((entry) => {
    const draft = byName.get(nameOf(entry));
    if (draft === undefined || own.isSame(baseOf(draft.fullUrl), baseOf(entry.fullUrl))) return [];
    const at = baseOf(entry.fullUrl) ?? 'no named server';
    const message = `${nameOf(entry)} at ${at} is not certainly the draft of that id: it was not used`;
    return [{ path: entry.path, message }];
  });
}

function selected(selections: unknown, names: ReadonlySet<string>): ReadonlySet<string> {
  const chosen = Array.isArray(selections) ? selections : [];
  return new Set(chosen.filter((name: unknown): name is string => typeof name === 'string' && names.has(name)));
}

/** A draft without an id or fullUrl is identified by its place. */
function named(entry: PlacedEntry): PlacedEntry {
  const isNamed = entry.resource.id !== undefined || entry.fullUrl !== undefined;
  return isNamed ? entry : { ...entry, fullUrl: entry.path };
}

function nameOf({ resource, fullUrl }: PlacedEntry): string {
  return resource.id === undefined ? (fullUrl ?? '') : `${resource.resourceType}/${resource.id}`;
}
