import { createHash, timingSafeEqual } from 'node:crypto';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import type { LaunchRecord, Tokens } from './store.ts';
import type { Launch, Parts, StaffSession } from './types.ts';

const hour = 3_600_000;
/** Milliseconds for which a closed session is recognized, so that its page can explain what happened. */
const rememberMs = 24 * hour;
/** Milliseconds for which an offline token is kept to deliver an outcome. */
const deliveryMs = 90 * 24 * hour;

/**
 * Changes one record exclusively: any other change of the same launch, in any process, runs before or after this one.
 * Undefined if the record is gone.
 */
export function change(
  parts: Parts,
  id: string,
  make: (record: LaunchRecord) => LaunchRecord,
): Promise<LaunchRecord | undefined> {
  return parts.store.exclusive(`launch|${id}`, async () => {
    const record = await parts.store.get(id);
    if (record === undefined) return undefined;
    const next = make(record);
    if (next !== record) await parts.store.put(next);
    return next;
  });
}

/** Deletes a record while no other change of it runs, so that none writes it back. Returns the record. */
export function forget(parts: Parts, id: string): Promise<LaunchRecord | undefined> {
  return parts.store.exclusive(`launch|${id}`, async () => {
    const record = await parts.store.get(id);
    await parts.store.delete(id);
    return record;
  });
}

/**
 * Returns the launch if it belongs to this browser and its session is live. Throws launch_not_found, relaunch_required.
 */
export async function openLaunch(
  parts: Parts,
  launchId: string,
  sessionId: string | undefined,
  options: { readonly touch?: boolean } = {},
): Promise<Launch> {
  const { site, record } = await ownRecord(parts, launchId, sessionId);
  return launchOf(site, options.touch === false ? record : await touch(parts, site, record));
}

/** Counts as a use of a session of this browser, with or without a chart. */
export async function keepAlive(parts: Parts, launchId: string, sessionId: string | undefined): Promise<void> {
  const { site, record } = await ownRecord(parts, launchId, sessionId);
  await touch(parts, site, record);
}

/** Returns the record of a live session of this browser. */
async function ownRecord(
  parts: Parts,
  launchId: string,
  sessionId: string | undefined,
): Promise<{ readonly site: Site; readonly record: LaunchRecord }> {
  const record = await parts.store.get(launchId);
  if (record === undefined || sessionId === undefined || !hasHash(sessionId, record.sessionHash)) {
    if (record !== undefined)
      parts.log.warn(
        { event: 'launch_refused', code: 'launch_not_found', site: record.site },
        'launch asked for by another session',
      );
    throw new BridgeError('launch_not_found');
  }
  const site = siteById(parts, record.site);
  if (record.phase === 'started') throw new BridgeError('launch_not_found');
  if (!isLive(parts, site, record)) {
    await endSession(parts, site, record.id);
    throw new BridgeError('relaunch_required', { site: site.id });
  }
  return { site, record };
}

/**
 * Returns the signed-in user if the launch belongs to this browser and its session is live. Throws launch_not_found,
 * relaunch_required, and staff_only for a user who is not a Practitioner or PractitionerRole.
 */
export async function openStaff(parts: Parts, launchId: string, sessionId: string | undefined): Promise<StaffSession> {
  const { site, record } = await ownRecord(parts, launchId, sessionId);
  if (record.context === undefined && record.staff === undefined) throw new BridgeError('launch_not_found');
  return staffOf(site, await touch(parts, site, record));
}

function staffOf(site: Site, record: LaunchRecord): StaffSession {
  const { fhirUser, userName } = record.staff ?? record.context ?? {};
  if (fhirUser === undefined || !isStaff(fhirUser)) throw new BridgeError('staff_only', { site: site.id });
  return {
    id: record.id,
    site,
    fhirUser,
    endsAt: new Date(absoluteEnd(site, record)).toISOString(),
    ...(userName === undefined ? {} : { userName }),
    ...(record.context === undefined ? {} : { patient: record.context.patient }),
  };
}

/** A Patient, a RelatedPerson or a Person is not staff. */
export function isStaff(fhirUser: string | undefined): boolean {
  return /^(Practitioner|PractitionerRole)\/[A-Za-z0-9.-]{1,64}$/.test(fhirUser ?? '');
}

export async function hasOpenChart(parts: Parts, siteId: string, patient: string, fhirUser: string): Promise<boolean> {
  const site = siteById(parts, siteId);
  const records = await parts.store.ofPatient(siteId, patient);
  return records.some((record) => record.context?.fhirUser === fhirUser && isLive(parts, site, record));
}

/**
 * Returns a launch of this browser whose session ended less than a day ago, without access to the EHR; undefined for
 * any other launch.
 */
export async function endedLaunch(
  parts: Parts,
  launchId: string,
  sessionId: string | undefined,
): Promise<Launch | undefined> {
  const record = await parts.store.get(launchId);
  if (record?.phase !== 'ended' || sessionId === undefined || !hasHash(sessionId, record.sessionHash)) return undefined;
  const isRecent = parts.clock().getTime() - Date.parse(record.lastUsedAt) < rememberMs;
  return isRecent ? launchOf(siteById(parts, record.site), record) : undefined;
}

/** Whether the session is signed in, not idle too long, and not older than the site allows. */
export function isLive(parts: Parts, site: Site, record: LaunchRecord): boolean {
  return record.phase === 'open' && parts.clock().getTime() < sessionDue(site, record);
}

/**
 * Ends a session that reached its time limit. Deletes its tokens, except an offline refresh token that the site keeps
 * for deliveries.
 */
