import { setTimeout as sleep } from 'node:timers/promises';
import { asBridgeError, BridgeError } from '../errors.ts';
import type { ActivityEntry, PriorAuthorization } from '../service/contract.ts';
import { statusRow } from '../service/status.ts';
import type { Actor, Case } from './case.ts';
import type { JobData } from './jobs.ts';
import { accepted, lost, noted, recordRead, unreadable } from './life.ts';
import { pollDelay } from './poll-delay.ts';
import { submissionId } from './record.ts';
import type { Room } from './room.ts';
import type { Change } from './rows.ts';

const readsPerMinute = 60;

/** Reads the record from the service and brings the case up to it. A case without a service id stays as it is. Throws the service's errors. */
export async function readCase(room: Room, id: string): Promise<Case> {
  // One reading at a time: the answer that was asked for last is the one that counts.
  return await room.exclusively(`read|${id}`, async () => {
    const current = await room.rows.get(id);
    if (current.serviceId === undefined || current.kind === 'enrollment') return current;
    const record = await room.services(room.siteOf(current.site)).getPriorAuthorization(current.serviceId);
    await keepDetermination(room, current, record);
    return await room.rows.change(id, (stored) => recordRead(stored, record, room.now()));
  });
}

/** The turn of an open case: read it, or say why not, and plan the next turn. */
export async function pollCase(room: Room, { case: id, reserved }: JobData['poll']): Promise<void> {
  const current = await room.rows.get(id);
  if (current.state !== 'open') return;
  const site = room.siteOf(current.site);
  const wait = reserved === true ? 0 : await room.allowance.reserve(site.id, site.service.readsPerMinute ?? readsPerMinute);
  if (wait > 2000) return await room.store.enqueue([{ queue: 'poll', data: { case: id, reserved: true }, afterSeconds: wait / 1000 }]);
  await sleep(wait);
  const next = await readOrSay(room, current);
  if (next.state !== 'open') return;
  await room.store.enqueue([{ queue: 'poll', data: { case: id }, afterSeconds: pollDelay(next, room.config.pollSeconds, room.clock()) }]);
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
export async function lookAt(room: Room, { case: id }: JobData['look'], claim: (site: string, serviceId: string) => Promise<Claim | undefined>): Promise<void> {
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

/** A record that no case has by its id: when it carries our submission id, it answers a create whose answer was lost. */
export async function matchRecord(room: Room, { site, serviceId, tries = 0 }: JobData['match']): Promise<void> {
  const known = await room.rows.byServiceId(site, serviceId);
  if (known !== undefined) return void (await readCase(room, known.id));
  const record = await room.services(room.siteOf(site)).getPriorAuthorization(serviceId);
  const id = submissionId(record);
  const current = id === undefined ? undefined : await room.rows.find(id);
  if (current === undefined || current.site !== site) return;
  if (current.state === 'sending' && tries < 60) return await room.store.enqueue([{ queue: 'match', data: { site, serviceId, tries: tries + 1 }, afterSeconds: 5 }]);
  await adopt(room, current.id, record, 'bridge');
}

/** Gives a lost case the record that is its own. Throws `service_contract` when the record carries another submission id. */
export async function adopt(room: Room, id: string, record: PriorAuthorization, by: Actor): Promise<Case> {
  if (submissionId(record) !== id) throw new BridgeError('service_contract', { case: id, mismatch: 'submission_id' });
  return await room.rows.change(id, (current) => {
    const taken = accepted(current, record.id, pollDelay(current, room.config.pollSeconds, room.clock()), room.now());
    if (taken === undefined) return undefined;
    const found = noted(taken.case, 'Found at the service', by, room.now());
    const read = recordRead(found, record, room.now());
    return { case: read.case, jobs: [...(taken.jobs ?? []), ...(read.jobs ?? [])] };
  });
}

/** The time for an answer is over. */
export async function settle(room: Room, { case: id }: JobData['settle']): Promise<Case> {
  return await room.rows.change(id, (current): Change | undefined => lost(current, room.now()));
}

/** Name of the stored file with the payer's letter; undefined when the record has none, or has not finished. */
export function determinationName(record: PriorAuthorization | undefined): string | undefined {
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
    if (contentType === 'application/pdf') await room.rows.putFile(current.id, name, bytes, room.now());
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
