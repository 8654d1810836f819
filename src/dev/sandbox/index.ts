import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Bundle } from 'fhir/r4.js';
import type { Clock, Log } from '../../base/log.ts';
import { packageRoot } from '../../base/package.ts';
import { type Bridge, startBridge } from '../../cli/server.ts';
import { makeConfig, Site } from '../../config/config.ts';
import { withPreset } from '../../config/presets/fill.ts';
import type { Spoken } from '../../core/contract/profiles.ts';
import {
  clientId,
  currentSite,
  defaultSite,
  hasSecret,
  ledgerFile,
  registeredClients,
  systemClientId,
} from './bridge.ts';
import { type SandboxEhr, startSandboxEhr } from './ehr/index.ts';
import type { EhrLink } from './ehr/pages/lists.tsx';
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
  /** The bridge's port. The EHR uses the next port, and the service the port after that. 0: any free ports. */
  readonly port?: number;
  readonly reset?: boolean;
  /** How fast the service works; see SandboxServiceOptions. */
  readonly speed?: number;
  readonly review?: 'auto' | 'wait';
  /** The EHR product to imitate. The bridge's site uses its preset. */
  readonly product?: ProductId;
  /** The profile of the service; `documented` by default. */
  readonly service?: Spoken;
  /**
   * Also starts a second EHR and site of the same clinic, with the profile `current`. Payers wait for a person's reply.
   */
  readonly both?: boolean;
  /** Whether requests need the prescriber's signature. */
  readonly signatures?: boolean;
  /** A site of a sites file, whose mappings, overlay and policies the sandbox uses. */
  readonly site?: Site;
  /** Charts that the EHR has in addition to the stories. */
  readonly charts?: readonly Bundle[];
  /** The faults that both sandboxes have from the start. */
  readonly orders?: Orders;
  /** The folder for the ledgers `ehr.ndjson` and `service.ndjson`. */
  readonly ledgers?: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** An EHR, the service and the bridge on this machine, with invented patients. */
export interface Sandbox {
  /** The bridge's URL in browsers, such as `http://localhost:8080`. */
  readonly url: string;
  readonly bridge: Bridge;
  readonly ehr: SandboxEhr;
  /** The EHR of the site with the profile `current`, if there are two sites. */
  readonly second: SandboxEhr | undefined;
  readonly service: SandboxService;
  readonly dataDir: string;
  /** Stops all parts. Their state stays in the data folder. */
  close(): Promise<void>;
}

const bridgeHost = 'localhost';
const clinic = 'Lakeview Specialty Clinic';
/** Criteria of invented payers, for three of the stories. The rows say that they are invented. */
export const sandboxCriteria = join(packageRoot, 'src/dev/sandbox/criteria.json');

const dataParts = ['bridge', 'ehr.json', 'ehr-current.json', 'service.json', 'secrets.json'];

/**
 * Starts all parts or none: after a failure, the started parts are stopped. Throws port_busy, store_locked and
 * store_older.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const ports = await reservePorts(options.port ?? 8080, { hasSecond: options.both === true });
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
    const second = options.both === true ? await startSecond(options, ports, dataDir) : undefined;
    if (second !== undefined) started.push(second);
    const bridge = await startBridge({
      config: configOf({
        ports,
        dataDir,
        secrets,
        ehr,
        second,
        service,
        spoken: spoken(options),
        rules: options.site,
        signatures: options.signatures === true,
        product: options.product,
      }),
      log: options.log,
      fill: loadExcerpt,
    });
    started.push(bridge);
    return { url: bridgeUrl(ports), bridge, ehr, second, service, dataDir, close };
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
    sites: [
      callerOf(secrets, { site: defaultSite, profile: spoken(options).profile, bridge: bridgeUrl(ports) }),
      ...(options.both === true ? [callerOfCurrent(secrets, ports)] : []),
    ],
    dataFile: join(dataDir, 'service.json'),
    ...(ledgers === undefined ? {} : { ledgerFile: ledgerFile(ledgers, 'service') }),
    switches: orders?.service ?? [],
    replies: options.both === true ? 'wait' : 'auto',
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
    links: linksOf(ports, 'second'),
    clock,
    log,
  });
}

/** Starts the EHR of the second site. It has the same charts, but its own writes. */
function startSecond({ clock, log, charts = [] }: SandboxOptions, ports: Ports, dataDir: string): Promise<SandboxEhr> {
  return startSandboxEhr({
    host: ehrHost,
    port: ports.second ?? 0,
    launchUrl: `${bridgeUrl(ports)}/launch`,
    clients: registeredClients(bridgeUrl(ports), currentSite),
    dataFile: join(dataDir, 'ehr-current.json'),
    charts,
    links: linksOf(ports, 'first'),
    clock,
    log,
  });
}

