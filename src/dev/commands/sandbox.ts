import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Bundle } from 'fhir/r4.js';
import { readChangedChart, readFixtureChart, readJsonFile } from '../../base/fixture-chart.ts';
import { createLog, type Log } from '../../base/log.ts';
import { checkRouter } from '../../base/router.ts';
import { exit } from '../../cli/exit.ts';
import type { AddCommand, Io } from '../../cli/io.ts';
import { addSiteOptions, type SiteOptions } from '../../cli/mapping-options.ts';
import { findSite } from '../../cli/mappings.ts';
import { type PrescriptionForm, type Profile, prescriptionForms, profiles } from '../../core/contract/profile.ts';
import type { Spoken } from '../../core/contract/profiles.ts';
import { BridgeError } from '../../core/errors.ts';
import { switchesAsText } from '../sandbox/control/describe-switches.ts';
import { ehrSwitches } from '../sandbox/ehr/ehr-switches.ts';
import { type ProductId, productIds, products } from '../sandbox/ehr/products.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { type Orders, readOrders } from '../sandbox/orders.ts';
import { serviceSwitches } from '../sandbox/service/service-switches.ts';
import { aboutEhr, aboutService } from './sandbox-alone.ts';

interface SandboxCommandOptions extends SiteOptions {
  readonly as: readonly string[];
  readonly bridge: string;
  readonly chart?: readonly string[];
  readonly data: string;
  readonly ehr?: true;
  readonly json?: true;
  readonly ledger?: string;
  readonly memory?: true;
  readonly port?: number;
  readonly product?: ProductId;
  readonly reset?: true;
  readonly review: 'auto' | 'wait';
  readonly prescription?: PrescriptionForm;
  readonly profile?: Profile;
  readonly service?: true;
  readonly signatures?: true;
  readonly speed: number;
  readonly switches?: string;
  readonly verbose?: true;
}

const help = `
Starts an EHR with invented patients, the prior-authorization service and the bridge, on this machine only and
without a network. The bridge is on localhost, the EHR and the service on 127.0.0.1: two names, so that
browsers treat them as two sites. What happens is kept in the data folder over a restart; --reset starts from
the first day.
--service starts the service alone, for a first try with a real EHR: it prints its address, token and webhook
secret.

Examples
  prior-auth-bridge sandbox                  bridge on port 8080, EHR on 8081, service on 8082, second EHR on 8083
  prior-auth-bridge sandbox --port 9080      ports 9080 to 9083
  prior-auth-bridge sandbox --reset          forget earlier launches, cases and documents
  prior-auth-bridge sandbox --product epic   the EHR offers and refuses what Epic does, and the site is its preset
  prior-auth-bridge sandbox --signatures     nothing leaves the clinic before the prescriber signs it
  prior-auth-bridge sandbox --review wait    a person must submit each request on the service's page
  prior-auth-bridge sandbox --profile current    speak only to the service as it is today
  prior-auth-bridge sandbox --site lakeside --chart export/chart.json    try the rules of a site on a chart of it
  prior-auth-bridge sandbox --service --bridge https://bridge.example.org --as lakeside    the service alone
  prior-auth-bridge sandbox --ehr --port 9081 --memory    the EHR alone, which forgets everything at its end

Both sandboxes misbehave on command: by orders in a file (--switches) or sent to /sandbox/switches while they run.
Every order can be limited; docs/develop/sandbox.md has the switches and limits in full.

Switches of the service
${switchesAsText(serviceSwitches)}

Switches of the EHR
${switchesAsText(ehrSwitches)}`;

export const addSandbox: AddCommand = (program, io, end) => {
  const command = addSiteOptions(
    program.command('sandbox').description('Run the bridge with a sandbox EHR and a sandbox of the service.'),
    'map with the mappings, the overlay and the policies of this site of the sites file',
  );
  addPlaces(command);
  addWays(command)
    .addHelpText('after', help)
    .action(async (options: SandboxCommandOptions) => {
      await sandbox(options, io);
      end(exit.ok);
    });
};

