import { createHash } from 'node:crypto';
import type { WebhookEvent } from '../core/contract/envelope.ts';
import type { RecordKind } from '../core/contract/kinds.ts';
import { isOutreach, outreachEvent, outreachOf } from '../core/contract/outreach.ts';
import type { CaseColumns, Job } from '../store/types.ts';
import type { CaseContext } from './context.ts';
import type { Claim } from './follow.ts';
import { job } from './jobs.ts';
import { waitingFor } from './waiting-for.ts';

/** How a delivery was verified. */
export interface WebhookDelivery {
  /** The `webhook-id` header. */
  readonly id?: string;
  /** The signature covers the content, not only the sender. */
  readonly isSigned: boolean;
}

/**
 * Implements `Cases.receiveWebhook`. The event is only a hint: it is stored once, and the record is read afterwards. No
 * record contains the payer's questions, so an outreach event is itself stored, sealed, until its round is stored.
 */
export async function receiveWebhook(
  context: Pick<CaseContext, 'store' | 'clock'>,
  site: string,
  event: WebhookEvent,
  delivered: WebhookDelivery,
): Promise<'accepted' | 'duplicate' | 'ignored'> {
  const outreach = outreachOf(event);
  const serviceId = isOutreach(event) ? outreach?.priorAuth : event.data?.id;
  const kind = kindOf(event);
  if (serviceId === undefined || kind === undefined) return 'ignored';
  const { store } = context;
  const due = await jobsOf(context, { site, kind, serviceId });
  if (due.length === 0) return 'ignored';
  const key = keyOf(site, event, delivered.id);
  const claim = outreach === undefined ? claimOf(event) : { ...outreach, isSigned: delivered.isSigned };
  const eventType = outreach === undefined ? event.event_type : outreachEvent;
  const asks = outreach === undefined ? [] : due.filter(({ queue }) => queue === 'look').map(toRound);
  const received = await store.webhooks.receive({ key, site, serviceId, eventType, claim }, [...due, ...asks]);
  return received === 'erased' ? 'ignored' : received;
}

function toRound({ site, key }: Job): Job {
  return job('round', site, { case: key });
}

// An id that no case waits for is not looked up, so that events about other records cause no requests to the service.
async function jobsOf(
  context: Pick<CaseContext, 'store' | 'clock'>,
  { site, kind, serviceId }: { readonly site: string; readonly kind: RecordKind; readonly serviceId: string },
): Promise<Job[]> {
  const { cases } = context.store;
  const known = await cases.byServiceId(site, serviceId);
  if (known !== undefined) return lookAt(known, kind);
  if ((await waitingFor(context, { site, kind })).length > 0) return [job('match', site, { site, serviceId, kind })];
  // The answer to the request may have been stored between the two queries.
  return lookAt(await cases.byServiceId(site, serviceId), kind);
}

function lookAt(known: CaseColumns | undefined, kind: RecordKind): Job[] {
  return known?.kind === kind ? [job('look', known.site, { case: known.id })] : [];
}

/**
 * The kind of record that the event is about. Services use several names; the interface document has "Benefit
 * Verification Updated".
 */
function kindOf({ event_type: type, title }: WebhookEvent): RecordKind | undefined {
  const names = [type, title].map((name) => name?.trim().toLowerCase());
  if (names[0]?.startsWith('prior_authorization.')) return 'prior-auth';
  const isOfBenefits = names[0]?.startsWith('benefit_verification.') || names.includes('benefit verification updated');
  return isOfBenefits ? 'benefit-verification' : undefined;
}

function keyOf(site: string, event: WebhookEvent, deliveryId: string | undefined): string {
  const id = event.event_id ?? deliveryId;
  const content = id === undefined ? `${event.data?.id}|${event.event_type}|${JSON.stringify(event)}` : `id|${id}`;
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
