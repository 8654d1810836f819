import type { PgBoss } from 'pg-boss';
import type { Code } from '../config/code.ts';
import type { CodeQuery } from '../config/code-query.ts';
import type { LaunchStore } from '../ehr/smart/store.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';

/**
 * The store's interface for the rest of the code, which knows no SQL. Data about patients, users or tokens is sealed;
 * plain columns are for search, counts and times. All times are ISO 8601 in UTC by the database's clock.
 */

/** A part of a case that is opened (unsealed) on access. */
export interface Sealed<T = unknown> {
  /** A keyed hash of the content: equal contents have equal hashes. */
  readonly hash: string;
  /** Opens the content. Throws `store_unavailable` if the seal does not match. */
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
  /** Number of the current submission: 0 before the first, then 1, 2 ... */
  readonly attempt: number;
  /** Increases by one with every change that a page shows; a poll without changes does not increase it. */
  readonly version: number;
  /** A write to the chart is planned, in progress or unclear. */
  readonly unwritten: boolean;
  /** A write waits for the next launch of this patient. */
  readonly waiting: boolean;
  /** Code of the current error, from the error table. */
  readonly problem?: string;
  /** When a person stated that a request did not arrive, while a late record could still prove otherwise. */
  readonly notArrivedAt?: string;
  readonly sentAt?: string;
  /** When the service's record was last read, and when its status last changed. */
  readonly readAt?: string;
  readonly changedAt?: string;
  readonly endedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The keys by which a case is found: hashed under the key of marks, never stored in plain text. */
export interface CaseKeys {
  /** `Patient/123` */
  readonly patient: string;
  /** `MedicationRequest/9` */
  readonly order: string;
}

/** A request that was sent: its body never changes. */
export interface StoredSubmission {
  readonly attempt: number;
  /** `sending`, `accepted`, `refused`, `not_sent`, `unclear`, `not_arrived` */
  readonly state: string;
  readonly serviceId?: string;
  readonly sentAt: string;
  /** When its answer arrived or was given up. */
  readonly settledAt?: string;
  readonly sealed: Sealed;
}

/** A typed event, read by history, timeline and metrics. It has no clinical value, name or free text. */
export interface StoredEvent {
  /** Grows within the store; orders events. */
  readonly id: number;
  readonly at: string;
  readonly type: string;
  /** `bridge` or `Practitioner/12`; the name of a user is sealed in the case's head. */
  readonly actor: string;
  /** Codes, ids at the service, numbers: nothing that identifies the patient. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

export interface StoredCase extends CaseColumns {
  /** Banner, title, references, launch, users' names: small. */
  readonly head: Sealed;
  /** The draft's entries, answers and consent. */
  readonly draft?: Sealed;
  /**
   * Oldest first. In a list (`list`, `forPatient`), or if they were not requested, bodies are not loaded: opening one
   * throws a TypeError.
   */
  readonly submissions: readonly StoredSubmission[];
  /** The last record read from the service, in the form that may be shown. */
  readonly record?: Sealed;
  /** The payer's questions and the replies to them. */
  readonly rounds?: Sealed;
  /** The part of the rounds that still has to be fetched or sent; absent if there is none. */
  readonly work?: Sealed;
  readonly events: readonly StoredEvent[];
  /** The write-back ledger; its columns are plain text except `says`. */
  readonly writes: readonly LedgerEntry[];
}

/** A change to write: only the given members are written, and sealed content only if its hash differs. */
export interface ListedStoredCase extends Omit<StoredCase, 'submissions'> {
  readonly submissions: readonly Omit<StoredSubmission, 'sealed'>[];
}

/** A change to write: only the given members are written, and sealed content only if its hash differs. */
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
  /** Rows to insert or replace, by `what` and `version` (the Task's row by `what` alone). */
  readonly writes?: readonly LedgerEntry[];
  /** false if nothing that a page shows has changed. */
  readonly visible?: boolean;
  readonly jobs?: readonly Job[];
}

