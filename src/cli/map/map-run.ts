import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { packageVersion } from '../../base/package.ts';
import { createTemporary } from '../../base/temporary.ts';
import { isDiskFull } from '../../base/writing.ts';
import { orderStates } from '../../batch/file-ledger.ts';
import { type Inputs, listInputs } from '../../batch/list-inputs.ts';
import type { Layout } from '../../batch/report/mapped-part.ts';
import { digestsOf, prepareOutput, stoppedRun } from '../../batch/report/output.ts';
import { reportJson } from '../../batch/report/write-report.ts';
import { type RunRequest, type RunResult, runMap } from '../../batch/run.ts';
import { otherThreads, type StartedThreads, thisThread } from '../../batch/workers.ts';
import { BridgeError } from '../../core/errors.ts';
import { type ExitCode, exit } from '../exit.ts';
import { reportFailure } from '../failure.ts';
import type { Io } from '../io.ts';
import { paintFor } from '../paint.ts';
import { createProgress } from '../progress.ts';
import { writeReports } from '../report/write-reports.ts';
import { reportText } from '../report-text.ts';
import { defaultFolder, type MapFlags } from './map-options.ts';
import { startThreads, threadsFor } from './map-threads.ts';
import type { MapAbout, MapWork } from './map-work.ts';

const consent =
  'An enrollment may be sent only with the patient’s recorded consent; a chart holds none. The bridge’s ' +
  'enrollment page asks for it.';

export async function map(paths: readonly string[], options: MapFlags, io: Io): Promise<ExitCode> {
  const inputs = await listInputs(paths);
  const folder = folderOf(inputs, options);
  const before = folder !== undefined && options.resume === true ? stoppedRun(folder) : undefined;
  const layout = layoutOf(options, folder);
  const temporary = createTemporary(); // before the threads start, since they keep running after an error
  const { workers, about } = await startWork(inputs, workOf(options, { layout, before: before?.now, io }), options);
  try {
    const begun = await about;
    if (inputs.files.length + inputs.problems.length === 0) throw new BridgeError('input_empty', { input: paths });
    const output = await openOutput(folder, { inputs, options, before, layout, begun });
    const printer = createPrinter(options, io);
    const result = await run({ inputs, workers, layout, temporary, begun, printer, io }, output, options);
    await writeAsked(result, { options, folder, kind: begun.kind });
    printer.end(result, folder);
    await result.end();
    return endOf(result, { paths, kind: begun.kind, io });
  } catch (error) {
    throw isDiskFull(error) ? diskFull(folder, error) : error;
  } finally {
    await workers.end();
    temporary.remove();
  }
}

function writeAsked(
  { report, lines }: RunResult,
  {
    options: { report: paths = [], format },
    folder,
    kind,
  }: { readonly options: MapFlags; readonly folder: string | undefined; readonly kind: MapAbout['kind'] },
): Promise<void> {
  return writeReports(paths, { report, lines, kind, format, ...(folder === undefined ? {} : { folder }) });
}

function diskFull(folder: string | undefined, cause: unknown): BridgeError {
  const out = folder === undefined ? {} : { out: resolve(folder) };
  return new BridgeError('disk_full', { ...out, temporary: tmpdir() }, { cause });
}

/** What this run's output is resumed from or compared with. */
type Output = Pick<RunRequest, 'before' | 'changedSince' | 'fingerprint'>;

/** Throws output_unusable for a folder that this run cannot write to or resume. */
async function openOutput(
  folder: string | undefined,
  {
    inputs,
    options,
    before,
    layout,
    begun,
  }: {
    readonly inputs: Inputs;
    readonly options: MapFlags;
    readonly before: RunRequest['before'];
    readonly layout: Layout;
    readonly begun: MapAbout;
  },
): Promise<Output> {
  const { changedSince } = options;
  if (changedSince !== undefined) digestsOf(changedSince);
  const fingerprint = fingerprintOf(inputs, options, begun);
  if (folder !== undefined) {
    if (changedSince !== undefined && resolve(folder) === resolve(changedSince)) throw sameFolder(folder);
    if (before !== undefined && before.fingerprint !== fingerprint) throw otherRun(folder);
    const { overwrite = false, resume = false } = options;
    await prepareOutput(folder, { ...layout, overwrite, resume });
  }
  return {
    fingerprint,
    ...(before === undefined ? {} : { before }),
    ...(changedSince === undefined ? {} : { changedSince }),
  };
}

async function run(
  {
    begun: { name, now },
    printer,
    io,
    ...work
  }: Pick<RunRequest, 'inputs' | 'workers' | 'layout' | 'temporary'> & {
    readonly begun: MapAbout;
    readonly printer: Printer;
    readonly io: Io;
  },
  output: Output,
  { maxErrors }: MapFlags,
): Promise<RunResult> {
  const progress = createProgress(io);
  return runMap({
    ...work,
    ...output,
    mapping: name,
    now: new Date(now),
    stdin: io.stdin,
    print: printer.lines,
    onProgress: progress.show,
    ...(maxErrors === undefined ? {} : { maxErrors }),
  }).finally(progress.done);
}

