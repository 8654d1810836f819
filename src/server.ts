import type { FastifyInstance } from 'fastify';
import { documentReference } from '../mappings/document-reference.ts';
import { mappings as allMappings } from '../mappings/index.ts';
import { task } from '../mappings/task.ts';
import { unread } from '../mappings/unread.ts';
import { buildApp } from './app.ts';
import { createCases } from './cases/cases.ts';
import { createLaunchStore } from './cases/launch-store.ts';
import { openStore } from './cases/store.ts';
import type { Config, Site } from './config.ts';
import { BridgeError } from './errors.ts';
import type { Clock, Log } from './log.ts';
import { loadOverlays } from './overlay/load-overlays.ts';
import type { Registry } from './overlay/registry.ts';
import { createServiceClient, type ServiceClient } from './service/client.ts';
import { createSmart, type Smart } from './smart/index.ts';

export interface BridgeOptions {
  readonly config: Config;
  readonly log: Log;
  readonly clock?: Clock;
  /** The registry of mappings/index.ts by default. */
  readonly mappings?: Registry;
}

export interface Bridge {
  /** The address that browsers use. */
  readonly url: string;
  /** Stops taking requests, waits for running work, closes the store. */
  close(): Promise<void>;
}

const purgeMilliseconds = 10 * 60_000;

/**
 * Store, SMART, cases and pages put together and listening on `config.host` and `config.port`. Throws config_invalid,
 * mapping_invalid, store_locked, store_unavailable, port_busy.
 */
export async function startBridge(options: BridgeOptions): Promise<Bridge> {
  const { log, clock = () => new Date() } = options;
  const { config, mappings } = withOverlays(options);
  const store = await openStore({ config, log });
  try {
    const smart = createSmart({ config, store: createLaunchStore(store), clock, log });
    const cases = createCases({
      store,
      config,
      services: serviceClients({ config, clock, log }),
      access: (request) => smart.accessFor(request),
      mappings: { task, documentReference },
      clock,
      log,
    });
    const state = { open: true };
    const app = await buildApp({
      config,
      vault: store.vault,
      smart,
      cases,
      mappings,
      unread,
      clock,
      log,
      ready: async () => state.open && isAnswering(cases.counts()),
    });
    await listen(app, config);
    await cases.start();
    const purging = purgeRegularly(smart, clock, log);
    return {
      url: config.url,
      async close() {
        state.open = false;
        clearInterval(purging);
        await app.close();
        await cases.stop();
        await store.close();
      },
    };
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

function serviceClients({
  config,
  clock,
  log,
}: {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}): (site: Site) => ServiceClient {
  const clients = new Map<string, ServiceClient>();
  return (site) => {
    const client =
      clients.get(site.id) ??
      createServiceClient({ url: site.service.url, token: () => config.secret(site.service.tokenEnv), clock, log });
    clients.set(site.id, client);
    return client;
  };
}

// A mistake in an overlay, or a misspelt mapping name, would otherwise wait for the first launch to show.
function withOverlays({ config, mappings = allMappings }: BridgeOptions): {
  readonly config: Config;
  readonly mappings: Registry;
} {
  const { sites, registry } = loadOverlays(mappings, config.sites);
  return { config: Object.freeze({ ...config, sites }), mappings: registry };
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new BridgeError('port_busy', { port, reason: code }, { cause });
  }
}

function purgeRegularly(smart: Smart, clock: Clock, log: Log): NodeJS.Timeout {
  const timer = setInterval(() => {
    smart.purge(clock()).then(
      (count) => log.debug({ count }, 'launches purged'),
      () => log.warn({}, 'launches could not be purged'),
    );
  }, purgeMilliseconds);
  return timer.unref();
}

async function isAnswering(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    () => false,
  );
}
