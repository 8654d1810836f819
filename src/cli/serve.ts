import { createLog, type Log } from '../base/log.ts';
import { checkRouter } from '../base/router.ts';
import { loadConfig, sitesPath } from '../config/config.ts';
import { BridgeError } from '../core/errors.ts';
import { mayGenerate, plainEngineWords } from '../core/fhir/may-generate.ts';
import { exit } from './exit.ts';
import type { AddCommand, Io } from './io.ts';

const help = (command: string) => `
Everything comes from the environment and one sites file; docs/sites/sites.example.json is a sites file to start from.
  BRIDGE_SITES   the sites file: per site the issuer, client, scopes, service address (default sites.json). Without a
                 site, serve shows its key set, its health, and a page that says what to do: site add
  BRIDGE_URL     the address that browsers use for the bridge, without a path; https, except on localhost
  BRIDGE_KEYS    one or more 32-byte keys (base64 or hex), comma-separated: the first seals, all open; the
                 command keys makes one
  BRIDGE_TRUSTED_PROXIES   addresses and networks of the reverse proxies in front of the bridge, comma-separated
  BRIDGE_JWKS    private JWK Set (JSON or a path), when a site's client is private_key_jwt; the command keys makes one
  BRIDGE_DATA    folder of the embedded store (default .data/bridge); DATABASE_URL uses PostgreSQL instead, which work
                 and serve --pages-only need
  BRIDGE_HOST, BRIDGE_PORT, BRIDGE_POLL_SECONDS, LOG_LEVEL
  BRIDGE_LETTER_DAYS     for how long a letter of the payer that cannot be fetched is tried (default 30)
  BRIDGE_JOBS, BRIDGE_JOBS_PER_SITE   how many jobs of one kind run at a time: in one process (default 32), and of one
                 site in all processes together (default 4)
  BRIDGE_DRAIN_SECONDS   what running requests and jobs have at SIGTERM (default 25)
  BRIDGE_METRICS_PORT    a port for /metrics, /healthz and /readyz apart from the pages, on BRIDGE_METRICS_HOST
                 (default 127.0.0.1)
  BRIDGE_PLAYGROUND=on   for integration work only: /playground, open to whoever reaches the bridge;
                 BRIDGE_RECORD then names the folder for recorded cases
Secrets of a site (service token, webhook secret) are read from the variables that the sites file names.

Logs are JSON lines on standard output. SIGTERM finishes running work, then ends; a second signal ends at once.
Over one PostgreSQL any number of processes may share the work: serve --pages-only shows pages and takes webhooks,
work does the jobs.

Example
  (umask 077; prior-auth-bridge keys > bridge.env)      once
  set -a; . ./bridge.env; set +a; export BRIDGE_URL=https://bridge.example.org BRIDGE_SITES=sites.json
  prior-auth-bridge ${command}`;

export const addServe: AddCommand = (program, io, end) => {
  program
    .command('serve')
    .description('Run the bridge for the sites of a sites file, without any sandbox.')
    .option('--pages-only', 'leave the jobs to other processes (see the command work); needs PostgreSQL')
    .addHelpText('after', help('serve'))
    .action(async ({ pagesOnly }: { readonly pagesOnly?: boolean }) => {
      await serve(io, pagesOnly === true);
      end(exit.ok);
    });
};

export const addWork: AddCommand = (program, io, end) => {
  program
    .command('work')
    .description('Do the jobs of the bridge (reading, polling, writing back) without pages, over PostgreSQL.')
    .addHelpText('after', help('work'))
    .action(async () => {
      await work(io);
      end(exit.ok);
    });
};

async function serve(io: Io, pagesOnly: boolean): Promise<void> {
  checkRouter();
  const config = loadConfig(io.env, { noSite: true });
  if (pagesOnly && config.databaseUrl === undefined)
    throw new BridgeError('config_invalid', { problems: ['DATABASE_URL: not set, and --pages-only needs it'] });
  const log = createLog({ output: io.stdout, level: config.logLevel, clock: io.clock });
  // Loaded only here, since the other commands start faster without it.
  const { startBridge } = await import('./server.ts');
  const bridge = await startBridge({ config, log, jobs: !pagesOnly });
  log.info({ address: bridge.url, sites: config.sites.map((site) => site.id) }, 'listening');
  if (config.sites.length === 0)
    log.warn(
      { event: 'no_site', file: sitesPath(io.env) },
      'no site yet: only the key set and the health are served; add a site with site add, then start again',
    );
  await stopWith(io, log, bridge);
}

async function work(io: Io): Promise<void> {
  const config = loadConfig(io.env);
  const log = createLog({ output: io.stdout, level: config.logLevel, clock: io.clock });
  if (!mayGenerate) log.warn({ event: 'plain_engine' }, plainEngineWords);
  const { startWorker } = await import('./worker.ts');
  const worker = await startWorker({ config, log });
  log.info({ sites: config.sites.map((site) => site.id) }, 'working');
  await stopWith(io, log, worker);
}

async function stopWith(io: Io, log: Log, process: { close(): Promise<void> }): Promise<void> {
  const signal = await io.stopped();
  log.info({ signal }, 'stopping');
  await process.close();
  log.info({}, 'stopped');
}
