import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../base/log.ts';
import { BridgeError } from '../core/errors.ts';
import type { Exclusively, HeldLock } from './types.ts';

/** Locks for a database that only this process uses. */
export const localLocks = (): Exclusively => inTurn((_, work) => work({ assert() {} }));

export interface SessionLocks {
  readonly exclusively: Exclusively;
  close(): Promise<void>;
}

const waitMs = 60_000;

/**
 * PostgreSQL advisory locks, all held by one connection that does nothing else. Locks have no expiry time. If the
 * network fails, this process notices (10 s) before the server frees its locks (25 s). Throws `store_unavailable` if a
 * name stays locked for a minute.
 */
export function createSessionLocks(connectionString: string, schema: string, log: Log): SessionLocks {
  const connection = createLockConnection(connectionString, log);
  return {
    close: connection.close,
    exclusively: inTurn(async (name, work) => {
      const session = await acquire(connection, `${schema}|${name}`);
      try {
        return await work({
          assert() {
            if (session.isLost()) throw new BridgeError('store_unavailable', { lock: kindOf(name), reason: 'lost' });
          },
        });
      } finally {
        await release(session, `${schema}|${name}`);
      }
    }),
  };
}

/** Callers of this process with the same name run one after another. Only the first of them asks the database. */
function inTurn(alone: <T>(name: string, work: (held: HeldLock) => Promise<T>) => Promise<T>): Exclusively {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name) ?? Promise.resolve();
    const turn = before.then(() => alone(name, work));
    const settled: Promise<unknown> = turn
      .catch(() => {})
      .then(() => {
        if (last.get(name) === settled) last.delete(name);
      });
    last.set(name, settled);
    return turn;
  };
}

async function acquire(connection: LockConnection, name: string): Promise<Session> {
  const deadline = performance.now() + waitMs;
  for (let pause = 10; ; pause = Math.min(pause * 2, 250)) {
    const session = await connection.session();
    if (await take(session, name)) return session;
    if (performance.now() > deadline) throw new BridgeError('store_unavailable', { lock: kindOf(name) });
    await sleep(pause);
  }
}

async function take({ ask }: Session, name: string): Promise<boolean> {
  try {
    return await ask('pg_try_advisory_lock(hashtextextended($1, 0))', [name]);
  } catch {
    // The connection broke. The next attempt opens a new one.
    return false;
  }
}

async function release({ ask, isLost }: Session, name: string): Promise<void> {
  // If the connection has ended, its locks are already free.
  if (!isLost()) await ask('pg_advisory_unlock(hashtextextended($1, 0))', [name]).catch(() => {});
}

// A name such as `case|<id>` has an id, which must not appear in errors.
function kindOf(name: string): string {
  return name.split('|').at(-2) ?? '';
}

interface Session {
  /** Evaluates a boolean SQL expression. Calls run one after another. */
  readonly ask: (expression: string, values?: readonly string[]) => Promise<boolean>;
  readonly isLost: () => boolean;
  readonly end: () => Promise<void>;
}

interface LockConnection {
  /** Returns the current connection, or a new one if it broke. */
  session(): Promise<Session>;
  close(): Promise<void>;
}

const beatMs = 5_000;

function createLockConnection(connectionString: string, log: Log): LockConnection {
  let current: Promise<Session> | undefined;
  let closed = false;
  const forget = () => {
    current = undefined;
  };
  return {
    async session() {
      if (closed) throw new BridgeError('store_unavailable', { reason: 'closed' });
      current ??= connect(connectionString, log, forget);
      try {
        return await current;
      } catch (cause) {
        forget();
        throw new BridgeError('store_unavailable', {}, { cause });
      }
    },
    async close() {
      closed = true;
      const session = await current?.catch(() => undefined);
      await session?.end();
    },
  };
}

async function connect(connectionString: string, log: Log, onLost: () => void): Promise<Session> {
  const client = new Client({
    connectionString,
    application_name: 'prior-auth-bridge locks',
    connectionTimeoutMillis: 10_000,
    query_timeout: beatMs,
    keepAlive: true,
    // The server drops an unreachable machine after 25 s. This process notices after at most 10 s, so it stops before
    // the server frees its locks.
    options: '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3',
  });
  let lost = false;
  const end = async () => {
    lost = true;
    clearInterval(beat);
    await client.end().catch(() => {});
  };
  const lose = () => {
    if (lost) return;
    log.warn({}, 'the connection of locks broke');
    onLost();
    void end();
  };
  client.on('error', lose);
  client.on('end', lose);
  let last: Promise<unknown> = Promise.resolve();
  const ask: Session['ask'] = (expression, values = []) => {
    const asked = last.then(() => client.query<{ is: boolean }>(`select ${expression} as "is"`, [...values]));
    last = asked.catch(() => {});
    return asked.then(({ rows }) => rows[0]?.is === true);
  };
  const beat = setInterval(() => void ask('true').catch(lose), beatMs).unref();
  try {
    await client.connect();
  } catch (thrown) {
    clearInterval(beat);
    throw thrown;
  }
  return { ask, isLost: () => lost, end };
}
