import { type BenchBuild, parse } from './builds.ts';
import type { BenchBundle } from './bundles.ts';
import type { BenchCharts } from './charts.ts';
import { type Contender, type Timing, tableOf, timeRounds } from './rounds.ts';

/** How much is measured; a round maps each chart of a kind once. */
export interface BenchSize {
  readonly rounds: number;
  readonly warmup: number;
}

/** One kind of chart, measured with every build. */
export interface Measured {
  readonly kind: string;
  /** JSON.parse of the same bytes first, then the builds in the order that they were given. */
  readonly timings: readonly Timing[];
  /** Of the medians of the first build and of the second; undefined when there is one. */
  readonly toOther: number | undefined;
}

const kib = 1024;

/** Measures the builds in turns over the same bytes, from bytes to a validated body with provenance and gaps. */
export async function compareBuilds(
  builds: readonly BenchBuild[],
  charts: BenchCharts,
  { rounds, warmup }: BenchSize,
  tell: (text: string) => void,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [kind, all] of Object.entries(charts)) {
    const bundles = all.filter(({ bytes }) => builds.every((build) => canMap(build, bytes)));
    const contenders = [floor, ...builds].map((build) => contenderOf(build, bundles));
    const timings = await timeRounds(contenders, { rounds, warmup });
    const [, own, other] = timings;
    const toOther = own === undefined || other === undefined ? undefined : own.ratio / other.ratio;
    measured.push({ kind, timings, toOther });
    tell(tableOf(`${kind}: ${aboutOf(bundles)}`, timings));
    if (toOther !== undefined) tell(`${own?.name} to ${other?.name}: ${toOther.toFixed(3)}\n`);
  }
  return measured;
}

// An older build may stop at a chart that this one reads; such a chart is measured with neither.
function canMap({ read, map }: BenchBuild, bytes: Buffer): boolean {
  try {
    return map([read(bytes)]).length > 0;
  } catch {
    return false;
  }
}

// The last result is kept, the others are garbage.
function contenderOf({ name, atOnce, read, map }: BenchBuild, bundles: readonly BenchBundle[]): Contender {
  return {
    name,
    run: () => {
      let last: unknown;
      for (let at = 0; at < bundles.length; at += atOnce)
        last = map(bundles.slice(at, at + atOnce).map(({ bytes }) => read(bytes)));
      return last;
    },
  };
}

const floor: BenchBuild = { name: 'floor: JSON.parse', atOnce: 1, read: parse, map: (parsed) => parsed };

function aboutOf(bundles: readonly BenchBundle[]): string {
  const size = bundles.reduce((sum, { bytes }) => sum + bytes.length, 0) / bundles.length / kib;
  return (
    `${bundles.length} bundles of ${size.toFixed(1)} KiB on average, ` +
    `${new Set(bundles.map(({ name }) => name)).size} of them different`
  );
}
