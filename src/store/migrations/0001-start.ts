import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Vault } from '../../base/vault.ts';

/** The tables of release 0.1.0. `schema.ts` describes their columns. */
export async function start(
  db: Kysely<unknown>,
  { schema, vault }: { readonly schema: string; readonly vault: Vault },
): Promise<void> {
  // Applies until the migration's transaction ends, so that the statements need not name the schema.
  await sql`set local search_path to ${sql.ref(schema)}`.execute(db);
  for (const statement of [...cases, ...worklist, ...launches, ...service, ...audit, ...codes, ...store])
    await sql.raw(statement).execute(db);
  // Keyed hashes have a key of their own, which rekey does not change.
  const markKey = vault.seal(JSON.stringify(randomBytes(32).toString('base64')), 'meta|mark_key');
  await sql`insert into meta (name, value) values ('mark_key', ${markKey})`.execute(db);
}

const ofCase = 'case_id text not null references cases (id) on delete cascade';

const cases = [
  // A poll without changes updates one short row in place: no index covers the changed columns, and database pages have
  // free space.
  `create table cases (
    id text primary key,
    site text not null,
    kind text not null,
    state text not null,
    status text,
    service_id text,
    attempt integer not null default 0,
    version integer not null default 1,
    unwritten boolean not null,
    waiting boolean not null,
    problem text,
    patient_mark text not null,
    order_mark text not null,
    not_arrived_at timestamptz,
    sent_at timestamptz,
    read_at timestamptz,
    changed_at timestamptz,
    ended_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null
  ) with (fillfactor = 80)`,
  'create index cases_patient on cases (patient_mark)',
  'create index cases_state on cases (state, site)',
  'create unique index cases_service on cases (site, service_id)',
  // Two windows that open the same order get the same case. A new case can start after the last one has ended.
  `create unique index cases_live on cases (order_mark) where state <> 'ended'`,
  `create table parts (
    ${ofCase},
    part text not null,
    hash text not null,
    sealed text not null,
    constraint parts_key primary key (case_id, part)
  )`,
  `create table submissions (
    ${ofCase},
    attempt integer not null,
    state text not null,
    service_id text,
    sent_at timestamptz not null,
    settled_at timestamptz,
    hash text not null,
    sealed text not null,
    constraint submissions_key primary key (case_id, attempt)
  )`,
  `create table files (
    ${ofCase},
    name text not null,
    created_at timestamptz not null,
    sealed text not null,
    constraint files_key primary key (case_id, name)
  )`,
  // Sealed text cannot be compressed.
  ...['parts', 'submissions', 'files'].map((table) => `alter table ${table} alter sealed set storage external`),
  `create table events (
    id bigserial primary key,
    ${ofCase},
    at timestamptz not null,
    type text not null,
    actor text not null,
    facts jsonb not null
  )`,
  'create index events_case on events (case_id, id)',
  `create index events_sent on events (at) where type = 'sent'`,
  `create table writes (
    id bigserial primary key,
    ${ofCase},
    what text not null,
    version text not null,
    state text not null,
    reference text,
    version_id text,
    reason text,
    says text,
    token text,
    attempts integer not null,
    looks integer,
    tries integer,
    tried_at timestamptz,
    at timestamptz not null,
    constraint writes_version unique (case_id, what, version)
  )`,
  `create table effort (
    case_id text primary key references cases (id) on delete cascade,
    touches integer not null,
    seconds integer not null,
    seen_at timestamptz not null
  )`,
];

/** One short row per case, derived from the case, and the staff who have signed in. */
const worklist = [
  `create table worklist (
    case_id text primary key references cases (id) on delete cascade,
    made_by integer not null,
    site text not null,
    patient_mark text not null,
    part text not null,
    waits text not null,
    since timestamptz not null,
    owner text,
    assigned text,
    holder text,
    prescriber text,
    told text,
    approval_end date,
    unwritten boolean not null,
    restricted boolean not null,
    marks text[] not null,
    hash text not null,
    sealed text not null
  )`,
  'create index worklist_part on worklist (site, part, since, case_id)',
  'create index worklist_holder on worklist (site, holder, part, since, case_id)',
  `create index worklist_ending on worklist (site, approval_end, case_id) where part = 'decided'`,
  'create index worklist_unwritten on worklist (site, since, case_id) where unwritten = true',
  'create index worklist_told on worklist (site, told) where told is not null',
  'create index worklist_marks on worklist using gin (marks)',
  `create table staff (
    site text not null,
    person text not null,
    seen_at timestamptz not null,
    sealed text not null,
    constraint staff_key primary key (site, person)
  )`,
];

const launches = [
  `create table launches (
    id text primary key,
    site text not null,
    state_hash text not null unique,
    patient_mark text,
    consumed_at text,
    due_at text not null,
    sealed text not null
  )`,
  'create index launches_patient on launches (patient_mark)',
];

/** Webhook events from the service, and the time from which it may be called again. */
const service = [
  `create table webhooks (
    key text primary key,
    site text not null,
    service_id text not null,
    event_type text not null,
    received_at timestamptz not null,
    sealed text not null
  )`,
  'create index webhooks_service on webhooks (site, service_id)',
  `create table allowances (
    site text primary key,
    next_at timestamptz not null
  )`,
];

/**
 * One chain of rows per site: each row has a hash of itself and the row before. `erasures` has marks of erased data, so
 * that nothing stores that data again.
 */
const audit = [
  `create table audit (
    site text not null,
    seq bigint not null,
    at timestamptz not null,
    action text not null,
    actor text not null,
    patient_mark text,
    case_id text,
    launch text,
    recipient text,
    outcome text not null,
    facts text not null,
    hash text not null,
    constraint audit_key primary key (site, seq)
  )`,
  'create index audit_patient on audit (patient_mark)',
  `create table audit_chains (
    site text primary key,
    seq bigint not null,
    hash text not null,
    from_seq bigint not null,
    from_hash text not null,
    checkpoint text not null
  )`,
  `create table erasures (
    mark text primary key,
    site text not null,
    at timestamptz not null
  )`,
];

/**
 * Code files that an operator loads, and values that a practice used before. `codes` has the rows of each file by
 * `edition`. `code_sets` has the edition in use, so that a new file replaces the old one in one step.
 */
const codes = [
  `create table code_sets (
    system text primary key,
    edition text not null,
    source text not null,
    year text,
    total integer not null,
    billable integer not null,
    loaded_at timestamptz not null
  )`,
  `create table codes (
    edition text not null,
    code text collate "C" not null,
    title text not null,
    billable boolean not null,
    words tsvector not null,
    constraint codes_key primary key (edition, code)
  )`,
  'create index codes_words on codes using gin (words)',
  `create table used (
    site text not null,
    what text not null,
    mark text not null,
    count integer not null,
    used_at timestamptz not null,
    sealed text not null,
    constraint used_key primary key (site, what, mark)
  )`,
  'create index used_most on used (site, what, count)',
];

const store = [
  `create table meta (
    name text primary key,
    value text not null
  )`,
];
