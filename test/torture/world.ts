import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bundle } from 'fhir/r4.js';
import { defaultScopes } from '../../src/config/scopes.ts';
import { endField } from '../../src/dev/sandbox/service/profile.ts';
import { type Cluster, startCluster } from '../support/postgres.ts';
import type { Profile } from './charts.ts';
import type { EhrKind, Takes } from './ehrs.ts';
import { createLedgerReader, type LedgerReader } from './ledgers.ts';
import { createProcess, freePorts, type Process, startBalancer, startSandbox } from './processes.ts';

export type Store = 'pglite' | 'postgres';

export interface EhrOfSite {
  readonly site: string;
  readonly url: string;
  readonly takes: Takes;
  readonly ledger: LedgerReader;
}

/** The bridge's processes, the sandboxes around it, and where they are. */
export interface World {
  readonly url: string;
  readonly ehrs: readonly EhrOfSite[];
  readonly service: { readonly url: string; readonly ledger: LedgerReader };
  readonly processes: readonly Process[];
  /** Of a command of the bridge beside its processes. */
  readonly env: Readonly<Record<string, string>>;
  /** Only with the store `postgres`. */
  readonly cluster: Cluster | undefined;
  /** Filled by `close`: processes of the bridge that did not end cleanly. */
  readonly endings: readonly string[];
  /** Ends the bridge's processes; the store and the sandboxes stay. */
  end(): Promise<void>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly store: Store;
  readonly webs: number;
  readonly workers: number;
  /** Charts by site. */
  readonly bundles: ReadonlyMap<string, Bundle>;
  readonly sites: Readonly<Record<string, EhrKind>>;
  readonly profile: Profile;
  /** How fast the service decides. */
  readonly speed: number;
  readonly pollSeconds: number;
  /** How much sooner than in a hospital the chart is looked at after an unclear write. */
  readonly hurry: number;
  /** Environment of the bridge's processes besides their own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether sites say how a question is closed by a reply. */
  readonly isAsked: boolean;
  readonly folder: string;
}

interface Site {
  readonly id: string;
  readonly token: string;
  readonly webhook: { readonly secret: string };
}

const bin = fileURLToPath(new URL('../../bin/prior-auth-bridge.cjs', import.meta.url));

