import { addressOf, canonicalReference, plainAddress } from './address.ts';
import { isObject } from './is-object.ts';
import { isNewer, type Version } from './version.ts';

/**
 * A resource that a server reports as deleted: an entry with `request.method` DELETE, in a history or in the
 * transactions that a bulk export uses to list deletions (Bulk Data Access, "deleted").
 */
export interface Deletion extends Version {
  /** `MedicationRequest/9`, or absolute where the entry or its Bundle states the server. */
  readonly reference: string;
  /** `entry[0]` */
  readonly path: string;
}

export function isDeletion(entry: object): boolean {
  const request: unknown = Reflect.get(entry, 'request');
  return isObject(request) && request.method === 'DELETE';
}

/** The deletion that an entry states, or why it is unclear. `server` is the base URL that answered. */
export function deletionIn(
  entry: object,
  at: { readonly path: string; readonly server: string | undefined; readonly timestamp: unknown },
): Deletion | { readonly unclear: string } {
  const { fullUrl, request, response } = entry as Readonly<Record<string, unknown>>; // an object of any form
  const stated = [fullUrl, isObject(request) ? request.url : undefined];
  const address = stated.flatMap((url) => (typeof url === 'string' ? (readAddress(url) ?? []) : []));
  const [first] = address.toSorted((one, other) => Number(isAbsolute(other)) - Number(isAbsolute(one)));
  if (first === undefined) return { unclear: 'a deletion that does not say by type and id what was deleted' };
  const { lastModified, etag } = isObject(response) ? response : {};
  const lastUpdated = [lastModified, at.timestamp].find((time) => typeof time === 'string');
  const versionId = typeof etag === 'string' ? /^(?:W\/)?"([^"]+)"$/.exec(etag)?.[1] : undefined;
  return {
    reference: canonicalReference(first, at.server),
    path: at.path,
    ...(typeof lastUpdated === 'string' ? { lastUpdated } : {}),
    ...(versionId === undefined ? {} : { versionId }),
  };
}

/** Whether a deletion applies to this version of its resource. It applies unless the version is certainly newer. */
export function isDeletedBy(deletion: Deletion, version: Version): boolean {
  return !isNewer(version, deletion);
}

function isAbsolute(reference: string): boolean {
  return addressOf(reference)?.base !== undefined;
}

function readAddress(url: string): string | undefined {
  const plain = plainAddress(url).replace(/^\/(?=[A-Z])/, '');
  return addressOf(plain) === undefined ? undefined : plain;
}
