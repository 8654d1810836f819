import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { BridgeError } from '../core/errors.ts';
import type { Database } from './schema.ts';

/** Access to the database, and its time, for all tables. Every database failure throws `store_unavailable`. */
export interface Connection {
  /** The schema of the bridge's tables. The tables of the queue library are in `<schema>_jobs`. */
  readonly schema: string;
  read<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /**
   * Commits everything that `work` does, or nothing. If the database rolls the transaction back in favor of another
   * one, `work` runs again, so it must not change anything outside the database. `work` must use only `trx`: the
   * embedded database has one connection, and any other query would wait forever.
   */
  transaction<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** The database's time as an SQL expression, in milliseconds. */
  readonly now: () => RawBuilder<string>;
  /** Makes every further query throw this error. */
  end(reason: BridgeError): void;
}

export interface ConnectionOptions {
  readonly schema: string;
  /** For tests: milliseconds by which the store's time is ahead of the database's. */
  readonly aheadMs?: () => number;
}

export function createConnection(db: Kysely<Database>, { schema, aheadMs = () => 0 }: ConnectionOptions): Connection {
  const scoped = db.withSchema(schema);
  let ended: BridgeError | undefined;
  const available = async <T>(work: () => Promise<T>): Promise<T> => {
    // A query to a closed embedded database would never return.
    if (ended !== undefined) throw ended;
    return await inTime(work());
  };
  return {
    schema,
    read: (work) => available(() => work(scoped)),
    transaction: (work) =>
      available(() => repeated(() => db.transaction().execute((trx) => work(trx.withSchema(schema))))),
    now: () => sql<string>`date_trunc('milliseconds', clock_timestamp() + ${aheadMs()} * interval '1 millisecond')`,
    end(reason) {
      ended ??= reason;
    },
  };
}

/** Returns the database's current time, in the form that columns store. */
export async function timeNow(connection: Connection, db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ at: Date }>`select ${connection.now()} as at`.execute(db);
  return iso(rows[0]?.at ?? new Date(Number.NaN));
}

export function iso(moment: Date | string): string {
  return new Date(moment).toISOString();
}

// Serialization failure and deadlock: the database rolled this transaction back in favor of another one.
const rolledBack = new Set(['40001', '40P01']);

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (tries === 5 || !rolledBack.has(sqlState(thrown))) throw thrown;
      await sleep(tries * 20);
    }
  }
}

function sqlState(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

const longestMs = 60_000;

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
