import { InvalidArgumentError, Option } from 'commander';
import type { Bundle } from 'fhir/r4.js';
import { createLog } from '../log.ts';
import { readChangedChart, readFixtureChart, readJson } from '../proof/fixture-chart.ts';
import type { Sandbox } from '../sandbox/index.ts';
import { type AddCommand, exit, type Io } from './io.ts';
import { addSiteOptions, findSite, type SiteOptions } from './mappings.ts';

interface SandboxCommandOptions extends SiteOptions {
  readonly chart?: readonly string[];
  readonly data: string;
  readonly port: number;
  readonly reset?: true;
  readonly review: 'auto' | 'wait';
  readonly speed: number;
  readonly verbose?: true;
}

const help = `
Starts an EHR with invented patients, the prior-authorization service and the bridge, on this machine only and
without a network. The bridge is on localhost, the EHR and the service on 127.0.0.1: two names, so that
browsers treat them as two sites. What happens is kept in the data folder over a restart; --reset starts from
the first day.

Examples
  prior-auth-bridge sandbox                  bridge on port 8080, EHR on 8081, service on 8082
  prior-auth-bridge sandbox --port 9080      ports 9080, 9081, 9082
  prior-auth-bridge sandbox --reset          forget earlier launches, cases and documents
  prior-auth-bridge sandbox --review wait    a person must submit each request on the service's page
  prior-auth-bridge sandbox --site lakeside --chart export/chart.json    try the rules of a site on a chart of it`;

export const addSandbox: AddCommand = (program, io, end) => {
  addSiteOptions(
    program.command('sandbox').description('Run the bridge with a sandbox EHR and a sandbox of the service.'),
    'map with the mappings, the overlay and the policies of this site of the sites file',
  )
    .option('--data <folder>', 'where everything is kept', '.data/sandbox')
    .option('--port <number>', 'port of the bridge; the EHR and the service take the next two', portOf, 8080)
    .option('--reset', 'forget everything of earlier runs first')
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
      'how fast the service works; 1 takes about half a minute per request, 0 only steps by hand',
      speedOf,
      1,
    )
    .option('--chart <folder...>', 'charts to show besides the invented ones: bundles, or folders of mapping cases')
    .option('--verbose', 'log what the three do, as JSON lines on standard error')
    .addHelpText('after', help)
    .action(async (options: SandboxCommandOptions) => {
      await sandbox(options, io);
      end(exit.ok);
    });
};

async function sandbox(options: SandboxCommandOptions, io: Io): Promise<void> {
  const { data, port, reset, review, speed, verbose } = options;
  const { site: id, sites, chart = [] } = options;
  const site = id === undefined ? undefined : findSite(id, sites ?? io.env.BRIDGE_SITES ?? 'sites.json');
  const charts = chart.map(readChartFile);
  io.stderr.write('Starting the sandbox ...\n');
  const log = createLog({ output: io.stderr, level: verbose === true ? 'info' : 'error', clock: io.clock });
  // Loaded only here: it brings a FHIR server and takes a second.
  const { startSandbox } = await import('../sandbox/index.ts');
  const running = await startSandbox({
    dataDir: data,
    port,
    reset: reset === true,
    review,
    speed,
    charts,
    ...(site === undefined ? {} : { site }),
    clock: io.clock,
    log,
  });
  io.stdout.write(welcome(running));
  await io.stopped();
  io.stderr.write('\nStopping ...\n');
  await running.close();
}

function readChartFile(path: string): Bundle {
  const chart = path.endsWith('.json') ? (readChangedChart(path) ?? readJson(path)) : readFixtureChart(path);
  return chart as Bundle; // the sandbox's store checks each resource
}

function welcome({ url, ehr, service, dataDir }: Sandbox): string {
  return `
The sandbox is running. Open the EHR, choose a patient and press "Start prior authorization":

  EHR         ${ehr.url}   invented patients and their charts: start here
  Bridge      ${url}   opened by the EHR's button
  Service     ${service.url}   the requests that arrived, and how they move on
  Playground  ${url}/playground   what a mapping makes of a bundle, and where each value comes from

  Data        ${dataDir} (kept over a restart)
  Reset       stop, then start again with --reset (npm start -- --reset)
  Stop        Ctrl+C
`;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65533)
    throw new InvalidArgumentError('It is not a port number up to 65533.');
  return port;
}

function speedOf(text: string): number {
  const speed = Number(text);
  if (text.trim() === '' || Number.isNaN(speed) || speed < 0)
    throw new InvalidArgumentError('It is not a number from 0 on.');
  return speed;
}
