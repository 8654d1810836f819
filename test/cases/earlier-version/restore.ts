import { mkdirSync } from 'node:fs';
import { Kysely, PGliteDialect } from 'kysely';
import { fromPglite, PgBoss } from 'pg-boss';
import { migrate, steps } from '../../../src/store/migrations/index.ts';
import { startPglite } from '../../../src/store/pglite.ts';
import { createVault } from '../../../src/vault.ts';
import { type Dump, type Row, type Stored, storedTables } from './dump.ts';

/**
 * Makes the data folder that the earlier version left: the tables by its own migrations and no later one, its rows, its
 * waiting jobs.
 */
export async function restoreDataFolder(dump: Dump, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pglite = await startPglite(folder);
  await restoreTables(new Kysely<Record<Stored, Row>>({ dialect: new PGliteDialect({ pglite }) }), 'bridge', dump);
  const boss = new PgBoss({
    schema: 'bridge_jobs',
    useListenNotify: true,
    schedule: false,
    registerInstance: false,
    db: fromPglite(pglite),
    backend: 'pglite',
  });
  await boss.start();
  for (const queue of new Set(dump.jobs.map((job) => job.queue))) await boss.createQueue(queue, { policy: 'short' });
  for (const { queue, data } of dump.jobs) await boss.send(queue, data, { singletonKey: JSON.stringify(data) });
  await boss.stop({ graceful: false });
  await pglite.close();
}

/** The tables of an earlier version with their rows, in a schema of a database that has none yet. */
export async function restoreTables(
  db: Kysely<Record<Stored, Row>>,
  schema: string,
  { key, migrations, tables }: Pick<Dump, 'key' | 'migrations' | 'tables'>,
): Promise<void> {
  const only = Object.fromEntries(Object.entries(steps).filter(([name]) => migrations.includes(name)));
  await migrate(db, { schema, vault: createVault([key]), only });
  for (const table of storedTables)
    for (const row of tables[table]) await db.withSchema(schema).insertInto(table).values(row).execute();
}
