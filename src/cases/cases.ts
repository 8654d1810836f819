import { randomUUID } from 'node:crypto';
import type { Answers } from '../chart/chart.ts';
import type { Config, Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import type { FhirApi } from '../fhir/api.ts';
import type { Clock, Log } from '../log.ts';
import type { Edits, Gap, Provenance } from '../mapping/result.ts';
import type { ServiceClient } from '../service/client.ts';
import type { WebhookEvent } from '../service/contract.ts';
import type { WritebackMappings } from '../writeback/desk.ts';
import { letterOf, renderLetter } from '../writeback/letter.ts';
import { type Actor, type Case, type CaseKind, type CaseState, patientReference } from './case.ts';
import { flushWaiting, retryDelivery } from './delivering.ts';
import { accepted, draft, edited, notArrived, noted } from './life.ts';
import { createRoom, type Room } from './room.ts';
import { patientText, sendCase } from './sending.ts';
import type { Store } from './store.ts';
import { adopt, readCase } from './tracking.ts';
import { receiveWebhook } from './webhooks.ts';
import { startWorkers, stopWorkers } from './workers.ts';

/** What a review page knows when it opens the draft of an order. */
export interface DraftRequest {
  readonly site: string;
  /** `Patient/123`, or the id alone; also below. */
  readonly patient: string;
  /** `MedicationRequest/9` */
  readonly order: string;
  readonly kind: CaseKind;
  /** Id of the launch it is opened from. */
  readonly launch: string;
  readonly banner: Case['banner'];
  /** The drug, for lists and letters. */
  readonly title: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
}

export interface DraftEdits {
  readonly edits?: Edits;
  readonly answers?: Answers;
  /** Either of the two replaces both. */
  readonly consent?: NonNullable<Case['consent']>;
  readonly consentEntry?: NonNullable<Case['consentEntry']>;
  /** The coverage and the rest that selection chose, kept for the Task. */
  readonly coverage?: string;
  readonly prescriber?: string;
  /** The drug as it is about to be sent. */
  readonly title?: string;
}

export interface Submission {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  readonly by: Actor;
  /** `patientMark` of the chart that the page showed; another one is refused with case_changed. */
  readonly expectedPatient: string;
  /** The launch it is sent from, when it is not the one that opened the draft. */
  readonly launch?: string;
}

/** Access to the EHR for one patient, or what it waits for. */
export type EhrAccess = { readonly api: FhirApi; readonly by: 'session' | 'system' | 'refresh' } | { readonly waiting: 'next-launch' };

export interface Owner {
  readonly site: string;
  readonly patient: string;
}

/** The life of all cases. Every method that names a case throws case_not_found when there is none. */
export interface Cases {
  /** The live case (not `ended`) of this site, patient, order and kind with its edits kept, or a new draft. A case already sent comes back as it is: see `state`. */
  openDraft(request: DraftRequest): Promise<Case>;
  /** Replaces what is given. Throws case_already_sent unless the case is a draft or refused. */
  saveDraft(id: string, draft: DraftEdits): Promise<Case>;
  /** Stores the intent, sends, and returns the case as it then is: `open`, `ended` (enrollment), `refused`, `draft` (nothing was sent) or `unknown`, the last three with `problem`. Throws case_already_sent, case_changed, case_not_ready. */
  send(id: string, submission: Submission): Promise<Case>;
  /** A person looked it up: the lost request did not arrive; the case is a draft again. */
  markNotArrived(id: string, by: Actor): Promise<Case>;
  /** A person found the record at the service: it is read and must carry our submission id, else service_contract. For an enrollment it only closes the case. */
  markArrived(id: string, arrival: { readonly serviceId?: string; readonly by: Actor }): Promise<Case>;
  /** With `owner`, a case of another patient or site is case_not_found. */
  get(id: string, owner?: Owner): Promise<Case>;
  /** Newest first. */
  forPatient(site: string, patient: string): Promise<readonly Case[]>;
  list(filter?: { readonly site?: string; readonly states?: readonly CaseState[]; readonly limit?: number }): Promise<readonly Case[]>;
  counts(): Promise<Readonly<Record<CaseState, number>>>;
  cancel(id: string, request: { readonly reason: string; readonly by: Actor }): Promise<Case>;
  /** Reads the record from the service now. */
  refresh(id: string): Promise<Case>;
  /** Tries again what failed, waits or was skipped, with the token of `launch` when given. */
  retryWriteback(id: string, by: Actor, launch?: string): Promise<Case>;
  /** The readable letter as PDF; throws case_not_ready before there is an outcome. */
  letter(id: string): Promise<Uint8Array>;
  /** Call it with a verified event only. Resolves after the durable write; the record is read afterwards. `deliveryId` is the `webhook-id` header. */
  receiveWebhook(site: string, event: WebhookEvent, deliveryId?: string): Promise<'accepted' | 'duplicate' | 'ignored'>;
  /** Delivers what waits for a launch of this patient, with this launch's token. Returns how many cases were queued. */
  flushWaiting(launch: { readonly id: string; readonly site: string; readonly patient: string; readonly fhirUser?: string }): Promise<number>;
  /** A keyed hash of the patient for forms: says nothing, and differs between patients and sites. */
  patientMark(site: string, patient: string): string;
  start(): Promise<void>;
  /** Waits for running work. */
  stop(): Promise<void>;
}

export interface CasesOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'url' | 'sites' | 'pollSeconds'>;
  readonly services: (site: Site) => ServiceClient;
  /** Whose token may write to a patient's chart now: `Smart.accessFor`. */
  readonly access: (request: { readonly site: Site; readonly patient: string; readonly launch?: string }) => Promise<EhrAccess>;
  readonly mappings: WritebackMappings;
  readonly clock: Clock;
  /** Makes case ids; random UUIDs when left out. */
  readonly uuid?: () => string;
  readonly log: Log;
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
    receiveWebhook: (site, event, deliveryId) => receiveWebhook(room, site, event, deliveryId),
    flushWaiting: (launch) => flushWaiting(room, { ...launch, patient: patientReference(launch.patient) }),
    patientMark: (site, patient) => options.store.vault.marks(patientText(site, patientReference(patient)))[0],
    start: () => startWorkers(room),
    stop: () => stopWorkers(room),
  };
}

