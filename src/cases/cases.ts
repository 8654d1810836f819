import { randomUUID } from 'node:crypto';
import type { WebhookEvent } from '../core/contract/envelope.ts';
import { hasRecord, type KindRecord } from '../core/contract/kinds.ts';
import { BridgeError } from '../core/errors.ts';
import type { CaseWrite } from '../store/types.ts';
import { hasLetter } from '../writeback/case-facts.ts';
import { letterOf, renderLetter } from '../writeback/resources/letter.ts';
import { caseOf, listedOf } from './assemble.ts';
import { cancelAt } from './at-service.ts';
import { attachedFile, attachFile, detachFile } from './attached.ts';
import {
  type Actor,
  type Attached,
  type Case,
  type CaseState,
  type ListedCase,
  patientReference,
  type User,
} from './case.ts';
import type { CaseContext } from './context.ts';
import { flushWaiting, retractCaseLetter, retryDelivery } from './deliver.ts';
import { actorKey } from './events.ts';
import { factsOf } from './facts-of-case.ts';
import { adopt, readAll, readRecord } from './follow.ts';
import { fetchLetterAgain, keptLetter, letterType } from './letter.ts';
import type { ApprovedTerms } from './letter-terms.ts';
import { patientFormMark } from './patient-form-mark.ts';
import { receiveWebhook, type WebhookDelivery } from './receive-webhook.ts';
import type { DraftEdits, DraftRequest, DraftRevision, Owner, Submission } from './requests.ts';
import {
  type KeptQuestion,
  keepQuestion,
  keptQuestions,
  type QuestionRelease,
  type QuestionsAbout,
} from './rounds/kept.ts';
import {
  openRound,
  questionFile,
  type ReplyDocument,
  type ReplyRequest,
  type RoundRequest,
  replyContent,
  replyTo,
  settleReply,
} from './rounds/reply.ts';
import { duplicatesOf } from './same-request.ts';
import type { CaseHead } from './sealed-parts.ts';
import { sendCase } from './send.ts';
import {
  askSignature,
  returnUnsigned,
  type ShownToSign,
  type Signable,
  type SignatureRequest,
  shownToSign,
  sign,
} from './sign.ts';
import type { HandSent } from './transitions/rounds.ts';

