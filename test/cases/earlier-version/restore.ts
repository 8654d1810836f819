import { mkdirSync } from 'node:fs';
import { Kysely, PGliteDialect } from 'kysely';
import { fromPglite, PgBoss } from 'pg-boss';
import { migrate, steps } from '../../../src/store/migrations/index.ts';
import { startPglite } from '../../../src/store/pglite.ts';
import { createVault } from '../../../src/vault.ts';
import { type EarlierTables, earlierKeyOf, earlierQueues } from './ca2e819.ts';
import { type Dump, storedTables } from './dump.ts';

/** Makes the data folder that the earlier version left: the tables by its own migrations and no later one, its rows, its waiting jobs. */
export async function restoreDataFolder(dump: Dump, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pglite = await startPglite(folder);
  const db = new Kysely<EarlierTables>({ dialect: new PGliteDialect({ pglite }) });
  const only = Object.fromEntries(Object.entries(steps).filter(([name]) => dump.migrations.includes(name)));
  await migrate(db, { schema: 'bridge', vault: createVault([dump.key]), only });
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
  for (const queue of earlierQueues) await boss.createQueue(queue.name, queue);
  for (const job of dump.jobs)
    await boss.send(job.queue, job.data, {
      singletonKey: earlierKeyOf(job),
      ...(job.afterSeconds === undefined ? {} : { startAfter: job.afterSeconds }),
    });
  await boss.stop({ graceful: false });
  await pglite.close();
}
