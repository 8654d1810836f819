import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Bundle } from 'fhir/r4.js';
import type { Clock, Log } from '../../base/log.ts';
import { packageRoot } from '../../base/package.ts';
import { type Bridge, startBridge } from '../../cli/server.ts';
import { makeConfig, Site } from '../../config/config.ts';
import { withPreset } from '../../config/presets/fill.ts';
import type { Spoken } from '../../core/contract/profiles.ts';
import { clientId, defaultSite, hasSecret, ledgerFile, registeredClients, systemClientId } from './bridge.ts';
import { type SandboxEhr, startSandboxEhr } from './ehr/index.ts';
import type { ProductId } from './ehr/products.ts';
import { managerId } from './ehr/users.ts';
import { loadExcerpt } from './load-excerpt.ts';
import type { Orders } from './orders.ts';
import { ehrHost, type Ports, reservePorts } from './ports.ts';
import { callerOf, clientSecretOf, loadSecrets, type Secrets } from './secrets.ts';
import { type SandboxService, startSandboxService } from './service/index.ts';
import { endField } from './service/profile.ts';

export interface SandboxOptions {
  readonly dataDir: string;
  /** The bridge's port; the EHR takes the next one and the service the one after. 0 takes any free ports. */
  readonly port?: number;
  /** Deletes the state of earlier runs. */
  readonly reset?: boolean;
  /** How fast the service works; see SandboxServiceOptions. */
  readonly speed?: number;
  readonly review?: 'auto' | 'wait';
  /** The EHR product to imitate; the bridge's site uses its preset. */
  readonly product?: ProductId;
  /** The profile of the service; `documented` by default. */
  readonly service?: Spoken;
  /** A site of a sites file: the sandbox maps with its mappings, its overlay and its policies. */
  readonly site?: Site;
  /** Charts that the EHR shows besides the invented ones. */
  readonly charts?: readonly Bundle[];
  /** The faults of both sandboxes from the start. */
  readonly orders?: Orders;
  /** Folder for the two ledgers: `ehr.ndjson`, `service.ndjson`. */
  readonly ledgers?: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** An EHR, the service and the bridge on this machine, with invented patients. */
export interface Sandbox {
  /** `http://localhost:8080`: the bridge as browsers name it. */
  readonly url: string;
  readonly bridge: Bridge;
  readonly ehr: SandboxEhr;
  readonly service: SandboxService;
  readonly dataDir: string;
  /** Stops all three; what they hold stays in the data folder. */
  close(): Promise<void>;
}

const bridgeHost = 'localhost';
/** Of payers that do not exist, for three of the stories; its rows say so. */
export const sandboxCriteria = join(packageRoot, 'src/dev/sandbox/criteria.json');

const dataParts = ['bridge', 'ehr.json', 'service.json', 'secrets.json'];

/**
 * Starts everything, or nothing: what was started before a failure is stopped again. Throws port_busy, store_locked
 * and store_older.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const ports = await reservePorts(options.port ?? 8080);
  const dataDir = resolve(options.dataDir);
  if (options.reset === true) await forget(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const secrets = await loadSecrets(join(dataDir, 'secrets.json'));
  const started: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const part of started.splice(0).reverse()) await part.close();
  };
  try {
    const service = await startService(options, ports, dataDir, secrets);
    started.push(service);
    const ehr = await startEhr(options, ports, dataDir, secrets);
    started.push(ehr);
    const bridge = await startBridge({
      config: configOf({
        ports,
        dataDir,
        secrets,
        ehr,
        service,
        spoken: spoken(options),
        rules: options.site,
        product: options.product,
      }),
      log: options.log,
      fill: loadExcerpt,
    });
    started.push(bridge);
    return { url: bridgeUrl(ports), bridge, ehr, service, dataDir, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

function bridgeUrl({ bridge }: Ports): string {
  return `http://${bridgeHost}:${bridge}`;
}

function spoken({ service = { profile: 'documented', prescription: 'named' } }: SandboxOptions): Spoken {
  return service;
}

function startService(
  options: SandboxOptions,
  ports: Ports,
  dataDir: string,
  secrets: Secrets,
): Promise<SandboxService> {
  const { clock, log, speed, review, orders, ledgers } = options;
  return startSandboxService({
    host: ehrHost,
    port: ports.service,
    sites: [callerOf(secrets, { site: defaultSite, profile: spoken(options).profile, bridge: bridgeUrl(ports) })],
    dataFile: join(dataDir, 'service.json'),
    ...(ledgers === undefined ? {} : { ledgerFile: ledgerFile(ledgers, 'service') }),
    switches: orders?.service ?? [],
    clock,
    log,
    ...(speed === undefined ? {} : { speed }),
    ...(review === undefined ? {} : { review }),
  });
}

function startEhr(
  { clock, log, charts = [], orders, ledgers, product }: SandboxOptions,
  ports: Ports,
  dataDir: string,
  secrets: Secrets,
): Promise<SandboxEhr> {
  return startSandboxEhr({
    host: ehrHost,
    port: ports.ehr,
    launchUrl: `${bridgeUrl(ports)}/launch`,
    product,
    clients: registeredClients(bridgeUrl(ports), defaultSite, hasSecret(product) ? clientSecretOf(secrets) : undefined),
    dataFile: join(dataDir, 'ehr.json'),
    ...(ledgers === undefined ? {} : { ledgerFile: ledgerFile(ledgers, 'ehr') }),
    switches: orders?.ehr ?? [],
    charts,
    clock,
    log,
  });
}

interface Parts {
  readonly ports: Ports;
  readonly dataDir: string;
  readonly secrets: Secrets;
  readonly ehr: SandboxEhr;
  readonly service: SandboxService;
  /** The site whose rules and policies are tried. */
  readonly rules: Site | undefined;
  readonly spoken: Spoken;
  readonly product: ProductId | undefined;
}

