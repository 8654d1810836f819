import { type Kysely, sql, type Transaction } from 'kysely';
import { type Connection, iso, timeNow } from './database.ts';
import { patientMark } from './marks.ts';
import type { Database } from './schema.ts';
import type { Seals } from './seals.ts';
import type { AuditCheck, AuditEntry, AuditFilter, AuditRow, AuditTable } from './types.ts';

/**
 * One chain per site: a row's hash is keyed and covers the row and the hash of the one before, so that who can write to
 * the database but has no key of the bridge can neither change, add nor take out a row unseen. Writers of one site wait
 * for each other from their row to the end of their transaction, which is why the row is the last thing written there.
 */
export function createAuditTable(connection: Connection, seals: Seals): AuditTable {
  const { read, transaction } = connection;
  return {
    record: (entry) => transaction(async (trx) => appendAudit(trx, seals, await timeNow(connection, trx), [entry])),
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

/** Appends rows to the chains of their sites, at the end of a transaction. */
export async function appendAudit(
  trx: Transaction<Database>,
  seals: Seals,
  at: string,
  entries: readonly AuditEntry[],
): Promise<void> {
  for (const site of new Set(entries.map((entry) => entry.site).toSorted())) {
    let { seq, hash } = await lockChain(trx, seals, site);
    const rows = entries
      .filter((entry) => entry.site === site)
      .map((entry) => {
        seq += 1;
        const row = rowOf(seals, entry, seq, at);
        hash = hashOf(seals, row, hash);
        return { ...row, hash };
      });
    await trx
      .with('added', (one) => one.insertInto('audit').values(rows))
      .updateTable('audit_chains')
      .set({ seq, hash })
      .where('site', '=', site)
      .execute();
  }
}

interface Chain {
  readonly site: string;
  readonly seq: string | number;
  readonly hash: string;
  readonly from_seq: string | number;
  readonly from_hash: string;
  readonly checkpoint: string;
}

async function lockChain(trx: Transaction<Database>, seals: Seals, site: string): Promise<Chain & { seq: number }> {
  const locked = () => trx.selectFrom('audit_chains').selectAll().where('site', '=', site).forUpdate();
  const chain = (await locked().executeTakeFirst()) ?? (await startChain());
  return { ...chain, seq: Number(chain.seq) };

  async function startChain(): Promise<Chain> {
    const first = { seq: 0, hash: '', from_seq: 0, from_hash: '' };
    await trx
      .insertInto('audit_chains')
      .values({ site, ...first, checkpoint: checkpointOf(seals, site, 0, '') })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return await locked().executeTakeFirstOrThrow();
  }
}

/** What a row's hash covers, besides the hash of the one before. */
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
  await lockChain(trx, seals, site);
  // Rows are removed from the front alone: one that is newer stays, and all behind it.
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
