import { documentReference } from '../../mappings/document-reference.ts';
import { knowledge } from '../../mappings/drug-roles.ts';
import { mappings as allMappings } from '../../mappings/index.ts';
import { task } from '../../mappings/task.ts';
import type { Log } from '../base/log.ts';
import { createMetrics, type Metrics } from '../base/metrics.ts';
import { createOutgoing, type Outgoing } from '../base/outgoing.ts';
import { createVault, type Vault } from '../base/vault.ts';
import { type Cases, createCases } from '../cases/cases.ts';
import { createContext } from '../cases/context.ts';
import { createSiteTrends, type SiteTrends } from '../cases/recent-trends.ts';
import { queueCounts } from '../cases/work/lag.ts';
import { queues } from '../cases/work/queues.ts';
import { createWork, type Work } from '../cases/work/work.ts';
import { withOtherNames, worklistRules } from '../cases/worklist-entry.ts';
import type { Config, Site } from '../config/config.ts';
import { type LoadedOverlays, loadOverlays } from '../config/load-overlays.ts';
import { otherNames } from '../core/drug/other-names.ts';
import type { Registry } from '../core/overlay/registry.ts';
import { openTextCache } from '../core/text-cache.ts';
import { createSmart, type Smart } from '../ehr/smart/smart.ts';
import { createServiceClient, type ServiceClient, type ServiceClientOptions } from '../service/client.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/types.ts';

export interface ProcessOptions {
  readonly config: Config;
  readonly log: Log;
  /** The registry of mappings/index.ts by default. */
  readonly mappings?: Registry;
}

/** The mappings with the overlays and criteria of all sites. */
export type SiteRegistry = Registry & Pick<LoadedOverlays<Site>, 'criteria'>;

/** The common base of every bridge process, whether it serves pages or runs jobs. */
export interface Process {
  readonly config: Config;
  readonly mappings: SiteRegistry;
  readonly vault: Vault;
  readonly store: Store;
  readonly smart: Smart;
  readonly cases: Cases;
  readonly work: Work;
  readonly metrics: Metrics;
  readonly trends: SiteTrends;
  readonly outgoing: Outgoing;
  /**
   * Starts no more jobs and waits for running jobs, at most for the configured limit. Then cancels their requests to
   * EHRs and services, so that the jobs end.
   */
  drain(): Promise<void>;
}

/** Seconds to close the store after running work has ended. */
const lastSeconds = 10;

/**
 * Opens the store and assembles the process; nothing listens and no job runs yet. Throws config_invalid,
 * mapping_invalid, store_locked, store_older, store_newer, store_unavailable.
 */
export async function openProcess(options: ProcessOptions): Promise<Process> {
  const { log } = options;
  const { config, mappings } = withOverlays(options);
  // After a quick restart, the previous process may hold the store until its work has ended.
  const patienceMs = (config.drainSeconds + lastSeconds) * 1000;
  const worklist = withOtherNames(worklistRules, (text) => otherNames(text, knowledge));
  const store = await openStore({ config, log, queues, worklist, patienceMs });
  const { clock } = store;
  const trends = createSiteTrends({ store, clock });
  const metrics = createMetrics({
    cases: () => store.cases.counts(),
    queues: () => queueCounts(store),
    trends: () => trends.recent(config.sites),
  });
  const outgoing = createOutgoing();
  const texts = keepTexts();
  const smart = createSmart({ config, store: store.launches, clock, log, fetch: outgoing.fetch });
  const context = createContext({
    store,
    config,
    services: serviceClients(config, { log, clock, fetch: outgoing.fetch }),
    access: (request) => smart.accessFor(request),
    mappings: { task, documentReference },
    clock,
    log,
    metrics,
  });
  const work = createWork(context, { metrics, limits: config.jobs });
  return {
    config,
    mappings,
    vault: createVault(config.keys),
    store,
    smart,
    cases: createCases(context),
    work,
    metrics,
    trends,
    outgoing,
    async drain() {
      // Another process or the next start resumes unfinished jobs.
      if (!(await work.stop(config.drainSeconds, outgoing.giveUp))) log.warn({}, 'stopped with jobs under way');
      texts.close();
    },
  };
}

/** Caches what was read from chart texts, in memory and for a minute at most. */
function keepTexts(): { close(): void } {
  const texts = openTextCache();
  const timer = setInterval(() => texts.clear(), 60_000).unref();
  return {
    close() {
      clearInterval(timer);
      texts.close();
    },
  };
}

function serviceClients(
  config: Config,
  shared: Pick<ServiceClientOptions, 'log' | 'clock' | 'fetch'>,
): (site: Site) => ServiceClient {
  const clients = new Map<string, ServiceClient>();
  return (site) => {
    const client =
      clients.get(site.id) ??
      createServiceClient({
        url: site.service.url,
        profile: site.service.profile,
        token: () => config.secret(site.service.tokenEnv),
        ...shared,
      });
    clients.set(site.id, client);
    return client;
  };
}

// Overlays are loaded at start. Otherwise a mistake in one, or a misspelled mapping name, would show only at the first
// launch.
function withOverlays({ config, mappings = allMappings }: ProcessOptions): {
  readonly config: Config;
  readonly mappings: SiteRegistry;
} {
  const { sites, registry, criteria } = loadOverlays(mappings, config.sites);
  return { config: Object.freeze({ ...config, sites }), mappings: { ...registry, criteria } };
}

export async function isAnswering(question: Promise<unknown>): Promise<boolean> {
  return question.then(
    () => true,
    () => false,
  );
}
