import type { Statement } from '../core/answers/sheet.ts';
import { type Kind, type KindRecord, kindRecord, type RecordKind, type RecordOf } from '../core/contract/kinds.ts';
import type { PriorAuthorization } from '../core/contract/prior-authorization.ts';
import type { ErrorCode, ErrorFacts } from '../core/errors.ts';
import type { Edits, Gap, Provenance } from '../core/mapping/result.ts';
import type { Answers } from '../core/roles/chart.ts';
import type { OutcomeView } from '../service/outcomes.ts';
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
 * `draft`: being reviewed; `sending`: intent stored, request under way; `unknown`: sent, the answer was lost;
 * `refused`: the service said no, may be edited and sent again; `open`: the service works on it; `ended`: a terminal
 * status.
 */
export const caseStates = ['draft', 'sending', 'unknown', 'refused', 'open', 'ended'] as const;
export type CaseState = (typeof caseStates)[number];

/** The author and time (ISO 8601) of an entry; `at` is absent for entries made before times were stored. */
export interface Entered extends User {
  readonly at?: string;
}

/** What an approval may change of a request, as it was asked for. */
export interface AskedTerms {
  readonly quantity?: string;
  readonly days?: string;
  readonly strength?: string;
}

/**
 * One request of any kind and its life, by its state: what exists in a state is not optional there.
 * What is large (body, provenance, gaps, record, entries) is opened when it is read.
 */
export type Case = DraftCase | Refused | Sending | Unclear | Open | Ended;

