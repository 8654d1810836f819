import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Code } from '../../config/code.ts';
import type { CodeQuery } from '../../config/code-query.ts';
import { builtOnce } from '../built-query.ts';
import { type Connection, iso } from '../database.ts';
import type { Database } from '../schema.ts';
import type { CodeSet, CodeTable } from '../types.ts';

// Rows. Keeps each transaction far below its time limit, and each statement below a megabyte.
const batch = 4000;
/** Codes whose rows are cached in memory. A practice uses a few hundred. */
const keptRows = 5000;

/** Implements `CodeTable`. The rows have no patient data and are not sealed. */
export function createCodeTable(connection: Connection): CodeTable {
  const { read, schema } = connection;
  const selectSet = builtOnce<SetRow>((db, system) =>
    db.selectFrom('code_sets').selectAll().where('system', '=', system),
  );
  const setOf = async (system: string): Promise<SetRow | undefined> => (await read((db) => selectSet(db, system)))[0];
  const rowsOf = createRowCache(connection);
  return {
    async load(system, { source, year, codes }) {
      const made = `${system}/${randomUUID()}`;
      for (let from = 0; from < codes.length; from += batch)
        await insert(connection, made, codes.slice(from, from + batch));
      return await takeOver(connection, system, made, { source, year, codes });
    },
    async current(system) {
      const row = await setOf(system);
      return row === undefined ? undefined : codeSet(row);
    },
    async find(system, query, limit) {
      const edition = (await setOf(system))?.edition;
      if (edition === undefined || (query.code === undefined && query.words.length === 0)) return [];
      const { rows } = await read((db) =>
        sql<Code>`
          select code, title, billable from ${sql.table(`${schema}.codes`)}
          where edition = ${edition} and billable and (${isMeant(query)})
          order by code = ${query.code ?? ''} desc, starts_with(code, ${query.code ?? '-'}) desc, length(title), code
          limit ${limit}`.execute(db),
      );
      return rows;
    },
    async named(system, codes) {
      const row = await setOf(system);
      return row === undefined ? { codes: [] } : { file: codeSet(row), codes: await rowsOf(row.edition, codes) };
    },
  };
}

type SetRow = Selectable<Database['code_sets']>;

function codeSet({ source, total, billable, loaded_at, year }: SetRow): CodeSet {
  return { source, total, billable, loadedAt: iso(loaded_at), ...(year === null ? {} : { year }) };
}

// Rows of an edition never change, since another file is another edition.
function createRowCache({ read }: Connection) {
  const rows = new LRUCache<string, { readonly row: Code | undefined }>({ max: keptRows });
  return async (edition: string, codes: readonly string[]): Promise<readonly Code[]> => {
    const keyOf = (code: string) => `${edition} ${code}`;
    // Read before the query, since other calls may evict these rows while the query runs.
    const kept = new Map(codes.map((code) => [code, rows.get(keyOf(code))]));
    const missing = codes.filter((code) => kept.get(code) === undefined);
    const found = missing.length === 0 ? [] : await read((db) => selectRows(db, edition, missing));
    const byCode = new Map(found.map((row) => [row.code, row]));
    for (const code of missing) rows.set(keyOf(code), { row: byCode.get(code) });
    return codes.flatMap((code) => (kept.get(code) ?? { row: byCode.get(code) }).row ?? []);
  };
}

function selectRows(db: Kysely<Database>, edition: string, codes: readonly string[]): Promise<Code[]> {
  return db
    .selectFrom('codes')
    .select(['code', 'title', 'billable'])
    .where('edition', '=', edition)
    .where('code', 'in', [...codes])
    .execute();
}

// Codes are compared byte by byte, so that an index finds their prefixes. Words have an index of their own.
function isMeant({ code, words }: CodeQuery) {
  const ofCode = code === undefined ? sql`false` : sql`(code >= ${code} and code < ${`${code}~`})`;
  if (words.length === 0) return ofCode;
  const beginnings = words.map((word) => `${word}:*`).join(' & ');
  return sql`${ofCode} or words @@ to_tsquery('simple', ${beginnings})`;
}

// Titles are indexed with and without apostrophes: Crohn's is found as crohn and as crohns.
async function insert({ transaction, schema }: Connection, edition: string, codes: readonly Code[]): Promise<void> {
  await transaction(async (trx) => {
    await sql`
      insert into ${sql.table(`${schema}.codes`)} (edition, code, title, billable, words)
      select ${edition}, code, title, billable, to_tsvector('simple', title || ' ' || replace(title, '''', ''))
      from json_to_recordset(${JSON.stringify(codes)}::json) as row (code text, title text, billable boolean)`.execute(
      trx,
    );
  });
}

async function takeOver(
  { transaction, now }: Connection,
  system: string,
  edition: string,
  {
    source,
    year,
    codes,
  }: { readonly source: string; readonly year?: string | undefined; readonly codes: readonly Code[] },
): Promise<CodeSet> {
  const [total, billable] = [codes.length, codes.filter((one) => one.billable).length];
  const values = { edition, source, year: year ?? null, total, billable };
  const row = await transaction(async (trx) => {
    const stored = await trx
      .insertInto('code_sets')
      .values({ system, ...values, loaded_at: now() })
      .onConflict((conflict) => conflict.column('system').doUpdateSet({ ...values, loaded_at: now() }))
      .returning('loaded_at')
      .executeTakeFirstOrThrow();
    // Also deletes rows of an earlier load that was interrupted.
    await trx.deleteFrom('codes').where('edition', 'like', `${system}/%`).where('edition', '<>', edition).execute();
    return stored;
  });
  return { source, total, billable, loadedAt: iso(row.loaded_at), ...(year === undefined ? {} : { year }) };
}