/** All operations on cases. Every method that takes a case id throws case_not_found when the case does not exist. */
export interface Cases {
  /**
   * The live case (not `ended`) of this site, patient, order and kind, with its edits. Without a live case, the last
   * case that ended, or a new draft if there is none or if a new request is wanted (`anew`). A case that was already
   * sent is returned unchanged, as its `state` shows.
   */
  openDraft(request: DraftRequest): Promise<Case>;
  /**
   * Replaces the given parts, or applies the revision to the entries. Throws case_already_sent unless draft or refused.
   */
  saveDraft(id: string, draft: DraftEdits | DraftRevision): Promise<Case>;
  /**
   * Attaches a file to the draft: its text as UTF-8, or a card's JPEG. Throws case_already_sent unless draft or
   * refused.
   */
  attach(id: string, attached: Attached, bytes: Uint8Array): Promise<Case>;
  /** Permanently removes an attached file. Throws case_already_sent unless draft or refused. */
  detach(id: string, file: string): Promise<Case>;
  /** The content of an attached file by its id. */
  attached(id: string, file: string): Promise<Uint8Array | undefined>;
  /**
   * Stores the intent, sends, and returns the resulting case: `open`, `ended` (enrollment), `refused`, `draft` (nothing
   * was sent) or `unknown`, the last three with `problem`. Throws case_already_sent, case_changed, case_not_ready,
   * case_duplicate (with the id of the other case as `other`), signature_required, sign_refused.
   */
  send(id: string, submission: Submission): Promise<Case>;
  /**
   * Asks for the signature of a draft and stores what the signer will see. Repeating it changes nothing. Throws
   * case_already_sent, and not_found where the site has no signatures.
   */
  askSignature(id: string, request: SignatureRequest): Promise<Case>;
  /** The content that was submitted for signature under this fingerprint; undefined if there is none. */
  shownToSign(id: string, digest: string): Promise<ShownToSign | undefined>;
  /**
   * The prescriber, or another signer that the site lists, signs what they saw; repeating it changes nothing. Throws
   * sign_refused, and signature_changed when this content no longer waits for a signature.
   */
  sign(id: string, what: Signable, by: User): Promise<Case>;
  /**
   * Returns the content unsigned, with a note, or withdraws a signature before sending. Throws bad_request without a
   * note, and the errors of `sign`.
   */
  returnUnsigned(id: string, what: Signable, request: { readonly note: string; readonly by: User }): Promise<Case>;
  /** Cases of the same patient under way for the drug and prescriber in this body. */
  duplicates(id: string, body: unknown): Promise<readonly Case[]>;
  /**
   * A person confirmed that the lost request did not arrive. The case becomes a draft again. If a later webhook shows
   * that the request did arrive, the case follows it, or lists it in `others` when another request was sent meanwhile.
   */
  markNotArrived(id: string, by: Actor): Promise<Case>;
  /**
   * A person found the record at the service. The record is read; service_id_wrong is thrown if it belongs to another
   * request. An enrollment has no record, so the case is only closed.
   */
  markArrived(id: string, arrival: { readonly serviceId?: string; readonly by: Actor }): Promise<Case>;
  /** With `owner`, a case of another patient or site throws case_not_found. */
  get(id: string, owner?: Owner): Promise<Case>;
  /** A token for what a page shows of a case. It differs for every other case, patient, site and version. */
  seen(one: Pick<Case, 'id' | 'site' | 'patient' | 'version'>): string;
  /** true while `seen` is the token of the current version. Unseals nothing. */
  isSeen(id: string, owner: Owner, seen: string): Promise<boolean>;
  /** Newest first. */
  forPatient(site: string, patient: string): Promise<readonly ListedCase[]>;
  list(filter?: {
    readonly site?: string;
    readonly states?: readonly CaseState[];
    readonly limit?: number;
  }): Promise<readonly ListedCase[]>;
  /** Counts by site and state, with the age of the oldest case in seconds. */
  counts(): Promise<readonly CaseCount[]>;
  /** Throws case_not_cancellable when there is nothing to cancel. */
  cancel(id: string, request: { readonly reason: string; readonly by: Actor }): Promise<Case>;
  /** Reads the record from the service now. */
  refresh(id: string): Promise<Case>;
  /** Retries everything that failed, waits or was skipped, with the token of `launch` if given. */
  retryWriteback(id: string, by: Actor, launch?: string): Promise<Case>;
  /**
   * A person reports that a letter in the chart is wrong: it is marked as entered in error, and not written again; a
   * letter that is already marked stays marked. Throws bad_request for a reference that is not a letter of this case,
   * and the errors of an EHR that cannot be reached.
   */
  retractLetter(
    id: string,
    request: { readonly reference: string; readonly by: Actor; readonly launch?: string },
  ): Promise<Case>;
  /**
   * Fetches the payer's letter once more at a person's request. Throws case_not_ready if there is no letter to fetch.
   */
  fetchLetter(id: string, by: Actor): Promise<Case>;
  /** Assigns the case to a colleague, or removes the assignment. */
  assign(id: string, request: { readonly to?: User; readonly by: User }): Promise<Case>;
  /** Makes the person the owner of the case; the worklist notifies the previous owner. */
  takeOver(id: string, by: User): Promise<Case>;
  /** The previous owner acknowledges the takeover. */
  seeTakeOver(id: string, by: User): Promise<Case>;
  /** A note for colleagues, up to 1,000 characters; only the newest 50 notes are kept. */
  addNote(id: string, request: { readonly text: string; readonly by: User }): Promise<Case>;
  /** Stores with a draft whether its order has ended in the chart; does not close the case. */
  noteOrder(id: string, note: { readonly isEnded: boolean }): Promise<Case>;
  /** Marks the remaining work as done. Throws case_not_ready before the end, unless a draft's order has ended. */
  markDone(id: string, by: User): Promise<Case>;
  /**
   * A person enters the letter's approved terms that differ from the request, for the Task. Throws case_not_ready
   * unless approved.
   */
  noteApproved(
    id: string,
    note: { readonly terms: ApprovedTerms; readonly by: Actor; readonly launch?: string },
  ): Promise<Case>;
  /** A person enters the last day for an appeal (YYYY-MM-DD; '' removes it). Throws case_not_ready unless denied. */
  noteAppealDeadline(id: string, note: { readonly on: string; readonly by: Actor }): Promise<Case>;
  /**
   * A person records a question from the payer: as text, a scan, or a fax of the activity log, which is then fetched.
   * Throws case_not_ready unless the case is open.
   */
  openRound(id: string, request: RoundRequest): Promise<Case>;
  /** Closes a question that staff recorded, without a reply. Throws bad_request for a question from the service. */
  closeRound(id: string, request: { readonly round: number; readonly by: User }): Promise<Case>;
  /**
   * Stores a reply. In the profile `current` it is then sent immediately, once; otherwise it is to be printed.
   * Repeating the same reply changes nothing. Throws reply_decided, round_over, and reply_crossed when the round has
   * changed since the person saw it.
   */
  reply(id: string, request: ReplyRequest): Promise<Case>;
  /** A person checked a reply whose answer was lost. It arrived, or it did not arrive and may be sent again. */
  settleReply(
    id: string,
    request: { readonly key: string; readonly arrived: boolean; readonly by: User },
  ): Promise<Case>;
  noteReplySent(id: string, sent: HandSent): Promise<Case>;
  /** The documents of a reply: its own text first, then the enclosures. */
  replyContent(id: string, key: string): Promise<readonly ReplyDocument[] | undefined>;
  /** Stores a question that a person released for the site's next request for this drug and payer. */
  keepQuestion(id: string, kept: QuestionRelease): Promise<void>;
  forgetQuestion(id: string, round: number): Promise<void>;
  /** The numbers of the rounds whose questions are stored for later requests. */
  keptRounds(id: string): Promise<readonly number[]>;
  /** Questions of this payer about this drug that people of the site released earlier, newest first. */
  keptQuestions(request: QuestionsAbout): Promise<readonly KeptQuestion[]>;
  /** A file of a question, with its type; undefined if it is not stored. */
  questionFile(id: string, file: string): Promise<{ readonly bytes: Uint8Array; readonly type: string } | undefined>;
  /** The readable letter as PDF; throws case_not_ready before there is an outcome. */
  letter(id: string): Promise<Uint8Array>;
  /** The payer's own letter; undefined when there is none. Throws case_not_ready before there is an outcome. */
  payerLetter(id: string): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined>;
  /** Takes verified events only. Resolves when the event is stored; the record is read afterwards. */
  receiveWebhook(
    site: string,
    event: WebhookEvent,
    delivered?: WebhookDelivery,
  ): Promise<'accepted' | 'duplicate' | 'ignored'>;
  /** Delivers what waits for a launch of this patient, with this launch's token. Returns how many cases were queued. */
  flushWaiting(launch: {
    readonly id: string;
    readonly site: string;
    readonly patient: string;
    readonly fhirUser?: string;
  }): Promise<number>;
  /** A keyed hash of the patient for forms: it reveals nothing, and differs between patients and sites. */
  patientMark(site: string, patient: string): string;
}

