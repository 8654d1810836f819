import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSplitParse } from '../export/floor.ts';
import { writeExport } from '../export/generate.ts';
import { command, run, type Took } from './commands.ts';
import { type Measured, medianOf, type Wanted } from './row.ts';

/** The whole `map` command over bulk exports, by the clock, over one thread that reads, splits and parses them. */
export async function exportNumbers({ size, isLong }: Wanted): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-numbers-'));
  try {
    const [patients, rounds] = size === 'short' ? [500, 1] : [100_000, 3];
    const measured = [
      ...(await density(folder, { patients, rounds, everyActive: 1 })),
      ...(await density(folder, { patients, rounds, everyActive: 5 })),
    ];
    return isLong ? [...measured, await memory(folder)] : measured;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Density {
  readonly patients: number;
  readonly rounds: number;
  readonly everyActive: number;
}

async function density(folder: string, { patients, rounds, everyActive }: Density): Promise<Measured[]> {
  const all = join(folder, `all-${everyActive}`);
  const halves = [1, 2].map((half) => join(folder, `half-${half}-${everyActive}`));
  writeExport(all, { patients, everyActive, bulk: 4 });
  for (const half of halves) writeExport(half, { patients: Math.ceil(patients / 2), everyActive, bulk: 4 });
  const toFloor: number[] = [];
  const gained: number[] = [];
  const separate: number[] = [];
  readSplitParse(all);
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    readSplitParse(all);
    const floor = (performance.now() - start) / 1000;
    const two = await map(folder, all, 2);
    const one = await map(folder, all, 1);
    const before = performance.now();
    await Promise.all(halves.map((half) => map(folder, half, 1)));
    const apart = (performance.now() - before) / 1000;
    toFloor.push(two.wall / floor);
    gained.push(one.wall / two.wall);
    separate.push(one.wall / apart);
  }
  rmSync(all, { recursive: true });
  const who = everyActive === 1 ? 'an order for every patient' : 'an order for one patient in five';
  const [gain, processes] = [medianOf(gained), medianOf(separate)];
  return [
    { name: `map of an export, two workers, ${who}`, ratio: medianOf(toFloor) },
    // what is allowed is 1.8 times as fast, or nine tenths of what two processes reach, whichever is less
    {
      name: `two workers over what is asked of them, ${who}`,
      ratio: Math.min(1.8, 0.9 * processes) / gain,
      peers: { 'one worker over two': gain, 'one worker over two processes of half each': processes },
    },
  ];
}

async function memory(folder: string): Promise<Measured> {
  const peaks: number[] = [];
  for (const patients of [20_000, 1_000_000]) {
    const given = join(folder, `patients-${patients}`);
    writeExport(given, { patients, everyActive: 5, bulk: 4 });
    peaks.push((await map(folder, given, 2)).peak);
    rmSync(given, { recursive: true });
  }
  const [few = Number.NaN, many = Number.NaN] = peaks;
  return {
    name: 'peak memory, 1,000,000 patients over 20,000',
    ratio: many / few,
    peers: { 'MiB at 20,000': few, 'MiB at 1,000,000': many },
  };
}

/** Exit code 1 says that some orders need information, as most do. */
async function map(folder: string, given: string, workers: number): Promise<Took> {
  const out = mkdtempSync(join(folder, 'out-'));
  const options = ['--format', 'ndjson', '--fast', '--quiet', '--workers', String(workers)];
  const took = await run([process.execPath, command, 'map', given, '--out', out, ...options], { codes: [0, 1] });
  rmSync(out, { recursive: true });
  return took;
}
