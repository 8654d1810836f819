import type { ColumnType, Generated } from 'kysely';

/** A moment: read as Date by both drivers, written as ISO 8601 in UTC. */
export type Moment = ColumnType<Date, string, string>;
export type MaybeMoment = ColumnType<Date | null, string | null | undefined, string | null>;

/**
 * The tables. What is about patients, users or tokens stands in `sealed` columns only; the other columns are what is
 * searched, counted and timed by.
 */
export interface Database {
  cases: {
    /** UUID */
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
    /** Keyed hashes: of site and patient; of site, patient, order and kind. */
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
  /** Sealed parts of a case that are replaced when their content changes. */
  parts: { case_id: string; part: PartName; hash: string; sealed: string };
  /** The requests that left; `sealed` never changes. */
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
  /** The ledger of write-back: for each thing to write its row per version. */
  writes: {
    id: Generated<string | number>;
    case_id: string;
    what: string;
    version: string;
    state: string;
    reference: string | null;
    version_id: string | null;
    reason: string | null;
    /** Sealed. */
    says: string | null;
    token: string | null;
    attempts: number;
    looks: number | null;
    tries: number | null;
    tried_at: Moment | null;
    at: Moment;
  };
  /** Files that belong to a case: the payer's letter. */
  files: { case_id: string; name: string; created_at: Moment; sealed: string };
  /** One row per webhook event met, so that a repeated one has no effect. */
  webhooks: { key: string; site: string; service_id: string; event_type: string; received_at: Moment; sealed: string };
  /** See smart/store.ts; `consumed_at` and `due_at` are ISO text, which compares as time. */
  launches: {
    id: string;
    site: string;
    state_hash: string;
    /** Of site and patient, once the EHR has named the patient. */
    patient_mark: string | null;
    consumed_at: string | null;
    due_at: string;
    sealed: string;
  };
  /** From when on a site's service may be asked again. */
  allowances: { site: string; next_at: Moment };
  /** See audit-table.ts. `facts` is JSON text, as it was hashed. */
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
  /** The last row of each chain, and the last one that retention removed. */
  audit_chains: {
    site: string;
    seq: string | number;
    hash: string;
    from_seq: string | number;
    from_hash: string;
    checkpoint: string;
  };
  /** Keyed hashes of what was erased: patients, and their requests' ids at the service. */
  erasures: { mark: string; site: string; at: Moment };
  /** One line of the worklist a case, derived from it; see worklist-table.ts. */
  worklist: {
    case_id: string;
    /** Of the rules by which the row was derived. */
    made_by: number;
    site: string;
    patient_mark: string;
    part: string;
    waits: string;
    since: Moment;
    /** People as events name them: `Practitioner/12`. `holder` is `assigned`, else `owner`. */
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
    /** Keyed hashes of beginnings of words. */
    marks: string[];
    hash: string;
    sealed: string;
  };
  /** How often people took a case up, and for how long it was before them; see effort-table.ts. */
  effort: { case_id: string; touches: number; seconds: number; seen_at: Moment };
  /** Who of a practice has signed in; the name is sealed. */
  staff: { site: string; person: string; seen_at: Moment; sealed: string };
  /** Which loading of a code file counts, by system. */
  code_sets: {
    system: string;
    edition: string;
    source: string;
    year: string | null;
    total: number;
    billable: number;
    loaded_at: Moment;
  };
  /** Rows of code files; `words` is made by the database of the title. */
  codes: { edition: string; code: string; title: string; billable: boolean; words: string };
  /** Questions of payers that a person released; `about`: see question-table.ts. */
  kept_questions: { case_id: string; round: number; about: string; kept_at: Moment; sealed: string };
  /** Views of the worklist that a person keeps; the name is sealed. `mark`: of site, person and name. */
  saved_views: { site: string; person: string; mark: string; saved_at: Moment; sealed: string };
  /** What a practice put into requests before, without the patient; see used-table.ts. */
  used: { site: string; what: string; mark: string; count: number; used_at: Moment; sealed: string };
  /** What the store says of itself; see meta.ts. Plain text, so that every later version can read it. */
  meta: { name: string; value: string };
}

/** `work` is there while something of the case's rounds is left to fetch or to send. */
export type PartName = 'head' | 'draft' | 'record' | 'rounds' | 'work';
