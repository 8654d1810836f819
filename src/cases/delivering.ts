import { deliver, outstanding } from '../writeback/deliver.ts';
import { type LedgerEntry, record } from '../writeback/ledger.ts';
import { judge, type Verdict } from '../writeback/retry.ts';
import type { Actor, Case } from './case.ts';
import type { JobData } from './jobs.ts';
import { noted } from './life.ts';
import type { Room } from './room.ts';
import { keptDetermination } from './tracking.ts';

/** After so many tries, over about a day, a person must look. */
const mostTries = 20;
const longestSeconds = 2 * 3600;

/**
 * Brings the chart up to date with the case, alone for this case. Never throws for what the EHR does: the ledger says
 * it.
 */
export async function deliverCase(
  room: Room,
  { case: id, launch, author, tries = 0 }: JobData['deliver'],
): Promise<Case> {
  return await room.exclusively(`deliver|${id}`, async () => {
    const current = await room.rows.get(id);
    const due = outstanding(room.siteOf(current.site), current);
    if (due.length === 0) return current;
    const stopped = await tryDelivery(room, current, launch, author);
    if (stopped === undefined) return await room.rows.get(id);
    if (stopped.verdict === 'wait') return await mark(room, id, 'waiting', stopped.reason);
    if (stopped.verdict !== 'retry' || tries >= mostTries) return await mark(room, id, 'failed', stopped.reason);
    const again = {
      case: id,
      ...(launch === undefined ? {} : { launch }),
      ...(author === undefined ? {} : { author }),
      tries: tries + 1,
    };
    await room.store.enqueue([
      { queue: 'deliver', data: again, afterSeconds: Math.min(longestSeconds, room.config.pollSeconds * 2 ** tries) },
    ]);
    return await mark(room, id, 'planned', stopped.reason);
  });
}

interface Stopped {
  readonly verdict: Verdict;
  /** Absent when the rows say it. */
  readonly reason?: string;
}

/** undefined when every row has its end, or what stopped the delivery. */
async function tryDelivery(
  room: Room,
  current: Case,
  launch: string | undefined,
  author: string | undefined,
): Promise<Stopped | undefined> {
  const site = room.siteOf(current.site);
  try {
    const access = await room.access({ site, patient: current.patient, launch: launch ?? current.launch });
    if ('waiting' in access) return { verdict: 'wait', reason: 'next launch' };
    const determination = await keptDetermination(room, current);
    const { retry } = await deliver({
      site,
      bridgeUrl: room.config.url,
      facts: current,
      api: access.api,
      token: access.by,
      ...(author === undefined ? {} : { author: userKnown(current, author) }),
      mappings: room.mappings,
      ...(determination === undefined ? {} : { determination }),
      save: async (entry) =>
        void (await room.rows.change(current.id, (stored) => ({
          case: { ...stored, writes: record(stored.writes, entry) },
        }))),
      refused: room.refused(site.id),
      clock: room.clock,
      log: room.log,
    });
    return retry ? { verdict: 'retry' } : undefined;
  } catch (thrown) {
    const { verdict, reason } = judge(thrown);
    room.log.warn({ case: current.id, verdict, reason }, 'write-back');
    return { verdict, reason };
  }
}

/** The user with the name under which the case knows them: jobs carry references only. */
function userKnown({ sentBy, history }: Case, fhirUser: string): { readonly fhirUser: string; readonly name?: string } {
  const users = [sentBy, ...history.map((entry) => entry.by)].filter((by) => by !== undefined && by !== 'bridge');
  const name = users.findLast((user) => user.fhirUser === fhirUser && user.name !== undefined)?.name;
  return { fhirUser, ...(name === undefined ? {} : { name }) };
}

/**
 * Says on the rows that the chart lacks what holds them up. A write whose answer was lost stays `unknown`: it is looked
 * for before anything else.
 */
async function mark(
  room: Room,
  id: string,
  state: 'planned' | 'waiting' | 'failed',
  reason: string | undefined,
): Promise<Case> {
  return await room.rows.change(id, (current) => {
    const due = outstanding(room.siteOf(current.site), current).filter((row) => row.state !== 'unknown');
    const rows = due.map(
      (row): LedgerEntry => ({ ...row, state, ...(reason === undefined ? {} : { reason }), at: room.now() }),
    );
    return { case: { ...current, writes: rows.reduce<readonly LedgerEntry[]>(record, current.writes) } };
  });
}

/** See `Cases.retryWriteback`. */
export async function retryDelivery(room: Room, id: string, by: Actor, launch?: string): Promise<Case> {
  await room.rows.change(id, (current) => {
    const writes = current.writes.map(
      (row): LedgerEntry =>
        row.state === 'done' ? row : { ...row, state: row.state === 'in_flight' ? 'unknown' : 'planned' },
    );
    room.refused(current.site).clear();
    return { case: noted({ ...current, writes }, 'Write-back asked for', by, room.now()) };
  });
  const author = by === 'bridge' || by.fhirUser === undefined ? {} : { author: by.fhirUser };
  return await deliverCase(room, { case: id, ...(launch === undefined ? {} : { launch, ...author }) });
}

/** See `Cases.flushWaiting`. */
export async function flushWaiting(
  room: Room,
  launch: { readonly id: string; readonly site: string; readonly patient: string; readonly fhirUser?: string },
): Promise<number> {
  const cases = await room.rows.forPatient(launch.site, launch.patient);
  const waiting = cases.filter((each) =>
    each.writes.some((row) => ['waiting', 'planned', 'unknown'].includes(row.state)),
  );
  const author = launch.fhirUser === undefined ? {} : { author: launch.fhirUser };
  await room.store.enqueue(
    waiting.map((each) => ({ queue: 'deliver', data: { case: each.id, launch: launch.id, ...author } })),
  );
  return waiting.length;
}