/** A job of a queue; work/ defines names and data. Jobs are grouped by site. */
export interface Job {
  readonly queue: string;
  readonly site: string;
  /** Waiting jobs of one queue with the same key are merged; a delayed job never holds back an immediate one. */
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly afterSeconds?: number;
}

export interface CaseFilter {
  readonly site?: string;
  readonly kind?: string;
  readonly states?: readonly string[];
  readonly unwritten?: boolean;
  /** Cases with rounds that still have a part to fetch or to send. */
  readonly hasWork?: true;
  readonly notArrivedSince?: string;
  /**
   * Cases with a record that is due to be read: one of these delays, in seconds, has passed since its last change
   * without a read. Excludes cases whose last change is longer ago than `untilSeconds`.
   */
  readonly unreadAfter?: { readonly seconds: readonly number[]; readonly untilSeconds: number };
  readonly limit?: number;
}

export interface CaseTable {
  /**
   * The live case of the order (any state but `ended`), else its last ended case, else the case that `make` returns;
   * with `anew` an ended case is ignored. Two simultaneous callers get the same case.
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
   * the transaction; undefined leaves the case unchanged. With `bodies` false the bodies of sent requests are not
   * loaded, as in a list. Throws case_not_found.
   */
  change(
    id: string,
    transition: (current: StoredCase, at: string) => CaseWrite | undefined,
    options?: { readonly bodies?: boolean },
  ): Promise<StoredCase>;
  /**
   * Records a poll that found the record unchanged, with one small update of `readAt`. Returns false, without writing,
   * if the hash differs or the case has a problem: `change` then applies the update.
   */
  touchRecord(id: string, hash: string): Promise<boolean>;
  /** The hash that `touchRecord` compares; key order makes no difference. */
  hashOf(content: unknown): string;
  /** The plain columns alone. */
  byServiceId(site: string, serviceId: string): Promise<CaseColumns | undefined>;
  /** Newest first. */
  forPatient(site: string, patient: string): Promise<readonly ListedStoredCase[]>;
  list(filter: CaseFilter): Promise<readonly ListedStoredCase[]>;
  ids(filter: Omit<CaseFilter, 'limit'>): Promise<readonly string[]>;
  /**
   * Cases of the filter for which no job of these queues waits or runs, because a process was killed before it could
   * queue one or a job failed too often. With no queue, all cases of the filter. Oldest first.
   */
  unattended(filter: Omit<CaseFilter, 'limit'>, queues: readonly string[]): Promise<readonly CaseColumns[]>;
  /** By site and state, with the age of the oldest in seconds. */
  counts(): Promise<readonly { site: string; state: string; count: number; oldestSeconds: number }[]>;
  putFile(id: string, name: string, bytes: Uint8Array): Promise<void>;
  file(id: string, name: string): Promise<Uint8Array | undefined>;
  removeFile(id: string, name: string): Promise<void>;
}

/** The three groups of the worklist: a person must act, the payer must act, decided. */
export const worklistParts = ['needs', 'payer', 'decided'] as const;
export type WorklistPart = (typeof worklistParts)[number];

/** The worklist entry of a case; `cases/worklist-entry.ts` derives it. */
export interface WorklistEntry {
  readonly part: WorklistPart;
  /** A code: `draft`, `refused`, `unclear`, a status or the kind of an outcome. */
  readonly waits: string;
  readonly since: string;
  /**
   * `Practitioner/12`: the person who works on it, the assignee, the prescriber, and the person to notify of a
   * take-over.
   */
  readonly owner?: string;
  readonly assigned?: string;
  readonly prescriber?: string;
  readonly told?: string;
  /** `2027-11-21` */
  readonly approvalEnd?: string;
  /** When a person last stated that nothing is left to do. */
  readonly doneAt?: string;
  /** Something is missing or wrong in the chart until a person acts. */
  readonly unwritten: boolean;
  /** The chart had a restricted label: only those who work on the case see the name. */
  readonly restricted: boolean;
  readonly line: WorklistLine;
}

