import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeError } from '../errors.ts';
import type { Store } from './store.ts';

/** Runs `work` alone for its name, in this process and across all processes that share the store. */
export type Exclusively = <T>(name: string, work: () => Promise<T>) => Promise<T>;

const leaseMs = 60_000;
const waitMs = 60_000;

/**
 * Leases in the store. A holder renews its lease while it works; the lease of a killed process is free after a minute.
 * Leases are about real time, whatever clock the cases are given. Throws `store_unavailable` when a name stays taken
 * for a minute.
 */
export function createLeases(store: Store): Exclusively {
  const queues = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = queues.get(name) ?? Promise.resolve();
    const turn = before.then(() => withLease(store, name, work));
    const settled = turn
      .catch(() => {})
      .then(() => {
        if (queues.get(name) === settled) queues.delete(name);
      });
    queues.set(name, settled);
    return turn;
  };
}

async function withLease<T>(store: Store, name: string, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID();
  await acquire(store, name, holder);
  const renewal = setInterval(() => void renew(store, name, holder), leaseMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    // A lease that cannot be given back ends by itself; the work is done all the same.
    await store
      .read((db) => db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute())
      .catch(() => {});
  }
}

async function acquire(store: Store, name: string, holder: string): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let pause = 20; !(await take(store, name, holder)); pause = Math.min(pause * 2, 500)) {
    if (Date.now() > deadline) throw new BridgeError('store_unavailable', { lease: name.split('|')[0] ?? name });
    await sleep(pause);
  }
}

async function take(store: Store, name: string, holder: string): Promise<boolean> {
  const now = Date.now();
  const row = { name, holder, until: new Date(now + leaseMs).toISOString() };
  const taken = await store.read((db) =>
    db
      .insertInto('leases')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(row).where('leases.until', '<', new Date(now).toISOString()),
      )
      .returning('name')
      .execute(),
  );
  return taken.length === 1;
}

async function renew(store: Store, name: string, holder: string): Promise<void> {
  const until = new Date(Date.now() + leaseMs).toISOString();
  // A renewal that fails is tried again before the lease ends.
  await store
    .read((db) =>
      db.updateTable('leases').set({ until }).where('name', '=', name).where('holder', '=', holder).execute(),
    )
    .catch(() => {});
}
