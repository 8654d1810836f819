import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Layout, tellsChoices } from '../batch/block.ts';
import { Engine } from '../batch/engine.ts';
import { type Inputs, listInputs } from '../batch/input.ts';
import { earlierRun, prepareOutput, stoppedRun } from '../batch/output.ts';
import { type RunResult, runMap } from '../batch/run.ts';
import { createTemporary } from '../batch/temporary.ts';
import { otherThreads, thisThread, type Workers } from '../batch/workers.ts';
import { reportJson, writeReport } from '../batch/write-report.ts';
import { BridgeError } from '../errors.ts';
import { packageVersion } from '../package.ts';
import { tellFailure } from './failure.ts';
import { type ExitCode, exit, type Io } from './io.ts';
import { defaultFolder, type MapOptions } from './map-options.ts';
import type { ThreadData } from './map-thread.ts';
import { startThreads, threadsFor } from './map-threads.ts';
import { type ChosenMapping, chooseMapping, dayOf } from './mappings.ts';
import { paintFor } from './paint.ts';
import { createProgress } from './progress.ts';
import { reportText } from './report-text.ts';

const consent =
  'An enrollment may be sent only with the patient’s recorded consent; a chart holds none. The bridge’s ' +
  'enrollment page asks for it.';

/** Maps what the paths name, writes and prints it; the exit code. */
export async function map(paths: readonly string[], options: MapOptions, io: Io): Promise<ExitCode> {
  const chosen = chooseMapping(options, io);
  const inputs = await listInputs(paths);
  if (inputs.files.length + inputs.problems.length === 0) throw new BridgeError('input_empty', { input: paths });
  const changedSince = options.changedSince === undefined ? undefined : earlierRun(options.changedSince);
  const fingerprint = fingerprintOf(inputs, options);
  const folder = folderOf(inputs, options);
  if (folder !== undefined && options.changedSince !== undefined && resolve(folder) === resolve(options.changedSince))
    throw sameFolder(folder);
  const before = folder !== undefined && options.resume === true ? stoppedRun(folder) : undefined;
  if (folder !== undefined && before !== undefined && before.fingerprint !== fingerprint) throw otherRun(folder);
  const now = before === undefined ? dayOf(options.now, io.clock, chosen.site) : new Date(before.now);
  const layout = layoutOf(options, folder);
  if (folder !== undefined)
    await prepareOutput(folder, {
      ...layout,
      overwrite: options.overwrite === true,
      resume: options.resume === true,
    });
  const temporary = createTemporary();
  const workers = workersFor(inputs, { chosen, options, now, layout, io });
  try {
    const progress = createProgress(io);
    const printer = createPrinter(options, io);
    const result = await runMap({
      inputs,
      workers,
      layout,
      mapping: chosen.name,
      now,
      stdin: io.stdin,
      temporary,
      fingerprint,
      print: printer.lines,
      onProgress: progress.tell,
      ...(before === undefined ? {} : { before }),
      ...(changedSince === undefined ? {} : { changedSince }),
      ...(options.maxErrors === undefined ? {} : { maxErrors: options.maxErrors }),
    }).finally(progress.done);
    if (options.report !== undefined) writeReport(options.report, result);
    printer.end(result, folder);
    await result.end();
    return endOf(result, { paths, chosen, io });
  } finally {
    await workers.end();
    temporary.remove();
  }
}

function endOf(
  { report }: RunResult,
  { paths, chosen, io }: { readonly paths: readonly string[]; readonly chosen: ChosenMapping; readonly io: Io },
): ExitCode {
  const { totals, files } = report;
  if (chosen.kind === 'enrollment' && totals.ready > 0) io.stderr.write(`${consent}\n`);
  // Told after the report, whose lines say what the files are.
  if (files.every(({ state }) => state === 'ignored'))
    return tellFailure(new BridgeError('input_empty', { input: paths }), io);
  if (totals.unreadable > 0) return exit.input;
  return totals.needs_information + totals.cannot_map > 0 ? exit.incomplete : exit.ok;
}

/** A mistyped path leaves nothing behind that would stand in the way of the next run. */
function folderOf({ files }: Inputs, { out, json, ndjson }: MapOptions): string | undefined {
  if (files.length === 0) return undefined;
  return out ?? (json === true || ndjson === true ? undefined : defaultFolder);
}

function layoutOf({ format, sources, json, ndjson }: MapOptions, folder: string | undefined): Layout {
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
        'The run that was stopped there had another input or other options. Give it the same ones, or add ' +
        '--overwrite instead of --resume to begin again.',
    },
  );
}

/** What a run must have in common with the one that it goes on with. */
function fingerprintOf({ files, problems }: Inputs, options: MapOptions): string {
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
    version: packageVersion(),
  };
  return createHash('sha256')
    .update(JSON.stringify([facts, problems, how]))
    .digest('hex');
}

function workersFor(
  inputs: Inputs,
  work: {
    readonly chosen: ChosenMapping;
    readonly options: MapOptions;
    readonly now: Date;
    readonly layout: Layout;
    readonly io: Io;
  },
): Workers {
  const { chosen, options, now, layout, io } = work;
  const isFast = options.fast === true;
  const { only = [] } = options;
  const plan = threadsFor(inputs, options.workers);
  if (plan === undefined) {
    const { map, reads, roles, site } = chosen;
    const choices = tellsChoices(layout);
    return thisThread(new Engine({ map, reads, roles, site, now, isFast, only, choices }), layout);
  }
  const { mapping, site: siteId, sites, timeZone } = options;
  const named = Object.entries({ mapping, site: siteId, sites, timeZone }).filter(([, value]) => value !== undefined);
  const env = { BRIDGE_SITES: io.env.BRIDGE_SITES };
  const data: ThreadData = { options: Object.fromEntries(named), env, now: now.getTime(), isFast, only, layout };
  return otherThreads(startThreads(plan, data));
}

interface Printer {
  readonly lines: (lines: string) => void;
  readonly end: (result: RunResult, folder: string | undefined) => void;
}

function createPrinter(options: MapOptions, io: Io): Printer {
  const write = (text: string) => void io.stdout.write(text);
  if (options.ndjson) return { lines: write, end: () => {} };
  const paint = paintFor(io);
  if (!options.json)
    return {
      lines: () => {},
      end: ({ report }, folder) => {
        const { format, quiet } = options;
        write(`${reportText(report, { folder, format, files: quiet !== true, paint })}\n`);
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
