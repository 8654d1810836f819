import type { PgBoss } from 'pg-boss';
import type { Code } from '../config/code.ts';
import type { CodeQuery } from '../config/code-query.ts';
import type { LaunchStore } from '../ehr/smart/store.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';

/**
 * The store's interface for all other code, which has no SQL. Data about patients, users or tokens is sealed; plain
 * columns are for searches, counts and times. All times are ISO 8601 in UTC by the database's clock.
 */

/** Sealed content that is opened on access. */
export interface Sealed<T = unknown> {
  /** A keyed hash of the content. Equal contents have equal hashes. */
  readonly hash: string;
  /** Opens the content. Throws `store_unavailable` if the seal does not match. */
  value(): T;
}

export interface CaseColumns {
  /** UUID. */
  readonly id: string;
  readonly site: string;
  readonly kind: string;
  readonly state: string;
  /** The last status of the service's record. */
  readonly status?: string;
  readonly serviceId?: string;
  /** Number of the current submission; 0 before the first. */
  readonly attempt: number;
  /** Grows with every change that a page shows. A poll without changes leaves it unchanged. */
  readonly version: number;
  /** Whether a write to the chart is planned, in progress or unclear. */
  readonly unwritten: boolean;
  /** Whether a write waits for the next launch of this patient. */
  readonly waiting: boolean;
  /** Code of the current error, from errors.ts. */
  readonly problem?: string;
  /** When a person stated that a request did not arrive. A late record may still prove otherwise. */
  readonly notArrivedAt?: string;
  readonly sentAt?: string;
  /** When the service's record was last read. `changedAt`: when its status last changed. */
  readonly readAt?: string;
  readonly changedAt?: string;
  readonly endedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The keys by which a case is found. They are stored only as marks. */
export interface CaseKeys {
  /** `Patient/123` */
  readonly patient: string;
  /** `MedicationRequest/9` */
  readonly order: string;
}

/** A request that was sent. Its body never changes. */
export interface StoredSubmission {
  readonly attempt: number;
  /** `sending`, `accepted`, `refused`, `not_sent`, `unclear`, `not_arrived` */
  readonly state: string;
  readonly serviceId?: string;
  readonly sentAt: string;
  /** When the answer arrived or was no longer expected. */
  readonly settledAt?: string;
  readonly sealed: Sealed;
}

export interface StoredEvent {
  /** Increases within the store. Events are sorted by `id`. */
  readonly id: number;
  readonly at: string;
  readonly type: string;
  /** `bridge` or `Practitioner/12`. The user's name is sealed in the case's head. */
  readonly actor: string;
  /** Codes, ids at the service and numbers; nothing that identifies the patient. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

export interface StoredCase extends CaseColumns {
  /** Banner, title, references, launch and users' names. */
  readonly head: Sealed;
  /** The draft's entries, answers and consent. */
  readonly draft?: Sealed;
  /**
   * Oldest first. In a list (`list`, `forPatient`), or if they were not requested, bodies are not loaded; opening one
   * throws a TypeError.
   */
  readonly submissions: readonly StoredSubmission[];
  /** The last record from the service, in the form that may be shown. */
  readonly record?: Sealed;
  /** The payer's questions, and the replies. */
  readonly rounds?: Sealed;
  /** The part of the rounds that must still be fetched or sent; absent if there is none. */
  readonly work?: Sealed;
  readonly events: readonly StoredEvent[];
  /** The write-back ledger. Only `says` is sealed. */
  readonly writes: readonly LedgerEntry[];
}

/** A case without the bodies of its requests. */
export interface ListedStoredCase extends Omit<StoredCase, 'submissions'> {
  readonly submissions: readonly Omit<StoredSubmission, 'sealed'>[];
}

/** A change to write. Only the given members are written, and sealed content only if its hash differs. */
export interface CaseWrite {
  readonly columns: Omit<CaseColumns, 'id' | 'site' | 'kind' | 'createdAt' | 'updatedAt' | 'version'>;
  readonly keys: CaseKeys;
  readonly head: unknown;
  /** `null` removes the draft. */
  readonly draft?: unknown;
  /** A new submission, or the outcome of a stored one. */
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
  /** `null` removes `work`. */
  readonly work?: unknown;
  readonly events?: readonly Omit<StoredEvent, 'id' | 'at'>[];
  /** Rows to insert or replace, by `what` and `version`; the Task's row by `what` alone. */
  readonly writes?: readonly LedgerEntry[];
  /** false if nothing has changed that a page shows. */
  readonly visible?: boolean;
  readonly jobs?: readonly Job[];
}

/** A job of a queue; work/ defines names and data. Jobs are grouped by site. */
export interface Job {
  readonly queue: string;
  readonly site: string;
  /** Waiting jobs of one queue with the same key are merged. A delayed job never holds back an immediate one. */
  readonly key: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly afterSeconds?: number;
}

export interface CaseFilter {
  readonly site?: string;
  readonly kind?: string;
  readonly states?: readonly string[];
  readonly unwritten?: boolean;
  /** Cases whose rounds have a part that must still be fetched or sent. */
  readonly hasWork?: true;
  readonly notArrivedSince?: string;
  readonly unreadAfter?: { readonly seconds: readonly number[]; readonly untilSeconds: number };
  readonly limit?: number;
}

export interface CaseTable {
  /**
   * Returns the live case of the order (any state but `ended`), else its last ended case, else the case that `make`
   * returns. With `anew`, an ended case is ignored. Two simultaneous callers get the same case.
   */
  open(
    key: { readonly site: string; readonly kind: string } & CaseKeys,
    make: (at: string) => { readonly id: string } & CaseWrite,
    options?: { readonly anew?: boolean },
  ): Promise<StoredCase>;
  find(id: string): Promise<StoredCase | undefined>;
  /** Returns only the plain columns. */
  columns(id: string): Promise<CaseColumns | undefined>;
  /**
   * Reads, changes and writes one case in one transaction under its row lock. `transition` must be pure; `at` is the
   * time of the transaction; undefined leaves the case unchanged. If `bodies` is false, the bodies of sent requests are
   * not loaded. Throws case_not_found.
   */
  change(
    id: string,
    transition: (current: StoredCase, at: string) => CaseWrite | undefined,
    options?: { readonly bodies?: boolean },
  ): Promise<StoredCase>;
  /**
   * Records a poll that found the record unchanged, by updating `readAt`. Returns false and writes nothing if the hash
   * differs or the case has a problem: then use `change`.
   */
  touchRecord(id: string, hash: string): Promise<boolean>;
  /** The hash that `touchRecord` compares. The order of keys makes no difference. */
  hashOf(content: unknown): string;
  /** Returns only the plain columns. */
  byServiceId(site: string, serviceId: string): Promise<CaseColumns | undefined>;
  /** Newest first. */
  forPatient(site: string, patient: string): Promise<readonly ListedStoredCase[]>;
  list(filter: CaseFilter): Promise<readonly ListedStoredCase[]>;
  ids(filter: Omit<CaseFilter, 'limit'>): Promise<readonly string[]>;
  /**
   * Returns the cases of the filter for which no job of these queues waits or runs. That happens if a process was
   * killed before it queued a job, or if a job failed too often. Without queues, returns all cases of the filter.
   * Oldest first.
   */
  unattended(filter: Omit<CaseFilter, 'limit'>, queues: readonly string[]): Promise<readonly CaseColumns[]>;
  /** Counts by site and state, with the age of the oldest case in seconds. */
  counts(): Promise<readonly { site: string; state: string; count: number; oldestSeconds: number }[]>;
  putFile(id: string, name: string, bytes: Uint8Array): Promise<void>;
  file(id: string, name: string): Promise<Uint8Array | undefined>;
  removeFile(id: string, name: string): Promise<void>;
}

export const worklistParts = ['needs', 'payer', 'decided'] as const;
export type WorklistPart = (typeof worklistParts)[number];

/** The worklist entry of a case. `cases/worklist-entry.ts` derives it. */
export interface WorklistEntry {
  readonly part: WorklistPart;
  /** A code: `draft`, `refused`, `unclear`, a status, or the kind of an outcome. */
  readonly waits: string;
  readonly since: string;
  /** `Practitioner/12`: the person who works on the case. */
  readonly owner?: string;
  readonly assigned?: string;
  readonly prescriber?: string;
  readonly told?: string;
  /** `YYYY-MM-DD`. */
  readonly approvalEnd?: string;
  /** When a person last stated that there is nothing left to do. */
  readonly doneAt?: string;
  /** Something is missing or wrong in the chart, and a person must correct it. */
  readonly unwritten: boolean;
  /** The chart had a restricted label: only those who work on the case see the name. */
  readonly restricted: boolean;
  readonly line: WorklistLine;
}

/**
 * `entryOf` must be pure. `version` must grow when a stored case yields another line than before; then all lines are
 * made again.
 */
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
  /** The ids of the case's requests at the service. */
  readonly requestIds?: readonly string[];
  /** How many answers a draft still needs. */
  readonly needed?: number;
  /** A day or an instant: until then the payer waits for an answer, or accepts an appeal according to its letter. */
  readonly until?: string;
  readonly endedAt?: string;
  /** When a newer request for the same drug was sent, and the end of the approval that it renews. */
  readonly followed?: { readonly at: string; readonly end?: string };
  /** The outcome in words, if codes do not describe it. */
  readonly says?: string;
  /** The approval is for something other than what was ordered. */
  readonly differs?: true;
  /** If `unwritten`: a code for what the chart lacks (`cases/chart-standing.ts`). */
  readonly lacks?: string;
  /** People's names, by their references. */
  readonly people: Readonly<Record<string, string>>;
  /** The person who took the case over. */
  readonly takenBy?: string;
}

