import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { medianOf } from '../numbers/row.ts';
import { readSplitParse } from './floor.ts';
import { writeExport } from './generate.ts';

/**
 * A bulk export from files to files: wall time of the whole `map` command over that of one thread that reads, splits
 * and parses the same files, in turns; with the peak memory of the command. `-- --bridge "map {in} --out {out}"` says
 * what is run, more than once to compare; `{in}` is the folder of the export. `--against <checkout>` runs the first of
 * them with that checkout too, in turns: it ends with 1 where ours takes over `--limit` times the clock or the
 * processor. `--memory <MiB>`: it ends with 1 where a run takes more.
 */
const { values } = parseArgs({
  options: {
    patients: { type: 'string', default: '20000' },
    every: { type: 'string', default: '1' },
    bulk: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string' },
    against: { type: 'string' },
    limit: { type: 'string', default: '2' },
    memory: { type: 'string' },
    bridge: { type: 'string', multiple: true, default: ['map {in} --out {out}'] },
  },
});
const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'bench-export-'));
try {
  const given = values.keep ?? join(folder, 'export');
  const size = { patients: Number(values.patients), everyActive: Number(values.every), bulk: Number(values.bulk) };
  if (!existsSync(given)) writeExport(given, size);
  const bytes = readdirSync(given).reduce((sum, name) => sum + statSync(join(given, name)).size, 0);
  console.log(`${size.patients} patients, an order for one in ${size.everyActive}, ${Math.round(bytes / 1e6)} MB`);
  readSplitParse(given);
  const [first = ''] = values.bridge;
  const [ours, theirs]: [Ran[], Ran[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const before = process.cpuUsage();
    const seconds = timed(() => readSplitParse(given));
    const { user, system } = process.cpuUsage(before);
    const floor = { seconds, processor: (user + system) / 1e6 };
    console.log(`floor ${seconds.toFixed(2)} s, processor ${floor.processor.toFixed(2)} s`);
    for (const command of values.bridge) {
      const ran = runBridge(root, given, command);
      console.log(`${textOf(ran, floor)}  ${command}`);
      if (command === first) ours.push(ran);
    }
    if (values.against === undefined) continue;
    const ran = runBridge(resolve(values.against), given, first);
    console.log(`${textOf(ran, floor)}  ${first}, ${values.against}`);
    theirs.push(ran);
  }
  if (values.against !== undefined) judge(ours, theirs);
  const peak = Math.max(...ours.map((ran) => ran.peak));
  if (values.memory !== undefined) verdict(`peak memory ${peak} MiB`, peak, Number(values.memory));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Floor {
  readonly seconds: number;
  readonly processor: number;
}

interface Ran extends Floor {
  readonly peak: number;
}

function runBridge(checkout: string, given: string, command: string): Ran {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  const words = command.split(' ').map((word) => word.replace('{in}', given).replace('{out}', out));
  const script = join(checkout, 'bin/prior-auth-bridge.cjs');
  let said = '';
  const seconds = timed(() => {
    const ran = spawnSync('/usr/bin/env', ['time', '-f', '%M %U %S', process.execPath, script, ...words], {
      maxBuffer: 1 << 30,
    });
    if (ran.error !== undefined) throw ran.error;
    // 1 and 2 say that orders are incomplete, and that lines cannot be read.
    if (ran.status === null || ran.status > 2) throw new Error(`${command} ended with ${ran.status}: ${ran.stderr}`);
    said = ran.stderr.toString().trim().split('\n').at(-1) ?? '';
  });
  const [kilobytes = 0, user = 0, system = 0] = said.split(' ').map(Number);
  return { seconds, processor: user + system, peak: Math.round(kilobytes / 1024) };
}

function textOf({ seconds, processor, peak }: Ran, floor: Floor): string {
  return (
    `ratio ${(seconds / floor.seconds).toFixed(2)}, ` +
    `of processor time ${(processor / floor.processor).toFixed(2)}  ` +
    `${seconds.toFixed(2)} s, processor ${processor.toFixed(1)} s, peak ${peak} MiB`
  );
}

/** The median of what the rounds give, ours over theirs. */
function judge(ours: readonly Ran[], theirs: readonly Ran[]): void {
  for (const name of ['seconds', 'processor'] as const) {
    const ratio = medianOf(ours.map((ran, round) => ran[name] / (theirs[round]?.[name] ?? Number.NaN)));
    verdict(`${name} over the other checkout ${ratio.toFixed(2)}`, ratio, Number(values.limit));
  }
}

function verdict(what: string, found: number, limit: number): void {
  console.log(`${what}, limit ${limit}: ${found <= limit ? 'kept' : 'OVER THE LIMIT'}`);
  if (!(found <= limit)) process.exitCode = 1;
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