export interface CaseCount {
  readonly site: string;
  readonly state: string;
  readonly count: number;
  readonly oldestSeconds: number;
}

export function createCases(context: CaseContext): Cases {
  const { store, uuid = randomUUID } = context;
  const seenOf = ({ id, site, patient, version }: Pick<Case, 'id' | 'site' | 'patient' | 'version'>) =>
    store.mark(`seen|${site}|${patient}|${id}|${version}`);
  return {
    openDraft: (request) => openDraft(context, request, uuid()),
    saveDraft: (id, edits) => context.change(id, 'edit', { edits }),
    attach: (id, attached, bytes) => attachFile(context, id, attached, bytes),
    detach: (id, file) => detachFile(context, id, file),
    attached: (id, file) => attachedFile(context, id, file),
    askSignature: (id, request) => askSignature(context, id, request),
    shownToSign: (id, digest) => shownToSign(context, id, digest),
    sign: (id, what, by) => sign(context, id, what, by),
    returnUnsigned: (id, what, request) => returnUnsigned(context, id, what, request),
    send: (id, submission) => sendCase(context, id, submission),
    async duplicates(id, body) {
      const one = await context.get(id);
      return await duplicatesOf(context, one, { kind: one.kind, body });
    },
    markNotArrived: (id, by) => context.change(id, 'not-arrived', { by }),
    markArrived: (id, arrival) => markArrived(context, id, arrival),
    get: async (id, owner) => owned(await context.get(id), owner),
    seen: seenOf,
    async isSeen(id, { site, patient }, seen) {
      const columns = await store.cases.columns(id);
      if (columns === undefined) return false;
      return seen === seenOf({ id, site, patient: patientReference(patient), version: columns.version });
    },
    forPatient: async (site, patient) => (await store.cases.forPatient(site, patientReference(patient))).map(listedOf),
    list: async (filter = {}) => (await store.cases.list(filter)).map(listedOf),
    counts: () => store.cases.counts(),
    cancel: (id, request) => cancelCase(context, id, request),
    refresh: (id) => readAll(context, id),
    retryWriteback: (id, by, launch) => retryDelivery(context, id, by, launch),
    retractLetter: (id, request) => retractCaseLetter(context, id, request),
    fetchLetter: (id, by) => fetchLetterAgain(context, id, by),
    assign: (id, request) => context.change(id, 'assign', request),
    takeOver: (id, by) => context.change(id, 'take-over', { by }),
    seeTakeOver: (id, by) => context.change(id, 'see-take-over', { by }),
    addNote: (id, request) => context.change(id, 'add-note', request),
    noteOrder: (id, note) => context.change(id, 'note-order', note),
    markDone: (id, by) => context.change(id, 'mark-done', { by }),
    noteApproved: (id, note) => context.change(id, 'note-approved', note),
    noteAppealDeadline: (id, note) => context.change(id, 'note-appeal', note),
    openRound: (id, request) => openRound(context, id, request),
    closeRound: (id, request) => context.change(id, 'close-round', request),
    reply: (id, request) => replyTo(context, id, request),
    settleReply: (id, request) => settleReply(context, id, request),
    noteReplySent: (id, sent) => context.change(id, 'send-by-hand', sent),
    replyContent: (id, key) => replyContent(context, id, key),
    keepQuestion: (id, kept) => keepQuestion(context, id, kept),
    forgetQuestion: (id, round) => context.store.questions.forget(id, round),
    keptRounds: (id) => context.store.questions.roundsOf(id),
    keptQuestions: (request) => keptQuestions(context, request),
    questionFile: async (id, file) => questionFile(context, await context.get(id), file),
    async letter(id) {
      const current = await context.get(id);
      return await renderLetter(letterOf(factsOf(current)), new Date(current.changedAt ?? context.now()));
    },
    async payerLetter(id) {
      const current = await context.get(id);
      if (!hasLetter(factsOf(current))) throw new BridgeError('case_not_ready', { case: id });
      const bytes = await keptLetter(context, current);
      return bytes === undefined ? undefined : { bytes, contentType: letterType };
    },
    receiveWebhook: (site, event, delivered = { isSigned: false }) => receiveWebhook(context, site, event, delivered),
    flushWaiting: (launch) => flushWaiting(context, launch),
    patientMark: (site, patient) => patientFormMark(context, site, patientReference(patient)),
  };
}

