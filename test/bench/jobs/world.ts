import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cluster } from '../../support/postgres.ts';
import { createProcess, freePorts, type Process, startScript } from '../../torture/processes.ts';
import type { FakesOptions, FakesSaid } from './said.ts';

const bin = fileURLToPath(new URL('../../../bin/prior-auth-bridge.cjs', import.meta.url));
const fakesScript = fileURLToPath(new URL('./fakes.ts', import.meta.url));

/** Service and EHRs in one process, the bridge's pages in another; workers are started as they are asked for. */
export interface BenchWorld {
  /** As the bridge's processes have it. */
  readonly env: Readonly<Record<string, string>>;
  readonly fakes: number;
  readonly pages: number;
  /** So many processes that do jobs, ready. */
  workers(count: number): Promise<readonly Process[]>;
  close(): Promise<void>;
}

export interface BenchOptions {
  readonly cluster: Cluster;
  readonly sites: readonly string[];
  /** At each site. */
  readonly patients: number;
  readonly folder: string;
}

export async function startBench({ cluster, sites, patients, folder }: BenchOptions): Promise<BenchWorld> {
  const [pagesPort = 0, ...workerPorts] = await freePorts(3);
  const bridge = `http://localhost:${pagesPort}`;
  const options: FakesOptions = { bridge, sites, patients };
  const fakes = await startScript<FakesSaid>(fakesScript, options);
  const env = environment(fakes.said, { bridge, folder, database: cluster.url });
  const process = (name: string, args: readonly string[], port: number, own: Readonly<Record<string, string>>) =>
    createProcess({
      name,
      args,
      env: { ...env, ...own },
      port,
      readyPath: '/readyz',
      logFile: join(folder, `${name}.log`),
    });
  const pages = process('pages', ['serve', '--pages-only'], pagesPort, { BRIDGE_PORT: String(pagesPort) });
  const running = [pages];
  const close = async () => {
    await Promise.all(running.map((one) => one.end()));
    await fakes.close();
  };
  try {
    await started([pages]);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    env,
    fakes: fakes.pid,
    pages: pages.pid,
    async workers(count) {
      const all = workerPorts
        .slice(0, count)
        .map((port, nth) => process(`worker-${nth + 1}`, ['work'], port, { BRIDGE_METRICS_PORT: String(port) }));
      running.push(...all);
      return await started(all);
    },
    close,
  };
}

async function started(processes: readonly Process[]): Promise<readonly Process[]> {
  for (const one of processes) one.start(0);
  try {
    await Promise.all(processes.map((one) => one.ready()));
    return processes;
  } catch (thrown) {
    await Promise.all(processes.map((one) => one.end()));
    throw thrown;
  }
}

function environment(
  { service, ehrs }: FakesSaid,
  { bridge, folder, database }: { readonly bridge: string; readonly folder: string; readonly database: string },
): Record<string, string> {
  const keys: { BRIDGE_KEYS: string; BRIDGE_JWKS: unknown } = JSON.parse(
    execFileSync(process.execPath, [bin, 'keys', '--json'], { encoding: 'utf8' }),
  );
  const sitesFile = join(folder, 'sites.json');
  const sites = ehrs.map(({ site, url, iss }) => ({
    id: site,
    name: `Clinic ${site}`,
    iss,
    client: { auth: 'private_key_jwt', id: 'prior-auth-bridge' },
    origins: [url],
    service: { url: service.url, tokenEnv: variable('TOKEN', site), webhookSecretEnvs: [variable('SECRET', site)] },
    writeback: {
      tokens: ['system'],
      system: { id: 'prior-auth-bridge-system', scopes: 'system/Task.crus system/DocumentReference.crus' },
    },
  }));
  writeFileSync(sitesFile, JSON.stringify({ sites }));
  const secrets = service.sites.flatMap(({ id, token, webhook }) => [
    [variable('TOKEN', id), token],
    [variable('SECRET', id), webhook.secret],
  ]);
  return {
    ...Object.fromEntries(secrets),
    BRIDGE_SITES: sitesFile,
    BRIDGE_URL: bridge,
    BRIDGE_KEYS: keys.BRIDGE_KEYS,
    BRIDGE_JWKS: JSON.stringify(keys.BRIDGE_JWKS),
    // What is followed here is told by webhook: nothing is asked for by the clock.
    BRIDGE_POLL_SECONDS: '600',
    DATABASE_URL: database,
    LOG_LEVEL: 'warn',
    NODE_ENV: 'test',
  };
}

function variable(kind: string, site: string): string {
  return `${kind}_${site.toUpperCase().replaceAll('-', '_')}`;
}
