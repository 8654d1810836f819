import { writeFile } from 'node:fs/promises';
import { listInputs } from '../batch/input.ts';
import { mapInputs } from '../batch/map.ts';
import type { OrderOutcome } from '../batch/outcome.ts';
import { createReporter, type Report } from '../batch/report.ts';
import { openOutput } from '../batch/write.ts';
import { BridgeError } from '../errors.ts';
import { tellFailure } from './failure.ts';
import { type AddCommand, type ExitCode, exit, type Io } from './io.ts';
import { addMappingOptions, chooseMapping, dayOf, type MappingOptions } from './mappings.ts';
import { paintFor } from './paint.ts';
import { createProgress } from './progress.ts';
import { reportText } from './report-text.ts';

interface MapOptions extends MappingOptions {
  readonly out?: string;
  readonly overwrite?: true;
  readonly json?: true;
  readonly ndjson?: true;
  readonly report?: string;
  readonly quiet?: true;
}

const consent =
  'An enrollment may be sent only with the patient’s recorded consent; a chart holds none. The bridge’s ' +
  'enrollment page asks for it.';
const defaultFolder = 'prior-auth-out';

const help = `
Reads
  Bundles of any type, single resources, arrays of resources, NDJSON (bulk export), CDS Hooks requests, folders of
  mapping cases; each plain or gzipped; - is standard input. A bundle with a Patient and medication orders is mapped
  from itself. Everything else in one folder belongs together: single resources, NDJSON lines, pages of search
  results. Supporting resources (practitioners, organizations, medications) of the folder serve its bundles too; what
  is about a patient never comes from another bundle or folder. A draft order counts only where a
  CDS Hooks request names it, and is not ready before it is signed.

Writes (only its owner can read them)
  <out>/requests/*.json  bodies that can be sent as they are
  <out>/drafts/*.json    what the chart gave, and each gap
  <out>/sources/*.json   where each value came from, and why each resource was chosen
  <out>/report.json      every file and every order, with references and field names but no value from a chart

Examples
  prior-auth-bridge map export/                         one folder of bundles, resources or NDJSON
  prior-auth-bridge map a.json b.json.gz --out today    files, into a folder of your choice
  prior-auth-bridge map export/ --json | jq .report     nothing written, everything on standard output
  cat bundles.ndjson | prior-auth-bridge map - --ndjson one result per line`;

export const addMap: AddCommand = (program, io, end) => {
  addMappingOptions(
    program
      .command('map')
      .description('Turn exported FHIR into request files and a report. Nothing is sent.')
      .argument('<paths...>', 'files or folders; - for standard input'),
  )
    .option('--out <folder>', `where the files go (default: ${defaultFolder}, unless --json or --ndjson)`)
    .option('--overwrite', 'replace the output of an earlier run in that folder')
    .option('--json', 'print { orders, report } as JSON: per order the body or draft, gaps and provenance')
    .option('--ndjson', 'print one order per line as JSON')
    .option('--report <file>', 'also write the report to this file')
    .option('--quiet', 'print the summary without a line per file')
    .addHelpText('after', help)
    .action(async (paths: string[], options: MapOptions) => end(await map(paths, options, io)));
};

async function map(paths: readonly string[], options: MapOptions, io: Io): Promise<ExitCode> {
  const { name, kind, site, roles, map: mapChart } = chooseMapping(options, io);
  const now = dayOf(options.now, io.clock, site);
  const inputs = await listInputs(paths);
  if (inputs.files.length + inputs.problems.length === 0) throw new BridgeError('input_empty', { input: paths });
  // A mistyped path leaves nothing behind that would stand in the way of the next run.
  const folder =
    inputs.files.length === 0
      ? undefined
      : (options.out ?? (options.json || options.ndjson ? undefined : defaultFolder));
  const output = folder === undefined ? undefined : await openOutput(folder, { overwrite: options.overwrite === true });
  const reporter = createReporter({ mapping: name, now });
  const progress = createProgress(io);
  const printer = createPrinter(options, io);
  for await (const event of mapInputs({
    roles,
    inputs,
    map: mapChart,
    site,
    now,
    stdin: io.stdin,
    onProgress: progress.tell,
  })) {
    const written = event.kind === 'order' ? await output?.order(event.outcome) : undefined;
    if (event.kind === 'order') printer.order(event.outcome);
    reporter.add(event, written);
  }
  progress.done();
  const report = reporter.report();
  await output?.report(report);
  if (options.report !== undefined)
    await writeFile(options.report, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 });
  printer.end(report, folder);
  if (kind === 'enrollment' && report.totals.ready > 0) io.stderr.write(`${consent}\n`);
  // Told after the report, whose lines say what the files are.
  if (report.files.every(({ state }) => state === 'ignored'))
    return tellFailure(new BridgeError('input_empty', { input: paths }), io);
  return codeOf(report);
}

interface Printer {
  order(outcome: OrderOutcome): void;
  end(report: Report, folder: string | undefined): void;
}

function createPrinter(options: MapOptions, io: Io): Printer {
  if (options.ndjson)
    return { order: (outcome) => void io.stdout.write(`${JSON.stringify(jsonOf(outcome))}\n`), end: () => {} };
  const paint = paintFor(io);
  if (!options.json)
    return {
      order: () => {},
      end: (report, folder) =>
        void io.stdout.write(`${reportText(report, { folder, files: options.quiet !== true, paint })}\n`),
    };
  let first = true;
  return {
    order: (outcome) => {
      io.stdout.write(`${first ? '{"orders":[\n' : ',\n'}${JSON.stringify(jsonOf(outcome))}`);
      first = false;
    },
    end: (report) => void io.stdout.write(`${first ? '{"orders":[' : '\n'}],\n"report":${JSON.stringify(report)}}\n`),
  };
}

/** An order in the JSON forms: the place, what became of it, and the mapping's result as it is. */
export function jsonOf(outcome: OrderOutcome): object {
  const { place, order, patient, state } = outcome;
  const head = { ...place, order, patient, state };
  if (!('result' in outcome)) return { ...head, reason: outcome.reason };
  const { result, choices, warnings } = outcome;
  return {
    ...head,
    ...(result.status === 'complete' ? { body: result.body } : { draft: result.draft }),
    gaps: result.gaps,
    provenance: result.provenance,
    choices,
    warnings,
  };
}

function codeOf({ totals }: Report): ExitCode {
  if (totals.unreadable > 0) return exit.input;
  return totals.needs_information + totals.cannot_map > 0 ? exit.incomplete : exit.ok;
}
