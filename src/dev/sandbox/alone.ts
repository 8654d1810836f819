import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Bundle } from 'fhir/r4.js';
import type { Clock, Log } from '../../base/log.ts';
import type { Profile } from '../../core/contract/profile.ts';
import { hasSecret, ledgerFile, registeredClients } from './bridge.ts';
import type { SandboxEhr } from './ehr/index.ts';
import type { ProductId } from './ehr/products.ts';
import type { Orders } from './orders.ts';
import { ehrHost, reservePort } from './ports.ts';
import { callerOf, clientSecretOf, loadSecrets, newSecrets } from './secrets.ts';
import { type SandboxService, startSandboxService } from './service/index.ts';

interface AloneOptions {
  readonly port: number;
  /** The folder for state across restarts. Without it, the state is only in memory. */
  readonly dataDir?: string;
  readonly reset?: boolean;
  readonly orders?: Orders;
  /** The folder for the ledger. */
  readonly ledgers?: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface ServiceAlone {
  readonly service: SandboxService;
  readonly sites: readonly ReturnType<typeof callerOf>[];
}

/** Starts only the service, for a bridge that works with a real EHR. Throws port_busy. */
export async function startServiceAlone(
  options: AloneOptions & {
    /** Ids of the sites that call the service. */
    readonly sites: readonly string[];
    /** The bridge's URL, to which webhooks are sent. */
    readonly bridge: string;
    /** The profile of the sites; `documented` by default. */
    readonly profile?: Profile;
    readonly speed?: number;
    readonly review?: 'auto' | 'wait';
  },
): Promise<ServiceAlone> {
  const { orders, ledgers, clock, log, speed, review, bridge, profile = 'documented' } = options;
  const port = await reservePort(options.port);
  const folder = await folderOf(options, 'service.json');
  const secrets = folder === undefined ? await newSecrets() : await loadSecrets(join(folder, 'secrets.json'));
  const sites = options.sites.map((site) => callerOf(secrets, { site, profile, bridge }));
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

export interface EhrAlone {
  readonly ehr: SandboxEhr;
  /** The client secret of the bridge, for a product whose apps use no signatures. */
  readonly secret?: string;
}

/** Starts only the EHR, for a bridge that is started separately. Throws port_busy. */
export async function startEhrAlone(
  options: AloneOptions & {
    readonly site: string;
    readonly bridge: string;
    readonly charts?: readonly Bundle[];
    /** The EHR product to imitate. */
    readonly product?: ProductId;
  },
): Promise<EhrAlone> {
  const { orders, ledgers, clock, log, charts, bridge, site, product } = options;
  const port = await reservePort(options.port);
  const folder = await folderOf(options, 'ehr.json');
  const secrets = folder === undefined ? await newSecrets() : await loadSecrets(join(folder, 'secrets.json'));
  const secret = hasSecret(product) ? clientSecretOf(secrets) : undefined;
  // Loaded only here: the service alone needs no FHIR server, which a production install lacks.
  const { startSandboxEhr } = await import('./ehr/index.ts');
  const ehr = await startSandboxEhr({
    host: ehrHost,
    product,
    port,
    launchUrl: `${bridge}/launch`,
    clients: registeredClients(bridge, site, secret),
    switches: orders?.ehr ?? [],
    charts: charts ?? [],
    clock,
    log,
    ...(folder === undefined ? {} : { dataFile: join(folder, 'ehr.json') }),
    ...(ledgers === undefined ? {} : { ledgerFile: ledgerFile(ledgers, 'ehr') }),
  });
  return { ehr, ...(secret === undefined ? {} : { secret }) };
}

async function folderOf({ dataDir, reset }: AloneOptions, file: string): Promise<string | undefined> {
  if (dataDir === undefined) return undefined;
  const folder = resolve(dataDir);
  if (reset === true) await rm(join(folder, file), { force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