export interface WorklistRow extends Omit<WorklistEntry, 'line'> {
  readonly case: string;
  readonly kind: string;
  readonly site: string;
  /** For a case that has ended: the id of the open case for the same order and of the same kind. */
  readonly next?: string;
  /** `Store.mark` of the patient. */
  readonly patientMark: string;
  readonly line: Sealed<WorklistLine>;
}

/** The person who reads the worklist, and the patient whose chart they have open. */
export interface WorklistViewer {
  readonly user: string;
  /** `Patient/123` */
  readonly patient?: string;
}

/** When approvals can be renewed, by payer. Days are in the site's time zone. */
export interface RenewalTerms {
  readonly site: string;
  /** YYYY-MM-DD. */
  readonly today: string;
  readonly days: number;
  readonly payers: readonly { readonly payer: string; readonly days: number }[];
  readonly after: number;
}

export interface WorklistQuery {
  readonly site: string;
  readonly viewer: WorklistViewer;
  /** Absent: all parts. */
  readonly part?: WorklistPart;
  /**
   * Prefixes of words in the patient's name, MRN, member ID, drug, payer, prescriber, the name of the colleague to
   * whom the case is assigned, or request ids, in any order. All must match.
   */
  readonly search?: string;
  /**
   * Rows held by this person: the assignee, else the owner. null: rows with neither. In `needs`, the signer holds a row
   * that awaits a signature.
   */
  readonly holder?: string | null;
  /** Approvals that end between these days (inclusive), the earliest first. */
  readonly ending?: { readonly from: string; readonly to: string };
  readonly unwritten?: boolean;
  /** If given, approvals that can be renewed are listed in `needs`, with `waits` as `renew`. */
  readonly renewals?: RenewalTerms;
  /**
   * Which rows the viewer signs. `own`: as the prescriber; `all`: any prescriber's, but of restricted charts only their
   * own. These rows come first, and rows that a colleague signs come with those that wait for others. Undefined if the
   * site uses no signatures.
   */
  readonly signs?: 'own' | 'all' | undefined;
  /** Only rows that wait for the viewer's signature, with the values of `signs`. */
  readonly toSign?: 'own' | 'all' | undefined;
  /** Only rows of which the viewer is owner, prescriber or assignee, or whose chart they have open. */
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
  /**
   * Rows that need staff, by `holder` as in a query, the largest count first. An entry without `holder` counts rows
   * that nobody has.
   */
  readonly holders: readonly { readonly holder?: string; readonly count: number }[];
}

