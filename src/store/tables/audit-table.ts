import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Connection, iso } from '../database.ts';
import { patientMark } from '../keyed-marks.ts';
import type { Database } from '../schema.ts';
import type { Seals } from '../seals.ts';
import type { AuditCheck, AuditEntry, AuditFilter, AuditRow, AuditTable } from '../types.ts';

/**
 * One chain of rows per site. The keyed hash of a row covers the row and the hash of the row before. So someone who can
 * write to the database, but has no key of the bridge, cannot change, add or remove a row unnoticed. A transaction that
 * appends a row blocks other writers of the site until it ends, so the audit row is written last.
 */
export function createAuditTable(connection: Connection, seals: Seals, clock: () => Date): AuditTable {
  const { read, transaction, now } = connection;
  // The end of each chain when this process last wrote. The next row is appended there, unless another process has
  // written since.
  const left = new Map<string, End>();
  return {
    async record(entry) {
      const { site } = entry;
      const end = left.get(site);
      const next = end === undefined ? undefined : nextRow(seals, end, entry, clock().toISOString());
      if (end !== undefined && next !== undefined && (await isAppended(connection, end, next))) {
        left.set(site, { seq: next.seq, hash: next.hash });
        return;
      }
      const [last] = await transaction((trx) => appendAudit(trx, seals, now(), [entry]));
      if (last !== undefined) left.set(site, last);
    },
    rows: (filter = {}) => rowsOf(connection, seals, filter),
    async verify() {
      const chains = await read((db) => db.selectFrom('audit_chains').selectAll().orderBy('site').execute());
      const checks: AuditCheck[] = [];
      for (const chain of chains) checks.push(await verifyChain(connection, seals, chain));
      return checks;
    },
    purge: (site, before) => transaction((trx) => purgeChain(trx, seals, site, before)),
  };
}

/** The last row of a chain. */
interface End {
  readonly seq: number;
  readonly hash: string;
}

/** Appends a row in one statement if the chain still ends at `end`; else returns false and changes nothing. */
async function isAppended({ read, schema, now }: Connection, end: End, row: Hashed & End): Promise<boolean> {
  const table = (name: string) => sql.table(`${schema}.${name}`);
  const { numAffectedRows } = await read((db) =>
    sql`
      with chain as (
        update ${table('audit_chains')} set seq = ${row.seq}, hash = ${row.hash}
        where site = ${row.site} and seq = ${end.seq} and hash = ${end.hash}
          and ${row.at}::timestamptz between ${now()} - interval '1 second' and ${now()} + interval '1 second'
        returning site
      )
      insert into ${table('audit')}
        (site, seq, at, action, actor, patient_mark, case_id, launch, recipient, outcome, facts, hash)
      select site, ${row.seq}::bigint, ${row.at}::timestamptz, ${row.action}::text, ${row.actor}::text,
        ${row.patient_mark}::text, ${row.case_id}::text, ${row.launch}::text, ${row.recipient}::text,
        ${row.outcome}::text, ${row.facts}::text, ${row.hash}::text
      from chain`.execute(db),
  );
  return numAffectedRows === 1n;
}

function nextRow(seals: Seals, end: End, entry: AuditEntry, at: string): Hashed & End {
  const row = rowOf(seals, entry, end.seq + 1, at);
  return { ...row, hash: hashOf(seals, row, end.hash) };
}

/**
 * Appends rows to the chains of their sites, at the end of a transaction. Returns the last row of each chain. `at`: a
 * time, or an SQL expression for one.
 */
export async function appendAudit(
  trx: Transaction<Database>,
  seals: Seals,
  at: string | RawBuilder<string>,
  entries: readonly AuditEntry[],
): Promise<End[]> {
  const ends: End[] = [];
  for (const site of new Set(entries.map((entry) => entry.site).toSorted())) {
    const storedAt = typeof at === 'string' ? sql<string>`${at}` : at;
    const chain = await lockChain(trx, seals, site, storedAt);
    const ofSite = entries.filter((entry) => entry.site === site);
    ends.push(await append(trx, seals, chain, ofSite));
  }
  return ends;
}

/** Appends entries of one site to its chain. */
async function append(
  trx: Transaction<Database>,
  seals: Seals,
  { site, seq, hash, at }: Locked,
  entries: readonly AuditEntry[],
): Promise<End> {
  let last: End = { seq, hash };
  const rows = entries.map((entry) => {
    const row = nextRow(seals, last, entry, iso(at));
    last = row;
    return row;
  });
  await trx
    .with('added', (one) => one.insertInto('audit').values(rows))
    .updateTable('audit_chains')
    .set({ seq: last.seq, hash: last.hash })
    .where('site', '=', site)
    .execute();
  return { seq: last.seq, hash: last.hash };
}

interface Chain {
  readonly site: string;
  readonly seq: string | number;
  readonly hash: string;
  readonly from_seq: string | number;
  readonly from_hash: string;
  readonly checkpoint: string;
}

/** A chain that is locked until the transaction ends. */
interface Locked extends Chain {
  readonly seq: number;
  readonly at: Date | string;
}

