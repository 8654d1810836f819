import type { Resource } from 'fhir/r4.js';
import { presetOf } from '../config/presets/presets.ts';
import { BridgeError } from '../core/errors.ts';
import type { ChangeCondition, VersionRead, WriteResult } from '../core/fhir/api.ts';
import type { Delivery } from './delivery.ts';

/** The version that a change is based on, and how strictly the change must be bound to it. */
export interface Bound {
  /** The version as an If-Match value; undefined if the EHR returns none or uses If-Unmodified-Since. */
  readonly ifMatch: string | undefined;
  /** Nobody has changed the resource for a while, so that a change without a condition would overwrite nothing. */
  readonly isSettled: boolean;
}

/**
 * Returns the version that was read as an If-Match value: the ETag if there is one, else a value made of
 * `meta.versionId` (FHIR R4, http.html#concurrency).
 *
 * @example ifMatchOf(delivery, { resource: task, etag: 'W/"3"' }) // 'W/"3"'
 */
export function ifMatchOf({ site }: Pick<Delivery, 'site'>, read: VersionRead<Resource>): string | undefined {
  if (presetOf(site)?.updates.precondition === 'If-Unmodified-Since') return undefined;
  const { versionId } = read.resource.meta ?? {};
  return read.etag ?? (versionId === undefined ? undefined : `W/"${versionId}"`);
}

/**
 * Sends a change bound to the version that was read. Servers that compare strongly (RFC 9110 13.1.1) never accept a
 * weak ETag, so after a refusal the same version is sent in other spellings. The spelling without quotes comes last,
 * since a server that cannot parse it may ignore it. Throws the last refusal.
 */
export async function sendBound(
  { ifMatch, isSettled }: Bound,
  send: (condition: ChangeCondition) => Promise<WriteResult>,
): Promise<WriteResult> {
  if (ifMatch === undefined) return await send({});
  const opaque = ifMatch.replace(/^W\//, '').replaceAll('"', '');
  const quoted = [`"${opaque}"`, `W/"${opaque}"`].filter((spelling) => spelling !== ifMatch);
  let last = await tried(ifMatch, send);
  for (const spelling of quoted) if ('refusal' in last) last = await tried(spelling, send);
  if ('refusal' in last && opaque !== ifMatch && (isSettled || !isConflict(last.refusal)))
    last = await tried(opaque, send);
  if ('refusal' in last) throw last.refusal;
  return last.written;
}

async function tried(
  ifMatch: string,
  send: (condition: ChangeCondition) => Promise<WriteResult>,
): Promise<{ readonly written: WriteResult } | { readonly refusal: unknown }> {
  try {
    return { written: await send({ ifMatch }) };
  } catch (refusal) {
    if (isConflict(refusal) || isBadRequest(refusal)) return { refusal };
    throw refusal;
  }
}

/** Whether the EHR says that the resource has changed since it was read. */
export function isConflict(error: unknown): boolean {
  return error instanceof BridgeError && error.code === 'ehr_conflict';
}

/** Whether the EHR perhaps does not understand the condition of a change. */
export function isBadRequest(error: unknown): boolean {
  return error instanceof BridgeError && error.code === 'ehr_write_refused' && error.facts.http === 400;
}