export const worklistCountLimit = 500;

export interface StaffMember {
  readonly fhirUser: string;
  readonly name?: string;
}

/** The worklist: an index over cases. It is updated with every change of a case and rebuilt when its rules change. */
export interface WorklistTable {
  /** Order of `needs`: rows that others wait for first, drafts last. `payer`: oldest first. `decided`: newest first. */
  page(query: WorklistQuery): Promise<WorklistRows>;
  counts(
    query: Pick<WorklistQuery, 'site' | 'viewer' | 'own' | 'signs' | 'renewals'> & {
      readonly ending: { from: string; to: string };
    },
  ): Promise<WorklistCounts>;
  find(id: string, renewals?: RenewalTerms): Promise<WorklistRow | undefined>;
  /** Cases that were taken over from this person and that the person has not seen since. */
  takenOver(site: string, user: string): Promise<readonly WorklistRow[]>;
  /** The mark of a patient, to compare with `WorklistRow.patientMark`. */
  patientMark(site: string, patient: string): string;
  /** Records that a member of staff has signed in. */
  signedIn(site: string, person: StaffMember): Promise<void>;
  /** Staff who signed in during the last 180 days, sorted by name. */
  staff(site: string): Promise<readonly StaffMember[]>;
}

/** The work that people did on one case. */
export interface Effort {
  /** How often somebody worked on the case. Actions with at most five minutes between them are counted as one. */
  readonly touches: number;
  /** How long somebody worked on the case, without the pauses between touches. */
  readonly seconds: number;
}