/** Starts everything, or nothing. The bridge's processes are ready when it resolves. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { store, folder, bundles } = options;
  const closing: (() => Promise<void> | void)[] = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
  };
  mkdirSync(folder, { recursive: true });
  try {
    const cluster = store === 'postgres' ? await startCluster() : undefined;
    if (cluster !== undefined) closing.push(() => cluster.remove());
    const sites = [...bundles.keys()];
    const [balanced = 0, servicePort = 0, ...ports] = await freePorts(
      2 + sites.length + options.webs * 2 + options.workers,
    );
    const url = `http://localhost:${balanced}`;
    const service = await startService(options, { url, sites, port: servicePort });
    closing.push(service.close);
    const ehrs = await Promise.all(
      sites.map(async (site, index) => {
        const ehr = await startEhr(options, { url, site, port: ports[index] ?? 0 });
        closing.push(ehr.close);
        return ehr;
      }),
    );
    const env = { ...environment(options, { url, service, ehrs, database: cluster?.url }), ...options.env };
    const left = ports.slice(sites.length);
    const processes = bridge(options, { env, ports: left });
    const endings: string[] = [];
    const end = async () => {
      const ended = await Promise.all(processes.map((one) => one.end()));
      endings.push(...ended.filter((how) => how !== undefined));
    };
    closing.push(end);
    const webs = processes.slice(0, options.webs);
    const balancer = await startBalancer(balanced, () => webs.filter(({ isUp }) => isUp).map(({ port }) => port));
    closing.push(balancer.close);
    // The first one makes the tables.
    const [first, ...others] = processes;
    for (const together of [[first], others])
      await Promise.all(
        together.map((one) => {
          one?.start(0);
          return one?.ready();
        }),
      );
    const told = { url: service.url, ledger: service.ledger };
    return { url, ehrs, service: told, processes, env, cluster, endings, end, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function startService(
  { speed, folder, profile }: WorldOptions,
  { url, sites, port }: { readonly url: string; readonly sites: readonly string[]; readonly port: number },
) {
  const args = ['sandbox', '--service', '--json', '--memory', '--port', String(port), '--bridge', url];
  const { said, close } = await startSandbox<{ readonly url: string; readonly sites: readonly Site[] }>(
    [...args, '--profile', profile, '--speed', String(speed), '--ledger', folder, '--as', ...sites],
    { logFile: join(folder, 'service.log') },
  );
  return { ...said, close, ledger: createLedgerReader(said.url) };
}

async function startEhr(
  { folder, bundles, sites }: WorldOptions,
  { url, site, port }: { readonly url: string; readonly site: string; readonly port: number },
) {
  const own = join(folder, site);
  mkdirSync(own, { recursive: true });
  const chart = join(own, 'charts.json');
  writeFileSync(chart, JSON.stringify(bundles.get(site)));
  const { takes = 'all', orders = [] } = sites[site] ?? {};
  const switches = join(own, 'switches.json');
  writeFileSync(switches, JSON.stringify({ ehr: orders }));
  const args = ['sandbox', '--ehr', '--json', '--memory', '--port', String(port), '--bridge', url, '--as', site];
  const { said, close } = await startSandbox<{ readonly url: string; readonly iss: string }>(
    [...args, '--ledger', own, '--chart', chart, '--switches', switches],
    { logFile: join(own, 'ehr.log') },
  );
  return { ...said, site, takes, close, ledger: createLedgerReader(said.url) };
}

function environment(
  { folder, pollSeconds, hurry, profile, isAsked }: WorldOptions,
  around: {
    readonly url: string;
    readonly database: string | undefined;
    readonly service: { readonly url: string; readonly sites: readonly Site[] };
    readonly ehrs: readonly { readonly site: string; readonly url: string; readonly iss: string }[];
  },
): Record<string, string> {
  const { url, database, service, ehrs } = around;
  const keys = JSON.parse(execFileSync(process.execPath, [bin, 'keys', '--json'], { encoding: 'utf8' })) as {
    readonly BRIDGE_KEYS: string;
    readonly BRIDGE_MARK_KEY: string;
    readonly BRIDGE_JWKS: unknown;
  };
  const sitesFile = join(folder, 'sites.json');
  const sites = ehrs.map((ehr) =>
    siteOf(ehr, { url: service.url, profile, ...(isAsked ? { outreachEndField: endField } : {}) }),
  );
  writeFileSync(sitesFile, JSON.stringify({ sites }));
  const secrets = service.sites.flatMap(({ id, token, webhook }) => [
    [`TOKEN_${id.toUpperCase()}`, token],
    [`SECRET_${id.toUpperCase()}`, webhook.secret],
  ]);
  return {
    ...Object.fromEntries(secrets),
    BRIDGE_SITES: sitesFile,
    BRIDGE_URL: url,
    BRIDGE_KEYS: keys.BRIDGE_KEYS,
    BRIDGE_MARK_KEY: keys.BRIDGE_MARK_KEY,
    BRIDGE_JWKS: JSON.stringify(keys.BRIDGE_JWKS),
    BRIDGE_POLL_SECONDS: String(pollSeconds),
    BRIDGE_TRUSTED_PROXIES: '127.0.0.1',
    ...(database === undefined ? { BRIDGE_DATA: join(folder, '.data', 'bridge') } : { DATABASE_URL: database }),
    NODE_ENV: 'test',
    // What is logged at all may hold no words of a question.
    ...(isAsked ? { LOG_LEVEL: 'debug' } : {}),
    TORTURE_HURRY: String(hurry),
  };
}

function siteOf(
  { site, url, iss }: { readonly site: string; readonly url: string; readonly iss: string },
  service: { readonly url: string; readonly profile: Profile; readonly outreachEndField?: string },
) {
  return {
    id: site,
    name: `Clinic ${site}`,
    iss,
    client: { auth: 'private_key_jwt', id: 'prior-auth-bridge' },
    scopes: [...defaultScopes, 'user/Provenance.crds'].join(' '),
    origins: [url],
    service: {
      ...service,
      tokenEnv: `TOKEN_${site.toUpperCase()}`,
      webhookSecretEnvs: [`SECRET_${site.toUpperCase()}`],
      readsPerMinute: 6000,
    },
    enrollment: { programs: [{ programId: 'sandbox-copay', name: 'Copay support' }] },
    writeback: {
      tokens: ['system', 'refresh', 'next-launch'],
      system: {
        id: 'prior-auth-bridge-system',
        scopes: 'system/Task.crus system/DocumentReference.crus system/Provenance.crds',
      },
    },
  };
}

function bridge(
  { store, webs, workers, folder }: WorldOptions,
  { env, ports }: { readonly env: Readonly<Record<string, string>>; readonly ports: readonly number[] },
): readonly Process[] {
  const serve = store === 'postgres' && workers > 0 ? ['serve', '--pages-only'] : ['serve'];
  const pages = Array.from({ length: webs }, (_, index) => {
    const port = ports[index] ?? 0;
    const metricsPort = ports[webs + workers + index] ?? 0;
    const own = { BRIDGE_PORT: String(port), BRIDGE_METRICS_PORT: String(metricsPort) };
    const name = `web-${index + 1}`;
    const logFile = join(folder, `${name}.log`);
    return createProcess({
      ...{ name, args: serve, env: { ...env, ...own }, port, metricsPort, readyPath: '/readyz', logFile },
    });
  });
  const jobs = Array.from({ length: workers }, (_, index) => {
    const port = ports[webs + index] ?? 0;
    const own = { BRIDGE_METRICS_PORT: String(port) };
    const name = `worker-${index + 1}`;
    const logFile = join(folder, `${name}.log`);
    return createProcess({
      ...{ name, args: ['work'], env: { ...env, ...own }, port, readyPath: '/readyz', logFile },
    });
  });
  return [...pages, ...jobs];
}