function callerOfCurrent(secrets: Secrets, ports: Ports) {
  return callerOf(secrets, { site: currentSite, profile: 'current', bridge: bridgeUrl(ports) });
}

function linksOf({ ehr, service, second, bridge }: Ports, other: 'first' | 'second'): readonly EhrLink[] {
  const at = (port: number) => `http://${ehrHost}:${port}`;
  const currentEhr = {
    title: 'The same clinic with the service as it is today',
    says: 'Profile “current”: benefit verification, appeals, and replies to the payer from the app.',
    href: at(second ?? 0),
  };
  const documentedEhr = {
    title: 'The same clinic with the service as it is documented',
    says: 'Profile “documented”: prior authorization and enrollment.',
    href: at(ehr),
  };
  return [
    ...(second === undefined ? [] : [other === 'second' ? currentEhr : documentedEhr]),
    { title: 'The service', says: 'What was sent, and buttons that play the payer.', href: at(service) },
    {
      title: 'Playground',
      says: 'What a mapping makes of a bundle.',
      href: `http://${bridgeHost}:${bridge}/playground`,
    },
  ];
}

interface Parts {
  readonly ports: Ports;
  readonly dataDir: string;
  readonly secrets: Secrets;
  readonly ehr: SandboxEhr;
  readonly second: SandboxEhr | undefined;
  readonly service: SandboxService;
  readonly rules: Site | undefined;
  readonly signatures: boolean;
  readonly spoken: Spoken;
  readonly product: ProductId | undefined;
}

/** Returns a sites file of the same form as a hospital's. */
function configOf({ ports, dataDir, secrets, ehr, second, service, rules, signatures, spoken, product }: Parts) {
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
  const first = { id: defaultSite, name: clinic, at: ehr, spoken, variable: 'SANDBOX' };
  const currentForm = { profile: 'current', prescription: 'named' } as const;
  const later =
    second === undefined
      ? []
      : [{ id: currentSite, name: `${clinic}, today’s service`, at: second, spoken: currentForm, variable: 'CURRENT' }];
  const linesOf = ({ id, name, at, spoken: form, variable }: typeof first) => ({
    ...ways,
    id,
    name: `${name} (sandbox)`,
    iss: at.fhirBase,
    origins: [at.url],
    frameAncestors: [at.url],
    service: {
      url: service.url,
      ...form,
      ...(form.profile === 'current' ? { outreachEndField: endField } : {}),
      tokenEnv: `${variable}_SERVICE_TOKEN`,
      webhookSecretEnvs: [`${variable}_WEBHOOK_SECRET`],
    },
    enrollment: { programs: [{ programId: 'sandbox-copay', name: 'Copay support (sandbox)' }] },
    criteria: sandboxCriteria,
    ...(signatures ? { signature: { required: true } } : {}),
    worklist: { managers: [`Practitioner/${managerId}`] },
  });
  const [site, ...others] = [first, ...later].map((one) => Site.parse(withPreset(linesOf(one))));
  const caller = second === undefined ? undefined : callerOfCurrent(secrets, ports);
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
  return makeConfig(environment, [...(site === undefined ? [] : [withRules(site, rules)]), ...others], {
    ...(caller === undefined
      ? {}
      : { CURRENT_SERVICE_TOKEN: caller.token, CURRENT_WEBHOOK_SECRET: caller.webhook.secret }),
    SANDBOX_SERVICE_TOKEN: secrets.serviceToken,
    SANDBOX_WEBHOOK_SECRET: secrets.webhookSecret,
    SANDBOX_CLIENT_SECRET: clientSecretOf(secrets),
  });
}

// Name, client and addresses stay those of the sandbox.
function withRules(site: Site, rules: Site | undefined): Site {
  if (rules === undefined) return site;
  const { name, mappings, overlay, country, timeZone, mrnSystem, fax, diagnoses, evidence, conceptMaps } = rules;
  const { answers, criteria, signature } = rules;
  const own = { mappings, overlay, country, timeZone, mrnSystem, fax, diagnoses, evidence, conceptMaps };
  const policies = { ...own, answers, criteria };
  const signed = signature === undefined ? {} : { signature };
  return { ...site, ...policies, ...signed, name: `${name} (sandbox)` };
}

/** Deletes only files that the sandbox wrote. */
async function forget(dataDir: string): Promise<void> {
  for (const part of dataParts) await rm(join(dataDir, part), { recursive: true, force: true });
}
