import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { BridgeError } from '../../errors.ts';
import type { Vault } from '../../vault.ts';
import { start } from './0001-start.ts';
import { notArrived } from './0002-not-arrived.ts';
import { parts } from './0003-parts.ts';
import { audit } from './0004-audit.ts';
import { noDuplicateMark } from './0005-no-duplicate-mark.ts';
import { worklist } from './0006-worklist.ts';
import { codes } from './0008-codes.ts';
import { effort } from './0009-effort.ts';
import { tries } from './0010-tries.ts';
import { ehrSays } from './0011-ehr-says.ts';

/** `db` names the tables of the schema; the rest is for what the query builder cannot say and for sealed content. */
export type Step = (db: Kysely<unknown>, context: { readonly schema: string; readonly vault: Vault }) => Promise<void>;

/** Forward only, in this order; one that was released is never changed. */
export const steps: Readonly<Record<string, Step>> = {
  '0001_start': start,
  '0002_not_arrived': notArrived,
  '0003_parts': parts,
  '0004_audit': audit,
  '0005_no_duplicate_mark': noDuplicateMark,
  '0006_worklist': worklist,
  '0008_codes': codes,
  '0009_effort': effort,
  '0010_tries': tries,
  '0011_ehr_says': ehrSays,
};

/** The version of the tables that this code works with. */
export const schemaVersion: string = Object.keys(steps).at(-1) ?? '';

/**
 * Brings the tables up to date, all or nothing; processes that start at once wait for each other.
 * Throws `store_newer` when a later version has changed them already.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  { schema, vault, only = steps }: { readonly schema: string; readonly vault: Vault; readonly only?: typeof steps },
): Promise<void> {
  await sql`create schema if not exists ${sql.ref(schema)}`.execute(db);
  const scoped = Object.fromEntries(
    Object.entries(only).map(([name, step]): [string, Migration] => [
      name,
      { up: (within) => step(within.withSchema(schema), { schema, vault }) },
    ]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => scoped }, migrationTableSchema: schema });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** Throws `store_newer` when the tables were changed by a later version than this code. */
export async function assertNotNewer<Tables>(db: Kysely<Tables>, schema: string): Promise<void> {
  const { rows } = await sql<{ there: string | null }>`
    select to_regclass(${`"${schema}".kysely_migration`})::text as there`.execute(db);
  if (rows[0]?.there === null) return;
  const done = await sql<{ name: string }>`
    select name from ${sql.ref(`${schema}.kysely_migration`)} order by name`.execute(db);
  const unknown = done.rows.map(({ name }) => name).filter((name) => !(name in steps));
  const last = unknown.at(-1);
  if (last !== undefined) throw new BridgeError('store_newer', { schema: last, known: schemaVersion });
}