/** Adds options that choose the parts to start, their ports and their folders. */
function addPlaces(command: Command): Command {
  return command
    .addOption(new Option('--service', 'start the service alone').conflicts(['ehr', 'site', 'chart']))
    .addOption(new Option('--ehr', 'start the EHR alone').conflicts(['service', 'site']))
    .option(
      '--port <number>',
      'port of the bridge (default: 8080); EHR, service and a second EHR take the next three. Alone: their own port ' +
        '(8081, 8082)',
      portOf,
    )
    .option('--bridge <url>', 'alone: address of the bridge, for launches and webhooks', urlOf, 'http://localhost:8080')
    .option('--as <id...>', 'alone: what the sites file of the bridge calls this EHR, or the callers of the service', [
      'valley',
    ])
    .option('--data <folder>', 'where everything is kept', '.data/sandbox')
    .option('--memory', 'alone: keep nothing in files')
    .option('--reset', 'forget everything of earlier runs first')
    .option('--ledger <folder>', 'append what really happened to ehr.ndjson and service.ndjson in this folder')
    .option('--json', 'alone: print address and secrets as one line of JSON');
}

/** Adds options that set how the parts behave. */
function addWays(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--review <mode>',
        'who submits a request to the payer: the service itself after some seconds, or a person on its page',
      )
        .choices(['auto', 'wait'])
        .default('auto'),
    )
    .option(
      '--speed <factor>',
      'how fast the service decides; 1 takes about 22 s from created to decided, 22 about a second, 0 only ' +
        'steps by hand',
      speedOf,
      1,
    )
    .addOption(
      new Option('--product <name>', 'the EHR product that the EHR behaves as; docs/sites/ehrs.md has what that means')
        .choices(productIds)
        .conflicts(['service', 'site']),
    )
    .addOption(
      new Option('--profile <name>', 'how requests to the service are written (default: the site’s, else documented)')
        .choices(profiles)
        .conflicts('ehr'),
    )
    .addOption(
      new Option('--prescription <form>', 'with the profile current: the drug by its name, or by its NDC')
        .choices(prescriptionForms)
        .conflicts(['ehr', 'service']),
    )
    .addOption(
      new Option('--signatures', 'a clinic that sends nothing without the prescriber’s signature').conflicts([
        'service',
        'ehr',
      ]),
    )
    .option('--switches <file>', 'misbehave from the start: { "service": [order, ...], "ehr": [order, ...] }')
    .option('--chart <folder...>', 'charts to show besides the invented ones: bundles, or folders of mapping cases')
    .option('--verbose', 'log what they do, as JSON lines on standard error');
}

/** Shown because the first start creates a database and loads charts, which takes a while. */
const firstStart = `Starting the sandbox for the first time. This takes up to half a minute:
  an EHR with invented patients, a prior authorization service without a payer behind it, and the bridge between
  them, with a database of its own. All of it runs on this machine; nothing leaves it.
`;

async function sandbox(options: SandboxCommandOptions, io: Io): Promise<void> {
  checkRouter();
  const { site: id, sites, chart = [], verbose } = options;
  const site = id === undefined ? undefined : findSite(id, sites ?? io.env.BRIDGE_SITES ?? 'sites.json');
  const charts = chart.map(readChartFile);
  const orders = options.switches === undefined ? undefined : readOrders(options.switches, io.clock);
  io.stderr.write(
    options.service === true || options.ehr === true || existsSync(join(options.data, 'bridge'))
      ? 'Starting the sandbox ...\n'
      : firstStart,
  );
  const log = createLog({ output: io.stderr, level: verbose === true ? 'info' : 'error', clock: io.clock });
  const running = await start(options, { ...(orders === undefined ? {} : { orders }), site, charts, log, io });
  io.stdout.write(running.says);
  await io.stopped();
  io.stderr.write('\nStopping ...\n');
  await running.close();
}

interface Parts {
  readonly orders?: Orders;
  readonly site: ReturnType<typeof findSite> | undefined;
  readonly charts: readonly Bundle[];
  readonly log: Log;
  readonly io: Io;
}

interface Running {
  readonly says: string;
  close(): Promise<void>;
}

