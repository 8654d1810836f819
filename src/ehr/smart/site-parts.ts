import { randomBytes } from 'node:crypto';
import type { Clock, Log } from '../../base/log.ts';
import type { Config } from '../../config/config.ts';
import { createDiscovery } from './discovery.ts';
import { createKeyring } from './keys.ts';
import { defaultLimits, type Limits, type SiteParts } from './types.ts';

export interface SitePartsOptions {
  readonly config: Config;
  readonly fetch?: typeof globalThis.fetch;
  readonly clock: Clock;
  /** Returns random bytes; `crypto.randomBytes` by default. */
  readonly random?: (bytes: number) => Uint8Array;
  readonly log: Log;
  readonly limits?: Partial<Limits>;
}

/** Throws config_invalid if the signing keys cannot be read. */
export function makeSiteParts({
  config,
  clock,
  log,
  fetch = globalThis.fetch,
  random = randomBytes,
  limits: given,
}: SitePartsOptions): SiteParts {
  const limits = { ...defaultLimits, ...given };
  return {
    config,
    clock,
    log,
    fetch,
    random,
    limits,
    keys: createKeyring(config.jwks),
    discover: createDiscovery({ clock, limits }),
  };
}
