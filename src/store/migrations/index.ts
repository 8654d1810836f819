import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Vault } from '../../base/vault.ts';
import { BridgeError } from '../../core/errors.ts';
import { start } from './0001-start.ts';
import { keptQuestions } from './0002-kept-questions.ts';
import { savedViews } from './0003-saved-views.ts';
import { renewals } from './0004-renewals.ts';

/** `db` uses the schema; `context` is for raw SQL and for sealed content. */
export type SchemaStep = (
  db: Kysely<unknown>,
  context: { readonly schema: string; readonly vault: Vault },
) => Promise<void>;

/**
 * Migrations run in this order, only forward, and keep all data. A released migration is never changed. The first is
 * named after its release, since earlier builds had another `0001_start`.
 */
export const migrations: Readonly<Record<string, SchemaStep>> = {
  '0001_start_of_0_1_0': start,
  '0002_kept_questions': keptQuestions,
  '0003_saved_views': savedViews,
  '0004_renewals': renewals,
};

const [firstStep = ''] = Object.keys(migrations);

/** The schema version that this code works with. */
export const schemaVersion: string = Object.keys(migrations).at(-1) ?? '';

/**
 * Migrates the tables to the current version, in one transaction. Processes that start at the same time wait for each
 * other.
 */
export async function migrate<Tables>(
  db: Kysely<Tables>,
  {
    schema,
    vault,
    wanted = migrations,
  }: { readonly schema: string; readonly vault: Vault; readonly wanted?: Readonly<Record<string, SchemaStep>> },
): Promise<void> {
  await createSchema(db, schema);
  const scoped = Object.fromEntries(
    Object.entries(wanted).map(([name, step]): [string, Migration] => [
      name,
      { up: (within) => step(within.withSchema(schema), { schema, vault }) },
    ]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => scoped }, migrationTableSchema: schema });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

// If several processes start at once and find no schema, PostgreSQL refuses all but one of them (`unique_violation`).
async function createSchema<Tables>(db: Kysely<Tables>, schema: string): Promise<void> {
  try {
    await sql`create schema if not exists ${sql.ref(schema)}`.execute(db);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
  }
}

/** Throws `store_older` if the schema has tables that no release made. */
export async function assertReleased<Tables>(db: Kysely<Tables>, schema: string): Promise<void> {
  // Tables are read before names: another process that starts commits its tables together with the name of its
  // migration.
  const tables = await tablesOf(db, schema);
  const done = await migrationsOf(db, schema);
  if (tables.length === 0 && done.length === 0) return;
  if (!done.includes(firstStep)) throw new BridgeError('store_older', { schema, found: done.at(-1) ?? 'none' });
}

/** Throws `store_newer` if a later version has changed the tables. */
export async function assertNotNewer<Tables>(db: Kysely<Tables>, schema: string): Promise<void> {
  const last = (await migrationsOf(db, schema)).findLast((name) => !(name in migrations));
  if (last !== undefined) throw new BridgeError('store_newer', { schema: last, known: schemaVersion });
}

/** The bridge's own tables. kysely creates two tables of its own before the first migration. */
async function tablesOf<Tables>(db: Kysely<Tables>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = ${schema} and tablename not in ('kysely_migration', 'kysely_migration_lock')`.execute(db);
  return rows.map(({ name }) => name);
}

/** The names of the completed migrations, in order. */
async function migrationsOf<Tables>(db: Kysely<Tables>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ there: string | null }>`
    select to_regclass(${`"${schema}".kysely_migration`})::text as there`.execute(db);
  if (rows[0]?.there === null) return [];
  const done = await sql<{ name: string }>`
    select name from ${sql.ref(`${schema}.kysely_migration`)} order by name`.execute(db);
  return done.rows.map(({ name }) => name);
}
