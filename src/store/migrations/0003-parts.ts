import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Vault } from '../../vault.ts';
import { orderMark, patientMark } from '../marks.ts';
import { createSeals, opened, type Seals } from '../seals.ts';
import { actorsOf, draftOf, eventsOf, headOf, type OldCase, type OldWrite, submissionsOf } from './0003-old-case.ts';

/**
 * A case is rows: plain columns, sealed parts, one sealed body per request, typed events, the ledger of write-back.
 * Marks stand under a key that the store keeps for itself, so that they outlive the keys of content. Locks are the
 * database's, and so is time.
 */
export async function parts(
  untyped: Kysely<unknown>,
  { schema, vault }: { readonly schema: string; readonly vault: Vault },
): Promise<void> {
  const db = untyped as Kysely<Between>;
  await makeTables(db, schema);
  const seals = createSeals(vault, await makeMarkKey(db, vault));
  await moveCases(db, vault, seals);
  await moveLaunches(db, vault, seals);
  await db.schema.alterTable('cases').dropColumn('sealed').execute();
  await db.schema
    .alterTable('launches')
    .alterColumn('site', (column) => column.setNotNull())
    .execute();
  // A launch has its own secret in the browser, found by the launch; nothing looks launches up by it.
  await db.schema.alterTable('launches').dropColumn('session_hash').execute();
  await db.schema.dropTable('leases').execute();
  await db.schema.createIndex('cases_duplicate').on('cases').column('duplicate_mark').execute();
  await db.schema.createIndex('launches_patient').on('launches').column('patient_mark').execute();
}

/** The tables between the two versions, as far as their rows are moved. */
interface Between {
  cases: {
    id: string;
    sealed: string;
    attempt: number;
    problem: string | null;
    patient_mark: string;
    order_mark: string;
    sent_at: string | null;
    read_at: string | null;
    changed_at: string | null;
    ended_at: string | null;
    created_at: string;
    updated_at: string;
  };
  parts: { case_id: string; part: string; hash: string; sealed: string };
  submissions: {
    case_id: string;
    attempt: number;
    state: string;
    service_id: string | null;
    sent_at: string;
    settled_at: string | null;
    hash: string;
    sealed: string;
  };
  events: { case_id: string; at: string; type: string; actor: string; facts: string };
  writes: OldWrite & { case_id: string; version_id: string | null };
  launches: { id: string; site: string; patient_mark: string | null; sealed: string };
  meta: { name: string; value: string };
}