/** Pure. `version` grows when a stored case yields a different line than before: all lines are then made again. */
export interface WorklistRules {
  readonly version: number;
  readonly entryOf: (stored: ListedStoredCase) => WorklistEntry & { readonly patient: string };
}

/** The sealed part of a line. */
export interface WorklistLine {
  readonly patient: string;
  readonly drug: string;
  /** Other names of the drug, for search. */
  readonly drugNames?: readonly string[];
  readonly payer?: string;
  readonly prescriberName?: string;
  readonly memberId?: string;
  readonly mrn?: string;
  /** Ids of its requests at the service. */
  readonly requestIds?: readonly string[];
  /** The number of answers that a draft needs. */
  readonly needed?: number;
  /** Until when the payer waits for an answer, or accepts an appeal according to its letter: a day or an instant. */
  readonly until?: string;
  /** When it ended. */
  readonly endedAt?: string;
  /** When a newer request for the same drug was sent, and the end of the approval that it renews. */
  readonly followed?: { readonly at: string; readonly end?: string };
  /** The outcome in words, where codes do not describe it. */
  readonly says?: string;
  /** The approval is for something other than what was ordered. */
  readonly differs?: true;
  /** A code for what the chart lacks (`cases/chart-standing.ts`), if `unwritten`. */
  readonly lacks?: string;
  /** People's names by their references. */
  readonly people: Readonly<Record<string, string>>;
  /** The person who took it over. */
  readonly takenBy?: string;
}

export interface WorklistRow extends Omit<WorklistEntry, 'line'> {
  readonly case: string;
  readonly kind: string;
  readonly site: string;
  /** Of a case that has ended: the open case for the same order and of the same kind. */
  readonly next?: string;
  /** `Store.mark` of the patient, as in `WorklistViewer`. */
  readonly patientMark: string;
  /** Opened on access. */
  readonly line: Sealed<WorklistLine>;
}

/** The viewer: their name, and the patient whose chart they have open. */
export interface WorklistViewer {
  readonly user: string;
  /** `Patient/123` */
  readonly patient?: string;
}

/** How long before its end an approval needs renewal, by payer; days are in the site's time zone. */
export interface RenewalTerms {
  readonly site: string;
  /** YYYY-MM-DD */
  readonly today: string;
  readonly days: number;
  readonly payers: readonly { readonly payer: string; readonly days: number }[];
  /** The number of days after its end. */
  readonly after: number;
}

export interface WorklistQuery {
  readonly site: string;
  readonly viewer: WorklistViewer;
  /** All parts if absent. */
  readonly part?: WorklistPart;
  /**
   * Word prefixes of the patient's name, MRN, member ID, drug, payer, prescriber, holder or request ids, in any order;
   * all must match.
   */
  readonly search?: string;
  /**
   * Assigned to this person, or owned by them and not assigned; null for rows without a holder. Among what needs staff,
   * the signer has what waits for a signature.
   */
  readonly holder?: string | null;
  /** Approvals that end within these days (inclusive), the earliest first. */
  readonly ending?: { readonly from: string; readonly to: string };
  readonly unwritten?: boolean;
  /** With it, approvals that can be renewed are listed among those that need staff, under `renew`. */
  readonly renewals?: RenewalTerms;
  /**
   * Which rows the viewer signs: `own`: as the prescriber; `all`: any prescriber's, but restricted charts as the
   * prescriber only. They come first; rows that a colleague signs are among those that wait on others. Undefined if the
   * site uses no signatures.
   */
  readonly signs?: 'own' | 'all' | undefined;
  /** Only what waits for the viewer's signature, as `signs` says. */
  readonly toSign?: 'own' | 'all' | undefined;
  /** Only rows of which the viewer is owner, prescriber or assignee, or has the chart open. */
  readonly own?: boolean;
  /** `next` of the previous page. */
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
  /** Rows that wait for the viewer's signature; 0 if not requested. */
  readonly toSign: number;
  /** Rows that need staff, by `holder` as in a query, the largest count first; without it: those that nobody has. */
  readonly holders: readonly { readonly holder?: string; readonly count: number }[];
}

