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
import type { Round } from './rounds/round.ts';

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

/** Who entered something, and when (ISO 8601); without `at` where it was entered before that was kept. */
export interface Entered extends User {
  readonly at?: string;
}

/**
 * One request of any kind and its life, by its state: what exists in a state is not optional there.
 * What is large (body, provenance, gaps, record, entries) is opened when it is read.
 */
export type Case = Draft | Refused | Sending | Unclear | Open | Ended;

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
  /** How many answers a draft needed when its page was last shown. */
  readonly needed?: number;
  /** Number of the request that counts now; 0 before the first. */
  readonly attempt: number;
  /** Grows with every change that a page shows. */
  readonly version: number;
  /** Every request that left, oldest first. */
  readonly requests: readonly SentRequest[];
  /** Further records of ours at the service, by their ids: only `serviceId` is followed. */
  readonly others: readonly string[];
  /** What happened, oldest first: typed, and in words. */
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
  /** Who works on it, and to whom it was given. */
  readonly owner?: User;
  readonly assigned?: User;
  /** For colleagues, oldest first. */
  readonly notes?: readonly { readonly at: string; readonly by: User; readonly text: string }[];
  /** Its chart carried a security label out of the ordinary. */
  readonly restricted?: boolean;
}

export interface Banner {
  readonly name: string;
  readonly birthDate?: string;
  readonly sex?: string;
  readonly mrn?: string;
}

/** What the person entered and chose; kept over a re-pull. */
export interface Entries {
  readonly edits: Edits;
  readonly answers: Answers;
  /** Of the insurance fields in `edits`: the coverage that was chosen when the person changed them, by target. */
  readonly enteredFor?: Readonly<Record<string, string>>;
  /** What was entered for plans that are not chosen now, by coverage and target; see web/other-plans.ts. */
  readonly setAside?: Readonly<Record<string, Edits>>;
  /** Who made each entry of `edits`, by target, and each answer, by its name. */
  readonly enteredBy?: Readonly<Record<string, Entered>>;
  /** The same for `setAside`, by coverage and target. */
  readonly setAsideBy?: Readonly<Record<string, Readonly<Record<string, Entered>>>>;
  /** Files that a person attached; their content is kept with the case (`Cases.attached`). */
  readonly attached?: readonly Attached[];
  /** What was ticked because an earlier request of the patient for the same drug had it. */
  readonly carried?: Carried;
  /** What a person decided of the answers sheet. */
  readonly sheet?: SheetEntries;
  /** The rules under which a person last looked through the draft. */
  readonly mappedBy?: MappedBy;
  /** The values that the person then saw, by target; see web/rules-change.ts. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Enrollment: who consented, when and how it was recorded. */
  readonly consent?: Consent;
  /** What was typed about a consent and is none yet: kept to be completed, never sent on. Never beside `consent`. */
  readonly consentEntry?: ConsentEntry;
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
  /** Of a document and a letter: YYYY-MM-DD, as the person entered it. */
  readonly date?: string;
  /** Only the beginning of its text goes. */
  readonly shortened?: true;
  /**
   * It is kept as the PDF that it was: of a document in place of its text, of a scan in place of a JPEG.
   */
  readonly pdf?: true;
  /** Of a card: the coverage that was chosen when it was attached. It goes with no other. */
  readonly coverage?: string;
  readonly by: User;
  readonly at: string;
}

/** What persons decided of the answers to the payer's questions, and what they said of them. */
export interface SheetEntries {
  /** Whether the answers go; without it, as the site's policy has it. */
  readonly goes?: boolean;
  /** Lines that a person ticked or left out, by their keys (web/request/payer-answers.ts). */
  readonly lines?: Readonly<Record<string, boolean>>;
  readonly statements?: readonly Statement[];
}

/** What a new request took over from the last one of the same patient for the same drug. */
export interface Carried {
  /** When that one was sent; absent when there is none. */
  readonly sentAt?: string;
  /** References that were ticked anew. */
  readonly kept: readonly string[];
  /** What was not, by its title. */
  readonly dropped: readonly { readonly title: string; readonly why: 'gone' | 'sensitive' | 'unfit' | 'file' }[];
  /** That it had the answers to payer questions. */
  readonly answers?: boolean;
  /** What persons said of the answers sheet in that request: offered, and taken by a person alone. */
  readonly statements?: readonly Statement[];
}

/** Nothing is under way: it may be edited and sent. */
export interface Draft extends CaseBase, Entries {
  readonly state: 'draft';
  /** When a person said that a request did not arrive. Its record may still come to light. */
  readonly notArrivedAt?: string;
}

/** The service refused the last request; what it named may be corrected. */
export interface Refused extends CaseBase, Entries {
  readonly state: 'refused';
  readonly problem: Problem;
  readonly notArrivedAt?: string;
}

/** A request that left and counts. */
interface Left extends CaseBase, RequestContent {
  readonly sentAt: string;
  readonly sentBy: Actor;
  /** What the payer asked since, oldest first; absent while nothing was. */
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

/** Complete with its confirmation: nothing ever tells of it later. */
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
  /** The last record read from the service, without anything about an outcome until it has finished. */
  readonly record?: RecordOf[Of];
  readonly readAt?: string;
  /** The reason a person gave for cancelling; the Task in the chart states it once the service has cancelled. */
  readonly cancellation?: string;
}

/** What a request said, as it left. */
export interface RequestContent {
  readonly body: unknown;
  readonly provenance: readonly Provenance[];
  readonly gaps: readonly Gap[];
  /** The rules that made `body`. */
  readonly mappedBy: MappedBy;
  readonly consent?: Consent;
  /** What people had entered and chosen in it. */
  readonly entries: Entries;
}

/** One request that left. */
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

/** What stands in the way: of sending (drafts), or of reading the record (open cases). */
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

export type Editable = Draft | Refused;
export type Sent = Sending | Unclear | Open | Ended;

export function isEditable(one: Case): one is Editable {
  return one.state === 'draft' || one.state === 'refused';
}

/** true while a request of the case is on its way, followed or finished. */
export function isSent(one: Case): one is Sent {
  return !isEditable(one);
}

/** The service's record of the case, with its kind; an enrollment never has one. */
export function kindRecordOf(one: Case): KindRecord | undefined {
  return 'record' in one && one.record !== undefined ? kindRecord(one.kind, one.record) : undefined;
}

/** The service's record of a prior authorization. */
export function recordOf(one: Case): PriorAuthorization | undefined {
  const read = kindRecordOf(one);
  return read?.kind === 'prior-auth' ? read.record : undefined;
}

/** What the payer asked of a case, oldest first. */
export function roundsOf(one: Case): readonly Round[] {
  return 'rounds' in one ? (one.rounds ?? []) : [];
}

/** The outcome that may be shown; undefined before there is one. */
export function outcomeOf(one: Case): OutcomeView | undefined {
  const read = kindRecordOf(one);
  return read === undefined ? undefined : outcomeIn(read);
}

/** `Patient/123` from it or from the id alone. */
export function patientReference(patient: string): string {
  return patient.startsWith('Patient/') ? patient : `Patient/${patient}`;
}
