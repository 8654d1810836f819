import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mappings } from '../../../mappings/index.ts';
import { makeFolder } from '../../base/writing.ts';
import { listInputs } from '../../batch/list-inputs.ts';
import { mapInputs } from '../../batch/map.ts';
import { type ExitCode, exit } from '../../cli/exit.ts';
import type { AddCommand, Io } from '../../cli/io.ts';
import { addMappingOptions, type MappingFlags } from '../../cli/mapping-options.ts';
import { chooseMapping, mappingsOf, momentOf } from '../../cli/mappings.ts';
import { isOrderAsked, nothingFor } from '../../cli/order.ts';
import { reportProblems } from '../../cli/problems.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Entry } from '../../core/fhir/bundle.ts';
import { runMapping } from '../../core/mapping/run/run.ts';
import type { RoleTable } from '../../core/roles/define.ts';
import type { SitePolicy } from '../../core/roles/policy.ts';
import { selectChart } from '../../core/roles/select.ts';
import { readDocuments } from '../../ehr/documents/read-documents.ts';
import { type Recorded, recordedPolicy, recordFixture, sigsOf, textsNamedBy } from '../kit/record-fixture.ts';

interface RecordOptions extends MappingFlags {
  readonly order?: string;
  /** `true` if the option was given without a mark. */
  readonly keepSig?: string | true;
  readonly out: string;
}

const help = `
What no rule keeps is replaced, by the types of FHIR R4: codes and displays of public code systems stay, and
quantities, status codes and the known words of a drug's name; references are renamed, every date moves by one
constant, the rest is made up. Then another part looks for identifiers, telephone numbers, dates, files, address
lines, words of names and four words in a row of any text: nothing is written while one is found, or when the
mapping answers otherwise. Of directions only amounts and times stay. --keep-sig shows those of the order with a
mark; with the mark they stay as they are: read them first.
expected.json holds what the mapping gives today: read it against bundle.json before you keep it.

Examples
  prior-auth-bridge record export/chart.json --out fixtures/charts/sig-with-two-doses
  prior-auth-bridge record export/ --order MedicationRequest/9 --site valley --out fixtures/charts/valley-rx-bin
  prior-auth-bridge record export/chart.json --out fixtures/charts/loading-dose --keep-sig
  prior-auth-bridge record export/chart.json --out fixtures/charts/loading-dose --keep-sig 3f2a9c`;

export const addRecord: AddCommand = (program, io, end) => {
  addMappingOptions(
    program
      .command('record')
      .description('Turn a chart into a mapping case without what identifies anyone.')
      .argument('<paths...>', 'files or folders; - for standard input'),
  )
    .option('--order <reference>', 'the order to record, when the input has several: MedicationRequest/9')
    .option('--keep-sig [mark]', 'show the order’s directions and their mark; with the mark, keep them')
    .requiredOption('--out <folder>', 'the new fixture folder; its name states the behaviour')
    .addHelpText('after', help)
    .action(async (paths: string[], options: RecordOptions) => end(await record(paths, options, io)));
};

async function record(paths: readonly string[], options: RecordOptions, io: Io): Promise<ExitCode> {
  if (existsSync(options.out))
    throw new BridgeError(
      'output_unusable',
      { folder: options.out },
      { next: 'Name a folder that does not exist yet.' },
    );
  const { order, entries, site, name, roles, now } = await findOrder(paths, options, io);
  const mapping = mappingsOf(options, io).registry['prior-auth'][name] ?? mappings['prior-auth']['prior-auth']!;
  const { sigs, mark } = sigsOf(entries, order);
  if (options.keepSig !== undefined && options.keepSig !== mark) return showSigs(sigs, mark, io);
  const { files, refusals } = await recordFixture({
    entries,
    order,
    request: {
      now: now.toISOString(),
      site: recordedPolicy(site),
      ...(name === 'prior-auth' ? {} : { mapping: { 'prior-auth': name } }),
    },
    map: async (resources, { order, now, site }) =>
      runMapping(
        mapping,
        selectChart(resources, {
          order,
          now: new Date(now),
          site,
          readings: await readDocuments(resources),
          roles,
        }),
      ),
    seed: randomBytes(32).toString('hex'),
    shiftDays: -7 * randomInt(4, 52),
    named: textsNamedBy(mapping, roles),
    drugNames: mappings.drugNames,
    keptSigs: options.keepSig === mark ? sigs : [],
  });
  if (refusals.length > 0) {
    io.stderr.write(`Nothing was written:\n${refusals.map((line) => `  ${line}\n`).join('')}`);
    return exit.incomplete;
  }
  await write(options.out, files);
  io.stdout.write(
    `Wrote ${options.out} with ${Object.keys(files).join(', ')}.\nRead expected.json against bundle.json before you ` +
      `keep it; then: ${testCommand(options)}\n`,
  );
  return exit.ok;
}

// A case recorded at a site is tested with the site's overlay.
function testCommand({ site, out }: RecordOptions): string {
  const command = `prior-auth-bridge test --fixtures ${dirname(out)}`;
  return site === undefined ? command : `${command} --site ${site}`;
}

function showSigs(sigs: readonly string[], mark: string, io: Io): ExitCode {
  if (sigs.length === 0) io.stderr.write('The order has no directions.\n');
  else
    io.stderr.write(
      `Nothing was written. The order’s directions:\n${sigs.map((sig) => `  ${sig}\n`).join('')}` +
        `When they name nobody, no place and no date, keep them with --keep-sig ${mark}\n`,
    );
  return exit.incomplete;
}

async function write(folder: string, files: Recorded['files']): Promise<void> {
  try {
    await makeFolder(folder);
    for (const [file, content] of Object.entries(files))
      await writeFile(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
  } catch (cause) {
    throw new BridgeError('output_unusable', { folder }, { cause });
  }
}

interface Found {
  readonly order: string;
  readonly entries: readonly Entry[];
  readonly site: SitePolicy;
  readonly name: string;
  readonly roles: RoleTable;
  readonly now: Date;
}

async function findOrder(paths: readonly string[], options: RecordOptions, io: Io): Promise<Found> {
  const { name, site, map, roles } = chooseMapping(options, io);
  const now = momentOf(options.now, io.clock, site);
  const charts = new Map<string, readonly Entry[]>();
  const onChart = ({ order }: { readonly order: string }, entries: readonly Entry[]) => {
    if (isOrderAsked(order, options.order)) charts.set(order, entries);
  };
  let unread = false;
  for await (const event of mapInputs({
    inputs: await listInputs(paths),
    map,
    site,
    roles,
    now,
    stdin: io.stdin,
    onChart,
  }))
    if (reportProblems(event, io)) unread = true;
  const [first, second] = charts;
  if (first === undefined) throw nothingFor(options.order, unread);
  if (second !== undefined) throw new BridgeError('order_not_named', { orders: [...charts.keys()] });
  return { order: first[0], entries: first[1], site, name, roles, now };
}
