import type { ColumnType, Generated } from 'kysely';

/** A point in time. Both drivers read it as Date; it is written as ISO 8601 in UTC. */
export type Moment = ColumnType<Date, string, string>;
export type MaybeMoment = ColumnType<Date | null, string | null | undefined, string | null>;

/**
 * The tables. Data about patients, users or tokens is only in `sealed` columns. The other columns are for searches,
 * counts and times.
 */
export interface Database {
  cases: {
    /** UUID. */
    id: string;
    site: string;
    kind: string;
    state: string;
    status: string | null;
    service_id: string | null;
    attempt: number;
    version: number;
    unwritten: boolean;
    waiting: boolean;
    problem: string | null;
    /** `patient_mark`: keyed hash of site and patient. `order_mark`: keyed hash of site, patient, order and kind. */
    patient_mark: string;
    order_mark: string;
    not_arrived_at: MaybeMoment;
    sent_at: MaybeMoment;
    read_at: MaybeMoment;
    changed_at: MaybeMoment;
    ended_at: MaybeMoment;
    created_at: Moment;
    updated_at: Moment;
  };
  /** Sealed parts of a case. A part is replaced when its content changes. */
  parts: { case_id: string; part: PartName; hash: string; sealed: string };
  /** The requests that were sent. `sealed` never changes. */
  submissions: {
    case_id: string;
    attempt: number;
    state: string;
    service_id: string | null;
    sent_at: Moment;
    settled_at: MaybeMoment;
    hash: string;
    sealed: string;
  };
  /** Append-only. `facts` is a JSON object. */
  events: {
    id: Generated<string | number>;
    case_id: string;
    at: Moment;
    type: string;
    actor: string;
    facts: ColumnType<Record<string, string | number | boolean>, string, never>;
  };
  /** The write-back ledger: one row for each resource to write and its version. */
  writes: {
    id: Generated<string | number>;
    case_id: string;
    what: string;
    version: string;
    state: string;
    reference: string | null;
    version_id: string | null;
    reason: string | null;
    /** The EHR's message, sealed. */
    says: string | null;
    token: string | null;
    attempts: number;
    looks: number | null;
    tries: number | null;
    tried_at: Moment | null;
    at: Moment;
  };
  /** Files of a case: the payer's letter. */
  files: { case_id: string; name: string; created_at: Moment; sealed: string };
  /** One row for each webhook event received, so that a repeated event has no effect. */
  webhooks: { key: string; site: string; service_id: string; event_type: string; received_at: Moment; sealed: string };
  /** See smart/store.ts. `consumed_at` and `due_at` are ISO text, which sorts by time. */
  launches: {
    id: string;
    site: string;
    state_hash: string;
    /** Mark of site and patient, from when the EHR names the patient. */
    patient_mark: string | null;
    consumed_at: string | null;
    due_at: string;
    sealed: string;
  };
  /** The time from which a site's service may be called again. */
  allowances: { site: string; next_at: Moment };
  /** See audit-table.ts. `facts` is the JSON text over which the hash was made. */
  audit: {
    site: string;
    seq: string | number;
    at: Moment;
    action: string;
    actor: string;
    patient_mark: string | null;
    case_id: string | null;
    launch: string | null;
    recipient: string | null;
    outcome: string;
    facts: string;
    hash: string;
  };
  /** The last row of each chain, and the last row that retention removed. */
  audit_chains: {
    site: string;
    seq: string | number;
    hash: string;
    from_seq: string | number;
    from_hash: string;
    checkpoint: string;
  };
  /** Keyed hashes of erased patients and of the service's ids for their requests. */
  erasures: { mark: string; site: string; at: Moment };
  /** One worklist line per case, derived from the case; see worklist-table.ts. */
  worklist: {
    case_id: string;
    /** Version of the rules that derived the row. */
    made_by: number;
    site: string;
    patient_mark: string;
    part: string;
    waits: string;
    since: Moment;
    /** People, by their reference in events: `Practitioner/12`. `holder` is `assigned`, else `owner`. */
    owner: string | null;
    assigned: string | null;
    holder: string | null;
    prescriber: string | null;
    told: string | null;
    approval_end: ColumnType<Date | string | null, string | null, string | null>;
    /** Keyed hash of the payer's name. */
    payer_mark: string | null;
    done_at: Moment | null;
    unwritten: boolean;
    restricted: boolean;
    /** Keyed hashes of word prefixes, for search. */
    marks: string[];
    hash: string;
    sealed: string;
  };
  /** How often people opened a case and how long they worked on it; see effort-table.ts. */
  effort: { case_id: string; touches: number; seconds: number; seen_at: Moment };
  /** Staff of a practice who have signed in. The name is sealed. */
  staff: { site: string; person: string; seen_at: Moment; sealed: string };
  /** The edition of each code file that is in use. */
  code_sets: {
    system: string;
    edition: string;
    source: string;
    year: string | null;
    total: number;
    billable: number;
    loaded_at: Moment;
  };
  /** Rows of code files. The database computes `words` from the title. */
  codes: { edition: string; code: string; title: string; billable: boolean; words: string };
  /** Payers' questions that a person kept. For `about` see question-table.ts. */
  kept_questions: { case_id: string; round: number; about: string; kept_at: Moment; sealed: string };
  /** Worklist views that a person saved. The name is sealed; `mark` is of site, person and name. */
  saved_views: { site: string; person: string; mark: string; saved_at: Moment; sealed: string };
  /** Values from a practice's earlier requests, without reference to the patient; see used-table.ts. */
  used: { site: string; what: string; mark: string; count: number; used_at: Moment; sealed: string };
  /** Facts about the store itself; see meta.ts. Not sealed, so that every later version can read them. */
  meta: { name: string; value: string };
}

/** `work` exists while a part of the case's rounds must still be fetched or sent. */
export type PartName = 'head' | 'draft' | 'record' | 'rounds' | 'work';
