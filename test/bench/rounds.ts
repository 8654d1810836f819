/** One way to do a job over the same inputs; what it returns is kept, so that nothing of it can be optimized away. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown | Promise<unknown>;
}

/** A way that a process of its own takes, so that its garbage is collected at its own cost. */
export interface ContenderApart {
  readonly name: string;
  /** Does the job once; milliseconds of processor time that it took there. */
  readonly time: () => Promise<number>;
}

export interface Timing {
  readonly name: string;
  /** Median of the rounds, in milliseconds of processor time. */
  readonly milliseconds: number;
  /** Median of the per-round ratios to the first contender, and their quartiles. */
  readonly ratio: number;
  readonly spread: readonly [low: number, high: number];
}

let kept: unknown;

/**
 * Times the contenders in interleaved rounds: each round runs all of them, in an order that changes from round to
 * round, so that load, heat and caches of the machine fall on all alike. Processor time of the whole process is
 * counted, user and system: the threads that collect garbage and compile belong to a job too, the wait for other work
 * on the machine does not. The first contender is the floor. The first rounds warm up and do not count.
 */
export async function timeRounds(
  contenders: readonly (Contender | ContenderApart)[],
  { rounds, warmup }: { readonly rounds: number; readonly warmup: number },
): Promise<Timing[]> {
  const times = contenders.map((): number[] => []);
  for (let round = -warmup; round < rounds; round += 1) {
    for (const index of orderOf(round + warmup, contenders.length)) {
      const took = await timed(contenders[index]);
      if (round >= 0) times[index]?.push(took);
    }
  }
  const floor = times[0] ?? [];
  return contenders.map(({ name }, index) => {
    const own = times[index] ?? [];
    const ratios = own.map((took, round) => took / (floor[round] ?? Number.NaN));
    return {
      name,
      milliseconds: quantile(own, 0.5),
      ratio: quantile(ratios, 0.5),
      spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    };
  });
}

// Who runs twice in a row finds its code and data in the caches: each order of three comes once in six rounds.
function orderOf(round: number, count: number): number[] {
  const order = Array.from({ length: count }, (_, place) => (place + Math.floor(round / 2)) % count);
  return round % 2 === 0 ? order : order.reverse();
}

async function timed(contender: Contender | ContenderApart | undefined): Promise<number> {
  if (contender !== undefined && 'time' in contender) return contender.time();
  const start = process.cpuUsage();
  kept = await contender?.run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The last result, for a caller that wants to show that there was one. */
export function lastResult(): unknown {
  return kept;
}

export function tableOf(title: string, timings: readonly Timing[]): string {
  const rows = timings.map(({ name, milliseconds, ratio, spread }) => [
    name,
    milliseconds.toFixed(1),
    ratio.toFixed(2),
    `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}`,
  ]);
  const all = [['', 'CPU ms a round', 'ratio', 'middle half'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return [title, ...all.map(line)].join('\n');
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