async function openDraft(context: CaseContext, { anew = false, ...request }: DraftRequest, id: string): Promise<Case> {
  const { site, kind, order } = request;
  const patient = patientReference(request.patient);
  const make = () => newCase(id, { ...request, patient });
  const found = caseOf(await context.store.cases.open({ site, kind, patient, order }, make, { anew }));
  // The chart may have gained a label after the case was created; an earlier label stays in effect.
  return request.restricted === true && found.restricted !== true
    ? await context.change(found.id, 'restrict', {})
    : found;
}

function newCase(
  id: string,
  { site: _, kind: __, mappedBy, by, restricted, ...given }: DraftRequest,
): { readonly id: string } & CaseWrite {
  const owner = by === undefined ? undefined : actorKey(by, {});
  const head = {
    ...given,
    ...(owner === undefined ? {} : { owner: owner.key }),
    ...(restricted === true ? { restricted } : {}),
  };
  return {
    id,
    columns: { state: 'draft', attempt: 0, unwritten: false, waiting: false },
    keys: { patient: head.patient, order: head.order },
    head: { ...head, users: owner?.users ?? {} } satisfies CaseHead,
    draft: { edits: {}, answers: {}, mappedBy },
    events: [{ type: 'draft_opened', actor: 'bridge', facts: {} }],
  };
}

