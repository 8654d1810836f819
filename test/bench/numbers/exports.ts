import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSplitParse } from '../export/floor.ts';
import { writeExport } from '../export/generate.ts';
import { command, run, type Took } from './commands.ts';
import { type Measured, medianOf, type Wanted } from './row.ts';

/** The whole `map` command over bulk exports, by the clock, over one thread that reads, splits and parses them. */
export async function exportNumbers({ size }: Wanted): Promise<Measured[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-numbers-'));
  const sizes = size === 'short' ? short : full;
  try {
    const each = await density(folder, 1, sizes);
    // These runs are shorter, and what two workers and two processes take is nearer together: more rounds are needed.
    const oneInFive = await density(folder, 5, { ...sizes, rounds: sizes.rounds * 3 });
    return [...each, ...oneInFive];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Numbers of patients. */
interface Sizes {
  /** Read some rounds, with two workers. */
  readonly large: number;
  readonly largeRounds: number;
  /** Read some rounds, with one worker, two, and two processes of half of them each. */
  readonly usual: number;
  readonly rounds: number;
  /** What the memory of `large` is compared with; nothing without it. */
  readonly small?: number;
}

const short: Sizes = { large: 1000, largeRounds: 1, usual: 500, rounds: 1 };
const full: Sizes = { large: 1_000_000, largeRounds: 3, usual: 100_000, rounds: 3, small: 20_000 };

/** Every so many patients have an active order. */
async function density(folder: string, everyActive: number, sizes: Sizes): Promise<Measured[]> {
  const write = (name: string, patients: number) => {
    const given = join(folder, name);
    writeExport(given, { patients, everyActive, bulk: 4 });
    return given;
  };
  const who = everyActive === 1 ? 'an order for every patient' : 'an order for one patient in five';
  const usual = write('usual', sizes.usual);
  const halves = ['first', 'second'].map((half) => write(half, Math.ceil(sizes.usual / 2)));
  const { toFloor, gain, processes, asked } = await rounds(folder, { usual, halves, many: sizes.rounds });
  for (const given of [usual, ...halves]) rmSync(given, { recursive: true });
  const large = write('large', sizes.large);
  const { ratio, processor, peak } = await overFloor(folder, large, sizes.largeRounds);
  rmSync(large, { recursive: true });
  const measured: Measured[] = [
    {
      name: `map of an export, two workers, ${who}`,
      ratio,
      peers: {
        'its processor time over the floor’s': processor,
        [`of ${sizes.usual.toLocaleString('en-US')} patients`]: toFloor,
      },
    },
    {
      name: `two workers over what is asked of them, ${who}`,
      ratio: asked,
      peers: { 'one worker over two': gain, 'one worker over two processes of half each': processes },
    },
  ];
  if (sizes.small === undefined) return measured;
  if (everyActive === 1)
    return [...measured, { name: 'peak memory, an order for every patient', ratio: peak / gibibyte }];
  const few = await map(folder, write('small', sizes.small), 2);
  return [...measured, memory(few.peak, peak)];
}

/** In MiB, as memory is measured. */
const gibibyte = 1024;

function memory(few: number, many: number): Measured {
  return {
    name: 'peak memory, 1,000,000 patients over 20,000',
    ratio: many / few,
    peers: { 'MiB at 20,000': few, 'MiB at 1,000,000': many },
  };
}

interface Compared {
  /** Two workers over the floor. */
  readonly toFloor: number;
  /** One worker over two. */
  readonly gain: number;
  /** One worker over two processes of half of the input each. */
  readonly processes: number;
  /** What is asked over `gain`: 1.8 times as fast, or nine tenths of what two processes reach, whichever is less. */
  readonly asked: number;
}

async function rounds(
  folder: string,
  { usual, halves, many }: { readonly usual: string; readonly halves: readonly string[]; readonly many: number },
): Promise<Compared> {
  const all: Compared[] = [];
  readSplitParse(usual);
  for (let round = 0; round < many; round += 1) {
    const floor = floorOf(usual).wall;
    // Next to each other and in turns, since the machine is faster at one time than at another.
    const before = round % 2 === 0 ? undefined : await apart(folder, halves);
    const two = await map(folder, usual, 2);
    const halvesTook = before ?? (await apart(folder, halves));
    const one = await map(folder, usual, 1);
    const [gain, processes] = [one.wall / two.wall, one.wall / halvesTook];
    all.push({ toFloor: two.wall / floor, gain, processes, asked: Math.min(1.8, 0.9 * processes) / gain });
  }
  const median = (of: keyof Compared) => medianOf(all.map((one) => one[of]));
  return {
    toFloor: median('toFloor'),
    gain: median('gain'),
    processes: median('processes'),
    asked: median('asked'),
  };
}

/** Seconds that two processes take side by side, each with one worker and half of the patients. */
async function apart(folder: string, halves: readonly string[]): Promise<number> {
  const before = performance.now();
  await Promise.all(halves.map((half) => map(folder, half, 1)));
  return (performance.now() - before) / 1000;
}

/** The floor before and after each run, since one takes minutes and the machine is faster at one time than another. */
async function overFloor(folder: string, given: string, many: number): Promise<OverFloor> {
  const runs: OverFloor[] = [];
  let before = floorOf(given);
  for (let round = 0; round < many; round += 1) {
    const { wall, processor, peak } = await map(folder, given, 2);
    const after = floorOf(given);
    const over = (took: number, of: 'wall' | 'processor') => (2 * took) / (before[of] + after[of]);
    runs.push({ ratio: over(wall, 'wall'), processor: over(processor, 'processor'), peak });
    before = after;
  }
  const median = (of: keyof OverFloor) => medianOf(runs.map((run) => run[of]));
  return { ratio: median('ratio'), processor: median('processor'), peak: Math.max(...runs.map(({ peak }) => peak)) };
}

interface OverFloor {
  /** Two workers over the floor, by the clock. */
  readonly ratio: number;
  /** The same in processor time. */
  readonly processor: number;
  /** MiB. */
  readonly peak: number;
}

/** Seconds. */
function floorOf(given: string): Pick<Took, 'wall' | 'processor'> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  readSplitParse(given);
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - start) / 1000, processor: (user + system) / 1e6 };
}

/** Exit code 1 says that some orders are incomplete, as most do. */
async function map(folder: string, given: string, workers: number): Promise<Took> {
  const out = mkdtempSync(join(folder, 'out-'));
  const options = ['--format', 'ndjson', '--fast', '--workers', String(workers)];
  const took = await run([process.execPath, command, 'map', given, '--out', out, ...options], { codes: [0, 1] });
  rmSync(out, { recursive: true });
  return took;
}