export const worklistCountLimit = 500;

export interface StaffMember {
  readonly fhirUser: string;
  readonly name?: string;
}

/** The worklist: an index over cases, updated with every change of a case, and rebuilt when its rules change. */
export interface WorklistTable {
  /** Needs you: those that others wait for first, drafts last; With the payer: oldest first; Decided: newest first. */
  page(query: WorklistQuery): Promise<WorklistRows>;
  counts(
    query: Pick<WorklistQuery, 'site' | 'viewer' | 'own' | 'signs' | 'renewals'> & {
      readonly ending: { from: string; to: string };
    },
  ): Promise<WorklistCounts>;
  find(id: string, renewals?: RenewalTerms): Promise<WorklistRow | undefined>;
  /** Cases that were taken over from this person, who has not seen it yet. */
  takenOver(site: string, user: string): Promise<readonly WorklistRow[]>;
  /** The mark in the form that rows have, for comparison. */
  patientMark(site: string, patient: string): string;
  /** Records that a person of the practice has signed in. */
  signedIn(site: string, person: StaffMember): Promise<void>;
  /** Sorted by name; those who signed in during the last 180 days. */
  staff(site: string): Promise<readonly StaffMember[]>;
}

/** The work that people did on one case. */
export interface Effort {
  /** How often somebody worked on it: actions with no more than five minutes between them count as one touch. */
  readonly touches: number;
  /** How long somebody worked on it, without the pauses between touches. */
  readonly seconds: number;
}

/** Summary of a practice's recent requests: their values by source, and the work on a typical request. */
export interface SentSummary extends Effort {
  readonly requests: number;
  readonly chart: number;
  readonly typed: number;
  readonly changed: number;
}

export interface EffortTable {
  /**
   * Records that a person opened (`opens`) or changed the case, now or `agoMs` ago. To open a case that has ended is no
   * work on it. Does nothing if the case is gone.
   */
  note(id: string, how?: { readonly agoMs?: number; readonly opens?: boolean }): Promise<void>;
  of(id: string): Promise<Effort | undefined>;
  /** Covers the last 500 requests at most, without removed cases; touches and seconds are medians. */
  sent(site: string, days: number): Promise<SentSummary>;
}

/** A prior authorization as trends count it: without its patient, prescriber or drug. */
export interface TrendCase {
  readonly sentAt: string;
  readonly endedAt?: string;
  /** As in the worklist: `approved`, `denied`, ... */
  readonly waits: string;
  /** Sent once, for an order without an earlier request and without a question from the payer. */
  readonly isFirst: boolean;
  /** The number of answers that a person typed for it. */
  readonly typed?: number;
  readonly payer?: string;
}

export interface TrendTable {
  /** Cases that were sent or ended during the last `days`; covers the last 2,000 requests at most. */
  since(site: string, days: number): Promise<readonly TrendCase[]>;
}

/** Runs `work` with an exclusive lock on `name`, across this process and all other processes of the store. */
export type Exclusively = <T>(name: string, work: (held: HeldLock) => Promise<T>) => Promise<T>;

export interface HeldLock {
  /** Throws `store_unavailable` if the lock was lost meanwhile (the connection broke): nothing may be sent any more. */
  assert(): void;
}

/** A stored webhook event: kept once, for as long as a sender may repeat it. */
export interface StoredWebhook {
  /** Identifies the event: two events with the same key are the same. */
  readonly key: string;
  readonly site: string;
  readonly serviceId: string;
  readonly eventType: string;
  /** The content of the event, not yet verified; sealed. */
  readonly claim: unknown;
}