/** A summary of a practice's recent requests: where their values came from, and the work on a typical request. */
export interface SentSummary extends Effort {
  readonly requests: number;
  readonly chart: number;
  readonly typed: number;
  readonly changed: number;
}

export interface EffortTable {
  /**
   * Records that a person opened (`opens`) or changed the case, now or `agoMs` ago. Opening a case that has ended does
   * not count as work. Does nothing if the case is gone.
   */
  note(id: string, how?: { readonly agoMs?: number; readonly opens?: boolean }): Promise<void>;
  of(id: string): Promise<Effort | undefined>;
  /** Covers at most the last 500 requests that still exist. Touches and seconds are medians. */
  sent(site: string, days: number): Promise<SentSummary>;
}

/** A prior authorization for trends, without its patient, prescriber or drug. */
export interface TrendCase {
  readonly sentAt: string;
  readonly endedAt?: string;
  /** As in the worklist: `approved`, `denied`, ... */
  readonly waits: string;
  /** Sent once, for an order without an earlier request, and without a question from the payer. */
  readonly isFirst: boolean;
  readonly typed?: number;
  readonly payer?: string;
}

export interface TrendTable {
  /** Cases that were sent or ended during the last `days`; at most the last 2,000 requests. */
  since(site: string, days: number): Promise<readonly TrendCase[]>;
}

/** Runs `work` with an exclusive lock on `name`, across all processes of the store. */
export type Exclusively = <T>(name: string, work: (held: HeldLock) => Promise<T>) => Promise<T>;

export interface HeldLock {
  /** Throws `store_unavailable` if the connection broke and the lock was lost: then nothing may be sent any more. */
  assert(): void;
}

/** A stored webhook event. It is kept for as long as a sender may repeat it. */
export interface StoredWebhook {
  /** Events with the same key are the same event. */
  readonly key: string;
  readonly site: string;
  readonly serviceId: string;
  readonly eventType: string;
  /** The content of the event, sealed and not verified yet. */
  readonly claim: unknown;
}

export interface WebhookTable {
  /**
   * Stores the event and queues its jobs in one transaction, once per key. `erased`: the request belongs to an erased
   * patient, so nothing is stored.
   */
  receive(event: StoredWebhook, jobs: readonly Job[]): Promise<'accepted' | 'duplicate' | 'erased'>;
  /** The content (`claim`) of the latest event about this service record, ignoring events of type `except`. */
  lastClaim(site: string, serviceId: string, except?: string): Promise<unknown>;
  /** The contents (`claim`) of all events of one type about this service record, oldest first. */
  claims(site: string, serviceId: string, eventType: string): Promise<readonly unknown[]>;
  /** Deletes events that are older than this; returns their number. */
  purge(olderThanSeconds: number): Promise<number>;
}

