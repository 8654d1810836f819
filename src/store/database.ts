import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { BridgeError } from '../core/errors.ts';
import type { Database } from './schema.ts';

/**
 * What all tables share: access to the database, and its time. Every database failure is reported as
 * `store_unavailable`.
 */
export interface Connection {
  /** The schema of the bridge's tables; those of the queue library are in `<schema>_jobs`. */
  readonly schema: string;
  read<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  /**
   * Commits everything or nothing. The transaction runs again if the database rolled it back in favor of another, so
   * `work` must not change anything outside. `work` must use only `trx`: the embedded database has one connection and
   * would wait for itself.
   */
  transaction<T>(work: (trx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** The database's time as an SQL expression, to the millisecond. */
  readonly now: () => RawBuilder<string>;
  /** From now on every query throws this error. */
  end(reason: BridgeError): void;
}

export interface ConnectionOptions {
  readonly schema: string;
  /** For tests: the number of milliseconds that the store's time is ahead of the database's. */
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

/** The database's current time, in the form written to columns. */
export async function timeNow(connection: Connection, db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ at: Date }>`select ${connection.now()} as at`.execute(db);
  return iso(rows[0]?.at ?? new Date(Number.NaN));
}

export function iso(moment: Date | string): string {
  return new Date(moment).toISOString();
}

// Serialization failure and deadlock: the database rolled back one of two transactions.
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
