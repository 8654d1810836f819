import type { Config, Site } from '../config.ts';
import { BridgeError } from '../errors.ts';
import type { FhirApi } from '../fhir/api.ts';
import type { Clock, Log } from '../log.ts';
import type { ServiceClient } from '../service/client.ts';
import type { WritebackMappings } from '../writeback/delivery.ts';
import { type Allowance, createAllowance } from './allowance.ts';
import { createLeases, type Exclusively } from './leases.ts';
import { type CaseRows, createCaseRows } from './rows.ts';
import type { Store } from './store.ts';

/** Access to the EHR for one patient, or what it waits for. */
export type EhrAccess =
  | { readonly api: FhirApi; readonly by: 'session' | 'system' | 'refresh' }
  | { readonly waiting: 'next-launch' };

export interface CasesOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'url' | 'sites' | 'pollSeconds'>;
  readonly services: (site: Site) => ServiceClient;
  /** Whose token may write to a patient's chart now: `Smart.accessFor`. */
  readonly access: (request: {
    readonly site: Site;
    readonly patient: string;
    readonly launch?: string;
  }) => Promise<EhrAccess>;
  readonly mappings: WritebackMappings;
  readonly clock: Clock;
  /** Makes case ids; random UUIDs when left out. */
  readonly uuid?: () => string;
  readonly log: Log;
}

/** What the parts of cases/ share. */
export interface Room extends CasesOptions {
  readonly rows: CaseRows;
  readonly allowance: Allowance;
  readonly exclusively: Exclusively;
  /** The time as it is stored: ISO 8601 in UTC. */
  readonly now: () => string;
  /** Throws config_invalid for a site that is no longer configured. */
  readonly siteOf: (id: string) => Site;
  /** By site: what its EHR refused although it advertises it; remembered for an hour. */
  readonly refused: (site: string) => Map<string, string>;
}

const rememberMs = 3_600_000;

export function createRoom(options: CasesOptions): Room {
  const refused = new Map<string, { readonly since: number; readonly types: Map<string, string> }>();
  return {
    ...options,
    rows: createCaseRows(options.store),
    allowance: createAllowance(options.store, options.clock),
    exclusively: createLeases(options.store),
    now: () => options.clock().toISOString(),
    siteOf(id) {
      const site = options.config.sites.find((each) => each.id === id);
      if (site === undefined) throw new BridgeError('config_invalid', { site: id });
      return site;
    },
    refused(site) {
      const now = options.clock().getTime();
      const known = refused.get(site);
      if (known !== undefined && now - known.since < rememberMs) return known.types;
      const types = new Map<string, string>();
      refused.set(site, { since: now, types });
      return types;
    },
  };
}
