import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Bundle } from 'fhir/r4.js';
import type { Clock, Log } from '../log.ts';
import { ledgerFile, registeredClients } from './bridge.ts';
import type { SandboxEhr } from './ehr/index.ts';
import type { Orders } from './orders.ts';
import { ehrHost, reservePort } from './ports.ts';
import { callerOf, loadSecrets, newSecrets } from './secrets.ts';
import { type SandboxService, type ServiceSite, startSandboxService } from './service/index.ts';

interface AloneOptions {
  readonly port: number;
  /** Where it keeps what it holds over a restart; in memory only when absent. */
  readonly dataDir?: string;
  /** Forgets everything of earlier runs. */
  readonly reset?: boolean;
  readonly orders?: Orders;
  /** Folder for its ledger. */
  readonly ledgers?: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ServiceAlone {
  readonly service: SandboxService;
  readonly sites: readonly Required<ServiceSite>[];
}

/** The service alone, for a bridge that works with a real EHR. Throws port_busy. */
export async function startServiceAlone(
  options: AloneOptions & {
    /** Ids of the sites that call it. */
    readonly sites: readonly string[];
    /** Address of the bridge, where webhooks go. */
    readonly bridge: string;
    readonly speed?: number;
    readonly review?: 'auto' | 'wait';
  },
): Promise<ServiceAlone> {
  const { orders, ledgers, clock, log, speed, review, bridge } = options;
  const port = await reservePort(options.port);
  const folder = await folderOf(options, 'service.json');
  const secrets = folder === undefined ? await newSecrets() : await loadSecrets(join(folder, 'secrets.json'));
  const sites = options.sites.map((site) => callerOf(secrets, site, bridge));
  const service = await startSandboxService({
    host: ehrHost,
    port,
    sites,
    switches: orders?.service ?? [],
    clock,
    log,
    ...(folder === undefined ? {} : { dataFile: join(folder, 'service.json') }),
    ...(ledgers === undefined ? {} : { ledgerFile: ledgerFile(ledgers, 'service') }),
    ...(speed === undefined ? {} : { speed }),
    ...(review === undefined ? {} : { review }),
  });
  return { service, sites };
}

/** The EHR alone, for a bridge that is started otherwise. Throws port_busy. */
export async function startEhrAlone(
  options: AloneOptions & {
    readonly site: string;
    readonly bridge: string;
    readonly charts?: readonly Bundle[];
  },
): Promise<SandboxEhr> {
  const { orders, ledgers, clock, log, charts, bridge, site } = options;
  const port = await reservePort(options.port);
  const folder = await folderOf(options, 'ehr.json');
  // Loaded only here: the service alone runs without the FHIR server, which is not part of a production install.
  const { startSandboxEhr } = await import('./ehr/index.ts');
  return startSandboxEhr({
    host: ehrHost,
    port,
    launchUrl: `${bridge}/launch`,
    clients: registeredClients(bridge, site),
    switches: orders?.ehr ?? [],
    charts: charts ?? [],
    clock,
    log,
    ...(folder === undefined ? {} : { dataFile: join(folder, 'ehr.json') }),
    ...(ledgers === undefined ? {} : { ledgerFile: ledgerFile(ledgers, 'ehr') }),
  });
}

async function folderOf({ dataDir, reset }: AloneOptions, file: string): Promise<string | undefined> {
  if (dataDir === undefined) return undefined;
  const folder = resolve(dataDir);
  if (reset === true) await rm(join(folder, file), { force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
