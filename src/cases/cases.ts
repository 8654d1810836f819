import { randomUUID } from 'node:crypto';
import { BridgeError } from '../errors.ts';
import type { PriorAuthorization, WebhookEvent } from '../service/contract.ts';
import { hasLetter } from '../writeback/case-facts.ts';
import { letterOf, renderLetter } from '../writeback/resources/letter.ts';
import { type Actor, type Case, type CaseState, patientReference } from './case.ts';
import { flushWaiting, retryDelivery } from './delivering.ts';
import { accepted, draft, edited, notArrived, noted } from './life.ts';
import type { DraftEdits, DraftRequest, Owner, Submission } from './requests.ts';
import { type CasesOptions, createRoom, type Room } from './room.ts';
import { patientText, sendCase } from './sending.ts';
import { adopt, keptDetermination, letterType, readCase } from './tracking.ts';
import { receiveWebhook } from './webhooks.ts';
import { startWorkers, stopWorkers } from './workers.ts';

/** The life of all cases. Every method that names a case throws case_not_found when there is none. */
export interface Cases {
  /**
   * The live case (not `ended`) of this site, patient, order and kind with its edits kept, or a new draft. A case
   * already sent comes back as it is: see `state`.
   */
  openDraft(request: DraftRequest): Promise<Case>;
  /** Replaces what is given. Throws case_already_sent unless the case is a draft or refused. */
  saveDraft(id: string, draft: DraftEdits): Promise<Case>;
  /**
   * Stores the intent, sends, and returns the case as it then is: `open`, `ended` (enrollment), `refused`, `draft`
   * (nothing was sent) or `unknown`, the last three with `problem`. Throws case_already_sent, case_changed,
   * case_not_ready.
   */
  send(id: string, submission: Submission): Promise<Case>;
  /**
   * A person looked it up: the lost request did not arrive; the case is a draft again, until a webhook shows that it
   * did arrive (see `others` for what follows when it was sent again).
   */
  markNotArrived(id: string, by: Actor): Promise<Case>;
  /**
   * A person found the record at the service: it is read and must carry our submission id, else service_id_wrong. For
   * an enrollment it only closes the case.
   */
  markArrived(id: string, arrival: { readonly serviceId?: string; readonly by: Actor }): Promise<Case>;
  /** With `owner`, a case of another patient or site is case_not_found. */
  get(id: string, owner?: Owner): Promise<Case>;
  /** Newest first. */
  forPatient(site: string, patient: string): Promise<readonly Case[]>;
  list(filter?: {
    readonly site?: string;
    readonly states?: readonly CaseState[];
    readonly limit?: number;
  }): Promise<readonly Case[]>;
  counts(): Promise<Readonly<Record<CaseState, number>>>;
  cancel(id: string, request: { readonly reason: string; readonly by: Actor }): Promise<Case>;
  /** Reads the record from the service now. */
  refresh(id: string): Promise<Case>;
  /** Tries again what failed, waits or was skipped, with the token of `launch` when given. */
  retryWriteback(id: string, by: Actor, launch?: string): Promise<Case>;
  /** The readable letter as PDF; throws case_not_ready before there is an outcome. */
  letter(id: string): Promise<Uint8Array>;
  /**
   * The payer's own letter as it came; undefined when there is none. Throws case_not_ready before there is an outcome.
   */
  payerLetter(id: string): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /**
   * Call it with a verified event only. Resolves after the durable write; the record is read afterwards. `deliveryId`
   * is the `webhook-id` header.
   */
  receiveWebhook(site: string, event: WebhookEvent, deliveryId?: string): Promise<'accepted' | 'duplicate' | 'ignored'>;
  /** Delivers what waits for a launch of this patient, with this launch's token. Returns how many cases were queued. */
  flushWaiting(launch: {
    readonly id: string;
    readonly site: string;
    readonly patient: string;
    readonly fhirUser?: string;
  }): Promise<number>;
  /** A keyed hash of the patient for forms: says nothing, and differs between patients and sites. */
  patientMark(site: string, patient: string): string;
  start(): Promise<void>;
  /** Waits for running work. */
  stop(): Promise<void>;
}

