import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSplitParse } from './floor.ts';
import { writeExport } from './generate.ts';

/**
 * A bulk export from files to files: wall time of the whole `map` command over that of one thread that reads, splits
 * and parses the same files, in turns; with the peak memory of the command. `-- --bridge "map {in} --out {out}"` says
 * what is run, more than once to compare; `{in}` is the folder of the export.
 */
const { values } = parseArgs({
  options: {
    patients: { type: 'string', default: '20000' },
    every: { type: 'string', default: '1' },
    bulk: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string' },
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
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const before = process.cpuUsage();
    const seconds = timed(() => readSplitParse(given));
    const { user, system } = process.cpuUsage(before);
    const floor = { seconds, processor: (user + system) / 1e6 };
    console.log(`floor ${seconds.toFixed(2)} s, processor ${floor.processor.toFixed(2)} s`);
    for (const command of values.bridge) console.log(`${runBridge(given, command, floor)}  ${command}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Floor {
  readonly seconds: number;
  readonly processor: number;
}

function runBridge(given: string, command: string, floor: Floor): string {
  const out = join(folder, 'out');
  rmSync(out, { recursive: true, force: true });
  const words = command.split(' ').map((word) => word.replace('{in}', given).replace('{out}', out));
  const script = join(root, 'bin/prior-auth-bridge.cjs');
  let said = '';
  const took = timed(() => {
    const ran = spawnSync('/usr/bin/env', ['time', '-f', '%M %U %S', process.execPath, script, ...words], {
      maxBuffer: 1 << 30,
    });
    if (ran.error !== undefined) throw ran.error;
    said = ran.stderr.toString().trim().split('\n').at(-1) ?? '';
  });
  const [kilobytes = 0, user = 0, system = 0] = said.split(' ').map(Number);
  return (
    `ratio ${(took / floor.seconds).toFixed(2)}, ` +
    `of processor time ${((user + system) / floor.processor).toFixed(2)}  ` +
    `${took.toFixed(2)} s, processor ${(user + system).toFixed(1)} s, ` +
    `peak ${Math.round(kilobytes / 1024)} MB`
  );
}

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}
