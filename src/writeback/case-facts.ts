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

/** The parts of a case that write-back needs; a Case satisfies it. */
export interface CaseFacts {
  readonly id: string;
  readonly kind: Kind;
  /** Relative references at the site's EHR. */
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  readonly banner: { readonly name: string; readonly birthDate?: string; readonly mrn?: string };
  /** The drug. */
  readonly title: string;
  readonly serviceId?: string;
  readonly sentAt?: string;
  readonly sentBy?: { readonly fhirUser?: string; readonly name?: string } | 'bridge';
  /** When the status last changed. */
  readonly changedAt?: string;
  readonly endedAt?: string;
  /** The person's reason for canceling. */
  readonly cancellation?: string;
  /** The service's latest record; absent for an enrollment, and right after sending. */
  readonly record?: ServiceRecord;
  /** As sent. */
  readonly body?: unknown;
  /**
   * The state of the case before the service has it: `sending`, `unknown`, `draft` or `refused`; `open` and `ended`
   * afterwards.
   */
  readonly state: string;
  /** The effect of the payer's questions on an open request, and the earliest deadline; see cases/rounds. */
  readonly asked?: { readonly standing: 'asked' | 'unclear' | 'replying' | 'answered'; readonly until?: string };
  /** The request that was sent and, according to a person, did not arrive. */
  readonly notArrived?: { readonly left: { readonly sentAt?: string } };
  /** Terms that were approved differently from the request, a few words each: `quantity 15 (ordered 30)`. */
  readonly approvedOtherwise?: readonly string[];
  readonly writes: readonly LedgerEntry[];
}

/** The progress of a case as the Task states it. */
export interface Progress {
  readonly taskStatus: string;
  /**
   * The service's own code; `submitted` for an enrollment; the bridge's own code before the service is known to have
   * the request.
   */
  readonly code: string;
  readonly businessStatus: string;
  /** Why it was rejected, failed or canceled. */
  readonly reason?: string;
}

/** The progress of a case that was sent, in the Task's terms. */
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

/** The outcome that may be written; undefined before the service has finished. */
export function caseOutcome(facts: CaseFacts): OutcomeView | undefined {
  return facts.record === undefined ? undefined : outcomeIn(kindRecord(facts.kind, facts.record));
}

/**
 * `Task.businessStatus` of a request that did not arrive: the only end that the bridge reverts, because the request may
 * be sent again.
 */
export const notArrivedText = 'Did not arrive at the service';

/** true for the draft of a request that was sent and did not arrive. */
export function isTakenBack({ state, notArrived }: CaseFacts): boolean {
  return notArrived !== undefined && (state === 'draft' || state === 'refused');
}

/** When the request was sent, even if it did not arrive. */
export function leftAt({ sentAt, notArrived }: CaseFacts): string | undefined {
  return sentAt ?? notArrived?.left.sentAt;
}

/**
 * The later of two times; `at` when there is no other. If the clock is set back, later events get earlier times, and
 * FHIR refuses a Task that was changed before it was authored (inv-1) and a period that ends before it begins.
 */
export function notBefore<At extends string | undefined>(start: string | undefined, at: At): At | string {
  return start !== undefined && at !== undefined && Date.parse(at) < Date.parse(start) ? start : at;
}

/** true once a letter belongs in the chart: at `completed` or `failed`, never before. */
export function hasLetter(facts: CaseFacts): boolean {
  return facts.record !== undefined && statusRule(facts.kind, facts.record.status).shows === 'payer';
}

/** Identifies the content of a letter: another outcome, or other approved terms, give another version. */
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

/** Identifies one letter of the payer by its bytes. */
export function payerLetterVersion(bytes: Uint8Array): string {
  return fingerprint(Buffer.from(bytes).toString('base64'));
}

/** `Written by prior-auth-bridge on behalf of …`: appears in every document and message. */
export function provenanceLine(facts: CaseFacts): string {
  const { sentBy } = facts;
  const sender = sentBy === undefined || sentBy === 'bridge' ? undefined : (sentBy.name ?? sentBy.fhirUser);
  const behalf = sender ?? requestedOf(facts).prescriber ?? facts.prescriber ?? 'the practice';
  return (
    `${writtenBy} ${behalf} from the record of the prior authorization service. ` +
    'It was not reviewed by a clinician.'
  );
}

/** The name of the prescriber: the sender's name if they are the same person, else the name in the request. */
export function prescriberName(facts: CaseFacts): string | undefined {
  const { prescriber, sentBy } = facts;
  const isSender = sentBy !== undefined && sentBy !== 'bridge' && sentBy.fhirUser === prescriber;
  return (isSender ? sentBy.name : undefined) ?? requestedOf(facts).prescriber;
}

export function fingerprint(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
}

/** Stops a write about another patient: every resource is checked against its case right before it is sent. */
export function assertSamePatient(facts: CaseFacts, subject: Reference | undefined): void {
  if (subject?.reference !== facts.patient) throw new BridgeError('patient_mismatch', { case: facts.id });
}
