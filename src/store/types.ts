import type { PgBoss } from 'pg-boss';
import type { LaunchStore } from '../smart/store.ts';
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
  readonly events: readonly StoredEvent[];
  /** The ledger of write-back; its columns are in the clear. */
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
  readonly states?: readonly string[];
  readonly unwritten?: boolean;
  readonly notArrivedSince?: string;
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
}

/** Runs `work` alone for `name`, in this process and across all processes of the store. */
export type Exclusively = <T>(name: string, work: (held: Held) => Promise<T>) => Promise<T>;

export interface Held {
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
  /** What the last event about a record claimed. */
  lastClaim(site: string, serviceId: string): Promise<unknown>;
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
  /** Removes cases that have ended, or drafts that nobody touched, before that time; the number of them. */
  purgeCases(site: string, before: string): Promise<number>;
}

/** One access to what is known of a patient: who, whose, what kind, to whom, when, and how it ended. */
export interface AuditEntry {
  /** A site's id; empty for what an operator does to the whole store. */
  readonly site: string;
  /** `launched`, `page_viewed`, `sent` ...: src/audit/actions.ts lists them. */
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

/** One shared pace per site for reading records, for all cases and processes, by the database's time. */
export interface Allowance {
  /** Takes the next place and says in how many milliseconds it comes. */
  reserve(site: string, readsPerMinute: number): Promise<number>;
  /** The service asked to be left alone for a while (Retry-After). */
  hold(site: string, seconds: number): Promise<void>;
}

export interface Store {
  readonly cases: CaseTable;
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
  listen(told: (queue: string | undefined) => void): Promise<() => Promise<void>>;
  /** Waits for running jobs up to a limit, then lets go of the database. */
  close(): Promise<void>;
}
