import type { Kysely } from 'kysely';
import type { Queue } from 'pg-boss';
import type { Log } from '../base/log.ts';
import { packageVersion } from '../base/package.ts';
import { createVault, type Vault } from '../base/vault.ts';
import type { Config } from '../config/config.ts';
import { asBridgeError, BridgeError } from '../core/errors.ts';
import { createDatabaseClock, type DatabaseClock } from './clock.ts';
import { createConnection } from './database.ts';
import type { Engine } from './engine.ts';
import { createMaintenance } from './maintenance.ts';
import { readMarkKey, writeMeta } from './meta.ts';
import { assertNotNewer, assertReleased, migrate, schemaVersion } from './migrations/index.ts';
import { openPglite } from './pglite.ts';
import { createAllowance } from './poll-slots.ts';
import { openPostgres } from './postgres.ts';
import { enqueue, listenForJobs, releaseJobs, startQueues } from './queue.ts';
import type { Database } from './schema.ts';
import { createSeals } from './seals.ts';
import { createAuditTable } from './tables/audit-table.ts';
import { createCaseTable } from './tables/case-table.ts';
import { createCodeTable } from './tables/code-table.ts';
import { createEffortTable } from './tables/effort-table.ts';
import { createLaunchTable } from './tables/launch-table.ts';
import { createQuestionTable } from './tables/question-table.ts';
import { createTrendTable } from './tables/trend-table.ts';
import { createUsedTable } from './tables/used-table.ts';
import { createViewTable } from './tables/view-table.ts';
import { createWebhookTable } from './tables/webhooks-table.ts';
import { createWorklistTable } from './tables/worklist-table.ts';
import type { Store, WorklistRules } from './types.ts';

export interface StoreOptions {
  readonly config: Pick<Config, 'keys' | 'dataDir'> & { readonly databaseUrl?: string };
  readonly log: Log;
  /** The schema of the tables. The job tables are in `<schema>_jobs`. */
  readonly schema?: string;
  readonly queues: readonly Queue[];
  /** Derives the worklist entry of a case. Without it, there is no worklist. See `WorklistRules`. */
  readonly worklist?: WorklistRules;
  /** Milliseconds to wait for a process that still holds the folder of the embedded store; 0 by default. */
  readonly patienceMs?: number;
  /** For tests: milliseconds by which the store's time is ahead of the database's. Delays of jobs ignore it. */
  readonly aheadMs?: () => number;
}

/**
 * Opens the store and migrates its tables: PostgreSQL if there is a `databaseUrl`, else the embedded database in
 * `dataDir`. Throws `store_locked` if another process holds the folder, `store_older` if no release made the store,
 * `store_newer` if a later version has used it, `store_unavailable` if the database cannot be used.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { config, log, schema = 'bridge', patienceMs = 0 } = options;
  const onWait = () => log.info({ seconds: patienceMs / 1000 }, 'another process still has the data folder; waiting');
  const engine =
    config.databaseUrl === undefined
      ? await openPglite(config.dataDir, schema, { patienceMs, onWait })
      : openPostgres(config.databaseUrl, schema, log);
  try {
    return await prepare(engine, schema, options);
  } catch (cause) {
    await engine.boss.stop({ graceful: false }).catch(() => {});
    await engine.release();
    throw cause instanceof BridgeError ? cause : new BridgeError('store_unavailable', {}, { cause });
  }
}

async function prepare(engine: Engine, schema: string, options: StoreOptions): Promise<Store> {
  const { config, log, queues, aheadMs = () => 0 } = options;
  const vault = createVault(config.keys);
  const markKey = await engine.unhurried((db) => upToDate(db, schema, vault));
  const { boss } = engine;
  await startQueues(boss, queues, log);
  if (engine.exclusive) await releaseJobs(engine.db, schema);
  const connection = createConnection(engine.db, { schema, aheadMs });
  const seals = createSeals(vault, markKey);
  const clock = createDatabaseClock(connection);
  await clock.measure();
  const queue = { boss, databaseMs: clock.now };
  const worklist = createWorklistTable({ connection, seals, log, rules: options.worklist });
  await worklist.fill();
  const within = { connection, seals, list: worklist.list, enqueue: enqueue.bind(undefined, queue) };
  const giveUp = (reason: BridgeError) => {
    connection.end(reason);
    // The jobs now belong to a newer version. Run here, they would fail until their retries are used up.
    void boss.stop({ graceful: false }).catch(() => {});
  };
  const watch = watchDatabase(clock, async () => await assertNotNewer(engine.db, schema), giveUp, log);
  const now = () => new Date(clock.now() + aheadMs());
  return {
    cases: createCaseTable(within),
    worklist: worklist.table,
    codes: createCodeTable(connection),
    used: createUsedTable(connection, seals),
    questions: createQuestionTable(connection, seals),
    views: createViewTable(connection, seals),
    trends: createTrendTable(connection, seals),
    effort: createEffortTable(connection),
    launches: createLaunchTable(connection, seals, engine.exclusively),
    webhooks: createWebhookTable(connection, seals, within.enqueue),
    allowance: createAllowance(connection),
    audit: createAuditTable(connection, seals, now),
    maintenance: createMaintenance(connection, seals, vault, engine.tidy),
    boss,
    mark: seals.mark,
    exclusive: engine.exclusive,
    exclusively: engine.exclusively,
    clock: now,
    enqueue: (jobs) => connection.transaction((trx) => within.enqueue(jobs, trx)),
    listen: async (onDue) => (engine.exclusive ? async () => {} : await listenForJobs(boss, schema, onDue, log)),
    close: once(async () => {
      clearInterval(watch);
      await boss.stop({ graceful: true, timeout: 10_000 });
      connection.end(new BridgeError('store_unavailable', { reason: 'closed' }));
      await engine.release();
    }),
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Migrates the tables and returns the key of marks. */
async function upToDate(db: Kysely<Database>, schema: string, vault: Vault): Promise<Buffer> {
  await assertReleased(db, schema);
  await assertNotNewer(db, schema);
  await migrate(db, { schema, vault });
  const scoped = db.withSchema(schema);
  await writeMeta(scoped, 'schema_version', schemaVersion);
  await writeMeta(scoped, 'app_version', packageVersion());
  return await readMarkKey(scoped, vault);
}

const minuteMs = 60_000;

/**
 * Every minute, measures the time again and checks whether a newer version has taken over the store. Then all further
 * queries fail.
 */
function watchDatabase(
  clock: DatabaseClock,
  assertOurs: () => Promise<void>,
  giveUp: (reason: BridgeError) => void,
  log: Log,
): NodeJS.Timeout {
  const look = async () => {
    try {
      await clock.measure();
      await assertOurs();
    } catch (thrown) {
      const error = asBridgeError(thrown);
      if (error.code === 'store_newer') giveUp(error);
      log.warn({ code: error.code }, 'the store');
    }
  };
  return setInterval(() => void look(), minuteMs).unref();
}