function owned(found: Case, owner: Owner | undefined): Case {
  if (owner !== undefined && (owner.site !== found.site || patientReference(owner.patient) !== found.patient))
    throw new BridgeError('case_not_found');
  return found;
}

async function markArrived(
  context: CaseContext,
  id: string,
  { serviceId, by }: { readonly serviceId?: string; readonly by: Actor },
): Promise<Case> {
  const current = await context.get(id);
  if (current.state !== 'unknown') throw new BridgeError('case_already_sent', { case: id });
  const { kind, site } = current;
  if (!hasRecord(kind))
    return await context.change(id, 'arrive', { by, ...(serviceId === undefined ? {} : { serviceId }) });
  if (serviceId === undefined) throw new BridgeError('bad_request', { fields: ['serviceId'] });
  return await adopt(context, id, await recordNamed(context, id, { site, kind, serviceId }), by);
}

// An id that the service does not know was mistyped.
async function recordNamed(
  context: CaseContext,
  id: string,
  named: Parameters<typeof readRecord>[1],
): Promise<KindRecord> {
  try {
    return await readRecord(context, named);
  } catch (cause) {
    if (!(cause instanceof BridgeError)) throw cause;
    if (cause.code === 'service_not_found') throw new BridgeError('service_id_wrong', { case: id }, { cause });
    // The service's errors for other requests ("nothing was sent") would be misread as the answer to this request.
    const next =
      'This request ID could not be checked, and nothing was changed. Open the request and try again in a minute.';
    throw new BridgeError(cause.code, { ...cause.facts, case: id }, { cause, next });
  }
}

async function cancelCase(
  context: CaseContext,
  id: string,
  { reason, by }: { readonly reason: string; readonly by: Actor },
): Promise<Case> {
  // Checked in the transaction that stores the reason, so that a case that has ended meanwhile is not canceled.
  const asked = await context.change(id, 'cancel', { reason, by });
  if (asked.state !== 'open') throw new BridgeError('case_not_cancellable', { case: id });
  try {
    await cancelAt(context.services(context.siteOf(asked.site)), asked.kind, asked.serviceId, reason);
  } catch (error) {
    // The request may have finished meanwhile; its record shows whether it did.
    const now = await readAll(context, id);
    if (now.state !== 'ended') throw error;
    if (now.kind !== 'enrollment' && now.status !== 'cancelled')
      throw new BridgeError('case_not_cancellable', { case: id });
  }
  return await readAll(context, id);
}