/** The same configuration that a hospital writes, filled in. */
function configOf({ ports, dataDir, secrets, ehr, service, rules, spoken, product }: Parts) {
  const ways =
    product === undefined
      ? {
          client: { auth: 'private_key_jwt', id: clientId },
          writeback: {
            tokens: ['system', 'refresh', 'next-launch'],
            system: { id: systemClientId, scopes: 'system/Task.crus system/DocumentReference.crus' },
          },
        }
      : {
          preset: product,
          client: { id: clientId, ...(hasSecret(product) ? { secretEnv: 'SANDBOX_CLIENT_SECRET' } : {}) },
        };
  const lines = {
    ...ways,
    id: defaultSite,
    name: 'Lakeview Specialty Clinic (sandbox)',
    iss: ehr.fhirBase,
    origins: [ehr.url],
    frameAncestors: [ehr.url],
    service: {
      url: service.url,
      ...spoken,
      ...(spoken.profile === 'current' ? { outreachEndField: endField } : {}),
      tokenEnv: 'SANDBOX_SERVICE_TOKEN',
      webhookSecretEnvs: ['SANDBOX_WEBHOOK_SECRET'],
    },
    enrollment: { programs: [{ programId: 'sandbox-copay', name: 'Copay support (sandbox)' }] },
    criteria: sandboxCriteria,
    worklist: { managers: [`Practitioner/${managerId}`] },
  };
  const site = Site.parse(withPreset(lines));
  const environment = {
    BRIDGE_URL: bridgeUrl(ports),
    BRIDGE_HOST: ehrHost,
    BRIDGE_PORT: ports.bridge,
    BRIDGE_KEYS: secrets.bridgeKey,
    BRIDGE_DATA: join(dataDir, 'bridge'),
    BRIDGE_JWKS: JSON.stringify(secrets.jwks),
    BRIDGE_POLL_SECONDS: 2,
    BRIDGE_PLAYGROUND: 'on' as const,
    BRIDGE_RECORD: join(dataDir, 'recorded'),
    NODE_ENV: 'sandbox',
  };
  return makeConfig(environment, [withRules(site, rules)], {
    SANDBOX_SERVICE_TOKEN: secrets.serviceToken,
    SANDBOX_WEBHOOK_SECRET: secrets.webhookSecret,
    SANDBOX_CLIENT_SECRET: clientSecretOf(secrets),
  });
}

// Sign-in and addresses stay those of the sandbox.
function withRules(site: Site, rules: Site | undefined): Site {
  if (rules === undefined) return site;
  const { name, mappings, overlay, country, timeZone, mrnSystem, fax, diagnoses, evidence, conceptMaps } = rules;
  const { answers, criteria } = rules;
  const own = { mappings, overlay, country, timeZone, mrnSystem, fax, diagnoses, evidence, conceptMaps };
  const policies = { ...own, answers, criteria };
  return { ...site, ...policies, name: `${name} (sandbox)` };
}

/** Deletes only files that the sandbox itself wrote. */
async function forget(dataDir: string): Promise<void> {
  for (const part of dataParts) await rm(join(dataDir, part), { recursive: true, force: true });
}
