import { randomBytes } from 'node:crypto';
import type { Queue } from 'pg-boss';
import { type Log, silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store, WorklistRules } from '../../src/store/types.ts';
import { storeFolder } from '../support/embedded.ts';
import { type Cluster, installedPostgres, startCluster } from '../support/postgres.ts';

export const queues: readonly Queue[] = [
  { name: 'look', policy: 'short', notify: true, retryLimit: 0 },
  { name: 'deliver', policy: 'short', notify: false, retryLimit: 0 },
];

export interface OpenOptions {
  readonly keys?: readonly string[];
  readonly aheadMs?: () => number;
  readonly log?: Log;
  readonly worklist?: WorklistRules;
  /** Two of no use to anyone when left out. */
  readonly queues?: readonly Queue[];
}

/** A database for the stores of one suite, which takes everything along when it is closed. */
export interface Backend {
  /** Several may be open at once on PostgreSQL, one at a time on the embedded database. */
  open(options?: OpenOptions): Promise<Store>;
  /** `bridge` or one of its own. */
  readonly schema: string;
  /** What it is opened with when nothing else is said. */
  readonly key: string;
  close(): Promise<void>;
}

export interface PostgresBackend extends Backend {
  readonly databaseUrl: string;
  /** Absent when the database is one that was named. */
  readonly cluster?: Cluster;
}

export async function pgliteBackend(): Promise<Backend> {
  const folder = await storeFolder('store');
  const key = newKey();
  return {
    schema: 'bridge',
    key,
    open: ({ keys = [key], log = silentLog, ...options } = {}) =>
      openStore({ config: { keys, dataDir: folder.path }, log, queues, ...options }),
    close: async () => folder.remove(),
  };
}

/** How PostgreSQL is reached here: a database that is named, or one of its own; else why there is none. */
export const postgres: { readonly title: string } | { readonly missing: string } = findPostgres();

function findPostgres(): typeof postgres {
  if (process.env.TEST_DATABASE_URL !== undefined) return { title: 'PostgreSQL of TEST_DATABASE_URL' };
  const bin = installedPostgres();
  return bin === undefined
    ? { missing: 'PostgreSQL is not installed, and TEST_DATABASE_URL is not set' }
    : { title: `PostgreSQL ${/(\d+)\/bin$/.exec(bin)?.[1]} in a cluster of its own` };
}

export async function postgresBackend(): Promise<PostgresBackend> {
  const given = process.env.TEST_DATABASE_URL;
  const cluster = given === undefined ? await startCluster() : undefined;
  const databaseUrl = given ?? cluster?.url ?? '';
  // A schema of its own, so that the suite can share a database.
  const schema = `test_${randomBytes(6).toString('hex')}`;
  const key = newKey();
  const open: Backend['open'] = ({ keys = [key], log = silentLog, ...options } = {}) =>
    openStore({ config: { keys, dataDir: '', databaseUrl }, log, queues, schema, ...options });
  return {
    schema,
    key,
    databaseUrl,
    ...(cluster === undefined ? {} : { cluster }),
    open,
    async close() {
      if (cluster !== undefined) return cluster.remove();
      const store = await open();
      await sqlOf(store)(`drop schema "${schema}" cascade; drop schema "${schema}_jobs" cascade`).finally(() =>
        store.close().catch(() => {}),
      );
    },
  };
}

/** Statements past the store, for what a test looks at. */
export function sqlOf(store: Store): (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]> {
  return async (text, values) => (await store.boss.getDb().executeSql(text, values)).rows;
}

/**
 * Removes every case with its jobs. Without it the jobs of a clinic take up what all tests before it have left, and the
 * last test of a long suite does the work of all others once more.
 */
export async function removeCases(store: Store, { schema }: Pick<Backend, 'schema'>): Promise<void> {
  const sql = sqlOf(store);
  await sql(`delete from "${schema}".cases`);
  await sql(`delete from "${schema}_jobs".job`);
}