function endOf(
  { report }: RunResult,
  { paths, kind, io }: { readonly paths: readonly string[]; readonly kind: MapAbout['kind']; readonly io: Io },
): ExitCode {
  const { totals, files } = report;
  if (kind === 'enrollment' && totals.ready > 0) io.stderr.write(`${consent}\n`);
  // Printed after the report, which says of each file why it was ignored.
  if (files.every(({ state }) => state === 'ignored'))
    return reportFailure(new BridgeError('input_empty', { input: paths }), io);
  if (totals.unreadable > 0) return exit.input;
  return totals.incomplete + totals.cannot_map > 0 ? exit.incomplete : exit.ok;
}

/**
 * No output folder is made if the paths have no files: a path may be mistyped, and the folder would block the next run.
 */
function folderOf({ files }: Inputs, { out, json, ndjson }: MapFlags): string | undefined {
  if (files.length === 0) return undefined;
  return out ?? (json === true || ndjson === true ? undefined : defaultFolder);
}

function layoutOf({ format, sources, json, ndjson }: MapFlags, folder: string | undefined): Layout {
  const printed = json === true || ndjson === true;
  return { format, sources: sources === true, printed, ...(folder === undefined ? {} : { folder }) };
}

function sameFolder(folder: string): BridgeError {
  return new BridgeError(
    'output_unusable',
    { folder },
    { next: 'A run cannot replace what --changed-since compares it with. Name another folder with --out.' },
  );
}

function otherRun(folder: string): BridgeError {
  return new BridgeError(
    'output_unusable',
    { folder },
    {
      next:
        'The run that was stopped there had another input or other options, or the rules or the site have changed ' +
        'since. Give it the same ones, or add --overwrite instead of --resume to begin again.',
    },
  );
}

/** The input and options that must be the same for a run to be resumed. */
function fingerprintOf({ files, problems }: Inputs, options: MapFlags, { rules }: MapAbout): string {
  const { mapping, site, sites, now, timeZone, format, sources, fast, only, changedSince } = options;
  const facts = files.map(({ path }) => {
    if (path === '-') return [path];
    const { size, mtimeMs } = statSync(path);
    return [path, size, mtimeMs];
  });
  const how = {
    mapping,
    site,
    sites,
    now,
    timeZone,
    format,
    sources,
    fast,
    only,
    changedSince,
    rules,
    version: packageVersion(),
    states: orderStates, // a run with other state names cannot be resumed
  };
  return createHash('sha256')
    .update(JSON.stringify([facts, problems, how]))
    .digest('hex');
}

function workOf(
  { mapping, site, sites, now, timeZone, answers, fast, only = [] }: MapFlags,
  { layout, before, io }: { readonly layout: Layout; readonly before: string | undefined; readonly io: Io },
): MapWork {
  const named = Object.entries({ mapping, site, sites, now, timeZone }).filter(([, value]) => value !== undefined);
  return {
    options: Object.fromEntries(named),
    env: { BRIDGE_SITES: io.env.BRIDGE_SITES },
    clock: io.clock().getTime(),
    ...(before === undefined ? {} : { before }),
    isFast: fast === true,
    takesAnswers: answers === true,
    only,
    layout,
  };
}

/**
 * Small input is mapped in this thread. Otherwise worker threads load the mapping code, and this thread only
 * distributes the input.
 */
async function startWork(
  inputs: Inputs,
  work: MapWork,
  { workers }: Pick<MapFlags, 'workers'>,
): Promise<StartedThreads<MapAbout>> {
  const plan = threadsFor(inputs, workers);
  if (plan !== undefined) return otherThreads(startThreads(plan, work));
  const { beginMap } = await import('./map-work.ts');
  const { engine, layout, about } = beginMap(work);
  return { workers: thisThread(engine, layout), about: Promise.resolve(about) };
}

interface Printer {
  readonly lines: (lines: string) => void;
  readonly end: (result: RunResult, folder: string | undefined) => void;
}

function createPrinter(options: MapFlags, io: Io): Printer {
  const write = (text: string) => void io.stdout.write(text);
  if (options.ndjson) return { lines: write, end: () => {} };
  const paint = paintFor(io);
  if (!options.json)
    return {
      lines: () => {},
      end: ({ report }, folder) => {
        const { format, files = false } = options;
        write(`${reportText(report, { folder, format, files, paint })}\n`);
      },
    };
  let before = '{"orders":[\n';
  return {
    lines: (lines) => {
      if (lines === '') return;
      write(`${before}${lines.slice(0, -1).replaceAll('\n', ',\n')}`);
      before = ',\n';
    },
    end: (result) => {
      write(before === ',\n' ? '\n],\n"report":' : '{"orders":[],\n"report":');
      for (const text of reportJson(result)) write(text);
      write('}\n');
    },
  };
}
