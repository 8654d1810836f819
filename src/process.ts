import { documentReference } from '../mappings/document-reference.ts';
import { mappings as allMappings } from '../mappings/index.ts';
import { task } from '../mappings/task.ts';
import { type Cases, createCases } from './cases/cases.ts';
import { createContext } from './cases/context.ts';
import type { Config, Site } from './config.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { loadOverlays } from './overlay/load-overlays.ts';
import type { Registry } from './overlay/registry.ts';
import { createServiceClient, type ServiceClient } from './service/client.ts';
import { createSmart, type Smart } from './smart/smart.ts';
import { openStore } from './store/open.ts';
import type { Store } from './store/types.ts';
import { createVault, type Vault } from './vault.ts';
import { queueCounts } from './work/lag.ts';
import { queues } from './work/queues.ts';
import { createWork, type Work } from './work/work.ts';

export interface ProcessOptions {
  readonly config: Config;
  readonly log: Log;
  /** The registry of mappings/index.ts by default. */
  readonly mappings?: Registry;
}

/** What every process of the bridge stands on, whether it shows pages or works on jobs. */
export interface Process {
  readonly config: Config;
  readonly mappings: Registry;
  readonly vault: Vault;
  readonly store: Store;
  readonly smart: Smart;
  readonly cases: Cases;
  readonly work: Work;
  readonly metrics: Metrics;
}

/**
 * Opens the store and puts everything together; nothing listens and no job runs yet. Throws config_invalid,
 * mapping_invalid, store_locked, store_newer, store_unavailable.
 */
export async function openProcess(options: ProcessOptions): Promise<Process> {
  const { log } = options;
  const { config, mappings } = withOverlays(options);
  const store = await openStore({ config, log, queues });
  const { clock } = store;
  const metrics = createMetrics({ cases: () => store.cases.counts(), queues: () => queueCounts(store) });
  const smart = createSmart({ config, store: store.launches, clock, log });
  const context = createContext({
    store,
    config,
    services: serviceClients(config, log, clock),
    access: (request) => smart.accessFor(request),
    mappings: { task, documentReference },
    clock,
    log,
    metrics,
  });
  return {
    config,
    mappings,
    vault: createVault(config.keys),
    store,
    smart,
    cases: createCases(context),
    work: createWork(context, { metrics, limits: config.jobs }),
    metrics,
  };
}

function serviceClients(config: Config, log: Log, clock: () => Date): (site: Site) => ServiceClient {
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
function withOverlays({ config, mappings = allMappings }: ProcessOptions): {
  readonly config: Config;
  readonly mappings: Registry;
} {
  const { sites, registry } = loadOverlays(mappings, config.sites);
  return { config: Object.freeze({ ...config, sites }), mappings: registry };
}

/** What is left is taken up by another process, or at the next start. */
export async function drain(stopped: Promise<boolean>, log: Log): Promise<void> {
  if (!(await stopped)) log.warn({}, 'stopped with jobs under way');
}

export async function isAnswering(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    () => false,
  );
}
