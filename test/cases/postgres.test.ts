import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { test } from 'vitest';
import { openStore } from '../../src/cases/store.ts';
import { silentLog } from '../../src/log.ts';
import { newKey } from '../../src/vault.ts';
import { describeCases } from './behaviour.ts';

const databaseUrl = process.env.TEST_DATABASE_URL;

if (databaseUrl === undefined) {
  test.skip('cases on PostgreSQL: set TEST_DATABASE_URL to run', () => {});
} else {
  // A schema of its own, so that the suite can share a database, and takes it along at the end.
  const schema = `test_${randomBytes(6).toString('hex')}`;
  describeCases('cases on PostgreSQL', async () => {
    const store = await openStore({ config: { keys: [newKey()], dataDir: '', databaseUrl }, log: silentLog, schema });
    const close = store.close;
    return {
      ...store,
      async close() {
        await store.boss.stop({ graceful: true, timeout: 10_000 });
        for (const name of [schema, `${schema}_jobs`])
          await store.read((db) => sql`drop schema if exists ${sql.ref(name)} cascade`.execute(db));
        await close();
      },
    };
  });
}
