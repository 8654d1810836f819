import { setTimeout as sleep } from 'node:timers/promises';
import { asBridgeError, BridgeError } from '../errors.ts';
import type { ActivityEntry, PriorAuthorization } from '../service/contract.ts';
import { statusRow } from '../service/status.ts';
import type { Actor, Case } from './case.ts';
import type { JobData } from './jobs.ts';
import { lost, recordFound, recordRead, unreadable } from './life.ts';
import { pollDelay } from './poll-delay.ts';
import { submissionId } from './record.ts';
import type { Room } from './room.ts';
import type { Change } from './rows.ts';

const readsPerMinute = 60;
/** The only type of file that is kept as the payer's letter. */
export const letterType = 'application/pdf';

/**
 * Reads the record from the service and brings the case up to it. A case without a service id stays as it is. Throws
 * the service's errors.
 */
export async function readCase(room: Room, id: string): Promise<Case> {
  // One reading at a time: the answer that was asked for last is the one that counts.
  return await room.exclusively(`read|${id}`, async () => {
    const current = await room.rows.get(id);
    if (current.serviceId === undefined || current.kind === 'enrollment') return current;
    const record = await room.services(room.siteOf(current.site)).getPriorAuthorization(current.serviceId);
    await keepDetermination(room, current, record);
    return await readOthers(room, await room.rows.change(id, (stored) => recordRead(stored, record, room.now())));
  });
}

// Whether somebody has cancelled a second request shows in its own record only.
async function readOthers(room: Room, current: Case): Promise<Case> {
  let next = current;
  for (const other of current.others ?? []) {
    try {
      next = await adopt(
        room,
        current.id,
        await room.services(room.siteOf(current.site)).getPriorAuthorization(other),
        'bridge',
      );
    } catch (thrown) {
      room.log.warn({ case: current.id, code: asBridgeError(thrown).code }, 'second request not read');
    }
  }
  return next;
}

/** The turn of an open case: read it, or say why not, and plan the next turn. */
export async function pollCase(room: Room, { case: id, reserved }: JobData['poll']): Promise<void> {
  const current = await room.rows.get(id);
  if (current.state !== 'open') return;
  const site = room.siteOf(current.site);
  const wait =
    reserved === true ? 0 : await room.allowance.reserve(site.id, site.service.readsPerMinute ?? readsPerMinute);
  if (wait > 2000)
    return await room.store.enqueue([{ queue: 'poll', data: { case: id, reserved: true }, afterSeconds: wait / 1000 }]);
  await sleep(wait);
  const next = await readOrSay(room, current);
  if (next.state !== 'open') return;
  await room.store.enqueue([
    { queue: 'poll', data: { case: id }, afterSeconds: pollDelay(next, room.config.pollSeconds, room.clock()) },
  ]);
}

async function readOrSay(room: Room, current: Case): Promise<Case> {
  try {
    return await readCase(room, current.id);
  } catch (thrown) {
    const error = asBridgeError(thrown);
    room.log.warn({ case: current.id, code: error.code }, 'record not read');
    const { retry_after_seconds: seconds } = error.facts;
    if (typeof seconds === 'number') await room.allowance.hold(current.site, seconds);
    return await room.rows.change(current.id, (stored) => unreadable(stored, error, room.now()));
  }
}

/** A webhook's turn: read the record, and warn when the webhook told something else. */
export async function lookAt(
  room: Room,
  { case: id }: JobData['look'],
  claim: (site: string, serviceId: string) => Promise<Claim | undefined>,
): Promise<void> {
  const next = await readCase(room, id);
  if (next.state !== 'ended' || next.serviceId === undefined) return;
  const told = await claim(next.site, next.serviceId);
  const result = next.record?.outcome?.result;
  if (told?.result === undefined || !finished(told.status) || told.result === result) return;
  room.log.warn({ case: id }, 'a webhook told another outcome than the record; the record counts');
}

/** What a webhook claimed; never believed, only compared. */
export interface Claim {
  readonly status?: string;
  readonly result?: string;
}

/**
 * A record that no case has by its id: when it carries our submission id, it answers a create whose answer was lost, or
 * that was said not to have arrived.
 */
export async function matchRecord(room: Room, { site, serviceId, tries = 0 }: JobData['match']): Promise<void> {
  const known = await room.rows.byServiceId(site, serviceId);
  if (known !== undefined) return void (await readCase(room, known.id));
  const record = await room.services(room.siteOf(site)).getPriorAuthorization(serviceId);
  const id = submissionId(record);
  const current = id === undefined ? undefined : await room.rows.find(id);
  if (current === undefined || current.site !== site) return;
  if (current.state === 'sending' && tries < 60)
    return await room.store.enqueue([{ queue: 'match', data: { site, serviceId, tries: tries + 1 }, afterSeconds: 5 }]);
  await adopt(room, current.id, record, 'bridge');
}

/**
 * Gives a case a record that is its own; see `recordFound`. Throws `service_id_wrong` when the record carries another
 * submission id.
 */
export async function adopt(room: Room, id: string, record: PriorAuthorization, by: Actor): Promise<Case> {
  if (submissionId(record) !== id) throw new BridgeError('service_id_wrong', { case: id });
  let isNew = false;
  const next = await room.rows.change(id, (current) => {
    isNew = current.others?.includes(record.id) !== true;
    return recordFound(current, record, by, pollDelay(current, room.config.pollSeconds, room.clock()), room.now());
  });
  if (isNew && next.others?.includes(record.id) === true)
    room.log.warn({ case: id, code: 'service_second_request' }, 'a second request of ours exists at the service');
  return next;
}

/** The time for an answer is over. */
export async function settle(room: Room, { case: id }: JobData['settle']): Promise<Case> {
  return await room.rows.change(id, (current): Change | undefined => lost(current, room.now()));
}

/**
 * The payer's letter as it was kept, a PDF; undefined when the record has none, it could not be fetched, or the case
 * has not finished.
 */
export async function keptDetermination(room: Room, { id, record }: Case): Promise<Uint8Array | undefined> {
  const name = determinationName(record);
  return name === undefined ? undefined : await room.rows.file(id, name);
}

function determinationName(record: PriorAuthorization | undefined): string | undefined {
  const fax = record === undefined ? undefined : determinationOf(record);
  return fax === undefined ? undefined : `determination-${fax.id}`;
}

// Its link is signed and short-lived, so the bytes are fetched when the record is read. Without them the case goes on.
async function keepDetermination(room: Room, current: Case, record: PriorAuthorization): Promise<void> {
  const url = determinationOf(record)?.details?.url;
  const name = determinationName(record);
  if (url === undefined || name === undefined || (await room.rows.file(current.id, name)) !== undefined) return;
  try {
    const { bytes, contentType } = await room.services(room.siteOf(current.site)).download(url);
    if (contentType === letterType) await room.rows.putFile(current.id, name, bytes, room.now());
  } catch (thrown) {
    room.log.warn({ case: current.id, code: asBridgeError(thrown).code }, 'the payer’s letter was not fetched');
  }
}

function determinationOf(record: PriorAuthorization): ActivityEntry | undefined {
  if (statusRow(record.status).shows !== 'payer') return undefined;
  return record.activity_log?.findLast((entry) => entry.type === 'received_fax');
}

function finished(status: string | undefined): boolean {
  return status === 'completed' || status === 'failed';
}
