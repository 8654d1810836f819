import { resolve } from 'node:path';
import { Kysely, PGliteDialect, PostgresDialect, sql, type Transaction } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Pool } from 'pg';
import { type ConstructorOptions, fromKysely, fromPglite, PgBoss } from 'pg-boss';
import type { Config } from '../config.ts';
import { BridgeError } from '../errors.ts';
import type { Log } from '../log.ts';
import { createVault, type Vault } from '../vault.ts';
import { openEmbedded } from './embedded.ts';
import { type Job, keyOf, queues } from './jobs.ts';
import { lockFolder } from './lock.ts';
import { type Database, migrations } from './schema.ts';

/**
 * The bridge's durable memory: tables, job queues and the vault that seals them. Any failure of the database is
 * `store_unavailable`.
 */
export interface Store {
  readonly vault: Vault;
  readonly boss: PgBoss;
  /** true when no other process can use this store. */
  readonly exclusive: boolean;
  read<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /**
   * All or nothing. `work` must use `trx` alone: the embedded store has one connection, so anything else would wait for
   * itself.
   */
  transaction<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** Queues jobs; with `trx` they exist only if it commits. */
  enqueue(jobs: readonly Job[], trx?: Transaction<Database>): Promise<void>;
  /** Waits for running jobs (10 s at most), then lets go of the database. */
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly config: Pick<Config, 'keys' | 'markKey' | 'dataDir'> & { readonly databaseUrl?: string };
  readonly log: Log;
  /** Schema of the tables; the job tables are in `<schema>_jobs`. */
  readonly schema?: string;
}

/**
 * Opens the store and brings its tables up to date. Throws `store_locked` when another process has the folder,
 * `store_unavailable` when the database cannot be used.
 */
export async function openStore({ config, log, schema = 'bridge' }: StoreOptions): Promise<Store> {
  const opened =
    config.databaseUrl === undefined ? await embedded(config.dataDir, schema) : postgres(config.databaseUrl, schema);
  try {
    return await prepare(opened, createVault(config.keys, config), schema, log);
  } catch (cause) {
    await opened.release();
    throw cause instanceof BridgeError ? cause : new BridgeError('store_unavailable', {}, { cause });
  }
}

interface Opened {
  readonly db: Kysely<Database>;
  readonly boss: PgBoss;
  readonly exclusive: boolean;
  release(): Promise<void>;
}

async function embedded(dataDir: string, schema: string): Promise<Opened> {
  const folder = resolve(dataDir);
  const lock = lockFolder(folder);
  try {
    const pglite = await openEmbedded(folder);
    return {
      db: new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) }),
      boss: new PgBoss({ ...bossOptions(schema), db: fromPglite(pglite), backend: 'pglite' }),
      exclusive: true,
      async release() {
        await pglite.close();
        lock.release();
      },
    };
  } catch (cause) {
    lock.release();
    throw new BridgeError('store_unavailable', { folder }, { cause });
  }
}

function postgres(connectionString: string, schema: string): Opened {
  const pool = new Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    boss: new PgBoss({ ...bossOptions(schema), connectionString, max: 5 }),
    exclusive: false,
    release: () => db.destroy(),
  };
}

function bossOptions(schema: string): ConstructorOptions {
  return { schema: `${schema}_jobs`, useListenNotify: true, schedule: false, registerInstance: false };
}

async function prepare(opened: Opened, vault: Vault, schema: string, log: Log): Promise<Store> {
  const { boss, exclusive } = opened;
  await migrate(opened.db, schema);
  boss.on('error', (error) => log.warn({ error: error.name }, 'job queue'));
  await boss.start();
  for (const queue of queues) await boss.createQueue(queue.name, queue);
  const db = opened.db.withSchema(schema);
  let closed = false;
  const available = async <T>(work: () => Promise<T>): Promise<T> => {
    // Asking a closed embedded database would wait forever.
    if (closed) throw new BridgeError('store_unavailable', { reason: 'closed' });
    return await inTime(work());
  };
  // Nobody else can hold one here: these are of a process that was killed.
  if (exclusive) await db.deleteFrom('leases').execute();
  return {
    vault,
    boss,
    exclusive,
    read: (work) => available(() => work(db)),
    transaction: (work) => available(() => opened.db.transaction().execute((trx) => work(trx.withSchema(schema)))),
    enqueue: (jobs, trx) => available(() => enqueue(boss, jobs, trx)),
    async close() {
      if (closed) return;
      await boss.stop({ graceful: true, timeout: 10_000 });
      closed = true;
      await opened.release();
    },
  };
}

async function migrate(db: Kysely<Database>, schema: string): Promise<void> {
  await sql`create schema if not exists ${sql.ref(schema)}`.execute(db);
  const scoped = Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      { up: (within: Kysely<unknown>) => up(within.withSchema(schema)) },
    ]),
  );
  const migrator = new Migrator({ db, provider: { getMigrations: async () => scoped }, migrationTableSchema: schema });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function enqueue(boss: PgBoss, jobs: readonly Job[], trx?: Transaction<Database>): Promise<void> {
  for (const job of jobs) {
    const after = job.afterSeconds ?? 0;
    await boss.send(job.queue, job.data, {
      singletonKey: keyOf(job),
      ...(after > 0 ? { startAfter: after } : {}),
      ...(trx === undefined ? {} : { db: fromKysely(trx) }),
    });
  }
}

const longestMs = 60_000;

/** The result, or `store_unavailable` when the database fails or does not answer in a minute. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new BridgeError('store_unavailable', { reason: 'timeout' })), longestMs);
  try {
    return await Promise.race([work, late]);
  } catch (cause) {
    throw cause instanceof BridgeError ? cause : new BridgeError('store_unavailable', {}, { cause });
  } finally {
    clearTimeout(timer);
  }
}