export interface WebhookTable {
  /**
   * Stores the event and queues its jobs in one transaction, once per key. `erased`: the request belonged to an erased
   * patient, and nothing is stored.
   */
  receive(event: StoredWebhook, jobs: readonly Job[]): Promise<'accepted' | 'duplicate' | 'erased'>;
  /** The claim of the last event about a record, ignoring events of the type `except`. */
  lastClaim(site: string, serviceId: string, except?: string): Promise<unknown>;
  /** The claims of all events of one type about a record, oldest first. */
  claims(site: string, serviceId: string, eventType: string): Promise<readonly unknown[]>;
  /** Removes events received longer ago than that; returns their number. */
  purge(olderThanSeconds: number): Promise<number>;
}

export interface Erased {
  readonly cases: number;
  readonly launches: number;
  readonly webhooks: number;
  readonly jobs: number;
}

/** Operations on the whole store, whether or not processes are running. */
export interface Maintenance {
  /**
   * Seals again, under the first key, all content sealed under an older key. Run it once every process has both keys:
   * then nothing depends on the older key, which can be removed. `unreadable`: rows that no key opens.
   */
  rekey(): Promise<{ readonly sealed: number; readonly unreadable: number }>;
  /**
   * Removes everything that the store holds about a patient (`Patient/123`) of a site: cases with bodies, records,
   * letters, drafts and notes, launches, webhooks and jobs. The audit trail stays, and so do marks by which a late
   * webhook is recognized and discarded. Throws `erase_refused` while a request is in progress or an outcome is being
   * written to the chart.
   */
  erase(site: string, patient: string): Promise<Erased>;
  /** Returns the space of removed data to the database; for the embedded one, which does not do so by itself. */
  tidy(): Promise<void>;
  /**
   * Removes cases that ended, and drafts last touched, before that time; returns their number. Keeps cases that are
   * open, still to be written, or waiting for a person (refused, of unknown arrival, a write left to somebody).
   */
  purgeCases(site: string, before: string): Promise<number>;
}

/** One access to a patient's data: who did what, about whom, for whom, when, and with what result. */
export interface AuditEntry {
  /** A site's id; empty for an operator's action on the whole store. */
  readonly site: string;
  /** `launched`, `page_viewed`, `sent` ...: src/cases/audit/actions.ts lists them. */
  readonly action: string;
  /** `Practitioner/12`, `bridge` or `operator`. */
  readonly actor: string;
  /** `Patient/123`; stored as a mark. */
  readonly patient?: string;
  readonly caseId?: string;
  readonly launch?: string;
  /** The recipient, if data left the bridge. */
  readonly recipient?: string;
  readonly outcome?: 'success' | 'failure';
  /** Codes and counts: nothing that identifies the patient. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

/** A stored row of the trail. */
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
  /** From this time on, and before the `until` time. */
  readonly since?: string;
  readonly until?: string;
}

export interface AuditCheck {
  readonly site: string;
  /** The first and last row that exist; there are none if `last` is below `first`. */
  readonly first: number;
  readonly last: number;
  /** Hash of the last row: a person who noted it earlier can check whether the end of the trail was cut off. */
  readonly hash: string;
  /** Faults by row: `changed`, `missing`, `checkpoint` or `end`. */
  readonly faults: readonly { readonly seq: number; readonly fault: 'changed' | 'missing' | 'checkpoint' | 'end' }[];
}

/** The interface through which accesses to a patient's data are recorded. */
export interface Audit {
  record(entry: AuditEntry): Promise<void>;
}

/** The append-only audit trail. Every event of a case adds a row in the transaction of the case. */
export interface AuditTable extends Audit {
  /** In the order in which they were written, fetched page by page. */
  rows(filter?: AuditFilter): AsyncIterable<AuditRow>;
  /** Checks every chain from its checkpoint on. */
  verify(): Promise<readonly AuditCheck[]>;
  /**
   * Removes rows older than that, and leaves a checkpoint from which the rest still verifies; returns the number of
   * rows.
   */
  purge(site: string, before: string): Promise<number>;
}

/**
 * A shared rate limit per name, for all cases and processes, by the database's time. The name is a site's id for
 * reading its records.
 */
