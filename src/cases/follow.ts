import { hasRecord, type KindRecord, type RecordKind } from '../core/contract/kinds.ts';
import { outreachEvent } from '../core/contract/outreach.ts';
import { asBridgeError, BridgeError } from '../core/errors.ts';
import type { CaseColumns, StoredCase } from '../store/types.ts';
import { contentOf, headOf } from './assemble.ts';
import { readAt } from './at-service.ts';
import type { Actor, Case, CaseKind } from './case.ts';
import type { CaseContext } from './context.ts';
import { type JobData, job } from './jobs.ts';
import { answersRequest, caseNamed, submissionIdIn, visible } from './service-record.ts';
import { waitingFor } from './waiting-for.ts';

/**
 * Reads the record from the service and updates the case; returns the case if it changed. A case without a service id
 * stays unchanged. With `isDue`, an unchanged record is processed too, because time alone may change its meaning.
 * Throws the service's errors.
 */
export async function readCase(
  context: CaseContext,
  id: string,
  { isDue = false }: { readonly isDue?: boolean } = {},
): Promise<Case | undefined> {
  // Readings of a case run one after the other, so that an older answer never overwrites a newer answer.
  return await context.store.exclusively(`read|${id}`, async () => {
    const { serviceId, kind, site } = await columnsOf(context, id);
    if (serviceId === undefined || !hasRecord(kind as CaseKind)) return undefined;
    const read = await readRecord(context, { site, kind: kind as RecordKind, serviceId });
    const { store } = context;
    // A record that is already stored is recognized by its hash, so nothing is unsealed or written.
    if (!isDue && (await store.cases.touchRecord(id, store.cases.hashOf(visible(read))))) return undefined;
    return await context.change(id, 'read', { record: read.record });
  });
}

/** Reads the current record with this id from the service. Throws the service's errors. */
export async function readRecord(
  context: CaseContext,
  { site, kind, serviceId }: { readonly site: string; readonly kind: RecordKind; readonly serviceId: string },
): Promise<KindRecord> {
  return await readAt(context.services(context.siteOf(site)), kind, serviceId);
}

/** Also reads the case's other records, because only they show whether somebody has canceled one of them. */
export async function readAll(context: CaseContext, id: string): Promise<Case> {
  const one = (await readCase(context, id)) ?? (await context.get(id));
  for (const other of one.others) {
    try {
      if (!hasRecord(one.kind)) continue;
      const read = await readRecord(context, { site: one.site, kind: one.kind, serviceId: other });
      await adopt(context, id, read, 'bridge');
    } catch (thrown) {
      context.log.warn({ case: id, code: asBridgeError(thrown).code }, 'second request not read');
    }
  }
  return one.others.length === 0 ? one : await context.get(id);
}

/** Throws case_not_found. */
export async function columnsOf({ store }: Pick<CaseContext, 'store'>, id: string): Promise<CaseColumns> {
  const columns = await store.cases.columns(id);
  if (columns === undefined) throw new BridgeError('case_not_found');
  return columns;
}

/** Handles a webhook: reads the record, and warns when the webhook reported another outcome. */
export async function lookAt(context: CaseContext, { case: id }: JobData['look']): Promise<void> {
  const next = await readAll(context, id);
  if (next.state !== 'ended' || next.kind !== 'prior-auth') return;
  const { store } = context;
  // The cast is safe: only `receiveWebhook` stores claims here.
  const claim = (await store.webhooks.lastClaim(next.site, next.serviceId, outreachEvent)) as Claim | undefined;
  const result = next.record.outcome?.result;
  if (claim?.result === undefined || !isFinished(claim.status) || claim.result === result) return;
  context.log.warn({ case: id }, 'a webhook told another outcome than the record; the record counts');
}

/** The result that a webhook claimed. It is only compared with the record, never trusted. */
export interface Claim {
  readonly status?: string;
  readonly result?: string;
}

/**
 * Handles a record whose id no case has. A record of ours answers a request whose answer was lost, or that was reported
 * as not arrived. `case` is the case whose own answer contained the id.
 */
export async function matchRecord(context: CaseContext, data: JobData['match']): Promise<void> {
  const { site, serviceId, kind, tries = 0 } = data;
  const { store } = context;
  const known = await store.cases.byServiceId(site, serviceId);
  // Events that came before their case was known are processed now.
  const takeUp = (id: string) => store.enqueue([job('round', site, { case: id })]);
  if (known !== undefined) {
    await takeUp(known.id);
    return void (await readAll(context, known.id));
  }
  const read = await readRecord(context, { site, kind, serviceId });
  const current = await ownerOf(context, read, data);
  if (current === undefined || current.site !== site) return;
  // The answer to the request may still arrive and settle the case.
  if (current.state === 'sending' && tries < 60)
    return await store.enqueue([job('match', site, { ...data, tries: tries + 1 }, 5)]);
  await adopt(context, current.id, read, 'bridge');
  await takeUp(current.id);
}

/** The case that a record belongs to: by our own id in it, else the only case that waits for such a record. */
async function ownerOf(
  context: CaseContext,
  read: KindRecord,
  { site, case: named }: JobData['match'],
): Promise<StoredCase | undefined> {
  const { store } = context;
  if (read.kind === 'prior-auth') {
    const submission = submissionIdIn(read.record);
    return submission === undefined ? undefined : await store.cases.find(caseNamed(submission));
  }
  if (named !== undefined) return await store.cases.find(named);
  const ids = await waitingFor(context, { site, kind: read.kind });
  const waiting = (await Promise.all(ids.map((id) => store.cases.find(id)))).filter((one) => one !== undefined);
  const [only, ...others] = waiting.filter((one) => isAnswered(one, read));
  return others.length === 0 ? only : undefined;
}

function isAnswered(stored: StoredCase, read: KindRecord): boolean {
  return stored.submissions.some((submission) =>
    answersRequest(read, { id: stored.id, attempt: submission.attempt, body: contentOf(submission).body }),
  );
}

/**
 * Links a record to its case by the transition `find`. Throws `service_id_wrong` for a record of another request, and
 * for a record that another case has.
 */
export async function adopt(context: CaseContext, id: string, read: KindRecord, by: Actor): Promise<Case> {
  const before = await context.store.cases.find(id);
  if (!(await isOf(context, read, before))) throw new BridgeError('service_id_wrong', { case: id });
  const { record } = read;
  const next = await context.change(id, 'find', { record, by, pollSeconds: context.config.pollSeconds });
  if (next.others.includes(record.id) && !othersOf(before).includes(record.id))
    context.log.warn({ case: id, code: 'service_second_request' }, 'a second request of ours exists at the service');
  return next;
}

async function isOf({ store }: CaseContext, read: KindRecord, one: StoredCase | undefined): Promise<boolean> {
  if (one === undefined || one.kind !== read.kind) return false;
  if (read.kind === 'prior-auth') {
    const named = submissionIdIn(read.record);
    return named !== undefined && caseNamed(named) === one.id;
  }
  const holder = await store.cases.byServiceId(one.site, read.record.id);
  return isAnswered(one, read) && (holder === undefined || holder.id === one.id);
}

function othersOf(stored: StoredCase | undefined): readonly string[] {
  return stored === undefined ? [] : (headOf(stored).others ?? []);
}

function isFinished(status: string | undefined): boolean {
  return status === 'completed' || status === 'failed';
}
