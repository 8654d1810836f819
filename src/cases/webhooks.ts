import { createHash } from 'node:crypto';
import type { WebhookEvent } from '../service/contract.ts';
import type { Job } from './jobs.ts';
import type { Room } from './room.ts';
import type { Claim } from './tracking.ts';

/** See `Cases.receiveWebhook`: the event is a hint; it is stored once, and the record is read afterwards. */
export async function receiveWebhook(
  room: Room,
  site: string,
  event: WebhookEvent,
  deliveryId?: string,
): Promise<'accepted' | 'duplicate' | 'ignored'> {
  const serviceId = event.data?.id;
  if (serviceId === undefined || !event.event_type.startsWith('prior_authorization.')) return 'ignored';
  const job = await jobOf(room, site, serviceId);
  if (job === undefined) return 'ignored';
  const key = keyOf(site, event, deliveryId);
  const row = {
    key,
    site,
    service_id: serviceId,
    event_type: event.event_type,
    received_at: room.now(),
    sealed: room.store.vault.seal(JSON.stringify(claimOf(event)), `webhook|${key}`),
  };
  return await room.store.transaction(async (trx) => {
    const stored = await trx
      .insertInto('webhooks')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('key')
      .execute();
    if (stored.length === 0) return 'duplicate';
    await room.store.enqueue([job], trx);
    return 'accepted';
  });
}

/** What the last webhook about a record claimed. */
export async function lastClaim(room: Room, site: string, serviceId: string): Promise<Claim | undefined> {
  const row = await room.store.read((db) =>
    db
      .selectFrom('webhooks')
      .select(['key', 'sealed'])
      .where('site', '=', site)
      .where('service_id', '=', serviceId)
      .orderBy('received_at', 'desc')
      .limit(1)
      .executeTakeFirst(),
  );
  // Only `receiveWebhook` seals these, and the seal is bound to the key.
  return row === undefined ? undefined : (JSON.parse(room.store.vault.open(row.sealed, `webhook|${row.key}`)) as Claim);
}

/** Forgets events that are older than any sender repeats them. */
export async function purgeWebhooks(room: Room): Promise<void> {
  await room.store.read((db) => db.deleteFrom('webhooks').where('received_at', '<', longAgo(room)).execute());
}

function longAgo(room: Room): string {
  return new Date(room.clock().getTime() - 30 * 24 * 3_600_000).toISOString();
}

// An id that nobody here waits for is not looked up: a stranger's events cost no request.
async function jobOf(room: Room, site: string, serviceId: string): Promise<Job | undefined> {
  const known = await room.rows.byServiceId(site, serviceId);
  if (known !== undefined) return { queue: 'look', data: { case: known.id } };
  const lost = await room.rows.ids({ site, states: ['sending', 'unknown'] });
  // A person may have looked too early: the request did arrive after all.
  const doubted = await room.rows.ids({ site, notArrivedSince: longAgo(room) });
  return lost.length + doubted.length === 0 ? undefined : { queue: 'match', data: { site, serviceId } };
}

function keyOf(site: string, event: WebhookEvent, deliveryId: string | undefined): string {
  const content =
    deliveryId === undefined ? `${event.data?.id}|${event.event_type}|${JSON.stringify(event)}` : `id|${deliveryId}`;
  return createHash('sha256').update(`${site}|${content}`).digest('base64url');
}

function claimOf(event: WebhookEvent): Claim {
  const data: Readonly<Record<string, unknown>> = event.data ?? {};
  const outcome = data.outcome;
  const result = typeof outcome === 'object' && outcome !== null && 'result' in outcome ? outcome.result : undefined;
  return {
    ...(typeof data.status === 'string' ? { status: data.status } : {}),
    ...(typeof result === 'string' ? { result } : {}),
  };
}
