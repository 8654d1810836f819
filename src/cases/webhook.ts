import { createHash } from 'node:crypto';
import type { WebhookEvent } from '../core/contract/envelope.ts';
import type { RecordKind } from '../core/contract/kinds.ts';
import type { CaseColumns, Job } from '../store/types.ts';
import type { CaseContext } from './context.ts';
import type { Claim } from './follow.ts';
import { job } from './jobs.ts';
import { waitingFor } from './waiting-for.ts';

/** See `Cases.receiveWebhook`: the event is a hint; it is stored once, and the record is read afterwards. */
export async function receiveWebhook(
  context: Pick<CaseContext, 'store' | 'clock'>,
  site: string,
  event: WebhookEvent,
  deliveryId?: string,
): Promise<'accepted' | 'duplicate' | 'ignored'> {
  const serviceId = event.data?.id;
  const kind = kindOf(event);
  if (serviceId === undefined || kind === undefined) return 'ignored';
  const { store } = context;
  const due = await jobOf(context, { site, kind, serviceId });
  if (due === undefined) return 'ignored';
  const key = keyOf(site, event, deliveryId);
  const stored = { key, site, serviceId, eventType: event.event_type, claim: claimOf(event) };
  const received = await store.webhooks.receive(stored, [due]);
  return received === 'erased' ? 'ignored' : received;
}

// An id that nobody here waits for is not looked up: a stranger's events cost no request.
async function jobOf(
  context: Pick<CaseContext, 'store' | 'clock'>,
  { site, kind, serviceId }: { readonly site: string; readonly kind: RecordKind; readonly serviceId: string },
): Promise<Job | undefined> {
  const { cases } = context.store;
  const known = await cases.byServiceId(site, serviceId);
  if (known !== undefined) return lookAt(known, kind);
  if ((await waitingFor(context, { site, kind })).length > 0) return job('match', site, { site, serviceId, kind });
  // Its answer may have been stored between the two questions.
  return lookAt(await cases.byServiceId(site, serviceId), kind);
}

function lookAt(known: CaseColumns | undefined, kind: RecordKind): Job | undefined {
  return known?.kind === kind ? job('look', known.site, { case: known.id }) : undefined;
}

/** Of what an event tells, by its name; the second of the two is the one that the interface document has. */
function kindOf({ event_type: type, title }: WebhookEvent): RecordKind | undefined {
  const names = [type, title].map((name) => name?.trim().toLowerCase());
  if (names[0]?.startsWith('prior_authorization.')) return 'prior-auth';
  const isOfBenefits = names[0]?.startsWith('benefit_verification.') || names.includes('benefit verification updated');
  return isOfBenefits ? 'benefit-verification' : undefined;
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
