import type { Site } from '../config/config.ts';
import { asBridgeError, BridgeError } from '../core/errors.ts';
import type { HeldLock } from '../store/types.ts';
import { type DeliveryAttempt, holdUp } from '../writeback/attempt.ts';
import { isFailure } from '../writeback/channel-plan.ts';
import { deliver, leaveToWorklist } from '../writeback/deliver.ts';
import type { DeliveryRequest } from '../writeback/delivery.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';
import { outstanding } from '../writeback/outstanding.ts';
import { retractLetter } from '../writeback/retract.ts';
import { judgeFailure } from '../writeback/retry.ts';
import { type Actor, type Case, isSent, patientReference, recordOf } from './case.ts';
import type { CaseContext, EhrAccess } from './context.ts';
import { factsOf } from './facts-of-case.ts';
import { type JobData, job } from './jobs.ts';
import { keptLetters } from './letter.ts';
import { letterIsDue } from './letter-state.ts';

/** Seconds after which a letter is fetched again if its job was lost. */
const letterSeconds = 600;

/**
 * Updates the chart to match the case; only one delivery runs per case. Never throws for errors of the EHR: they are
 * recorded in the ledger.
 */
export async function deliverCase(context: CaseContext, data: JobData['deliver']): Promise<Case> {
  const { case: id, launch, author } = data;
  return await context.store.exclusively(`deliver|${id}`, async (held) => {
    const current = await context.get(id);
    const letters = await keptLetters(context, current);
    const due = outstanding(context.siteOf(current.site), factsOf(current), letters);
    const again = due.length === 0 ? undefined : (await tryDelivery(context, current, { letters, data, held })).again;
    const isLetterDue = letterIsDue(recordOf(current), current.events);
    if (isLetterDue) await context.store.enqueue([job('letter', current.site, { case: id }, letterSeconds)]);
    const next = {
      ...(launch === undefined ? {} : { launch }),
      ...(author === undefined ? {} : { author }),
      afterSeconds: again?.seconds ?? 0,
    };
    return await context.change(id, 'write', {
      rows: [],
      delivered: { events: current.events.length, ...(again === undefined ? {} : { again: next }) },
    });
  });
}

interface Try {
  readonly letters: readonly Uint8Array[];
  readonly data: Omit<JobData['deliver'], 'case'>;
  readonly held: HeldLock;
}

async function tryDelivery(
  context: CaseContext,
  current: Case,
  { letters, data, held }: Try,
): Promise<DeliveryAttempt> {
  const site = context.siteOf(current.site);
  const request = { ...requestOf(context, current, { site, author: data.author, held }), letters };
  const leftHere = await leaveToWorklist(request);
  if (leftHere !== undefined) return leftHere;
  const { allowance } = context.store;
  const left = await allowance.heldSeconds(ehrOf(site));
  if (left > 0) {
    const busy = new BridgeError('ehr_error', { retry_after_seconds: Math.ceil(left) });
    return await holdUp(request, { verdict: 'retry', reason: leftAlone }, [busy]);
  }
  const delivered = await tryEhr(context, current, request, data.launch);
  if (delivered.heldSeconds !== undefined) await allowance.hold(ehrOf(site), delivered.heldSeconds);
  return delivered;
}

const leftAlone = 'the EHR asked to be left alone for a while';

/**
 * The key under which all deliveries of a site share the time until which its EHR is not called. No site id contains
 * `|`, so the key differs from every site id.
 */
function ehrOf({ id }: Site): string {
  return `ehr|${id}`;
}

async function tryEhr(
  context: CaseContext,
  current: Case,
  request: Omit<DeliveryRequest, 'api' | 'token'>,
  launch: string | undefined,
): Promise<DeliveryAttempt> {
  const access = await accessTo(context, current, launch).catch((thrown: unknown) => asBridgeError(thrown));
  if (access instanceof BridgeError) {
    const judgement = judgeFailure(access);
    const { verdict, reason } = judgement;
    context.log.warn({ case: current.id, verdict, reason }, 'write-back');
    return await holdUp(request, judgement, [access]);
  }
  if ('waiting' in access) return await holdUp(request, { verdict: 'wait', reason: 'next launch' });
  return await deliver({ ...request, api: access.api, token: access.by });
}