/** What every case has. */
export interface CaseBase {
  /** UUID; names the case to people, to the EHR and, with the attempt, to the service. */
  readonly id: string;
  readonly kind: CaseKind;
  readonly site: string;
  /** `Patient/123`, `MedicationRequest/9`, ... at the site's EHR. */
  readonly patient: string;
  readonly order: string;
  readonly encounter?: string;
  readonly prescriber?: string;
  readonly coverage?: string;
  /** The launch it was last sent from, else opened from; its token may deliver the outcome. */
  readonly launch: string;
  /** For the patient banner and lists. */
  readonly banner: Banner;
  /** The drug, for lists, Task and letters. */
  readonly title: string;
  /** The payer's name, as the request has it. */
  readonly payer?: string;
  /** Who prescribed and the member ID, as the request has them. */
  readonly prescriberName?: string;
  readonly memberId?: string;
  /** What the current request asks for, where an approval may differ: lists leave its body in the store. */
  readonly askedTerms?: AskedTerms;
  /** How many answers the draft's page asked for when it was last shown. */
  readonly needed?: number;
  /** Every name that the chart's order has for the drug. */
  readonly drugNames?: readonly string[];
  /** Number of the request that counts now; 0 before the first. */
  readonly attempt: number;
  /** Grows with every change that a page shows. */
  readonly version: number;
  /** Every request that left, oldest first. */
  readonly requests: readonly SentRequest[];
  /** Further records of ours at the service, by their ids: only `serviceId` is followed. */
  readonly others: readonly string[];
  /** The events, oldest first: typed, and in words. */
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
  /** The owner and the assignee. */
  readonly owner?: User;
  readonly assigned?: User;
  /** For colleagues, oldest first. */
  readonly notes?: readonly { readonly at: string; readonly by: User; readonly text: string }[];
  /** The chart carries a security label that restricts access. */
  readonly restricted?: boolean;
  /** The chart has ended the order, as of the last reading: no request can be made for it. */
  readonly orderEnded?: boolean;
  /** The newer request that takes the place of this one. */
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

/** What the person entered and chose; kept when the chart is read again. */
export interface Entries {
  readonly edits: Edits;
  readonly answers: Answers;
  /** For each edited insurance field, by target: the coverage that was chosen when the person changed it. */
  readonly enteredFor?: Readonly<Record<string, string>>;
  /** Entries for plans that are not chosen now, by coverage and target; see web/request/other-plans.ts. */
  readonly setAside?: Readonly<Record<string, Edits>>;
  /** Who made each entry of `edits`, by target, and each answer, by its name. */
  readonly enteredBy?: Readonly<Record<string, Entered>>;
  /** The same for `setAside`, by coverage and target. */
  readonly setAsideBy?: Readonly<Record<string, Readonly<Record<string, Entered>>>>;
  /** Entries that a save overwrote without its page having shown them, by target; a person decides about each. */
  readonly replaced?: Readonly<Record<string, Replaced>>;
  /** Files that a person attached; their content is kept with the case (`Cases.attached`). */
  readonly attached?: readonly Attached[];
  /** Items that were ticked because an earlier request of the patient for the same drug had them. */
  readonly carried?: Carried;
  /** A person's decisions about the answers sheet. */
  readonly sheet?: SheetEntries;
  /** The rules under which a person last looked through the draft. */
  readonly mappedBy?: MappedBy;
  /** The values that the person saw then, by target; see web/request/rules-change.ts. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Enrollment: who consented, when and how it was recorded. */
  readonly consent?: Consent;
  /** An incomplete consent as it was typed: kept to be completed, never sent, and never present beside `consent`. */
  readonly consentEntry?: ConsentEntry;
}

/** An entry as it was before it was overwritten, and who had entered it. */
export interface Replaced {
  readonly value: unknown;
  readonly by?: Entered;
}

/** A file that a person attached, as it goes. */
export interface Attached {
  /** UUID */
  readonly id: string;
  /**
   * `document`: its text goes as evidence; `card`: a picture of the insurance card; `consent`: a scan of the signed
   * consent to an enrollment, which is kept here and goes nowhere; `appeal`: the letter of an appeal, a PDF.
   */
  readonly kind: 'document' | 'card' | 'consent' | 'appeal';
  readonly title: string;
  /** The date of a document or letter, YYYY-MM-DD, as the person entered it. */
  readonly date?: string;
  /** Only the beginning of the text is sent. */
  readonly shortened?: true;
  /**
   * It is kept as the PDF that it was: of a document in place of its text, of a scan in place of a JPEG.
   */
  readonly pdf?: true;
  /** For a card, the coverage that was chosen when it was attached. It is sent with no other. */
  readonly coverage?: string;
  readonly by: User;
  readonly at: string;
}

/** Persons' decisions about the answers to the payer's questions, and their statements. */
export interface SheetEntries {
  /** Whether the answers are sent; undefined follows the site's policy. */
  readonly goes?: boolean;
  /** Lines that a person ticked or left out, by their keys (web/request/payer-answers.ts). */
  readonly lines?: Readonly<Record<string, boolean>>;
  readonly statements?: readonly Statement[];
}

/** The items that a new request took over from the patient's last request for the same drug. */
export interface Carried {
  /** When that one was sent; absent when there is none. */
  readonly sentAt?: string;
  /** References that were ticked again. */
  readonly kept: readonly string[];
  /** Items that were not taken over, by title. */
  readonly dropped: readonly { readonly title: string; readonly why: 'gone' | 'sensitive' | 'unfit' | 'file' }[];
  /** Whether the earlier request had answers to payer questions. */
  readonly answers?: boolean;
  /** Persons' statements in that request: offered to a person, never taken over automatically. */
  readonly statements?: readonly Statement[];
}

/** Nothing is under way: it may be edited and sent. */
export interface DraftCase extends CaseBase, Entries {
  readonly state: 'draft';
  /** When a person said that a request did not arrive. The service may still turn out to have it. */
  readonly notArrivedAt?: string;
}

/** The service refused the last request; what it named may be corrected. */
export interface Refused extends CaseBase, Entries {
  readonly state: 'refused';
  readonly problem: Problem;
  readonly notArrivedAt?: string;
}

/** A request that was sent and is the current one of its case. */
interface Left extends CaseBase, RequestContent {
  readonly sentAt: string;
  readonly sentBy: Actor;
  /** The payer's questions, oldest first; absent while there are none. */
  readonly rounds?: readonly Round[];
  /** When a person said of an earlier request that it did not arrive. */
  readonly notArrivedAt?: string;
}

export interface Sending extends Left {
  readonly state: 'sending';
}

/** Nobody knows whether it arrived. */
export interface Unclear extends Left {
  readonly state: 'unknown';
  readonly problem: Problem;
}

/** The service has it. */
export type Open = { readonly [Of in RecordKind]: OpenOf<Of> }[RecordKind];

interface OpenOf<Of extends RecordKind> extends Left, Followed<Of> {
  readonly kind: Of;
  readonly state: 'open';
}

export type Ended = { readonly [Of in RecordKind]: EndedOf<Of> }[RecordKind] | EndedEnrollment;

/** The service has finished. */
interface EndedOf<Of extends RecordKind> extends Left, Followed<Of> {
  readonly kind: Of;
  readonly state: 'ended';
  readonly record: RecordOf[Of];
  readonly endedAt: string;
}

/** Complete once the service confirms it: nothing reports on an enrollment later. */
export interface EndedEnrollment extends Left {
  readonly kind: 'enrollment';
  readonly state: 'ended';
  readonly serviceId?: string;
  readonly endedAt: string;
}

interface Followed<Of extends RecordKind> {
  /** Id at the service. */
  readonly serviceId: string;
  /** Last status the service's record had. */
  readonly status: string;
  /** The last record read from the service; it has no outcome before the request has finished. */
  readonly record?: RecordOf[Of];
  readonly readAt?: string;
  /** The reason a person gave for cancelling; the Task in the chart states it once the service has cancelled. */
  readonly cancellation?: string;
}

/** The content of a request as it was sent. */
export interface RequestContent {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  /** The rules that made `body`. */
  readonly mappedBy: MappedBy;
  /** Titles of its diagnosis codes, by code, as they were when it was sent. */
  readonly codeTitles?: Readonly<Record<string, string>>;
  readonly consent?: Consent;
  /** The entries and choices that people had made in it. */
  readonly entries: Entries;
}

/** One request that was sent. */
export interface SentRequest extends RequestContent {
  readonly attempt: number;
  readonly state: RequestState;
  readonly serviceId?: string;
  readonly sentAt: string;
  readonly settledAt?: string;
}

export const requestStates = ['sending', 'accepted', 'refused', 'not_sent', 'unclear', 'not_arrived'] as const;
export type RequestState = (typeof requestStates)[number];

/**
 * The rules that make a request: a mapping or overlay by its name, and the version of what it compiles to
 * (`versionOf`).
 */
export interface MappedBy {
  readonly mapping: string;
  readonly version: string;
}

export interface Consent extends ConsentEntry {
  readonly recordedBy: User;
  /** What the person agreed to, as the page showed it; absent where no program was chosen yet. */
  readonly wording?: string;
}

/** The consent block as typed; each part may be empty. */
export interface ConsentEntry {
  readonly by: string;
  readonly on: string;
  readonly how: string;
}

/** What prevents sending (drafts) or reading the record (open cases). */
export interface Problem {
  readonly code: ErrorCode;
  /** Title and what to do next. */
  readonly text: string;
  /** Safe facts, for the operator: `http`, `service_code`. */
  readonly facts?: ErrorFacts;
  /** Paths into the body that the service named. */
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

/** A case as lists have it: the content of the requests that were sent stays in the store. */
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

/** true for a draft whose order the chart has ended: only a person's word that it is done is left of it. */
export function lacksOrder(one: ListedCase): boolean {
  return isEditable(one) && one.orderEnded === true;
}

/** true while a request of the case is on its way, followed or finished. */
export function isSent<One extends ListedCase>(one: One): one is Exclude<One, { readonly state: Editable['state'] }> {
  return !isEditable(one);
}

/** The service's record of the case, with its kind and the letter's dates; an enrollment never has one. */
export function kindRecordOf(one: ListedCase): KindRecord | undefined {
  if (!('record' in one) || one.record === undefined) return undefined;
  const read = kindRecord(one.kind, one.record);
  return read.kind === 'prior-auth' ? { ...read, record: withLetterDates(read.record, one.events) } : read;
}

/** The service's record of a prior authorization. */
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

/** `Patient/123` from it or from the id alone. */
export function patientReference(patient: string): string {
  return patient.startsWith('Patient/') ? patient : `Patient/${patient}`;
}
