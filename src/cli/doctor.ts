import { mappings } from '../../mappings/index.ts';
import { type DoctorReport, examine } from './doctor/examine.ts';
import { doctorText } from './doctor-text.ts';
import { type ExitCode, exit } from './exit.ts';
import type { AddCommand, Io } from './io.ts';
import { findSite } from './mappings.ts';
import { paintFor } from './paint.ts';
import { patientArgument } from './store.ts';

interface DoctorOptions {
  readonly sites?: string;
  readonly patient?: string;
  readonly json?: true;
}

const help = `
Run it with the environment of serve (see serve --help), before the first launch and whenever something does not work.
It reads how the EHR describes itself, tries the client, a token by Backend Services, the service’s token, the key set
and the webhook secret of the running bridge, and compares clocks. It writes nothing into a chart, sends no request,
opens no store and prints no token. With --patient, the orders of a test patient are read by Backend Services,
where the site has a client for it that may read; else a note says which scopes that takes.

It ends with 0 when no problem was found, with 1 when there is one, and with 3 when the EHR or the service did not
answer, or the environment cannot be read.

Examples
  prior-auth-bridge doctor valley
  prior-auth-bridge doctor valley --patient Patient/test-1
  prior-auth-bridge doctor valley --json | jq .administrator`;

export const addDoctor: AddCommand = (program, io, end) => {
  program
    .command('doctor')
    .description('Look at one site: what is configured, granted and missing, and what its EHR must be told.')
    .argument('<site>', 'the id of the site in the sites file')
    .option('--sites <file>', 'the sites file (default: BRIDGE_SITES, else sites.json)')
    .option('--patient <id>', 'a test patient, whose orders are read by Backend Services', patientArgument)
    .option('--json', 'print the report as JSON')
    .addHelpText('after', help)
    .action(async (site: string, options: DoctorOptions) => {
      end(await doctor(site, options, io));
    });
};

async function doctor(id: string, { sites, patient, json }: DoctorOptions, io: Io): Promise<ExitCode> {
  const site = findSite(id, sites ?? io.env.BRIDGE_SITES ?? 'sites.json');
  const report = await examine({
    site,
    env: io.env,
    registry: mappings,
    clock: io.clock,
    ...(patient === undefined ? {} : { patient: patient.replace('Patient/', '') }),
  });
  io.stdout.write(json === true ? `${JSON.stringify(report, undefined, 2)}\n` : doctorText(report, paintFor(io)));
  return exitOf(report);
}

export function exitOf({ result }: DoctorReport): ExitCode {
  return { ready: exit.ok, incomplete: exit.incomplete, 'no-answer': exit.failed }[result];
}