/** `at` is evaluated in the statement that locks the chain. */
async function lockChain(
  trx: Transaction<Database>,
  seals: Seals,
  site: string,
  at: RawBuilder<string>,
): Promise<Locked> {
  const locked = () =>
    trx.selectFrom('audit_chains').selectAll().select(at.as('at')).where('site', '=', site).forUpdate();
  const chain = (await locked().executeTakeFirst()) ?? (await startChain());
  return { ...chain, seq: Number(chain.seq) };

  async function startChain() {
    const first = { seq: 0, hash: '', from_seq: 0, from_hash: '' };
    await trx
      .insertInto('audit_chains')
      .values({ site, ...first, checkpoint: checkpointOf(seals, site, 0, '') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return await locked().executeTakeFirstOrThrow();
  }
}

/** The content that a row's hash covers, apart from the hash of the row before. */
interface Hashed {
  readonly site: string;
  readonly seq: number;
  readonly at: string;
  readonly action: string;
  readonly actor: string;
  readonly patient_mark: string | null;
  readonly case_id: string | null;
  readonly launch: string | null;
  readonly recipient: string | null;
  readonly outcome: string;
  readonly facts: string;
}

function rowOf(seals: Seals, entry: AuditEntry, seq: number, at: string): Hashed {
  return {
    site: entry.site,
    seq,
    at,
    action: entry.action,
    actor: entry.actor,
    patient_mark: entry.patient === undefined ? null : patientMark(seals, entry.site, entry.patient),
    case_id: entry.caseId ?? null,
    launch: entry.launch ?? null,
    recipient: entry.recipient ?? null,
    outcome: entry.outcome ?? 'success',
    facts: JSON.stringify(entry.facts ?? {}),
  };
}

function hashOf(seals: Seals, row: Hashed, before: string): string {
  const { site, seq, at, action, actor, patient_mark, case_id, launch, recipient, outcome, facts } = row;
  const said = [site, seq, at, action, actor, patient_mark, case_id, launch, recipient, outcome, facts];
  return seals.mark(`audit|${JSON.stringify([before, ...said])}`);
}

function checkpointOf(seals: Seals, site: string, seq: number, hash: string): string {
  return seals.mark(`audit checkpoint|${JSON.stringify([site, seq, hash])}`);
}

const page = 1000;

async function* rowsOf(connection: Connection, seals: Seals, filter: AuditFilter): AsyncIterable<AuditRow> {
  const sites = await connection.read((db) => db.selectFrom('audit_chains').select('site').orderBy('site').execute());
  for (const { site } of sites.filter((chain) => filter.site === undefined || chain.site === filter.site))
    for (let last = 0; ; ) {
      const rows = await connection.read((db) => matching(db, seals, site, filter, last).limit(page).execute());
      yield* rows.map(toAudit);
      if (rows.length < page) break;
      last = Number(rows.at(-1)?.seq);
    }
}

function matching(db: Kysely<Database>, seals: Seals, site: string, filter: AuditFilter, after: number) {
  const { patient, since, until } = filter;
  return db
    .selectFrom('audit')
    .selectAll()
    .where('site', '=', site)
    .where('seq', '>', after)
    .$if(patient !== undefined, (query) => query.where('patient_mark', '=', patientMark(seals, site, patient!)))
    .$if(since !== undefined, (query) => query.where('at', '>=', sql<Date>`${since}::timestamptz`))
    .$if(until !== undefined, (query) => query.where('at', '<', sql<Date>`${until}::timestamptz`))
    .orderBy('seq');
}

type Stored = Omit<Hashed, 'at' | 'seq'> & { readonly at: Date; readonly seq: string | number; readonly hash: string };

function toAudit(row: Stored): AuditRow {
  const optional = {
    patientMark: row.patient_mark,
    caseId: row.case_id,
    launch: row.launch,
    recipient: row.recipient,
  };
  return {
    site: row.site,
    seq: Number(row.seq),
    at: iso(row.at),
    action: row.action,
    actor: row.actor,
    outcome: row.outcome === 'success' ? 'success' : 'failure',
    facts: JSON.parse(row.facts),
    hash: row.hash,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null)),
  };
}

async function verifyChain(connection: Connection, seals: Seals, chain: Chain): Promise<AuditCheck> {
  const { site } = chain;
  const first = Number(chain.from_seq) + 1;
  const faults: { seq: number; fault: AuditCheck['faults'][number]['fault'] }[] = [];
  if (chain.checkpoint !== checkpointOf(seals, site, Number(chain.from_seq), chain.from_hash))
    faults.push({ seq: first - 1, fault: 'checkpoint' });
  let expected = first;
  let before = chain.from_hash;
  for (let more = true; more; ) {
    const after = expected - 1;
    const rows = await connection.read((db) => matching(db, seals, site, {}, after).limit(page).execute());
    for (const row of rows) {
      const seq = Number(row.seq);
      if (seq !== expected) faults.push({ seq: expected, fault: 'missing' });
      else if (row.hash !== hashOf(seals, { ...row, seq, at: iso(row.at) }, before))
        faults.push({ seq, fault: 'changed' });
      expected = seq + 1;
      before = row.hash;
    }
    more = rows.length === page;
  }
  const last = expected - 1;
  if (last !== Number(chain.seq) || before !== chain.hash) faults.push({ seq: last, fault: 'end' });
  return { site, first, last, hash: before, faults };
}

async function purgeChain(trx: Transaction<Database>, seals: Seals, site: string, before: string): Promise<number> {
  await lockChain(trx, seals, site, sql<string>`''`);
  // Rows are removed only from the beginning of the chain, up to the first row that is not older than `before`.
  const kept = trx
    .selectFrom('audit')
    .select((one) => one.fn.min('seq').as('seq'))
    .where('site', '=', site)
    .where('at', '>=', sql<Date>`${before}::timestamptz`);
  const last = await trx
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .where('site', '=', site)
    .where((one) => one.or([one('seq', '<', kept), one(kept, 'is', null)]))
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return 0;
  const seq = Number(last.seq);
  const removed = await trx.deleteFrom('audit').where('site', '=', site).where('seq', '<=', seq).executeTakeFirst();
  const checkpoint = checkpointOf(seals, site, seq, last.hash);
  await trx
    .updateTable('audit_chains')
    .set({ from_seq: seq, from_hash: last.hash, checkpoint })
    .where('site', '=', site)
    .execute();
  return Number(removed.numDeletedRows);
}
