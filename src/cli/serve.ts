import { loadConfig } from '../config.ts';
import { type AddCommand, exit, type Io } from './io.ts';
import { createLog } from './log.ts';

const help = `
Everything comes from the environment and one sites file; docs/sites.example.json is a sites file to start from.
  BRIDGE_SITES   the sites file: per site the issuer, client, scopes, service address (default sites.json)
  BRIDGE_URL     the address that browsers use for the bridge; https, except on localhost
  BRIDGE_KEYS    one or more 32-byte keys (base64 or hex), comma-separated: the first seals, all open; the
                 command keys makes one
  BRIDGE_JWKS    private JWK Set (JSON or a path), when a site's client is private_key_jwt; the command keys makes one
  BRIDGE_DATA    folder of the embedded store (default .data/bridge); DATABASE_URL uses PostgreSQL instead
  BRIDGE_HOST, BRIDGE_PORT, BRIDGE_POLL_SECONDS, LOG_LEVEL
  BRIDGE_PLAYGROUND=on   for integration work only: /playground, open to whoever reaches the bridge;
                 BRIDGE_RECORD then names the folder for recorded cases
Secrets of a site (service token, webhook secret) are read from the variables that the sites file names.

Logs are JSON lines on standard output. SIGTERM finishes running work, then ends.

Example
  (umask 077; prior-auth-bridge keys > bridge.env)      once
  set -a; . ./bridge.env; set +a; export BRIDGE_URL=https://bridge.example.org BRIDGE_SITES=sites.json
  prior-auth-bridge serve`;

export const addServe: AddCommand = (program, io, end) => {
  program
    .command('serve')
    .description('Run the bridge for the sites of a sites file, without any sandbox.')
    .addHelpText('after', help)
    .action(async () => {
      await serve(io);
      end(exit.ok);
    });
};

async function serve(io: Io): Promise<void> {
  const config = loadConfig(io.env);
  const log = createLog({ output: io.stdout, level: config.logLevel, clock: io.clock });
  // Loaded only here: the other commands start faster without it.
  const { startBridge } = await import('../server.ts');
  const bridge = await startBridge({ config, log, clock: io.clock });
  log.info({ address: bridge.url, sites: config.sites.map((site) => site.id) }, 'listening');
  const signal = await io.stopped();
  log.info({ signal }, 'stopping');
  await bridge.close();
  log.info({}, 'stopped');
}
