import type { PgBoss } from 'pg-boss';
import type { Code } from '../config/code.ts';
import type { CodeQuery } from '../config/code-query.ts';
import type { LaunchStore } from '../ehr/smart/store.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';

/**
 * The store as the rooms above see it. Nothing else knows SQL. What is about patients, users or tokens is sealed;
 * plain columns are what is searched, counted and timed by. All times are ISO 8601 in UTC by the database's clock.
 */

/** A part of a case that is opened (unsealed) only when it is asked for. */
export interface Sealed<T = unknown> {
  /** A keyed hash of the content: equal content has an equal hash. */
  readonly hash: string;
  /** Opens it. Throws `store_unavailable` when the seal does not fit. */
  value(): T;
}

/** The plain columns of a case. */
export interface CaseColumns {
  /** UUID */
  readonly id: string;
  readonly site: string;
  readonly kind: string;
  readonly state: string;
  /** Last status of the service's record. */
  readonly status?: string;
  readonly serviceId?: string;
  /** Number of the submission that counts now: 0 before the first, then 1, 2 ... */
  readonly attempt: number;
  /** +1 with every change that a page shows; an unchanged poll leaves it. */
  readonly version: number;
  /** A write to the chart is planned, under way or unclear. */
  readonly unwritten: boolean;
  /** A write waits for the next launch of this patient. */
  readonly waiting: boolean;
  /** Code of the error that stands in the way, from the error table. */
  readonly problem?: string;
  /** When a person said that a request did not arrive, while a late record could still prove otherwise. */
  readonly notArrivedAt?: string;
  readonly sentAt?: string;
  /** When the service's record was last read, and when its status last changed. */
  readonly readAt?: string;
  readonly changedAt?: string;
  readonly endedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** What finds a case again: hashed under the key of marks, never stored in the clear. */
export interface CaseKeys {
  /** `Patient/123` */
  readonly patient: string;
  /** `MedicationRequest/9` */
  readonly order: string;
}

/** One request that left: its body never changes. */
export interface StoredSubmission {
  readonly attempt: number;
  /** `sending`, `accepted`, `refused`, `not_sent`, `unclear`, `not_arrived` */
  readonly state: string;
  readonly serviceId?: string;
  readonly sentAt: string;
  /** When its answer came or was given up. */
  readonly settledAt?: string;
  readonly sealed: Sealed;
}

/** A typed event: history, timeline and metrics read it. No clinical value, no name, no free text. */
export interface StoredEvent {
  /** Grows within the store; orders events. */
  readonly id: number;
  readonly at: string;
  readonly type: string;
  /** `bridge` or `Practitioner/12`; the name of a user is sealed in the case's head. */
  readonly actor: string;
  /** Codes, ids at the service, numbers: nothing that says who the patient is. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

export interface StoredCase extends CaseColumns {
  /** Banner, title, references, launch, users' names: small. */
  readonly head: Sealed;
  /** Entries, answers and consent of the draft. */
  readonly draft?: Sealed;
  /**
   * Oldest first. In a list (`list`, `forPatient`), or where they were not asked for, their bodies are not loaded:
   * opening one is a TypeError.
   */
  readonly submissions: readonly StoredSubmission[];
  /** The last record read from the service, as it may be shown. */
  readonly record?: Sealed;
  /** What the payer asked, and what was replied. */
  readonly rounds?: Sealed;
  /** What of the rounds is left to fetch or to send; absent when nothing is. */
  readonly work?: Sealed;
  readonly events: readonly StoredEvent[];
  /** The ledger of write-back; its columns are in the clear but for `says`. */
  readonly writes: readonly LedgerEntry[];
}

/** What a change writes: only what is named is touched, and sealed content is written only when its hash differs. */
export interface CaseWrite {
  readonly columns: Omit<CaseColumns, 'id' | 'site' | 'kind' | 'createdAt' | 'updatedAt' | 'version'>;
  readonly keys: CaseKeys;
  readonly head: unknown;
  /** `null` removes the draft. */
  readonly draft?: unknown;
  /** A new submission, or the outcome of one that is stored. */
  readonly submissions?: readonly (
    | {
        readonly attempt: number;
        readonly state: string;
        readonly sentAt: string;
        readonly content: unknown;
        readonly serviceId?: string;
      }
    | {
        readonly attempt: number;
        readonly state: string;
        readonly serviceId?: string;
        readonly settledAt?: string;
      }
  )[];
  /** `null` removes the record. */
  readonly record?: unknown;
  readonly rounds?: unknown;
  /** `null` removes it. */
  readonly work?: unknown;
  readonly events?: readonly Omit<StoredEvent, 'id' | 'at'>[];
  /** Rows to insert or replace, by `what` and `version` (the Task's by `what` alone). */
  readonly writes?: readonly LedgerEntry[];
  /** false when nothing that a page shows has changed. */
  readonly visible?: boolean;
  readonly jobs?: readonly Job[];
}

/** A job of a queue; work/ defines names and data. It is grouped by site. */
export interface Job {
  readonly queue: string;
  readonly site: string;
  /** Jobs of one queue with one key are one while they wait; a delayed job never holds back an immediate one. */
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly afterSeconds?: number;
}

export interface CaseFilter {
  readonly site?: string;
  readonly kind?: string;
  readonly states?: readonly string[];
  readonly unwritten?: boolean;
  /** Of whose rounds something is left to fetch or to send. */
  readonly hasWork?: true;
  readonly notArrivedSince?: string;
  /**
   * Cases with a record that was not read since one of so many seconds after its last change have passed; none whose
   * last change is longer ago than `untilSeconds`.
   */
  readonly unreadAfter?: { readonly seconds: readonly number[]; readonly untilSeconds: number };
  readonly limit?: number;
}

export interface CaseTable {
  /**
   * The live case of the order (state other than `ended`), else its last ended one, else the one that `make` gives;
   * with `anew` an ended one is passed over. Two callers at once get the same case.
   */
  open(
    key: { readonly site: string; readonly kind: string } & CaseKeys,
    make: (at: string) => { readonly id: string } & CaseWrite,
    options?: { readonly anew?: boolean },
  ): Promise<StoredCase>;
  find(id: string): Promise<StoredCase | undefined>;
  /** The plain columns alone. */
  columns(id: string): Promise<CaseColumns | undefined>;
  /**
   * Reads, changes and writes one case in one transaction under its row lock. `transition` is pure; `at` is the time of
   * the transaction; undefined leaves the case as it is. With `bodies` false the requests that left stay in the store,
   * as in a list. Throws case_not_found.
   */
  change(
    id: string,
    transition: (current: StoredCase, at: string) => CaseWrite | undefined,
    options?: { readonly bodies?: boolean },
  ): Promise<StoredCase>;
  /**
   * A poll that found the record as it is stored: one small update of `readAt`. false when the hash differs or a
   * problem stands, and nothing was written: `change` then does what follows.
   */
  touchRecord(id: string, hash: string): Promise<boolean>;
  /** The hash that `touchRecord` compares; the order of keys makes no difference. */
  hashOf(content: unknown): string;
  /** The plain columns alone. */
  byServiceId(site: string, serviceId: string): Promise<CaseColumns | undefined>;
  /** Newest first. */
  forPatient(site: string, patient: string): Promise<readonly StoredCase[]>;
  list(filter: CaseFilter): Promise<readonly StoredCase[]>;
  ids(filter: Omit<CaseFilter, 'limit'>): Promise<readonly string[]>;
  /**
   * Cases of the filter for which no job of these queues waits or runs: a process was killed before it could
   * queue one, or
   * a job failed too often. With no queue, all cases of the filter. Oldest first.
   */
  unattended(filter: Omit<CaseFilter, 'limit'>, queues: readonly string[]): Promise<readonly CaseColumns[]>;
  /** By site and state, with the age of the oldest in seconds. */
  counts(): Promise<readonly { site: string; state: string; count: number; oldestSeconds: number }[]>;
  putFile(id: string, name: string, bytes: Uint8Array): Promise<void>;
  file(id: string, name: string): Promise<Uint8Array | undefined>;
  removeFile(id: string, name: string): Promise<void>;
}

/**
 * The three groups of the worklist: the reader must act; others must (the payer, the service, a colleague who signs);
 * it is decided.
 */
export const worklistParts = ['needs', 'payer', 'decided'] as const;
export type WorklistPart = (typeof worklistParts)[number];

/** What the worklist says of a case; `cases/worklist-entry.ts` derives it. */
export interface WorklistEntry {
  readonly part: WorklistPart;
  /** A code: `draft`, `refused`, `unclear`, a status or the kind of an outcome. */
  readonly waits: string;
  readonly since: string;
  /** `Practitioner/12`: who works on it; to whom it was given; who prescribed; who is to be told of a take-over. */
  readonly owner?: string;
  readonly assigned?: string;
  readonly prescriber?: string;
  readonly told?: string;
  /** `2027-11-21` */
  readonly approvalEnd?: string;
  /** When a person last said that nothing is left to do. */
  readonly doneAt?: string;
  /** Something is not in the chart, or wrong there, until a person does something. */
  readonly unwritten: boolean;
  /** The chart carried a restricted label: the name is for those who work on the case. */
  readonly restricted: boolean;
  readonly line: WorklistLine;
}

/** Pure. `version` grows when a stored case gives another line than before: all are then made anew. */
export interface WorklistRules {
  readonly version: number;
  readonly entryOf: (stored: StoredCase) => WorklistEntry & { readonly patient: string };
}

/** The sealed part of a line. */
export interface WorklistLine {
  readonly patient: string;
  readonly drug: string;
  /** What else it is called, to be found by. */
  readonly drugNames?: readonly string[];
  readonly payer?: string;
  readonly prescriberName?: string;
  readonly memberId?: string;
  readonly mrn?: string;
  /** Ids of its requests at the service. */
  readonly requestIds?: readonly string[];
  /** How many answers a draft needs. */
  readonly needed?: number;
  /** Until when the payer waits for an answer, or takes an appeal as its letter says: a day or an instant. */
  readonly until?: string;
  /** When it ended. */
  readonly endedAt?: string;
  /** When a newer request for the same was sent, and the end of the approval that it renews. */
  readonly followed?: { readonly at: string; readonly end?: string };
  /** In words, for what the codes do not say: the outcome. */
  readonly says?: string;
  /** An approval of something else than was ordered. */
  readonly differs?: true;
  /** A code for what the chart lacks (`cases/chart-standing.ts`), when `unwritten`. */
  readonly lacks?: string;
  /** Names of people by their references. */
  readonly people: Readonly<Record<string, string>>;
  /** By whom it was taken over. */
  readonly takenBy?: string;
}

export interface WorklistRow extends Omit<WorklistEntry, 'line'> {
  readonly case: string;
  readonly kind: string;
  readonly site: string;
  /** `Store.mark` of the patient, as in `WorklistViewer`. */
  readonly patientMark: string;
  /** Opened when it is read. */
  readonly line: Sealed<WorklistLine>;
}

/** Who looks: their name, and the patient whose chart they have open. */
export interface WorklistViewer {
  readonly user: string;
  /** `Patient/123` */
  readonly patient?: string;
}

/** From when before its end an approval is work, by payer; its day is the site's. */
export interface RenewalTerms {
  readonly site: string;
  /** YYYY-MM-DD */
  readonly today: string;
  readonly days: number;
  readonly payers: readonly { readonly payer: string; readonly days: number }[];
  /** For how many days after its end. */
  readonly after: number;
}

export interface WorklistQuery {
  readonly site: string;
  readonly viewer: WorklistViewer;
  /** All of them when left out. */
  readonly part?: WorklistPart;
  /**
   * Beginnings of words of the patient's name, MRN, member ID, drug, payer, prescriber or request ids, in any order;
   * all must fit.
   */
  readonly search?: string;
  /** Assigned to this person, or theirs and assigned to nobody; null for what nobody holds. */
  readonly holder?: string | null;
  /** Approvals that end from the first to the last of these days, the earliest first. */
  readonly ending?: { readonly from: string; readonly to: string };
  readonly unwritten?: boolean;
  /** With it, approvals that can be renewed stand among what needs staff, under `renew`. */
  readonly renewals?: RenewalTerms;
  /**
   * What the viewer signs (`own`: as the prescriber; `all`: whoever prescribed, but restricted charts as the prescriber
   * alone) comes first; what colleagues sign is among what waits on others. Undefined where the site has no signatures.
   */
  readonly signs?: 'own' | 'all' | undefined;
  /** Only what waits for the viewer's signature, as `signs` says. */
  readonly toSign?: 'own' | 'all' | undefined;
  /** Only rows of which the viewer is owner, prescriber, assignee or has the chart open. */
  readonly own?: boolean;
  /** `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export interface WorklistRows {
  readonly rows: readonly WorklistRow[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** Counted up to `worklistCountLimit`, so that counting costs the same in a large practice. */
export interface WorklistCounts extends Readonly<Record<WorklistPart, number>> {
  readonly ending: number;
  readonly unwritten: number;
  /** What waits for the viewer's signature; 0 without `signs`. */
  readonly toSign: number;
  /** Of what needs staff, by the person that holds it, most first; without a holder what nobody has. */
  readonly holders: readonly { readonly holder?: string; readonly count: number }[];
}

export const worklistCountLimit = 500;

export interface StaffMember {
  readonly fhirUser: string;
  readonly name?: string;
}

/** The worklist: an index over cases, kept with every change of one, and made anew when its rules change. */
export interface WorklistTable {
  /** Needs you: what others wait for first, drafts last; Waiting on others: oldest first; Decided: newest first. */
  page(query: WorklistQuery): Promise<WorklistRows>;
  counts(
    query: Pick<WorklistQuery, 'site' | 'viewer' | 'own' | 'signs' | 'renewals'> & {
      readonly ending: { from: string; to: string };
    },
  ): Promise<WorklistCounts>;
  find(id: string, renewals?: RenewalTerms): Promise<WorklistRow | undefined>;
  /** What was taken over from this person and not yet seen by them. */
  takenOver(site: string, user: string): Promise<readonly WorklistRow[]>;
  /** As rows have it, to compare. */
  patientMark(site: string, patient: string): string;
  /** Remembers that a person of the practice has signed in. */
  signedIn(site: string, person: StaffMember): Promise<void>;
  /** By name; those who signed in during the last 180 days. */
  staff(site: string): Promise<readonly StaffMember[]>;
}

/** The work of people on one case. */
export interface Effort {
  /** How often somebody took it up: acts with no more than five minutes between them are one. */
  readonly touches: number;
  /** How long it was before somebody, the pauses between touches left out. */
  readonly seconds: number;
}

/** What a practice has sent of late: values of its requests by where they came from, and the work on one of them. */
export interface SentSummary extends Effort {
  readonly requests: number;
  readonly chart: number;
  readonly typed: number;
  readonly changed: number;
}

export interface EffortTable {
  /** A person has opened or changed the case, now or `agoMs` ago. Nothing where the case is gone. */
  note(id: string, when?: { readonly agoMs: number }): Promise<void>;
  of(id: string): Promise<Effort | undefined>;
  /** Of the last 500 requests at most; touches and seconds are medians. Cases that are gone are not in it. */
  sent(site: string, days: number): Promise<SentSummary>;
}

/** A prior authorization as trends count it: nothing of its patient, its prescriber or its drug. */
export interface TrendCase {
  readonly sentAt: string;
  readonly endedAt?: string;
  /** As in the worklist: `approved`, `denied`, ... */
  readonly waits: string;
  /** Sent once, for an order without an earlier request, and the payer asked nothing. */
  readonly isFirst: boolean;
  /** Answers that a person typed for it. */
  readonly typed?: number;
  readonly payer?: string;
}

export interface TrendTable {
  /** What was sent or ended during the last days; of the last 2,000 requests at most. */
  since(site: string, days: number): Promise<readonly TrendCase[]>;
}

/** Runs `work` alone for `name`, in this process and across all processes of the store. */
export type Exclusively = <T>(name: string, work: (held: HeldLock) => Promise<T>) => Promise<T>;

export interface HeldLock {
  /** Throws `store_unavailable` when the lock was lost meanwhile (the connection broke): nothing may leave any more. */
  assert(): void;
}

/** A webhook event as it is kept: once, for as long as a sender may repeat it. */
export interface StoredWebhook {
  /** What makes two events the same one. */
  readonly key: string;
  readonly site: string;
  readonly serviceId: string;
  readonly eventType: string;
  /** What it claims; sealed. */
  readonly claim: unknown;
}

export interface WebhookTable {
  /**
   * Stores the event and queues its jobs in one transaction, once for its key. `erased`: the request was a patient's
   * who was erased, and nothing is stored of it.
   */
  receive(event: StoredWebhook, jobs: readonly Job[]): Promise<'accepted' | 'duplicate' | 'erased'>;
  /** What the last event about a record claimed, events of the type `except` left out. */
  lastClaim(site: string, serviceId: string, except?: string): Promise<unknown>;
  /** What all events of one type about a record claimed, oldest first. */
  claims(site: string, serviceId: string, eventType: string): Promise<readonly unknown[]>;
  /** Forgets events received longer ago than that; the number of them. */
  purge(olderThanSeconds: number): Promise<number>;
}

export interface Erased {
  readonly cases: number;
  readonly launches: number;
  readonly webhooks: number;
  readonly jobs: number;
}

/** What an operator does to the whole store, while processes run or not. */
export interface Maintenance {
  /**
   * Seals anew, under the first key, what an older one sealed. Done once every process has both keys, it leaves nothing
   * to the older one: then it can go. `unreadable` rows open under none of the keys.
   */
  rekey(): Promise<{ readonly sealed: number; readonly unreadable: number }>;
  /**
   * Removes all that the store holds of a patient (`Patient/123`) of a site: cases with bodies, records, letters,
   * drafts and notes, launches, webhooks and jobs. What stays is the audit trail, and marks by which a late webhook is
   * known and brings nothing back. Throws `erase_refused` while a request is under way or an outcome is on its way to
   * the chart.
   */
  erase(site: string, patient: string): Promise<Erased>;
  /** Gives the space of what was removed back to the database; for the embedded one, which does not do it itself. */
  tidy(): Promise<void>;
  /**
   * Removes cases that have ended, or drafts that nobody touched, before that time; the number of them. What is open,
   * still to be written, or waits for a person (refused, of unknown arrival, a write left to somebody) stays.
   */
  purgeCases(site: string, before: string): Promise<number>;
}

/** One access to what is known of a patient: who, whose, what kind, to whom, when, and how it ended. */
export interface AuditEntry {
  /** A site's id; empty for what an operator does to the whole store. */
  readonly site: string;
  /** `launched`, `page_viewed`, `sent` ...: src/cases/audit/actions.ts lists them. */
  readonly action: string;
  /** `Practitioner/12`, `bridge` or `operator`. */
  readonly actor: string;
  /** `Patient/123`; kept as a mark. */
  readonly patient?: string;
  readonly caseId?: string;
  readonly launch?: string;
  /** To whom it was disclosed, when it left the bridge. */
  readonly recipient?: string;
  readonly outcome?: 'success' | 'failure';
  /** Codes and counts: nothing that says who the patient is. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/** A row of the trail as it is kept. */
export interface AuditRow extends Omit<AuditEntry, 'patient'> {
  /** Grows by one within the site, without gaps. */
  readonly seq: number;
  readonly at: string;
  readonly outcome: 'success' | 'failure';
  /** `Store.mark` of the patient. */
  readonly patientMark?: string;
  /** Over this row and the one before it. */
  readonly hash: string;
}

export interface AuditFilter {
  readonly site?: string;
  /** `Patient/123` at the site. */
  readonly patient?: string;
  /** From this time on, and before that one. */
  readonly since?: string;
  readonly until?: string;
}

export interface AuditCheck {
  readonly site: string;
  /** The first and last row that are there; nothing is there when `last` is below `first`. */
  readonly first: number;
  readonly last: number;
  /** Hash of the last row: who noted it earlier sees whether the end of the trail was cut off. */
  readonly hash: string;
  /** What does not fit, by row: `changed`, `missing`, `checkpoint` or `end`. */
  readonly faults: readonly { readonly seq: number; readonly fault: 'changed' | 'missing' | 'checkpoint' | 'end' }[];
}

/** Where accesses to a patient's data are told. */
export interface Audit {
  record(entry: AuditEntry): Promise<void>;
}

/** The append-only audit trail. Every event of a case makes a row of its own in the transaction of the case. */
export interface AuditTable extends Audit {
  /** In the order in which they were written, a page at a time. */
  rows(filter?: AuditFilter): AsyncIterable<AuditRow>;
  /** Goes through every chain from its checkpoint on. */
  verify(): Promise<readonly AuditCheck[]>;
  /** Removes rows older than that, and leaves a checkpoint from which the rest still verifies; the number of rows. */
  purge(site: string, before: string): Promise<number>;
}

/**
 * One shared pace per name for what is asked elsewhere, for all cases and processes, by the database's time: a site's
 * id for reading its records.
 */
export interface Allowance {
  /** Takes the next place and says in how many milliseconds it comes. */
  reserve(site: string, readsPerMinute: number): Promise<number>;
  /** Who is asked has asked to be left alone for a while (Retry-After). */
  hold(site: string, seconds: number): Promise<void>;
  /** Seconds for which that is still so; 0 when it is not. */
  heldSeconds(site: string): Promise<number>;
}

/** A code file as it was loaded. */
export interface CodeSet {
  /** The name of the file. */
  readonly source: string;
  readonly year?: string;
  readonly total: number;
  readonly billable: number;
  readonly loadedAt: string;
}

/** The code files that an operator loaded, one a system (`icd-10-cm`). */
export interface CodeTable {
  /** Puts the codes in the place of those that were loaded before; whoever searches meanwhile sees the old ones. */
  load(
    system: string,
    file: { readonly source: string; readonly year?: string | undefined; readonly codes: readonly Code[] },
  ): Promise<CodeSet>;
  /** undefined as long as nothing was loaded. */
  current(system: string): Promise<CodeSet | undefined>;
  /**
   * Billable codes of the query: the code itself first, then codes that begin with it, then codes whose titles have
   * every word, the shorter titles first.
   */
  find(system: string, query: CodeQuery, limit: number): Promise<readonly Code[]>;
  /** The loaded file, and those of the codes that it has, categories too. No file and no code before one is loaded. */
  named(
    system: string,
    codes: readonly string[],
  ): Promise<{ readonly file?: CodeSet | undefined; readonly codes: readonly Code[] }>;
}

/** Something that a practice put into a request before. */
export interface Used {
  readonly content: unknown;
  readonly count: number;
}

/** Counts of what a practice puts into its requests, without the patient or the request. */
export interface UsedTable {
  /** Counts one more use of each. Two of them with the same `key` are the same. */
  note(
    site: string,
    what: string,
    items: readonly { readonly key: string; readonly content: unknown }[],
  ): Promise<void>;
  /** The most used first. */
  most(site: string, what: string, limit: number): Promise<readonly Used[]>;
  /** Forgets what nobody used since; the number of rows. */
  purge(site: string, before: string): Promise<number>;
}

/** Questions of payers that a person released; each lives as long as its case. */
export interface QuestionTable {
  /** Keeps the question of a round, found by each of the texts in `about`, in place of what was kept of it before. */
  keep(
    question: { readonly id: string; readonly site: string; readonly round: number; readonly about: readonly string[] },
    content: unknown,
  ): Promise<void>;
  forget(id: string, round: number): Promise<void>;
  /** The rounds of a case whose question is kept. */
  roundsOf(id: string): Promise<readonly number[]>;
  /** What is kept at this site about any of the texts, the newest first. */
  find(site: string, about: readonly string[], limit: number): Promise<readonly unknown[]>;
}

/** A view of the worklist under the name that its person gave it. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** As an address of the list has it; the pages say what it may hold. */
  readonly filter: Readonly<Record<string, string>>;
}

/** Views that a person keeps at a site; nobody else sees them. */
export interface ViewTable {
  /** The oldest first. */
  of(site: string, person: string): Promise<readonly SavedView[]>;
  /** In place of one with the same name. false, and nothing is saved, where the person has `most` others. */
  save(site: string, person: string, view: Omit<SavedView, 'id'>, most: number): Promise<boolean>;
  remove(site: string, person: string, id: string): Promise<void>;
}

export interface Store {
  readonly codes: CodeTable;
  readonly used: UsedTable;
  readonly questions: QuestionTable;
  readonly views: ViewTable;
  readonly trends: TrendTable;
  readonly effort: EffortTable;
  readonly cases: CaseTable;
  readonly worklist: WorklistTable;
  readonly launches: LaunchStore;
  readonly webhooks: WebhookTable;
  readonly allowance: Allowance;
  readonly audit: AuditTable;
  readonly maintenance: Maintenance;
  /** The queue library, started, with the queues that were named when the store was opened. */
  readonly boss: PgBoss;
  /** A keyed hash that names something without saying what: the key is the store's own and never rotates. */
  mark(text: string): string;
  /** true when no other process can use this store. */
  readonly exclusive: boolean;
  readonly exclusively: Exclusively;
  /** The database's time now, from an offset that is measured again and again. */
  clock(): Date;
  enqueue(jobs: readonly Job[]): Promise<void>;
  /**
   * Tells of jobs for now in the queues with `notify`, by the name of the queue, whichever process queued them; without
   * a name when some may have been missed. Resolves with what ends it. Never tells where no other process can queue.
   */
  listen(onDue: (queue: string | undefined) => void): Promise<() => Promise<void>>;
  /** Waits for running jobs up to a limit, then lets go of the database. */
  close(): Promise<void>;
}
