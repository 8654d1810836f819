import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Only } from '../../batch/report/order-facts.ts';
import type { ExitCode } from '../exit.ts';
import type { AddCommand, Io } from '../io.ts';
import { addMappingOptions } from '../mapping-options.ts';
import { onlyKeys, readOnly } from '../only-option.ts';
import { defaultFolder, type FilterOption, type MapFlags } from './map-options.ts';

const help = `
Reads
  Bundles of any type, single resources, arrays of resources, NDJSON (bulk export), CDS Hooks requests, folders of
  mapping cases; each plain, gzipped or in a zip file; - is standard input. A bundle with a Patient and medication
  orders is mapped from itself. Everything else in one folder belongs together: single resources, NDJSON lines, pages
  of search results. Supporting resources (practitioners, organizations, medications) of the folder serve its bundles
  too; what is about a patient never comes from another bundle or folder. A draft order counts only where a
  CDS Hooks request names it, and is not ready before it is signed.

Writes (only its owner can read them)
  <out>/requests/*.json  bodies that can be sent as they are
  <out>/drafts/*.json    what the chart gave, and each gap
  <out>/sources/*.json   with --sources: where each value came from, and why each resource was chosen
  <out>/report.json      every file and every order, with references and names of fields, and counts by drug, payer
                         and prescriber; no other value from a chart
  <out>/digests.txt      a hash of each request and draft, for --changed-since
  With --format ndjson requests, drafts and sources are one file each, with a line an order: faster by far when there
  are thousands.

Answers
  With --answers what payers ask about every drug goes along (docs/mapping/answers.md): as the item "Answers" of
  the evidence, in the profile current as a questionnaire. Nothing sensitive, and no word of a person.

Large inputs
  Patients are mapped by several threads at once, in parts that fit into memory (docs/operate/exports.md); the
  result is the same with any number of threads. What is packed is unpacked into temporary files, which
  only their owner can read and which are removed in the end. A run that was stopped goes on with --resume.
  With --fast only what an order needs is parsed: what is malformed in a resource that no order reads is not seen.
  A Bundle of more than 512 MiB is read with --fast only.

Some of the orders
  --only drug=adalimumab, payer=..., prescriber=... (a name or NPI), site=... (a folder that the files stand in),
  from=2026-08-01, until=... (the day an order was written). Of one kind any has to hold, of each kind one.
  --changed-since <folder> leaves out what says the same as in an earlier run into that folder. What was left out is
  counted in the report.

As a filter
  With --stdin --stdout each line that comes in is one patient's bundle, each line that goes out one order, in the
  same order and at once. A line that cannot be read gives a line that says so.

Examples
  prior-auth-bridge map export/                         one folder of bundles, resources or NDJSON
  prior-auth-bridge map a.json b.json.gz --out today    files, into a folder of your choice
  prior-auth-bridge map export/ --format ndjson --fast  a large export
  prior-auth-bridge map export/ --out today --resume    go on with a run that was stopped
  prior-auth-bridge map export/ --report today.html --report today.csv     a page to open, and a table
  prior-auth-bridge map export/ --json | jq .report     nothing written, everything on standard output
  cat bundles.ndjson | prior-auth-bridge map --stdin --stdout      one order per line`;

export const addMap: AddCommand = (program, io, end) => {
  const command = addMappingOptions(
    program
      .command('map')
      .description('Turn exported FHIR into request files and a report. Nothing is sent.')
      .argument('[paths...]', 'files or folders; - for standard input'),
  );
  command
    .option('--out <folder>', `where the files go (default: ${defaultFolder}, unless --json or --ndjson)`)
    .option('--overwrite', 'replace the output of an earlier run in that folder')
    .option('--resume', 'go on with a run into that folder that was stopped')
    .addOption(
      new Option('--format <format>', 'one file an order, or a line an order')
        .choices(['files', 'ndjson'])
        .default('files'),
    )
    .option('--sources', 'also write where each value came from')
    .option('--answers', 'the answers sheet goes with each request, without what is sensitive')
    .option('--fast', 'parse only what an order needs')
    .option('--workers <number>', 'threads that map (default: one for each core when the input is large)', countOf)
    .option('--max-errors <number>', 'stop when so many lines, files or orders could not be read or mapped', countOf)
    .option(
      '--only <condition>',
      `map only orders with this ${onlyKeys.join(', ')}: drug=adalimumab, from=2026-08-01`,
      addOnly,
    )
    .option('--changed-since <folder>', 'leave out orders that say what they said in this output of an earlier run')
    .option('--json', 'print { orders, report } as JSON: per order the body or draft, gaps and provenance')
    .option('--ndjson', 'print one order per line as JSON')
    .option('--stdin', 'with --stdout: a patient’s bundle a line on standard input')
    .option('--stdout', 'with --stdin: an order a line on standard output')
    .option(
      '--report <file>',
      'also write the report to this file: .html (with pictures), .csv, .ndjson or .json; may be given several times',
      addReport,
    )
    .option('--files', 'also print a line for each file')
    .addHelpText('after', help)
    .action(async (paths: string[], options: MapFlags) => end(await mapOrFilter(paths, options, io, command)));
};

async function mapOrFilter(paths: readonly string[], options: MapFlags, io: Io, command: Command): Promise<ExitCode> {
  const isFilter = options.stdin === true && options.stdout === true && paths.length === 0;
  if (!isFilter && (options.stdin === true || options.stdout === true))
    command.error('error: --stdin and --stdout belong together, without paths');
  if (!isFilter && paths.length === 0) command.error("error: missing required argument 'paths'");
  const useless = isFilter
    ? Object.keys(notForFilter)
        .filter((name) => Reflect.get(options, name) !== undefined)
        .map(flagOf)
    : [];
  if (useless.length > 0)
    command.error(
      `error: --stdin --stdout prints an order a line and writes no files: leave out ${useless.join(', ')}`,
    );
  // Mapping code is loaded only when a command needs it, so that help is shown at once.
  return isFilter
    ? (await import('./map-filter.ts')).mapFilter(options, io)
    : (await import('./map-run.ts')).map(paths, options, io);
}

/**
 * The options that `--stdin --stdout` refuses. An option of `map` that is neither here nor a `FilterOption` does not
 * compile. `format` is in neither, since it always has its default value.
 */
const notForFilter: Readonly<Record<Exclude<keyof MapFlags, FilterOption | 'format' | 'stdin' | 'stdout'>, true>> = {
  out: true,
  overwrite: true,
  resume: true,
  sources: true,
  fast: true,
  workers: true,
  changedSince: true,
  json: true,
  ndjson: true,
  report: true,
  files: true,
};

function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function addOnly(text: string, before: readonly Only[] = []): readonly Only[] {
  const only = readOnly(text);
  if (only === undefined)
    throw new InvalidArgumentError(`It is none of ${onlyKeys.map((key) => `${key}=...`).join(', ')}.`);
  return [...before, only];
}

function addReport(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, path];
}

function countOf(text: string): number {
  const count = Number(text);
  if (!/^\d{1,9}$/.test(text) || count < 1) throw new InvalidArgumentError('It is not a number from 1.');
  return count;
}
