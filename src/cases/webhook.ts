import { createHash } from 'node:crypto';
import type { WebhookEvent } from '../service/contract.ts';
import type { Job } from '../store/types.ts';
import type { CaseContext } from './context.ts';
import type { Claim } from './follow.ts';
import { job } from './jobs.ts';

/** A record may be told of this long after a person said that its request did not arrive; no sender repeats longer. */
export const webhookDays = 30;

/** See `Cases.receiveWebhook`: the event is a hint; it is stored once, and the record is read afterwards. */
export async function receiveWebhook(
  { store, clock }: Pick<CaseContext, 'store' | 'clock'>,
  site: string,
  event: WebhookEvent,
  deliveryId?: string,
): Promise<'accepted' | 'duplicate' | 'ignored'> {
  const serviceId = event.data?.id;
  if (serviceId === undefined || !event.event_type.startsWith('prior_authorization.')) return 'ignored';
  const due = await jobOf({ store, clock }, site, serviceId);
  if (due === undefined) return 'ignored';
  const key = keyOf(site, event, deliveryId);
  const stored = { key, site, serviceId, eventType: event.event_type, claim: claimOf(event) };
  const received = await store.webhooks.receive(stored, [due]);
  return received === 'erased' ? 'ignored' : received;
}

// An id that nobody here waits for is not looked up: a stranger's events cost no request.
async function jobOf(
  { store, clock }: Pick<CaseContext, 'store' | 'clock'>,
  site: string,
  serviceId: string,
): Promise<Job | undefined> {
  const look = async () => {
    const known = await store.cases.byServiceId(site, serviceId);
    return known === undefined ? undefined : job('look', site, { case: known.id });
  };
  const known = await look();
  if (known !== undefined) return known;
  const lost = await store.cases.ids({ site, states: ['sending', 'unknown'] });
  // A person may have looked too early: the request did arrive after all.
  const since = new Date(clock().getTime() - webhookDays * 24 * 3_600_000).toISOString();
  const doubted = await store.cases.ids({ site, notArrivedSince: since });
  if (lost.length + doubted.length > 0) return job('match', site, { site, serviceId });
  // Its answer may have been stored between the two questions.
  return await look();
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