export function createCases(options: CasesOptions): Cases {
  const room = createRoom(options);
  const { rows, now } = room;
  const { uuid = randomUUID } = options;
  return {
    openDraft: (request) => {
      const order = { ...request, patient: patientReference(request.patient) };
      return rows.open(order, () => draft(order, uuid(), now()));
    },
    saveDraft: (id, changes) => rows.change(id, (current) => edited(current, changes, now())),
    send: (id, submission) => sendCase(room, id, submission),
    markNotArrived: (id, by) => rows.change(id, (current) => notArrived(current, by, now())),
    markArrived: (id, arrival) => markArrived(room, id, arrival),
    get: async (id, owner) => owned(await rows.get(id), owner),
    forPatient: (site, patient) => rows.forPatient(site, patientReference(patient)),
    list: (filter = {}) => rows.list(filter),
    counts: () => rows.counts(),
    cancel: (id, request) => cancelCase(room, id, request),
    refresh: (id) => readCase(room, id),
    retryWriteback: (id, by, launch) => retryDelivery(room, id, by, launch),
    async letter(id) {
      const current = await rows.get(id);
      return await renderLetter(letterOf(current), new Date(current.changedAt ?? now()));
    },
    async payerLetter(id) {
      const current = await rows.get(id);
      if (!hasLetter(current)) throw new BridgeError('case_not_ready', { case: id });
      const bytes = await keptDetermination(room, current);
      return bytes === undefined ? undefined : { bytes, contentType: letterType };
    },
    receiveWebhook: (site, event, deliveryId) => receiveWebhook(room, site, event, deliveryId),
    flushWaiting: (launch) => flushWaiting(room, { ...launch, patient: patientReference(launch.patient) }),
    patientMark: (site, patient) => options.store.vault.marks(patientText(site, patientReference(patient)))[0],
    start: () => startWorkers(room),
    stop: () => stopWorkers(room),
  };
}

function owned(found: Case, owner: Owner | undefined): Case {
  if (owner !== undefined && (owner.site !== found.site || patientReference(owner.patient) !== found.patient))
    throw new BridgeError('case_not_found');
  return found;
}

async function markArrived(
  room: Room,
  id: string,
  { serviceId, by }: { readonly serviceId?: string; readonly by: Actor },
): Promise<Case> {
  const current = await room.rows.get(id);
  if (current.state !== 'unknown') throw new BridgeError('case_already_sent', { case: id });
  if (current.kind === 'enrollment') {
    return await room.rows.change(id, (stored) => {
      const taken = accepted(stored, serviceId, 0, room.now());
      return taken === undefined
        ? undefined
        : { ...taken, case: noted(taken.case, 'Found at the service', by, room.now()) };
    });
  }
  if (serviceId === undefined) throw new BridgeError('bad_request', { fields: ['serviceId'] });
  return await adopt(room, id, await recordNamed(room, current, serviceId), by);
}

// An id that the service does not know was mistyped.
async function recordNamed(room: Room, { id, site }: Case, serviceId: string): Promise<PriorAuthorization> {
  try {
    return await room.services(room.siteOf(site)).getPriorAuthorization(serviceId);
  } catch (cause) {
    throw cause instanceof BridgeError && cause.code === 'service_not_found'
      ? new BridgeError('service_id_wrong', { case: id }, { cause })
      : cause;
  }
}

async function cancelCase(
  room: Room,
  id: string,
  { reason, by }: { readonly reason: string; readonly by: Actor },
): Promise<Case> {
  const current = await room.rows.get(id);
  if (current.state !== 'open' || current.serviceId === undefined)
    throw new BridgeError('case_not_cancellable', { case: id });
  await room.rows.change(id, (stored) => ({
    case: noted({ ...stored, cancellation: reason }, `Cancellation asked for: ${reason}`, by, room.now()),
  }));
  try {
    await room.services(room.siteOf(current.site)).cancelPriorAuthorization(current.serviceId, reason);
  } catch (error) {
    // It may have finished meanwhile; its record tells.
    const { state, status } = await readCase(room, id);
    if (state !== 'ended') throw error;
    if (status !== 'cancelled') throw new BridgeError('case_not_cancellable', { case: id });
  }
  return await readCase(room, id);
}
