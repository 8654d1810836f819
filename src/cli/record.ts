import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mappings } from '../../mappings/index.ts';
import { makeFolder } from '../batch/folder.ts';
import { listInputs } from '../batch/input.ts';
import { mapInputs } from '../batch/map.ts';
import { selectChart } from '../chart/select.ts';
import { readDocuments } from '../documents/read-documents.ts';
import { BridgeError } from '../errors.ts';
import type { Entry } from '../fhir/bundle.ts';
import { runMapping } from '../mapping/run/run.ts';
import { type Recorded, recordedPolicy, recordFixture } from '../proof/record.ts';
import type { RoleTable } from '../roles/define.ts';
import type { SitePolicy } from '../roles/policy.ts';
import { type AddCommand, type ExitCode, exit, type Io } from './io.ts';
import { addMappingOptions, chooseMapping, dayOf, type MappingOptions, mappingsOf } from './mappings.ts';
import { isAsked, nothingFor } from './order.ts';
import { tellProblems } from './problems.ts';

interface RecordOptions extends MappingOptions {
  readonly order?: string;
  readonly out: string;
}

const help = `
Replaces names, addresses, telecom, identifiers, ids, free text, photos and attachments; moves every date by one constant.
Codes, quantities, drug names and directions stay. Refuses to write when an original value survives or the mapping answers otherwise.
The expectation files hold what the mapping gives today: read them against bundle.json before you keep them.

Examples
  prior-auth-bridge record export/chart.json --out fixtures/charts/sig-with-two-doses
  prior-auth-bridge record export/ --order MedicationRequest/9 --site valley --out fixtures/charts/valley-rx-bin`;

export const addRecord: AddCommand = (program, io, end) => {
  addMappingOptions(
    program
      .command('record')
      .description('Turn a chart into a fixture folder without what identifies anyone.')
      .argument('<paths...>', 'files or folders; - for standard input'),
  )
    .option('--order <reference>', 'the order to record, when the input has several: MedicationRequest/9')
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
  });
  if (refusals.length > 0) {
    io.stderr.write(`Nothing was written:\n${refusals.map((line) => `  ${line}\n`).join('')}`);
    return exit.incomplete;
  }
  await write(options.out, files);
  io.stdout.write(
    `Wrote ${options.out} with ${Object.keys(files).join(', ')}.\nRead the expectation files against bundle.json before you keep them; then: prior-auth-bridge test\n`,
  );
  return exit.ok;
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
  const now = dayOf(options.now, io.clock, site);
  const charts = new Map<string, readonly Entry[]>();
  const onChart = ({ order }: { readonly order: string }, entries: readonly Entry[]) => {
    if (isAsked(order, options.order)) charts.set(order, entries);
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
    if (tellProblems(event, io)) unread = true;
  const [first, second] = charts;
  if (first === undefined) throw nothingFor(options.order, unread);
  if (second !== undefined) throw new BridgeError('order_not_named', { orders: [...charts.keys()] });
  return { order: first[0], entries: first[1], site, name, roles, now };
}
