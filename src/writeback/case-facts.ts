import { createHash } from 'node:crypto';
import type { Reference } from 'fhir/r4.js';
import { hasRecord, type Kind, kindRecord, type ServiceRecord } from '../core/contract/kinds.ts';
import { BridgeError } from '../core/errors.ts';
import { writtenBy } from '../core/fhir/documents/own-writing.ts';
import type { OutcomeView } from '../service/outcome-words.ts';
import { contentOfOutcome, firstStatusOf, outcomeIn } from '../service/record-outcome.ts';
import { statusRule } from '../service/statuses.ts';
import { taskCodes } from '../service/task-codes.ts';
import type { LedgerEntry } from './ledger.ts';
import { requestedOf } from './resources/requested.ts';

/** What write-back needs to know of a case. The type Case satisfies it. */
export interface CaseFacts {
  readonly id: string;
  readonly kind: Kind;
  /** References are relative to the site's FHIR base. */
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  readonly banner: { readonly name: string; readonly birthDate?: string; readonly mrn?: string };
  readonly title: string;
  readonly serviceId?: string;
  readonly sentAt?: string;
  readonly sentBy?: { readonly fhirUser?: string; readonly name?: string } | 'bridge';
  /** When the status last changed. */
  readonly changedAt?: string;
  readonly endedAt?: string;
  /** Why a person canceled the request. */
  readonly cancellation?: string;
  /** The service's latest record; absent for an enrollment, and until it is first read. */
  readonly record?: ServiceRecord;
  readonly body?: unknown;
  /** `sending`, `unknown`, `draft` or `refused` until the service has the request; `open` and `ended` afterwards. */
  readonly state: string;
  /** What the payer's questions mean for an open request, and their earliest deadline; see cases/rounds. */
  readonly asked?: { readonly standing: 'asked' | 'unclear' | 'replying' | 'answered'; readonly until?: string };
  /** A request that was sent and that, according to a person, did not arrive. */
  readonly notArrived?: { readonly left: { readonly sentAt?: string } };
  /** Terms that were approved differently, a few words each: `quantity 15 (ordered 30)`. */
  readonly approvedOtherwise?: readonly string[];
  readonly writes: readonly LedgerEntry[];
}

/** The progress of a case in terms of a Task. */
export interface Progress {
  readonly taskStatus: string;
  /**
   * The service's own code, or `submitted` for an enrollment. Until the service is known to have the request, a code of
   * the bridge.
   */
  readonly code: string;
  readonly businessStatus: string;
  /** Why the request was rejected, failed or canceled. */
  readonly reason?: string;
}

/** Returns the progress of a case that was sent. */
export function progressOf(facts: CaseFacts): Progress {
  if (facts.state === 'unknown')
    return { taskStatus: 'requested', code: 'arrival_unknown', businessStatus: 'Sent; not known whether it arrived' };
  if (isTakenBack(facts))
    return { taskStatus: 'cancelled', code: 'not_arrived', businessStatus: notArrivedText, reason: notArrivedText };
  if (!hasRecord(facts.kind))
    return { taskStatus: 'completed', code: 'submitted', businessStatus: 'Submitted to the support program' };
  if (facts.state === 'open' && facts.asked !== undefined) return askedProgress(facts.asked);
  const status = facts.record?.status ?? firstStatusOf(facts.kind);
  const task = taskCodes(facts.kind, status);
  const outcome = caseOutcome(facts);
  const businessStatus = status === 'completed' && outcome !== undefined ? outcome.label : task.businessStatus;
  const reason = ['rejected', 'failed', 'cancelled'].includes(task.status)
    ? (cancellationOf(facts, status) ?? outcome?.detail ?? outcome?.label ?? task.businessStatus)
    : undefined;
  return { taskStatus: task.status, code: status, businessStatus, ...(reason === undefined ? {} : { reason }) };
}