async function start(options: SandboxCommandOptions, parts: Parts): Promise<Running> {
  const { data, reset, review, speed, memory, bridge, as, json, ledger: ledgers, product } = options;
  const { orders, site, charts, log, io } = parts;
  const common = {
    ...(orders === undefined ? {} : { orders }),
    ...(ledgers === undefined ? {} : { ledgers }),
    ...(product === undefined ? {} : { product }),
    clock: io.clock,
    log,
  };
  if (options.service === true || options.ehr === true) {
    const { startServiceAlone, startEhrAlone } = await import('../sandbox/alone.ts');
    const kept = memory === true ? {} : { dataDir: data, reset: reset === true };
    if (options.service === true) {
      const port = options.port ?? 8082;
      const spoken = options.profile === undefined ? {} : { profile: options.profile };
      const alone = await startServiceAlone({ ...common, ...kept, ...spoken, bridge, port, sites: as, speed, review });
      return { says: aboutService(alone, json === true), close: () => alone.service.close() };
    }
    const registered = { bridge, site: as[0] ?? '' };
    const alone = await installed(() =>
      startEhrAlone({ ...common, ...kept, ...registered, port: options.port ?? 8081, charts }),
    );
    return { says: aboutEhr(alone, { ...registered, product }, json === true), close: () => alone.ehr.close() };
  }
  compileOnce();
  // Loaded only here: it includes a FHIR server and takes a second.
  const { startSandbox } = await installed(() => import('../sandbox/index.ts'));
  const running = await startSandbox({
    ...common,
    dataDir: data,
    port: options.port ?? 8080,
    reset: reset === true,
    review,
    speed,
    charts,
    signatures: options.signatures === true,
    service: spokenOf(options, site),
    both: [options.profile, options.prescription, product, site].every((one) => one === undefined),
    ...(site === undefined ? {} : { site }),
  });
  return { says: welcome(running, options), close: () => running.close() };
}

/**
 * V8's optimizing compiler takes three seconds and 600 MB for a single function of the embedded database. A sandbox
 * makes too few queries to gain that back.
 */
function compileOnce(): void {
  // --liftoff-only stands for these flags, but V8 expands it before a program can set it.
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
}

/** The service's profile and the form of the prescription, from the options, else from the site. */
function spokenOf({ profile, prescription }: SandboxCommandOptions, site: Parts['site']): Spoken {
  const spoken = {
    profile: profile ?? site?.service.profile ?? 'documented',
    prescription: prescription ?? (profile === undefined ? site?.service.prescription : undefined) ?? 'named',
  };
  if (spoken.profile === 'documented' && spoken.prescription === 'coded')
    throw new BridgeError('config_invalid', {
      problems: ['--prescription coded: the profile documented has the drug by its name only; add --profile current'],
    });
  return spoken;
}

/**
 * Runs `work`. Reports if the EHR's FHIR server is missing: it is a development dependency, which a production install
 * lacks.
 */
async function installed<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_MODULE_NOT_FOUND')) throw thrown;
    throw new BridgeError(
      'config_invalid',
      { problems: ['the sandbox EHR needs the development dependencies'] },
      { cause: thrown, next: 'Run npm ci without --omit=dev; sandbox --service runs without them.' },
    );
  }
}

function readChartFile(path: string): Bundle {
  const chart = path.endsWith('.json') ? (readChangedChart(path) ?? readJsonFile(path)) : readFixtureChart(path);
  return chart as Bundle; // the sandbox's store checks each resource
}

export function welcome(
  { url, ehr, second, service, dataDir }: Pick<Sandbox, 'url' | 'ehr' | 'second' | 'service' | 'dataDir'>,
  { product, signatures }: Pick<SandboxCommandOptions, 'product' | 'signatures'>,
): string {
  const as = product === undefined ? '' : `, as ${products[product].name}`;
  return `
The sandbox is running${as}. Open the EHR, choose a patient and press "Start prior authorization":

  EHR         ${ehr.url}   invented patients and their charts: start here${
    second === undefined
      ? ''
      : `
              ${second.url}   the same, with the service as it is today (profile current): benefit verification`
  }
  Bridge      ${url}   opened by the EHR's button
  Service     ${service.url}   the requests that arrived, and how they move on
  Playground  ${url}/playground   what a mapping makes of a bundle, and where each value comes from

  Signatures  ${
    signatures === true
      ? 'the prescriber signs before anything is sent; to send without, stop, then start without --signatures'
      : 'stop, then start with --signatures: the prescriber signs before anything is sent'
  }
  Data        ${dataDir} (kept over a restart)
  Reset       stop, then start again with --reset (npm start -- --reset)
  Stop        Ctrl+C
`;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65532)
    throw new InvalidArgumentError('It is not a port number up to 65532.');
  return port;
}

function urlOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw new InvalidArgumentError('It is not an http(s) address.');
  return text.replace(/\/$/, '');
}

function speedOf(text: string): number {
  const speed = Number(text);
  if (text.trim() === '' || Number.isNaN(speed) || speed < 0)
    throw new InvalidArgumentError('It is not a number from 0 on.');
  return speed;
}
