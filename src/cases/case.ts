import type { Statement } from '../core/answers/sheet.ts';
import { type Kind, type KindRecord, kindRecord, type RecordKind, type RecordOf } from '../core/contract/kinds.ts';
import type { PriorAuthorization } from '../core/contract/prior-authorization.ts';
import type { ErrorCode, ErrorFacts } from '../core/errors.ts';
import type { Edits, Gap, Provenance } from '../core/mapping/result.ts';
import type { Answers } from '../core/roles/chart.ts';
import type { OutcomeView } from '../service/outcome-words.ts';
import { outcomeIn } from '../service/record-outcome.ts';
import type { StoredEvent } from '../store/types.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';
import { type Actor, type User, userText } from './actor.ts';
import type { FollowedBy } from './followed-by.ts';
import { withLetterDates } from './letter-terms.ts';
import type { Round } from './rounds/round.ts';
import type { Signature } from './signature.ts';

export type { Actor, LedgerEntry, User };
export { userText };

export type CaseKind = Kind;

/**
 * `draft`: being reviewed; `sending`: stored and on its way to the service; `unknown`: sent, but the answer was lost;
 * `refused`: the service refused the request, which may be edited and sent again; `open`: the service works on it;
 * `ended`: finished.
 */
export const caseStates = ['draft', 'sending', 'unknown', 'refused', 'open', 'ended'] as const;
export type CaseState = (typeof caseStates)[number];

/** The author and time (ISO 8601) of an entry; `at` is absent for entries made before times were stored. */
export interface Entered extends User {
  readonly at?: string;
}

/** The terms of a request that an approval may change, as they were requested. */
export interface AskedTerms {
  readonly quantity?: string;
  readonly days?: string;
  readonly strength?: string;
}

/**
 * One request of any kind, typed by state: a part that every case in a state has is not optional there. Large parts
 * (body, provenance, gaps, record, entries) are unsealed when they are read.
 */
export type Case = DraftCase | Refused | Sending | Unclear | Open | Ended;

export interface CaseBase {
  /** UUID; identifies the case to people and to the EHR and, together with the attempt, to the service. */
  readonly id: string;
  readonly kind: CaseKind;
  readonly site: string;
  /** `Patient/123`, `MedicationRequest/9`, ... at the site's EHR. */
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  /**
   * The launch that last sent the request, else the launch that opened the case. Delivering the outcome may use its
   * token.
   */
  readonly launch: string;
  /** For the patient banner and lists. */
  readonly banner: Banner;
  /** The drug, for lists, Task and letters. */
  readonly title: string;
  /** The payer's name as stated in the request. */
  readonly payer?: string;
  /** The prescriber and the member ID, as stated in the request. */
  readonly prescriberName?: string;
  readonly memberId?: string;
  /** The terms of the current request that an approval may change. Lists show them without loading the body. */
  readonly askedTerms?: AskedTerms;
  /** The number of answers that the draft's page asked for when it was last shown. */
  readonly needed?: number;
  /** Every name that the chart's order has for the drug. */
  readonly drugNames?: readonly string[];
  /** Number of the current request; 0 before the first. */
  readonly attempt: number;
  /** Increases with every change that a page shows. */
  readonly version: number;
  /** Every request that was sent, oldest first. */
  readonly requests: readonly SentRequest[];
  /** Ids of our other records at the service; only `serviceId` is followed. */
  readonly others: readonly string[];
  /** `events` are typed, `history` is their text. Both are oldest first. */
  readonly events: readonly StoredEvent[];
  readonly history: readonly HistoryEntry[];
  readonly writes: readonly LedgerEntry[];
  /** A write to the chart is planned, under way or unclear. */
  readonly unwritten: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When the status last changed. */
  readonly changedAt?: string;
  readonly problem?: Problem;
  readonly owner?: User;
  readonly assigned?: User;
  /** Notes for colleagues, oldest first. */
  readonly notes?: readonly { readonly at: string; readonly by: User; readonly text: string }[];
  /** The chart has a security label that restricts access. */
  readonly restricted?: boolean;
  /** The order has ended in the chart, as of the last reading, so no request can be made for it. */
  readonly orderEnded?: boolean;
  /** The newer request that replaces this request. */
  readonly followed?: FollowedBy;
  /** The prescriber's approval of the draft, or of the request that was sent. */
  readonly signature?: Signature;
}

export interface Banner {
  readonly name: string;
  readonly birthDate?: string;
  readonly sex?: string;
  readonly mrn?: string;
}