export interface Erased {
  readonly cases: number;
  readonly launches: number;
  readonly webhooks: number;
  readonly jobs: number;
}

/** Operations on the whole store. Processes of the bridge may be running. */
export interface Maintenance {
  /**
   * Seals all content that is sealed under an older key again, under the first key. Run it once every process has both
   * keys. Afterwards nothing needs the older key, and it can be removed. `unreadable`: rows that no key opens.
   */
  rekey(): Promise<{ readonly sealed: number; readonly unreadable: number }>;
  /**
   * Deletes everything that the store has about a patient (`Patient/123`) of a site: cases with bodies, records,
   * letters, drafts and notes, launches, webhooks and jobs. The audit trail is kept, and so are marks by which late
   * webhooks are recognized and discarded. Throws `erase_refused` while a request is in progress or an outcome is being
   * written to the chart.
   */
  erase(site: string, patient: string): Promise<Erased>;
  /** Returns the space of deleted data to the embedded database, which does not do that by itself. */
  tidy(): Promise<void>;
  /**
   * Deletes cases that ended, and drafts that were last changed, before that time; returns their number. Keeps cases
   * that are open, that are not written to the chart yet, or that wait for a person (refused, of unknown arrival, or
   * with a write left to somebody).
   */
  purgeCases(site: string, before: string): Promise<number>;
}

/** One access to a patient's data: who did what, about whom, for whom, when, and with what result. */
export interface AuditEntry {
  /** A site's id; empty for an operator's action on the whole store. */
  readonly site: string;
  /** `launched`, `page_viewed`, `sent` ...; src/cases/audit/actions.ts lists all. */
  readonly action: string;
  /** `Practitioner/12`, `bridge` or `operator`. */
  readonly actor: string;
  /** `Patient/123`. It is stored as a mark. */
  readonly patient?: string;
  readonly caseId?: string;
  readonly launch?: string;
  /** The recipient, if data left the bridge. */
  readonly recipient?: string;
  readonly outcome?: 'success' | 'failure';
  /** Codes and counts; nothing that identifies the patient. */
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
}

export interface AuditRow extends Omit<AuditEntry, 'patient'> {
  /** Increases by one within the site, without gaps. */
  readonly seq: number;
  readonly at: string;
  readonly outcome: 'success' | 'failure';
  /** `Store.mark` of the patient. */
  readonly patientMark?: string;
  readonly hash: string;
}

export interface AuditFilter {
  readonly site?: string;
  /** `Patient/123` at the site. */
  readonly patient?: string;
  /** `since` is inclusive, `until` exclusive. */
  readonly since?: string;
  readonly until?: string;
}

export interface AuditCheck {
  readonly site: string;
  /** The first and last row that exist. If `last` is below `first`, there are none. */
  readonly first: number;
  readonly last: number;
  /** Hash of the last row. A person who noted it earlier can check whether rows at the end were removed. */
  readonly hash: string;
  /** Faults by row: `changed`, `missing`, `checkpoint` or `end`. */
  readonly faults: readonly { readonly seq: number; readonly fault: 'changed' | 'missing' | 'checkpoint' | 'end' }[];
}

export interface Audit {
  record(entry: AuditEntry): Promise<void>;
}

/** The append-only audit trail. Every event of a case adds a row, in the transaction that changes the case. */
export interface AuditTable extends Audit {
  /** Yields rows in the order in which they were written, and reads them page by page. */
  rows(filter?: AuditFilter): AsyncIterable<AuditRow>;
  /** Checks every chain from its checkpoint. */
  verify(): Promise<readonly AuditCheck[]>;
  /**
   * Deletes older rows and leaves a checkpoint, from which the other rows can still be verified. Returns the number of
   * rows.
   */
  purge(site: string, before: string): Promise<number>;
}

/**
 * A rate limit by name, shared by all cases and processes, in the database's time. For reading records, the name is the
 * site's id.
 */
