import type { Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import type { Launch } from './launch.ts';
import type { Room } from './room.ts';
import { hasHash } from './secret.ts';
import type { LaunchRecord, Tokens } from './store.ts';

const hour = 3_600_000;
/** How long a closed session is still recognised, so that its page can say what happened. */
const rememberMs = 24 * hour;
/** How long an offline token may wait for an outcome to deliver. */
const deliveryMs = 90 * 24 * hour;

/**
 * Changes one record alone: every other change of the same launch, in any process, comes before or after. undefined
 * when the record is gone.
 */
export function change(
  room: Room,
  id: string,
  make: (record: LaunchRecord) => LaunchRecord,
): Promise<LaunchRecord | undefined> {
  return room.store.exclusive(`launch|${id}`, async () => {
    const record = await room.store.get(id);
    if (record === undefined) return undefined;
    const next = make(record);
    if (next !== record) await room.store.put(next);
    return next;
  });
}

/** Deletes a record once nobody changes it, so that no change brings it back; answers what it held. */
export function forget(room: Room, id: string): Promise<LaunchRecord | undefined> {
  return room.store.exclusive(`launch|${id}`, async () => {
    const record = await room.store.get(id);
    await room.store.delete(id);
    return record;
  });
}

/** See `Smart.open`. */
export async function openLaunch(
  room: Room,
  launchId: string,
  sessionId: string | undefined,
  options: { readonly touch?: boolean } = {},
): Promise<Launch> {
  const record = await room.store.get(launchId);
  if (record === undefined || sessionId === undefined || !hasHash(sessionId, record.sessionHash)) {
    if (record !== undefined)
      room.log.warn(
        { event: 'launch_refused', code: 'launch_not_found', site: record.site },
        'launch asked for by another session',
      );
    throw new BridgeError('launch_not_found');
  }
  const site = siteById(room, record.site);
  if (record.phase === 'started') throw new BridgeError('launch_not_found');
  if (!isLive(room, site, record)) {
    await endSession(room, site, record.id);
    throw new BridgeError('relaunch_required', { site: site.id });
  }
  return launchOf(site, options.touch === false ? record : await touch(room, site, record));
}

/** See `Smart.ended`. */
export async function endedLaunch(
  room: Room,
  launchId: string,
  sessionId: string | undefined,
): Promise<Launch | undefined> {
  const record = await room.store.get(launchId);
  if (record?.phase !== 'ended' || sessionId === undefined || !hasHash(sessionId, record.sessionHash)) return undefined;
  const isRecent = room.clock().getTime() - Date.parse(record.lastUsedAt) < rememberMs;
  return isRecent ? launchOf(siteById(room, record.site), record) : undefined;
}

/** Whether the session may still be used: signed in, not idle too long, not older than the site allows. */
export function isLive(room: Room, site: Site, record: LaunchRecord): boolean {
  return record.phase === 'open' && room.clock().getTime() < sessionDue(site, record);
}

/**
 * The session's own time limits: after these the tokens go, except an offline refresh token that the site keeps for
 * deliveries.
 */
export async function endSession(room: Room, site: Site, id: string): Promise<void> {
  await change(room, id, (record) => ended(room, site, record));
}

/**
 * Forgets the access to the chart at once, offline token included: the grant is dead, or the EHR changed its patient.
 */
export async function killSession(room: Room, id: string): Promise<void> {
  await change(room, id, (record) => closed(room, record));
}

/** See `Smart.over`. */
export async function launchesOver(room: Room, ids: readonly string[]): Promise<string[]> {
  const records = await Promise.all(ids.map((id) => room.store.get(id)));
  return ids.filter((_, index) => {
    const record = records[index];
    const site = room.config.sites.find((each) => each.id === record?.site);
    if (record === undefined || site === undefined) return true;
    return record.phase !== 'started' && !isLive(room, site, record);
  });
}

/** See `Smart.purge`. */
export async function purge(room: Room, now: Date): Promise<number> {
  const due = await room.store.due(now.toISOString());
  for (const record of due) await settle(room, record, now);
  return due.length;
}

export function siteById(room: Room, id: string): Site {
  const site = room.config.sites.find((each) => each.id === id);
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

/** When `purge` should look at an open session again. */
export function sessionDue(site: Site, record: Pick<LaunchRecord, 'createdAt' | 'lastUsedAt'>): number {
  return Math.min(Date.parse(record.lastUsedAt) + site.session.idleMinutes * 60_000, absoluteEnd(site, record));
}

function absoluteEnd(site: Site, record: Pick<LaunchRecord, 'createdAt'>): number {
  return Date.parse(record.createdAt) + site.session.hours * hour;
}

async function touch(room: Room, site: Site, record: LaunchRecord): Promise<LaunchRecord> {
  const now = room.clock();
  // one write per twentieth of the idle time is exact enough and spares the store a write per request
  if (now.getTime() - Date.parse(record.lastUsedAt) < (site.session.idleMinutes * 60_000) / 20) return record;
  const touched = await change(room, record.id, (current) => {
    if (current.phase !== 'open') return current;
    const used = { ...current, lastUsedAt: now.toISOString() };
    return { ...used, dueAt: new Date(sessionDue(site, used)).toISOString() };
  });
  if (touched === undefined) throw new BridgeError('launch_not_found');
  return touched;
}

async function settle(room: Room, record: LaunchRecord, now: Date): Promise<void> {
  const site = room.config.sites.find((each) => each.id === record.site);
  if (record.phase !== 'open' || site === undefined) {
    await forget(room, record.id);
    return;
  }
  // it may have been used since the store was asked
  await change(room, record.id, (current) =>
    current.phase === 'open' && sessionDue(site, current) <= now.getTime() ? ended(room, site, current) : current,
  );
}

function ended(room: Room, site: Site, record: LaunchRecord): LaunchRecord {
  if (record.phase === 'ended') return record;
  const kept = offlineTokens(site, record);
  if (kept === undefined) return closed(room, record);
  return { ...withoutSecrets(record), tokens: kept, dueAt: later(room, deliveryMs) };
}

function closed(room: Room, record: LaunchRecord): LaunchRecord {
  return { ...withoutSecrets(record), dueAt: later(room, rememberMs) };
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

function later(room: Room, ms: number): string {
  return new Date(room.clock().getTime() + ms).toISOString();
}