/** A person's entries and choices. They are kept when the chart is read again. */
export interface Entries {
  readonly edits: Edits;
  readonly answers: Answers;
  /** For each edited insurance field, by target: the coverage that was chosen when the person changed it. */
  readonly enteredFor?: Readonly<Record<string, string>>;
  /** Entries for plans that are not currently chosen, by coverage and target; see web/request/other-plans.ts. */
  readonly setAside?: Readonly<Record<string, Edits>>;
  /** The author of each entry of `edits`, by target, and of each answer, by its name. */
  readonly enteredBy?: Readonly<Record<string, Entered>>;
  /** The author of each entry of `setAside`, by coverage and target. */
  readonly setAsideBy?: Readonly<Record<string, Readonly<Record<string, Entered>>>>;
  /** Entries that a save overwrote although its page had not shown them, by target; a person decides about each. */
  readonly replaced?: Readonly<Record<string, Replaced>>;
  /** Files that a person attached; their content is kept with the case (`Cases.attached`). */
  readonly attached?: readonly Attached[];
  /** Items that were selected because an earlier request of the patient for the same drug had them. */
  readonly carried?: Carried;
  /** A person's decisions about the answers sheet. */
  readonly sheet?: SheetEntries;
  /** The rules that applied when a person last reviewed the draft. */
  readonly mappedBy?: MappedBy;
  /** The values that the person saw when they last reviewed the draft, by target; see web/request/rules-change.ts. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Enrollment: who consented, and when and how the consent was recorded. */
  readonly consent?: Consent;
  /** An incomplete consent as typed: kept to be completed, never sent, and never present beside `consent`. */
  readonly consentEntry?: ConsentEntry;
}

/** An entry before it was overwritten, and its author. */
export interface Replaced {
  readonly value: unknown;
  readonly by?: Entered;
}

/** A file that a person attached, in the form in which it is sent. */
export interface Attached {
  /** UUID */
  readonly id: string;
  /**
   * `document`: its text is sent as evidence; `card`: a picture of the insurance card; `consent`: a scan of the signed
   * consent to an enrollment, which is stored here and never sent; `appeal`: the letter of an appeal, a PDF.
   */
  readonly kind: 'document' | 'card' | 'consent' | 'appeal';
  readonly title: string;
  /** The date of a document or letter, YYYY-MM-DD, as the person entered it. */
  readonly date?: string;
  /** Only the beginning of the text is sent. */
  readonly shortened?: true;
  /** The original PDF is kept: for a document in place of its text, for a scan in place of a JPEG. */
  readonly pdf?: true;
  /** For a card, the coverage that was chosen when it was attached. The card is sent with no other coverage. */
  readonly coverage?: string;
  readonly by: User;
  readonly at: string;
}

/** A person's decisions about the answers to the payer's questions, and their statements. */
export interface SheetEntries {
  /** Whether the answers are sent; if undefined, the site's policy decides. */
  readonly goes?: boolean;
  /** Lines that a person selected or left out, by their keys (web/request/payer-answers.ts). */
  readonly lines?: Readonly<Record<string, boolean>>;
  readonly statements?: readonly Statement[];
}

/** The items that a new request copied from the patient's last request for the same drug. */
export interface Carried {
  /** When the last request was sent; absent when there is none. */
  readonly sentAt?: string;
  /** References that were selected again. */
  readonly kept: readonly string[];
  /** Items that were not copied, by title. */
  readonly dropped: readonly { readonly title: string; readonly why: 'gone' | 'sensitive' | 'unfit' | 'file' }[];
  /** Whether the earlier request had answers to payer questions. */
  readonly answers?: boolean;
  /** People's latest statements about this drug. Pages offer them; only a new request after a denial copies them. */
  readonly statements?: readonly Statement[];
}

/** No request is under way: the draft may be edited and sent. */
export interface DraftCase extends CaseBase, Entries {
  readonly state: 'draft';
  /** When a person reported that a request did not arrive. The service may still turn out to have it. */
  readonly notArrivedAt?: string;
}

/** The service refused the last request. A person may correct the fields that the service listed. */
export interface Refused extends CaseBase, Entries {
  readonly state: 'refused';
  readonly problem: Problem;
  readonly notArrivedAt?: string;
}

interface SentBase extends CaseBase, RequestContent {
  readonly sentAt: string;
  readonly sentBy: Actor;
  /** The payer's questions, oldest first; absent while there are none. */
  readonly rounds?: readonly Round[];
  /** When a person reported that an earlier request did not arrive. */
  readonly notArrivedAt?: string;
}

export interface Sending extends SentBase {
  readonly state: 'sending';
}

/** It is unknown whether the request arrived. */
export interface Unclear extends SentBase {
  readonly state: 'unknown';
  readonly problem: Problem;
}

export type Open = { readonly [Of in RecordKind]: OpenOf<Of> }[RecordKind];

interface OpenOf<Of extends RecordKind> extends SentBase, Followed<Of> {
  readonly kind: Of;
  readonly state: 'open';
}

export type Ended = { readonly [Of in RecordKind]: EndedOf<Of> }[RecordKind] | EndedEnrollment;

/** The service has finished the request. */
interface EndedOf<Of extends RecordKind> extends SentBase, Followed<Of> {
  readonly kind: Of;
  readonly state: 'ended';
  readonly record: RecordOf[Of];
  readonly endedAt: string;
}