function owned(found: Case, owner: Owner | undefined): Case {
  if (owner !== undefined && (owner.site !== found.site || patientReference(owner.patient) !== found.patient)) throw new BridgeError('case_not_found');
  return found;
}

async function markArrived(room: Room, id: string, { serviceId, by }: { readonly serviceId?: string; readonly by: Actor }): Promise<Case> {
  const current = await room.rows.get(id);
  if (current.state !== 'unknown') throw new BridgeError('case_already_sent', { case: id });
  if (current.kind === 'enrollment') {
    return await room.rows.change(id, (stored) => {
      const taken = accepted(stored, serviceId, 0, room.now());
      return taken === undefined ? undefined : { ...taken, case: noted(taken.case, 'Found at the service', by, room.now()) };
    });
  }
  if (serviceId === undefined) throw new BridgeError('bad_request', { fields: ['serviceId'] });
  return await adopt(room, id, await room.services(room.siteOf(current.site)).getPriorAuthorization(serviceId), by);
}

async function cancelCase(room: Room, id: string, { reason, by }: { readonly reason: string; readonly by: Actor }): Promise<Case> {
  const current = await room.rows.get(id);
  if (current.state !== 'open' || current.serviceId === undefined) throw new BridgeError('case_not_cancellable', { case: id });
  await room.rows.change(id, (stored) => ({ case: noted({ ...stored, cancellation: reason }, `Cancellation asked for: ${reason}`, by, room.now()) }));
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
