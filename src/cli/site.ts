import { resolve } from 'node:path';
import { Option } from 'commander';
import { mappings } from '../../mappings/index.ts';
import { type Site, sitesIn, sitesPath } from '../config/config.ts';
import { presetIds } from '../config/presets/presets.ts';
import { BridgeError } from '../core/errors.ts';
import { JsonMistake } from '../core/overlay/json-places.ts';
import { type DoctorReport, examine } from './doctor/examine.ts';
import { exitOf } from './doctor.ts';
import { doctorText } from './doctor-text.ts';
import { type ExitCode, exit } from './exit.ts';
import type { AddCommand, Io } from './io.ts';
import { paintFor } from './paint.ts';
import { type Prompter, questionsFor } from './questions.ts';
import { clientAuths, entryOf, type SiteOptions } from './site-entry.ts';
import { replaceSites, sitesText, withSite } from './sites-file.ts';

interface SiteAddOptions extends SiteOptions {
  readonly sites?: string;
  readonly anyway?: true;
}

const help = `
At a terminal it asks for what no option names, and asks again for what a sites file cannot have. It then looks at
the site as doctor does, with the environment of serve, and writes the entry when nothing is missing. Otherwise it asks,
or without a terminal writes only with --anyway.
The rest of the sites file stays as it is. Secrets do not go into it: options name the variables that hold them.

Examples
  prior-auth-bridge site add
  prior-auth-bridge site add valley --preset epic --iss https://ehr.valley.example/api/FHIR/R4 --client 0f3c1d9e \\
    --service https://api.service.example --token-env VALLEY_SERVICE_TOKEN`;

export const addSite: AddCommand = (program, io, end) => {
  const site = program.command('site').description('Add a site to the sites file: see site add --help.');
  site
    .command('add')
    .description('Add a site to the sites file: ask for its few lines, look at it as doctor does, write it.')
    .argument('[id]', 'a short name for addresses and logs: valley')
    .addOption(new Option('--preset <ehr>', 'which EHR product it is').choices([...presetIds]))
    .option('--name <name>', 'the practice, as its staff call it')
    .option('--iss <address>', 'the FHIR base address that the EHR sends as iss')
    .option('--client <id>', 'the client id that the EHR gave for launches')
    .addOption(new Option('--auth <way>', 'how the client proves itself').choices(clientAuths))
    .option('--secret-env <name>', 'the variable that holds the secret, for client_secret')
    .option('--service <address>', 'the address of the prior-authorization service')
    .option('--token-env <name>', 'the variable that holds the service’s token')
    .option('--webhook-secret-env <name>', 'the variable that holds the secret of the service’s webhooks')
    .option('--sites <file>', 'the sites file (default: BRIDGE_SITES, else sites.json)')
    .option('--anyway', 'write the entry although something is missing')
    .addHelpText('after', help)
    .action(async (id: string | undefined, options: SiteAddOptions) => {
      end(await add(id, options, io));
    });
};

async function add(id: string | undefined, options: SiteAddOptions, io: Io): Promise<ExitCode> {
  const path = options.sites === undefined ? sitesPath(io.env) : resolve(options.sites);
  const questions = questionsFor(io);
  try {
    const before = sitesText(path);
    if (before !== undefined) assertSites(before, path);
    const entry = await entryOf(id, options, { questions, file: { path, text: before } });
    const next = appended(before, entry, path);
    const report = await examine({
      site: siteIn(next, path),
      env: io.env,
      registry: mappings,
      clock: io.clock,
      isNew: true,
    });
    io.stdout.write(doctorText(report, paintFor(io)));
    if (!(await mayWrite(report, options, questions))) {
      io.stderr.write(`Nothing was written to ${path}. Solve what is missing, or add --anyway.\n`);
      return report.result === 'ready' ? exit.incomplete : exitOf(report);
    }
    replaceSites(path, before, next);
    io.stdout.write(`\n${entry.id} was added to ${path}. Start the bridge again to use it.\n`);
    return exitOf(report);
  } finally {
    await questions?.done();
  }
}

function appended(before: string | undefined, entry: object, path: string): string {
  try {
    return withSite(before, entry);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    const { place, reason } = error;
    throw new BridgeError('config_invalid', { problems: [`${path}:${place.line}:${place.column}: ${reason}`] });
  }
}

/** Called before any question, since an invalid file is refused whatever the answers are. */
function assertSites(text: string, path: string): void {
  appended(text, {}, path);
  const problems: string[] = [];
  sitesIn(text, path, problems);
  if (problems.length > 0) throw new BridgeError('config_invalid', { problems });
}

/** Returns the last site, which is the new one. Throws if anything in the file is invalid. */
function siteIn(text: string, path: string): Site {
  const problems: string[] = [];
  const site = sitesIn(text, path, problems).at(-1);
  if (problems.length > 0 || site === undefined) throw new BridgeError('config_invalid', { problems });
  return site;
}

async function mayWrite(
  { result }: DoctorReport,
  { anyway }: SiteAddOptions,
  questions: Prompter | undefined,
): Promise<boolean> {
  if (result === 'ready' || anyway === true) return true;
  const answer = await questions?.ask('\nWrite it all the same? yes or no', { usual: 'no' });
  return answer !== undefined && /^y(es)?$/i.test(answer);
}
