import { sql } from 'kysely';
import type { Vault } from '../base/vault.ts';
import { type Connection, timeNow } from './database.ts';
import type { Seals } from './seals.ts';
import { appendAudit } from './tables/audit-table.ts';
import { submissionAbout, writeAbout } from './tables/case-rows.ts';
import { questionAbout } from './tables/question-table.ts';
import { usedAbout } from './tables/used-table.ts';
import { viewAbout } from './tables/view-table.ts';

/** A table with sealed text: its key columns, and the context to which its texts are bound. */
interface SealedTable {
  readonly name: string;
  readonly column: string;
  readonly key: readonly string[];
  readonly about: (...key: string[]) => string;
}

const tables: readonly SealedTable[] = [
  {
    name: 'parts',
    column: 'sealed',
    key: ['case_id', 'part'],
    about: (id, part) => `case|${id}|${part}`,
  },
  {
    name: 'submissions',
    column: 'sealed',
    key: ['case_id', 'attempt'],
    about: (id = '', attempt) => submissionAbout(id, Number(attempt)),
  },
  {
    name: 'writes',
    column: 'says',
    key: ['case_id', 'what', 'version'],
    about: (id = '', what = '', version = '') => writeAbout(id, what, version),
  },
  { name: 'files', column: 'sealed', key: ['case_id', 'name'], about: (id, name) => `file|${id}|${name}` },
  { name: 'webhooks', column: 'sealed', key: ['key'], about: (key) => `webhook|${key}` },
  { name: 'worklist', column: 'sealed', key: ['case_id'], about: (id) => `worklist|${id}` },
  { name: 'staff', column: 'sealed', key: ['site', 'person'], about: (site, person) => `staff|${site}|${person}` },
  {
    name: 'used',
    column: 'sealed',
    key: ['site', 'what', 'mark'],
    about: (site = '', what = '', mark = '') => usedAbout(site, what, mark),
  },
  {
    name: 'kept_questions',
    column: 'sealed',
    key: ['case_id', 'round', 'about'],
    about: (id = '', round = '', about = '') => questionAbout(id, round, about),
  },
  {
    name: 'saved_views',
    column: 'sealed',
    key: ['site', 'person', 'mark'],
    about: (site = '', person = '', mark = '') => viewAbout(site, person, mark),
  },
  { name: 'launches', column: 'sealed', key: ['id'], about: (id) => `launch|${id}` },
];

// Rows. Each text may have megabytes.
const batch = 20;

/** Implements `Maintenance.rekey`. Changes one row at a time, so that running processes never wait for it. */
export async function rekey(
  connection: Connection,
  seals: Seals,
  vault: Vault,
): Promise<{ sealed: number; unreadable: number }> {
  const total = { sealed: 0, unreadable: 0 };
  for (const table of tables) {
    const done = await rekeyTable(connection, vault, table);
    total.sealed += done.sealed;
    total.unreadable += done.unreadable;
  }
  total.sealed += await rekeyMeta(connection, vault);
  await connection.transaction(async (trx) =>
    appendAudit(trx, seals, await timeNow(connection, trx), [
      { site: '', action: 'rekeyed', actor: 'operator', facts: { ...total } },
    ]),
  );
  return total;
}

async function rekeyTable(
  connection: Connection,
  vault: Vault,
  table: SealedTable,
): Promise<{ sealed: number; unreadable: number }> {
  const done = { sealed: 0, unreadable: 0 };
  for (let after: readonly string[] | undefined; ; ) {
    const rows = await olderRows(connection, vault, table, after);
    for (const { key, sealed } of rows) {
      const isDone = await rekeyRow(connection, vault, table, key, sealed);
      done[isDone ? 'sealed' : 'unreadable'] += 1;
    }
    after = rows.at(-1)?.key;
    if (after === undefined) return done;
  }
}

interface OlderRow {
  /** Text values, in the order of `SealedTable.key`. */
  readonly key: readonly string[];
  readonly sealed: string;
}

/** Returns the next rows, in key order, that are not sealed under the first key. */
async function olderRows(
  { read, schema }: Connection,
  { sealsAs }: Vault,
  { name, column, key }: SealedTable,
  after: readonly string[] | undefined,
): Promise<readonly OlderRow[]> {
  const keys = sql.join(key.map((part) => sql`${sql.ref(part)}::text`));
  const beyond =
    after === undefined ? sql`true` : sql`row(${keys}) > row(${sql.join(after.map((value) => sql`${value}::text`))})`;
  return await read(async (db) => {
    const { rows } = await sql<OlderRow>`
      select json_build_array(${keys}) as key, ${sql.ref(column)} as sealed
      from ${sql.table(`${schema}.${name}`)}
      where substr(${sql.ref(column)}, 1, ${sealsAs.length}) <> ${sealsAs} and ${beyond}
      order by ${keys} limit ${batch}`.execute(db);
    return rows;
  });
}

/** Returns false if no key opens the text. A text that another process replaced in the meantime is left unchanged. */
async function rekeyRow(
  { read, schema }: Connection,
  vault: Vault,
  { name, column, key, about }: SealedTable,
  values: readonly string[],
  sealed: string,
): Promise<boolean> {
  const plain = tryOpen(vault, sealed, about(...values));
  if (plain === undefined) return false;
  const isRow = sql.join(
    key.map((part, index) => sql`${sql.ref(part)}::text = ${values[index]}`),
    sql` and `,
  );
  await read((db) =>
    sql`update ${sql.table(`${schema}.${name}`)} set ${sql.ref(column)} = ${vault.seal(plain, about(...values))}
      where ${isRow} and ${sql.ref(column)} = ${sealed}`.execute(db),
  );
  return true;
}

async function rekeyMeta({ transaction }: Connection, vault: Vault): Promise<number> {
  return await transaction(async (trx) => {
    const row = await trx.selectFrom('meta').select('value').where('name', '=', 'mark_key').executeTakeFirstOrThrow();
    if (row.value.startsWith(vault.sealsAs)) return 0;
    const value = vault.seal(vault.open(row.value, 'meta|mark_key'), 'meta|mark_key');
    await trx.updateTable('meta').set({ value }).where('name', '=', 'mark_key').execute();
    return 1;
  });
}

function tryOpen(vault: Vault, sealed: string, about: string): string | undefined {
  try {
    return vault.open(sealed, about);
  } catch {
    return undefined;
  }
}
