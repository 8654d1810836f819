import { mkdirSync } from 'node:fs';
import { Kysely, PGliteDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { fromPglite, PgBoss } from 'pg-boss';
import { openEmbedded } from '../../../src/cases/embedded.ts';
import { keyOf, queues } from '../../../src/cases/jobs.ts';
import { type Database, migrations } from '../../../src/cases/schema.ts';
import { type Dump, storedTables } from './dump.ts';

/**
 * Makes the data folder that the earlier version left: the tables by its own migrations and no later one, its rows, its
 * waiting jobs.
 */
export async function restoreDataFolder(dump: Dump, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pglite = await openEmbedded(folder);
  const db = new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) });
  await sql`create schema bridge`.execute(db);
  const known = Object.fromEntries(
    dump.migrations.map((name) => [
      name,
      { up: async (within: Kysely<unknown>) => migrations[name]?.up(within.withSchema('bridge')) },
    ]),
  );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => known },
    migrationTableSchema: 'bridge',
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  for (const table of storedTables)
    for (const row of dump.tables[table]) await db.withSchema('bridge').insertInto(table).values(row).execute();
  const boss = new PgBoss({
    schema: 'bridge_jobs',
    useListenNotify: true,
    schedule: false,
    registerInstance: false,
    db: fromPglite(pglite),
    backend: 'pglite',
  });
  await boss.start();
  for (const queue of queues) await boss.createQueue(queue.name, queue);
  for (const job of dump.jobs)
    await boss.send(job.queue, job.data, {
      singletonKey: keyOf(job),
      ...(job.afterSeconds === undefined ? {} : { startAfter: job.afterSeconds }),
    });
  await boss.stop({ graceful: false });
  await pglite.close();
}
