import { Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolConfig } from 'pg';
import { PgBoss } from 'pg-boss';
import type { Log } from '../base/log.ts';
import type { Engine } from './engine.ts';
import { createSessionLocks } from './locks.ts';
import { bossOptions } from './queue.ts';
import type { Database } from './schema.ts';

/** A PostgreSQL server that any number of processes may share. No connection is made before the first query. */
export function openPostgres(connectionString: string, schema: string, log: Log): Engine {
  const limits = { statement_timeout: 30_000, idle_in_transaction_session_timeout: 30_000 };
  const pool = poolOf({ connectionString, max: 10, ...limits });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const locks = createSessionLocks(connectionString, schema, log);
  return {
    db,
    async unhurried(work) {
      const slow = new Kysely<Database>({
        dialect: new PostgresDialect({ pool: poolOf({ connectionString, max: 2 }) }),
      });
      try {
        return await work(slow);
      } finally {
        await slow.destroy();
      }
    },
    boss: new PgBoss({
      ...bossOptions(schema),
      connectionString,
      application_name: 'prior-auth-bridge jobs',
      max: 5,
    }),
    exclusive: false,
    tidy: async () => {},
    exclusively: locks.exclusively,
    async release() {
      await locks.close();
      await db.destroy();
    },
  };
}

function poolOf(config: PoolConfig): Pool {
  const pool = new Pool({
    application_name: 'prior-auth-bridge',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...config,
  });
  // The pool replaces a broken connection, whose current query fails by itself. Without listeners on the pool (for idle
  // connections) and on each connection in use, the error event would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