async function makeTables(db: Kysely<Between>, schema: string): Promise<void> {
  const ofCase = (name: string) =>
    db.schema
      .createTable(name)
      .addColumn('case_id', 'text', (column) => column.notNull().references('cases.id').onDelete('cascade'));
  await db.schema
    .alterTable('cases')
    .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('problem', 'text')
    .addColumn('duplicate_mark', 'text')
    .addColumn('sent_at', 'timestamptz')
    .addColumn('read_at', 'timestamptz')
    .addColumn('changed_at', 'timestamptz')
    .addColumn('ended_at', 'timestamptz')
    .execute();
  await ofCase('parts')
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('parts_key', ['case_id', 'part'])
    .execute();
  await ofCase('submissions')
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('service_id', 'text')
    .addColumn('sent_at', 'timestamptz', (column) => column.notNull())
    .addColumn('settled_at', 'timestamptz')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('submissions_key', ['case_id', 'attempt'])
    .execute();
  await ofCase('events')
    .addColumn('id', 'bigserial', (column) => column.primaryKey())
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('facts', 'jsonb', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('events_case').on('events').columns(['case_id', 'id']).execute();
  await ofCase('writes')
    .addColumn('id', 'bigserial', (column) => column.primaryKey())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reference', 'text')
    .addColumn('version_id', 'text')
    .addColumn('reason', 'text')
    .addColumn('token', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('looks', 'integer')
    .addColumn('at', 'timestamptz', (column) => column.notNull())
    .addUniqueConstraint('writes_version', ['case_id', 'what', 'version'])
    .execute();
  await db.schema.alterTable('launches').addColumn('site', 'text').addColumn('patient_mark', 'text').execute();
  await db.schema.dropTable('allowances').execute();
  await db.schema
    .createTable('allowances')
    .addColumn('site', 'text', (column) => column.primaryKey())
    .addColumn('next_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('meta')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  // A poll that changes nothing updates one short row, in place: no index has what it changes, the page has room.
  await sql`alter table ${sql.table(`${schema}.cases`)} set (fillfactor = 80)`.execute(db);
  // Sealed text does not compress.
  for (const table of ['parts', 'submissions', 'files'])
    await sql`alter table ${sql.table(`${schema}.${table}`)} alter column sealed set storage external`.execute(db);
}

async function makeMarkKey(db: Kysely<Between>, vault: Vault): Promise<Buffer> {
  const key = randomBytes(32);
  const value = vault.seal(JSON.stringify(key.toString('base64')), 'meta|mark_key');
  await db.insertInto('meta').values({ name: 'mark_key', value }).execute();
  return key;
}

// Cases with scanned cards are megabytes: some at a time, whatever the number.
const batch = 20;

async function moveCases(db: Kysely<Between>, vault: Vault, seals: Seals): Promise<void> {
  for (let last = ''; ; ) {
    const rows: Pick<Between['cases'], 'id' | 'sealed'>[] = await db
      .selectFrom('cases')
      .select(['id', 'sealed'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(batch)
      .execute();
    for (const row of rows) await moveCase(db, seals, opened(vault, row.sealed, `case|${row.id}`) as OldCase);
    const next = rows.at(-1)?.id;
    if (next === undefined) return;
    last = next;
  }
}

async function moveCase(db: Kysely<Between>, seals: Seals, old: OldCase): Promise<void> {
  const { id, site, kind } = old;
  const actors = actorsOf(old);
  const events = eventsOf(old.history, actors);
  const submissions = submissionsOf(old, events);
  await db
    .updateTable('cases')
    .set({
      sealed: '',
      attempt: events.filter(({ type }) => type === 'sent').length,
      problem: old.problem?.code ?? null,
      patient_mark: patientMark(seals, site, old.patient),
      order_mark: orderMark(seals, site, kind, old),
      sent_at: old.sentAt ?? null,
      read_at: old.readAt ?? null,
      changed_at: old.changedAt ?? null,
      ended_at: old.endedAt ?? null,
      created_at: old.createdAt,
      updated_at: old.updatedAt,
    })
    .where('id', '=', id)
    .execute();
  const sealedParts = { head: headOf(old, actors.users), draft: draftOf(old), record: old.record };
  for (const [part, content] of Object.entries(sealedParts)) {
    if (content === undefined) continue;
    const row = seals.seal(content, `case|${id}|${part}`);
    await db
      .insertInto('parts')
      .values({ case_id: id, part, ...row })
      .execute();
  }
  for (const { attempt, state, serviceId, sentAt, settledAt, content } of submissions) {
    const times = { sent_at: sentAt, settled_at: settledAt ?? null };
    const row = seals.seal(content, `case|${id}|submission|${attempt}`);
    await db
      .insertInto('submissions')
      .values({ case_id: id, attempt, state, service_id: serviceId ?? null, ...times, ...row })
      .execute();
  }
  for (const { at, type, actor, facts } of events)
    await db
      .insertInto('events')
      .values({ case_id: id, at, type, actor, facts: JSON.stringify(facts) })
      .execute();
  for (const { versionId, ...write } of old.writes)
    await db
      .insertInto('writes')
      .values({ case_id: id, ...write, version_id: versionId ?? null })
      .execute();
}

async function moveLaunches(db: Kysely<Between>, vault: Vault, seals: Seals): Promise<void> {
  const rows = await db.selectFrom('launches').select(['id', 'sealed']).execute();
  for (const { id, sealed } of rows) {
    const { site, context } = opened(vault, sealed, `launch|${id}`) as {
      readonly site: string;
      readonly context?: { readonly patient: string };
    };
    const mark = context === undefined ? null : patientMark(seals, site, `Patient/${context.patient}`);
    await db.updateTable('launches').set({ site, patient_mark: mark }).where('id', '=', id).execute();
  }
}