function accessTo(
  context: CaseContext,
  { site, patient, launch: sentFrom }: Case,
  launch?: string,
): Promise<EhrAccess> {
  return context.access({ site: context.siteOf(site), patient, launch: launch ?? sentFrom });
}

function requestOf(
  context: CaseContext,
  current: Case,
  { site, author, held }: { readonly site: Site; readonly author: string | undefined; readonly held: HeldLock },
): Omit<DeliveryRequest, 'api' | 'token'> {
  return {
    site,
    bridgeUrl: context.config.url,
    facts: factsOf(current),
    ...(author === undefined ? {} : { author: userKnown(current, author) }),
    mappings: context.mappings,
    save: async (entry, before) => {
      await save(context, current, entry, before);
      // A process that lost the lock stops writing, because another process may have taken over.
      held.assert();
    },
    refusals: context.refusals(site.id),
    retrySeconds: context.config.pollSeconds,
    clock: context.clock,
    log: context.log,
  };
}

async function save(
  context: CaseContext,
  { id, site }: Case,
  entry: LedgerEntry,
  before: LedgerEntry | undefined,
): Promise<void> {
  await context.note(id, entry, before);
  const { what, state } = entry;
  if (isFailure(entry)) context.metrics?.writeFailed({ site, what, state });
}

/** The user, with the name that the case stores, because jobs carry only references. */
function userKnown(one: Case, fhirUser: string): { readonly fhirUser: string; readonly name?: string } {
  const users = [...(isSent(one) ? [one.sentBy] : []), ...one.history.map((entry) => entry.by)];
  const name = users.findLast((user) => user !== 'bridge' && user.fhirUser === fhirUser && user.name !== undefined);
  return { fhirUser, ...(name === undefined || name === 'bridge' ? {} : { name: name.name ?? fhirUser }) };
}

/** Implements `Cases.retryWriteback`. */
export async function retryDelivery(context: CaseContext, id: string, by: Actor, launch?: string): Promise<Case> {
  const { site } = await context.change(id, 'ask-write', { by });
  context.refusals(site).clear();
  return await deliverCase(context, { case: id, ...(launch === undefined ? {} : { launch, ...authorOf(by) }) });
}

function authorOf(by: Actor): { readonly author?: string } {
  return by === 'bridge' || by.fhirUser === undefined ? {} : { author: by.fhirUser };
}

/** Implements `Cases.retractLetter`. */
export async function retractCaseLetter(
  context: CaseContext,
  id: string,
  { reference, by, launch }: { readonly reference: string; readonly by: Actor; readonly launch?: string },
): Promise<Case> {
  return await context.store.exclusively(`deliver|${id}`, async (held) => {
    const before = await context.get(id);
    if (before.writes.some((row) => row.state === 'retracted' && row.reference === reference)) return before;
    const current = await context.change(id, 'ask-retract', {
      reference,
      by,
      ...(launch === undefined ? {} : { launch }),
    });
    const access = await accessTo(context, current, launch);
    if ('waiting' in access) throw new BridgeError('relaunch_required', { case: id });
    const site = context.siteOf(current.site);
    const request = requestOf(context, current, { site, author: authorOf(by).author, held });
    await retractLetter({ ...request, api: access.api, token: access.by }, reference);
    return await context.get(id);
  });
}

/** Implements `Cases.flushWaiting`. */
export async function flushWaiting(
  { store }: Pick<CaseContext, 'store'>,
  launch: { readonly id: string; readonly site: string; readonly patient: string; readonly fhirUser?: string },
): Promise<number> {
  const cases = await store.cases.forPatient(launch.site, patientReference(launch.patient));
  const waiting = cases.filter((each) => each.waiting || each.unwritten);
  const author = launch.fhirUser === undefined ? {} : { author: launch.fhirUser };
  await store.enqueue(
    waiting.map((each) => job('deliver', each.site, { case: each.id, launch: launch.id, ...author })),
  );
  return waiting.length;
}
