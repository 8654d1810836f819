import { InvalidArgumentError } from 'commander';
import { createLog } from '../base/log.ts';
import { loadConfig } from '../config/config.ts';
import type { Store } from '../store/types.ts';
import type { Io } from './io.ts';

/**
 * Runs `work` with the configured store, then closes the store. Throws config_invalid, store_locked, store_older,
 * store_newer, store_unavailable.
 */
export async function withStore<T>(io: Io, work: (store: Store, sites: readonly string[]) => Promise<T>): Promise<T> {
  const config = loadConfig(io.env);
  // Loaded only here, since the other commands start faster without it.
  const { openStore } = await import('../store/open.ts');
  const log = createLog({ output: io.stderr, level: 'error', clock: io.clock });
  const store = await openStore({ config, log, queues: [] });
  try {
    return await work(
      store,
      config.sites.map(({ id }) => id),
    );
  } finally {
    await store.close();
  }
}

/**
 * Parses a patient for commander: `123` and `Patient/123` return `Patient/123`. Refuses anything else, which would
 * match no patient.
 */
export function patientArgument(text: string): string {
  const id = /^(?:Patient\/)?([A-Za-z0-9.-]{1,64})$/.exec(text)?.[1];
  if (id === undefined) throw new InvalidArgumentError('It is not a patient of the site’s EHR, such as Patient/123.');
  return `Patient/${id}`;
}

/** Added to the help of every command that opens the store. */
export const storeHelp = `
The store is found as serve finds it: BRIDGE_SITES, BRIDGE_KEYS, BRIDGE_URL, and BRIDGE_DATA or DATABASE_URL. Over
PostgreSQL it may run while the bridge runs; the embedded store belongs to one process, so the bridge must be stopped
for it.`;