export interface Allowance {
  /** Reserves the next slot and returns the milliseconds until it. */
  reserve(site: string, readsPerMinute: number): Promise<number>;
  /** The server has asked for a pause (Retry-After). */
  hold(site: string, seconds: number): Promise<void>;
  /** The seconds that remain of that pause; 0 if there is none. */
  heldSeconds(site: string): Promise<number>;
}

/** A loaded code file. */
export interface CodeSet {
  /** The file's name. */
  readonly source: string;
  readonly year?: string;
  readonly total: number;
  readonly billable: number;
  readonly loadedAt: string;
}

/** The code files that an operator loaded, one per system (`icd-10-cm`). */
export interface CodeTable {
  /** Replaces the previously loaded codes; searches that run meanwhile see the old ones. */
  load(
    system: string,
    file: { readonly source: string; readonly year?: string | undefined; readonly codes: readonly Code[] },
  ): Promise<CodeSet>;
  /** undefined until a file is loaded. */
  current(system: string): Promise<CodeSet | undefined>;
  /**
   * Billable codes that match the query: the code itself first, then codes with that prefix, then codes whose titles
   * have every word, shorter titles first.
   */
  find(system: string, query: CodeQuery, limit: number): Promise<readonly Code[]>;
  /** The loaded file, and those of the codes that it has, categories too. No file and no code before one is loaded. */
  named(
    system: string,
    codes: readonly string[],
  ): Promise<{ readonly file?: CodeSet | undefined; readonly codes: readonly Code[] }>;
}

/** A value that a practice put into an earlier request. */
export interface Used {
  readonly content: unknown;
  readonly count: number;
}

/** Counts the values that a practice puts into its requests. Stores neither the patient nor the request. */
export interface UsedTable {
  /** Counts one more use of each value. Two values with the same `key` are the same. */
  note(
    site: string,
    what: string,
    items: readonly { readonly key: string; readonly content: unknown }[],
  ): Promise<void>;
  /** The most used first. */
  most(site: string, what: string, limit: number): Promise<readonly Used[]>;
  /** Removes values that nobody has used since; returns the number of rows. */
  purge(site: string, before: string): Promise<number>;
}

/** Payers' questions that a person released; each is kept as long as its case. */
export interface QuestionTable {
  /** Keeps the question of a round, found by each of the texts in `about`; replaces what was kept of it before. */
  keep(
    question: { readonly id: string; readonly site: string; readonly round: number; readonly about: readonly string[] },
    content: unknown,
  ): Promise<void>;
  forget(id: string, round: number): Promise<void>;
  /** The rounds of a case whose question is kept. */
  roundsOf(id: string): Promise<readonly number[]>;
  /** The questions kept at this site about any of the texts, newest first. */
  find(site: string, about: readonly string[], limit: number): Promise<readonly unknown[]>;
}

/** A worklist view under the name that its person gave it. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The parameters of the worklist's address; the pages define which are valid. */
  readonly filter: Readonly<Record<string, string>>;
}

/** Views that a person saves at a site; nobody else sees them. */
export interface ViewTable {
  /** The oldest first. */
  of(site: string, person: string): Promise<readonly SavedView[]>;
  /** Replaces a view with the same name. Returns false, without saving, if the person has `most` others. */
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
  /** The queue library, started, with the queues that were listed when the store was opened. */
  readonly boss: PgBoss;
  /** A keyed hash that identifies a text without revealing it: the key is the store's own and never rotates. */
  mark(text: string): string;
  /** true if no other process can use this store. */
  readonly exclusive: boolean;
  readonly exclusively: Exclusively;
  /** The database's current time, from an offset that is measured regularly. */
  clock(): Date;
  enqueue(jobs: readonly Job[]): Promise<void>;
  /**
   * Reports immediate jobs in the queues with `notify`, by queue name, whichever process queued them; without a name if
   * some may have been missed. Resolves with a function that stops it. Reports nothing if no other process can queue
   * jobs.
   */
  listen(onDue: (queue: string | undefined) => void): Promise<() => Promise<void>>;
  /** Waits for running jobs up to a limit, then releases the database. */
  close(): Promise<void>;
}
