import type { Config, Site } from '../config.ts';
import type { Clock, Log } from '../log.ts';
import type { Discovery } from './discovery.ts';
import type { Keyring } from './keys.ts';
import type { Limits } from './limits.ts';
import type { LaunchStore } from './store.ts';

/** What every file of this room works with; made once by `createSmart`. */
export interface Room {
  readonly config: Config;
  readonly store: LaunchStore;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: (bytes: number) => Uint8Array;
  readonly log: Log;
  readonly limits: Limits;
  readonly keys: Keyring;
  readonly discover: (site: Site) => Promise<Discovery>;
}