export async function endSession(parts: Parts, site: Site, id: string): Promise<void> {
  await change(parts, id, (record) => ended(parts, site, record));
}

/**
 * Ends access to the chart at once and deletes the offline token too, because the grant is no longer valid or the EHR
 * changed the patient.
 */
export async function killSession(parts: Parts, id: string): Promise<void> {
  await change(parts, id, (record) => closed(parts, record));
}

/** Returns those of the launches that have ended or are unknown. */
export async function launchesOver(parts: Parts, ids: readonly string[]): Promise<string[]> {
  const records = new Map((await parts.store.some(ids)).map((record) => [record.id, record]));
  return ids.filter((id) => {
    const record = records.get(id);
    const site = parts.config.sites.find((each) => each.id === record?.site);
    if (record === undefined || site === undefined) return true;
    return record.phase !== 'started' && !isLive(parts, site, record);
  });
}

/**
 * Returns the launches that belong to this browser, in the order given. `sent`: the session id that the browser sent
 * for each launch.
 */
export async function ownLaunches(parts: Parts, sent: ReadonlyMap<string, string>): Promise<string[]> {
  const records = await parts.store.some([...sent.keys()]);
  const own = new Set(
    records.filter(({ id, sessionHash }) => hasHash(sent.get(id) ?? '', sessionHash)).map(({ id }) => id),
  );
  return [...sent.keys()].filter((id) => own.has(id));
}

/** Ends idle sessions and deletes ended launches; returns how many were due. */
export async function purge(parts: Parts, now: Date): Promise<number> {
  const due = await parts.store.due(now.toISOString());
  for (const record of due) await settle(parts, record, now);
  return due.length;
}

export function siteById(parts: Parts, id: string): Site {
  const site = parts.config.sites.find((each) => each.id === id);
  if (site === undefined) throw new BridgeError('issuer_unknown');
  return site;
}

export function launchOf(site: Site, record: LaunchRecord): Launch {
  const { context } = record;
  if (context === undefined) throw new BridgeError('launch_not_found');
  return {
    id: record.id,
    site,
    iss: site.iss,
    ...context,
    createdAt: record.createdAt,
    endsAt: new Date(absoluteEnd(site, record)).toISOString(),
  };
}

/** The time at which `purge` should check an open session again, in milliseconds since the epoch. */
export function sessionDue(site: Site, record: Pick<LaunchRecord, 'createdAt' | 'lastUsedAt'>): number {
  return Math.min(Date.parse(record.lastUsedAt) + site.session.idleMinutes * 60_000, absoluteEnd(site, record));
}

function absoluteEnd(site: Site, record: Pick<LaunchRecord, 'createdAt'>): number {
  return Date.parse(record.createdAt) + site.session.hours * hour;
}

async function touch(parts: Parts, site: Site, record: LaunchRecord): Promise<LaunchRecord> {
  const now = parts.clock();
  // to avoid a store write per request, a use is recorded at most once per twentieth of the idle time
  if (now.getTime() - Date.parse(record.lastUsedAt) < (site.session.idleMinutes * 60_000) / 20) return record;
  const touched = await change(parts, record.id, (current) => {
    if (current.phase !== 'open') return current;
    const used = { ...current, lastUsedAt: now.toISOString() };
    return { ...used, dueAt: new Date(sessionDue(site, used)).toISOString() };
  });
  if (touched === undefined) throw new BridgeError('launch_not_found');
  return touched;
}

async function settle(parts: Parts, record: LaunchRecord, now: Date): Promise<void> {
  const site = parts.config.sites.find((each) => each.id === record.site);
  if (record.phase !== 'open' || site === undefined) {
    await forget(parts, record.id);
    return;
  }
  // the session may have been used after the query
  await change(parts, record.id, (current) =>
    current.phase === 'open' && sessionDue(site, current) <= now.getTime() ? ended(parts, site, current) : current,
  );
}

function ended(parts: Parts, site: Site, record: LaunchRecord): LaunchRecord {
  if (record.phase === 'ended') return record;
  const kept = offlineTokens(site, record);
  if (kept === undefined) return closed(parts, record);
  return { ...withoutSecrets(record), tokens: kept, dueAt: later(parts, deliveryMs) };
}

function closed(parts: Parts, record: LaunchRecord): LaunchRecord {
  return { ...withoutSecrets(record), dueAt: later(parts, rememberMs) };
}

function offlineTokens(site: Site, { tokens, context }: LaunchRecord): Tokens | undefined {
  const wanted = site.writeback.tokens.includes('refresh') && context?.scopes.includes('offline_access') === true;
  if (!wanted || tokens?.refreshToken === undefined) return undefined;
  const { accessToken: _, ...offline } = tokens;
  return offline;
}

function withoutSecrets({ tokens: _, authorization: __, ...record }: LaunchRecord): LaunchRecord {
  return { ...record, phase: 'ended' };
}

function later(parts: Parts, ms: number): string {
  return new Date(parts.clock().getTime() + ms).toISOString();
}

/** Returns `bytes` random bytes in base64url. */
export function randomText(random: (bytes: number) => Uint8Array, bytes: number): string {
  return Buffer.from(random(bytes)).toString('base64url');
}

/** Returns the SHA-256 of a secret in base64url. The store keeps only this hash. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether `secret` has this hash. Compares in constant time. */
export function hasHash(secret: string, hash: string): boolean {
  const mine = Buffer.from(hashOf(secret));
  const other = Buffer.from(hash);
  return mine.length === other.length && timingSafeEqual(mine, other);
}
