import { asBridgeError, BridgeError } from '../errors.ts';
import type { PriorAuthorization } from '../service/contract.ts';
import type { CaseColumns, StoredCase } from '../store/types.ts';
import { headOf } from './assemble.ts';
import type { Actor, Case } from './case.ts';
import type { CaseContext } from './context.ts';
import { type JobData, job } from './jobs.ts';
import { caseNamed, submissionIdIn, visible } from './record.ts';

/**
 * Reads the record from the service and brings the case up to it; gives the case when that changed it. A case without
 * a service id stays as it is. Throws the service's errors.
 */
export async function readCase(context: CaseContext, id: string): Promise<Case | undefined> {
  // One reading at a time: the answer that was asked for last is the one that counts.
  return await context.store.exclusively(`read|${id}`, async () => {
    const { serviceId, kind, site } = await columnsOf(context, id);
    if (serviceId === undefined || kind === 'enrollment') return undefined;
    const record = await context.services(context.siteOf(site)).getPriorAuthorization(serviceId);
    const { store } = context;
    // What stands there already is told by its hash: nothing is opened, and nothing sealed is written.
    if (await store.cases.touchRecord(id, store.cases.hashOf(visible(record)))) return undefined;
    return await context.change(id, 'read', { record });
  });
}

/** Reads the case's further records too: whether somebody has cancelled one of them shows there only. */
export async function readAll(context: CaseContext, id: string): Promise<Case> {
  const one = (await readCase(context, id)) ?? (await context.get(id));
  for (const other of one.others) {
    try {
      const record = await context.services(context.siteOf(one.site)).getPriorAuthorization(other);
      await adopt(context, id, record, 'bridge');
    } catch (thrown) {
      context.log.warn({ case: id, code: asBridgeError(thrown).code }, 'second request not read');
    }
  }
  return one.others.length === 0 ? one : await context.get(id);
}

/** The case's columns. Throws case_not_found. */
export async function columnsOf({ store }: Pick<CaseContext, 'store'>, id: string): Promise<CaseColumns> {
  const columns = await store.cases.columns(id);
  if (columns === undefined) throw new BridgeError('case_not_found');
  return columns;
}

/** A webhook's turn: read the record, and warn when the webhook told something else. */
export async function lookAt(context: CaseContext, { case: id }: JobData['look']): Promise<void> {
  const next = await readAll(context, id);
  if (next.state !== 'ended' || next.kind === 'enrollment') return;
  const { store } = context;
  // Only `receiveWebhook` puts claims there.
  const told = (await store.webhooks.lastClaim(next.site, next.serviceId)) as Claim | undefined;
  const result = next.record.outcome?.result;
  if (told?.result === undefined || !isFinished(told.status) || told.result === result) return;
  context.log.warn({ case: id }, 'a webhook told another outcome than the record; the record counts');
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
export async function matchRecord(
  context: CaseContext,
  { site, serviceId, tries = 0 }: JobData['match'],
): Promise<void> {
  const { store } = context;
  const known = await store.cases.byServiceId(site, serviceId);
  if (known !== undefined) return void (await readAll(context, known.id));
  const record = await context.services(context.siteOf(site)).getPriorAuthorization(serviceId);
  const named = submissionIdIn(record);
  const current = named === undefined ? undefined : await store.cases.find(caseNamed(named));
  if (current === undefined || current.site !== site) return;
  // Its own answer may still come, and tells by itself.
  if (current.state === 'sending' && tries < 60)
    return await store.enqueue([job('match', site, { site, serviceId, tries: tries + 1 }, 5)]);
  await adopt(context, current.id, record, 'bridge');
}

/**
 * Gives a case a record that is its own; see the transition `find`. Throws `service_id_wrong` when the record carries
 * another submission id.
 */
export async function adopt(context: CaseContext, id: string, record: PriorAuthorization, by: Actor): Promise<Case> {
  const named = submissionIdIn(record);
  if (named === undefined || caseNamed(named) !== id) throw new BridgeError('service_id_wrong', { case: id });
  const before = await context.store.cases.find(id);
  const next = await context.change(id, 'find', { record, by, pollSeconds: context.config.pollSeconds });
  if (next.others.includes(record.id) && !othersOf(before).includes(record.id))
    context.log.warn({ case: id, code: 'service_second_request' }, 'a second request of ours exists at the service');
  return next;
}

function othersOf(stored: StoredCase | undefined): readonly string[] {
  return stored === undefined ? [] : (headOf(stored).others ?? []);
}

function isFinished(status: string | undefined): boolean {
  return status === 'completed' || status === 'failed';
}
