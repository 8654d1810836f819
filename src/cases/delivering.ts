import { type Delivered, holdUp } from '../writeback/attempt.ts';
import { deliver } from '../writeback/deliver.ts';
import { askedAgain, type LedgerEntry, record } from '../writeback/ledger.ts';
import { outstanding } from '../writeback/outstanding.ts';
import { judge } from '../writeback/retry.ts';
import type { Actor, Case } from './case.ts';
import type { JobData } from './jobs.ts';
import { noted } from './life.ts';
import type { Room } from './room.ts';
import { keptDetermination } from './tracking.ts';

/**
 * Brings the chart up to date with the case, alone for this case. Never throws for what the EHR does: the ledger says
 * it.
 */
export async function deliverCase(room: Room, { case: id, launch, author }: JobData['deliver']): Promise<Case> {
  return await room.exclusively(`deliver|${id}`, async () => {
    const current = await room.rows.get(id);
    const letter = await keptDetermination(room, current);
    const letters = letter === undefined ? [] : [letter];
    if (outstanding(room.siteOf(current.site), current, letters).length === 0) return current;
    const { again } = await tryDelivery(room, current, letters, launch, author);
    const data = {
      case: id,
      ...(launch === undefined ? {} : { launch }),
      ...(author === undefined ? {} : { author }),
    };
    if (again !== undefined) await room.store.enqueue([{ queue: 'deliver', data, afterSeconds: again.seconds }]);
    return await room.rows.get(id);
  });
}

async function tryDelivery(
  room: Room,
  current: Case,
  letters: readonly Uint8Array[],
  launch: string | undefined,
  author: string | undefined,
): Promise<Delivered> {
  const site = room.siteOf(current.site);
  const request = {
    site,
    facts: current,
    letters,
    save: async (entry: LedgerEntry) =>
      void (await room.rows.change(current.id, (stored) => ({
        case: { ...stored, writes: record(stored.writes, entry) },
      }))),
    retrySeconds: room.config.pollSeconds,
    clock: room.clock,
  };
  const access = await room
    .access({ site, patient: current.patient, launch: launch ?? current.launch })
    .catch((thrown: unknown) => judge(thrown));
  if ('verdict' in access) return await holdUp(request, access);
  if ('waiting' in access) return await holdUp(request, { verdict: 'wait', reason: 'next launch' });
  return await deliver({
    ...request,
    bridgeUrl: room.config.url,
    api: access.api,
    token: access.by,
    ...(author === undefined ? {} : { author: userKnown(current, author) }),
    mappings: room.mappings,
    refused: room.refused(site.id),
    log: room.log,
  });
}

/** The user with the name under which the case knows them: jobs carry references only. */
function userKnown({ sentBy, history }: Case, fhirUser: string): { readonly fhirUser: string; readonly name?: string } {
  const users = [sentBy, ...history.map((entry) => entry.by)].filter((by) => by !== undefined && by !== 'bridge');
  const name = users.findLast((user) => user.fhirUser === fhirUser && user.name !== undefined)?.name;
  return { fhirUser, ...(name === undefined ? {} : { name }) };
}

/** See `Cases.retryWriteback`. */
export async function retryDelivery(room: Room, id: string, by: Actor, launch?: string): Promise<Case> {
  await room.rows.change(id, (current) => {
    const writes = askedAgain(current.writes, room.now());
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