/** An enrollment ends as soon as the service confirms it, because the service reports nothing about it later. */
export interface EndedEnrollment extends SentBase {
  readonly kind: 'enrollment';
  readonly state: 'ended';
  readonly serviceId?: string;
  readonly endedAt: string;
}

interface Followed<Of extends RecordKind> {
  readonly serviceId: string;
  /** The last status in the service's record. */
  readonly status: string;
  /** The last record read from the service; it has no outcome before the request has finished. */
  readonly record?: RecordOf[Of];
  readonly readAt?: string;
  /** The person's reason for canceling; the Task in the chart states it once the service has canceled. */
  readonly cancellation?: string;
}

export interface RequestContent {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  /** The rules that produced `body`. */
  readonly mappedBy: MappedBy;
  /** Display titles of the request's diagnosis codes at the time of sending, by code. */
  readonly codeTitles?: Readonly<Record<string, string>>;
  readonly consent?: Consent;
  readonly entries: Entries;
}

export interface SentRequest extends RequestContent {
  readonly attempt: number;
  readonly state: RequestState;
  readonly serviceId?: string;
  readonly sentAt: string;
  readonly settledAt?: string;
}

export const requestStates = ['sending', 'accepted', 'refused', 'not_sent', 'unclear', 'not_arrived'] as const;
export type RequestState = (typeof requestStates)[number];

/** The rules that produce a request: the name of a mapping or overlay, and its compiled version (`versionOf`). */
export interface MappedBy {
  readonly mapping: string;
  readonly version: string;
}

export interface Consent extends ConsentEntry {
  readonly recordedBy: User;
  /** The text that the person agreed to, as the page showed it; absent if no program was chosen at the time. */
  readonly wording?: string;
}

/** The consent block as typed; each part may be empty. */
export interface ConsentEntry {
  readonly by: string;
  readonly on: string;
  readonly how: string;
}

/** The error that prevents sending (drafts) or reading the record (open cases). */
export interface Problem {
  readonly code: ErrorCode;
  /** Title and next step. */
  readonly text: string;
  /** Facts without patient data, for the operator: `http`, `service_code`. */
  readonly facts?: ErrorFacts;
  /** Paths into the body that the service listed. */
  readonly fields?: readonly string[];
  readonly at: string;
}

export interface HistoryEntry {
  readonly at: string;
  readonly what: string;
  readonly by: Actor;
}

export type Editable = DraftCase | Refused;
export type Sent = Sending | Unclear | Open | Ended;

/** A case in a list, without the content of the requests that were sent. */
export type ListedCase = Listed<Case>;
export type ListedEnded = Extract<ListedCase, { readonly state: 'ended' }>;
export type ListedSent = Exclude<ListedCase, { readonly state: Editable['state'] }>;

type Listed<One extends Case> = One extends Editable
  ? Omit<One, 'requests'> & ListedRequests
  : Omit<One, 'requests' | keyof RequestContent> & ListedRequests;

interface ListedRequests {
  readonly requests: readonly Omit<SentRequest, keyof RequestContent>[];
}

export function isEditable<One extends ListedCase>(
  one: One,
): one is Extract<One, { readonly state: Editable['state'] }> {
  return one.state === 'draft' || one.state === 'refused';
}

/** true for a draft whose order has ended in the chart: a person can only mark it as done. */
export function lacksOrder(one: ListedCase): boolean {
  return isEditable(one) && one.orderEnded === true;
}

/** true while a request of the case is being sent, followed or finished. */
export function isSent<One extends ListedCase>(one: One): one is Exclude<One, { readonly state: Editable['state'] }> {
  return !isEditable(one);
}

/**
 * The service's record of the case, with its kind. The dates of the payer's letter replace those of the record. Always
 * undefined for an enrollment.
 */
export function kindRecordOf(one: ListedCase): KindRecord | undefined {
  if (!('record' in one) || one.record === undefined) return undefined;
  const read = kindRecord(one.kind, one.record);
  return read.kind === 'prior-auth' ? { ...read, record: withLetterDates(read.record, one.events) } : read;
}

/** The service's record if the case is a prior authorization. */
export function recordOf(one: ListedCase): PriorAuthorization | undefined {
  const read = kindRecordOf(one);
  return read?.kind === 'prior-auth' ? read.record : undefined;
}

/** The payer's questions about a case, oldest first. */
export function roundsOf(one: ListedCase): readonly Round[] {
  return 'rounds' in one ? (one.rounds ?? []) : [];
}

/** The outcome that may be shown; undefined before there is one. */
export function outcomeOf(one: ListedCase): OutcomeView | undefined {
  const read = kindRecordOf(one);
  return read === undefined ? undefined : outcomeIn(read);
}

/** `Patient/123` from the reference or from the id alone. */
export function patientReference(patient: string): string {
  return patient.startsWith('Patient/') ? patient : `Patient/${patient}`;
}