export interface Allowance {
  /** Reserves the next slot; returns the milliseconds until then. */
  reserve(site: string, readsPerMinute: number): Promise<number>;
  /** Records that the server asked for a pause of this many seconds (Retry-After). */
  hold(site: string, seconds: number): Promise<void>;
  /** Returns the seconds left of the pause that the server asked for; 0 if there is none. */
  heldSeconds(site: string): Promise<number>;
}

export interface CodeSet {
  /** The file's name. */
  readonly source: string;
  readonly year?: string;
  readonly total: number;
  readonly billable: number;
  readonly loadedAt: string;
}

/** The code files that an operator loaded, one for each system (`icd-10-cm`). */
export interface CodeTable {
  /** Replaces the codes of the system. Searches that run at the same time see the old ones. */
  load(
    system: string,
    file: { readonly source: string; readonly year?: string | undefined; readonly codes: readonly Code[] },
  ): Promise<CodeSet>;
  /** undefined until a file is loaded. */
  current(system: string): Promise<CodeSet | undefined>;
  /**
   * Returns billable codes that match the query: first the code itself, then codes with that prefix, then codes whose
   * titles have every word, shorter titles first.
   */
  find(system: string, query: CodeQuery, limit: number): Promise<readonly Code[]>;
  /**
   * Returns the loaded file, and those of the codes that the file has, including categories. Without a loaded file,
   * returns no codes.
   */
  named(
    system: string,
    codes: readonly string[],
  ): Promise<{ readonly file?: CodeSet | undefined; readonly codes: readonly Code[] }>;
}

export interface Used {
  readonly content: unknown;
  readonly count: number;
}

/** Counts the values that a practice uses in its requests. Stores neither the patient nor the request. */
export interface UsedTable {
  /** Counts one more use of each value. Values with the same `key` are the same. */
  note(
    site: string,
    what: string,
    items: readonly { readonly key: string; readonly content: unknown }[],
  ): Promise<void>;
  /** Most used first. */
  most(site: string, what: string, limit: number): Promise<readonly Used[]>;
  /** Deletes values that nobody has used since `before`; returns the number of rows. */
  purge(site: string, before: string): Promise<number>;
}

/** Payers' questions that a person kept. Each is stored as long as its case. */
export interface QuestionTable {
  /**
   * Keeps the question of a round, to be found by each of the texts in `about`. Replaces an earlier question of this
   * round.
   */
  keep(
    question: { readonly id: string; readonly site: string; readonly round: number; readonly about: readonly string[] },
    content: unknown,
  ): Promise<void>;
  forget(id: string, round: number): Promise<void>;
  /** The rounds of a case whose question is kept. */
  roundsOf(id: string): Promise<readonly number[]>;
  /** Questions kept at this site about any of the texts, newest first. */
  find(site: string, about: readonly string[], limit: number): Promise<readonly unknown[]>;
}

/** A worklist view with the name that a person gave it. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The query parameters of the worklist. The pages define which are valid. */
  readonly filter: Readonly<Record<string, string>>;
}

/** Views that a person saved at a site. Nobody else sees them. */
export interface ViewTable {
  /** Oldest first. */
  of(site: string, person: string): Promise<readonly SavedView[]>;
  /** Replaces a view with the same name. Returns false and saves nothing if the person already has `most` others. */
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
  /** The queue library, started, with the queues that were given to `openStore`. */
  readonly boss: PgBoss;
  /** A keyed hash that identifies a text without revealing it. Its key belongs to the store and never rotates. */
  mark(text: string): string;
  /** true if no other process can use this store. */
  readonly exclusive: boolean;
  readonly exclusively: Exclusively;
  /** The database's current time, from an offset that is measured regularly. */
  clock(): Date;
  enqueue(jobs: readonly Job[]): Promise<void>;
  /**
   * Reports immediate jobs of queues with `notify` by queue name, whichever process queued them; without a name if some
   * may have been missed. Resolves to a function that stops the reports. Reports nothing if no other process can queue
   * jobs.
   */
  listen(onDue: (queue: string | undefined) => void): Promise<() => Promise<void>>;
  /** Waits for running jobs up to a limit, then releases the database. */
  close(): Promise<void>;
}
