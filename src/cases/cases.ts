import type { Answers } from '../chart/chart.ts';
import type { Config, Site } from '../config.ts';
import type { FhirApi } from '../fhir/api.ts';
import type { Clock, Log } from '../log.ts';
import type { Edits, Gap, Provenance } from '../mapping/result.ts';
import type { WebhookEvent } from '../service/contract.ts';
import type { Actor, Case, CaseKind, CaseState } from './case.ts';

/** What a review page knows when it opens the draft of an order. */
export interface DraftRequest {
  readonly site: string;
  /** `Patient/123` */
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
  readonly consent?: NonNullable<Case['consent']>;
  /** The coverage and the rest that selection chose, kept for the Task. */
  readonly coverage?: string;
  readonly prescriber?: string;
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
  /** A person found the record at the service: it is read and must carry our submission id, else case_changed. For an enrollment it only closes the case. */
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
  readonly config: Pick<Config, 'url' | 'sites' | 'pollSeconds'>;
  readonly access: (request: { readonly site: Site; readonly patient: string; readonly launch?: string }) => Promise<EhrAccess>;
  readonly clock: Clock;
  readonly log: Log;
}
