import type { Config } from './config.ts';
import type { Clock, Log } from './log.ts';
import type { Mappings } from './web/deps.ts';

export interface BridgeOptions {
  readonly config: Config;
  readonly log: Log;
  readonly clock?: Clock;
  /** The registry of mappings/index.ts by default. */
  readonly mappings?: Mappings;
}

export interface Bridge {
  /** The address it listens on. */
  readonly url: string;
  /** Stops taking requests, waits for running work, closes the store. */
  close(): Promise<void>;
}

/** Store, SMART, cases and pages put together and listening on `config.host` and `config.port`. */
export declare function startBridge(options: BridgeOptions): Promise<Bridge>;
