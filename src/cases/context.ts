import type { Clock, Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Config, Site } from '../config/config.ts';
import { BridgeError } from '../core/errors.ts';
import type { FhirApi } from '../core/fhir/api.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Store, StoredCase } from '../store/types.ts';
import { createRefusals, type Refusals } from '../writeback/create-refusals.ts';
import type { WritebackMappings } from '../writeback/delivery.ts';
import { follows, type LedgerEntry } from '../writeback/ledger.ts';
import { caseOf } from './assemble.ts';
import type { Case } from './case.ts';
import { createQueuedJobs, type QueuedJobs, withJobNotifications } from './queued.ts';
import { type TransitionFacts, type TransitionName, transition } from './transitions.ts';

/** Access to the EHR for one patient, or the reason to wait for it. */
export type EhrAccess =
  | { readonly api: FhirApi; readonly by: 'session' | 'system' | 'refresh' }
  | { readonly waiting: 'next-launch' };

export interface CaseContextOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'url' | 'sites' | 'pollSeconds' | 'letterDays'>;
  readonly services: (site: Site) => ServiceClient;
  /** The access that may write to a patient's chart now: `Smart.accessFor`. */
  readonly access: (request: {
    readonly site: Site;
    readonly patient: string;
    readonly launch?: string;
  }) => Promise<EhrAccess>;
  readonly mappings: WritebackMappings;
  /** The database's time if the store has a clock (`store.clock`). */
  readonly clock: Clock;
  /** Generates case ids; random UUIDs by default. */
  readonly uuid?: () => string;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, 'writeFailed'>;
}

export interface CaseContext extends CaseContextOptions {
  /** Notified of the queue of each job that is due now, once the job is committed. */
  readonly queued: QueuedJobs;
  /** The current time in the stored form: ISO 8601 in UTC. */
  readonly now: () => string;
  /** Throws site_gone for a site that is no longer configured. */
  readonly siteOf: (id: string) => Site;
  /** Operations that the EHR of a site refused although it advertises them. */
  readonly refusals: (site: string) => Refusals;
  /** Throws case_not_found. */
  readonly get: (id: string) => Promise<Case>;
  /** Applies one row of the transition table, in one transaction under the case's lock. */
  readonly change: <Name extends TransitionName>(id: string, name: Name, facts: TransitionFacts<Name>) => Promise<Case>;
  /**
   * Applies the transition `write` for one row of the ledger, without reading the content of the sent requests. Throws
   * store_unavailable when the ledger no longer has `before`.
   */
  readonly note: (id: string, row: LedgerEntry, before: LedgerEntry | undefined) => Promise<void>;
}

export function createContext(options: CaseContextOptions): CaseContext {
  const { config, clock } = options;
  const queued = createQueuedJobs();
  const store = withJobNotifications(options.store, queued);
  const refusals = new Map<string, Refusals>();
  return {
    ...options,
    store,
    queued,
    now: () => clock().toISOString(),
    siteOf(id) {
      const site = config.sites.find((each) => each.id === id);
      if (site === undefined) throw new BridgeError('site_gone', { site: id });
      return site;
    },
    refusals(site) {
      const known = refusals.get(site) ?? createRefusals(clock);
      refusals.set(site, known);
      return known;
    },
    get: async (id) => caseOf(found(await store.cases.find(id))),
    change: async (id, name, facts) =>
      caseOf(await store.cases.change(id, (stored, at) => transition(name, stored, facts, at))),
    async note(id, row, before) {
      const write = (stored: StoredCase, at: string) => {
        if (!follows(stored.writes, row, before))
          throw new BridgeError('store_unavailable', { case: id, reason: 'the ledger was changed meanwhile' });
        return transition('write', stored, { rows: [row] }, at);
      };
      await store.cases.change(id, write, { bodies: false });
    },
  };
}

function found(stored: StoredCase | undefined): StoredCase {
  if (stored === undefined) throw new BridgeError('case_not_found');
  return stored;
}