function askedProgress({ standing, until }: NonNullable<CaseFacts['asked']>): Progress {
  const by = until === undefined ? '' : ` (answer by ${until.slice(0, 10)})`;
  if (standing === 'asked')
    return { taskStatus: 'on-hold', code: 'payer_asks', businessStatus: `The payer asks for information${by}` };
  if (standing === 'unclear')
    return { taskStatus: 'on-hold', code: 'reply_unknown', businessStatus: 'Reply sent; not known whether it arrived' };
  return { taskStatus: 'in-progress', code: 'replied', businessStatus: 'Reply to the payer sent' };
}

function cancellationOf({ cancellation }: CaseFacts, status: string): string | undefined {
  return status === 'cancelled' ? cancellation : undefined;
}

/** The outcome that may be written; undefined until the service has finished. */
export function caseOutcome(facts: CaseFacts): OutcomeView | undefined {
  return facts.record === undefined ? undefined : outcomeIn(kindRecord(facts.kind, facts.record));
}

/**
 * `Task.businessStatus` of a request that did not arrive. It is the only end that the bridge takes back, since the
 * request may be sent again.
 */
export const notArrivedText = 'Did not arrive at the service';

/** Whether the case is the draft of a request that was sent and did not arrive. */
export function isTakenBack({ state, notArrived }: CaseFacts): boolean {
  return notArrived !== undefined && (state === 'draft' || state === 'refused');
}

/** When the request was sent, even if it did not arrive. */
export function leftAt({ sentAt, notArrived }: CaseFacts): string | undefined {
  return sentAt ?? notArrived?.left.sentAt;
}

/**
 * Returns the later of two times; without a start, `at`. If the clock is set back, later events get earlier times. FHIR
 * refuses a Task that was changed before it was authored (inv-1), and a period that ends before it begins.
 */
export function notBefore<At extends string | undefined>(start: string | undefined, at: At): At | string {
  return start !== undefined && at !== undefined && Date.parse(at) < Date.parse(start) ? start : at;
}

/** Whether a letter belongs in the chart: only at `completed` or `failed`. */
export function hasLetter(facts: CaseFacts): boolean {
  return facts.record !== undefined && statusRule(facts.kind, facts.record.status).shows === 'payer';
}

/** A hash of what a letter states. Another outcome, or other approved terms, make another version. */
export function letterVersion(facts: CaseFacts): string {
  const read = facts.record === undefined ? undefined : kindRecord(facts.kind, facts.record);
  if (read?.kind === 'benefit-verification')
    return fingerprint({ status: read.record.status, told: contentOfOutcome(read) });
  return fingerprint({
    status: read?.record.status,
    outcome: read?.record.outcome,
    analysis: read?.record.denial_reason_analysis,
    approvedOtherwise: facts.approvedOtherwise,
  });
}

/** A hash of the bytes of a payer's letter. */
export function payerLetterVersion(bytes: Uint8Array): string {
  return fingerprint(Buffer.from(bytes).toString('base64'));
}

/** `Written by prior-auth-bridge on behalf of …`, which every document and message contains. */
export function provenanceLine(facts: CaseFacts): string {
  const { sentBy } = facts;
  const sender = sentBy === undefined || sentBy === 'bridge' ? undefined : (sentBy.name ?? sentBy.fhirUser);
  const behalf = sender ?? requestedOf(facts).prescriber ?? facts.prescriber ?? 'the practice';
  return (
    `${writtenBy} ${behalf} from the record of the prior authorization service. ` +
    'It was not reviewed by a clinician.'
  );
}

/** The prescriber's name: the sender's name if both are the same person, else the name in the request. */
export function prescriberName(facts: CaseFacts): string | undefined {
  const { prescriber, sentBy } = facts;
  const isSender = sentBy !== undefined && sentBy !== 'bridge' && sentBy.fhirUser === prescriber;
  return (isSender ? sentBy.name : undefined) ?? requestedOf(facts).prescriber;
}

export function fingerprint(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

/** Throws patient_mismatch for a resource about another patient. Every resource is checked right before it is sent. */
export function assertSamePatient(facts: CaseFacts, subject: Reference | undefined): void {
  if (subject?.reference !== facts.patient) throw new BridgeError('patient_mismatch', { case: facts.id });
}
