import type { Bundle, FhirResource } from 'fhir/r4.js';
import { thisBuild, thisBuildAlone } from '../builds.ts';
import type { BenchBundle } from '../bundles.ts';
import { benchChartsApart } from '../charts.ts';
import { compareBuilds } from '../compare-builds.ts';
import { differences, peerEngines } from '../peers/engines.ts';
import { resolve } from '../peers/resolve.ts';
import { type Contender, timeRounds } from '../rounds.ts';
import type { Measured, Wanted } from './row.ts';

/**
 * From the bytes of one chart to a validated body with provenance and gaps, over JSON.parse of the same bytes; beside
 * it engines that only read the leaves.
 */
export async function chartNumbers({ size }: Wanted): Promise<Measured[]> {
  const isShort = size === 'short';
  const charts = await benchChartsApart(isShort ? 20 : 100);
  const rounds = isShort ? { rounds: 10, warmup: 30 } : { rounds: 100, warmup: 1000 };
  // One after the other: no process maps charts in both ways, and V8 compiles the code for the way that it sees.
  const together = ratiosOf(await compareBuilds([thisBuild], charts, rounds, () => undefined));
  const alone = ratiosOf(await compareBuilds([thisBuildAlone], charts, rounds, () => undefined));
  const measured: Measured[] = [];
  for (const [kind, ratio] of together) {
    const peers = await peersOf(charts[kind] ?? [], isShort);
    measured.push({
      name: kind,
      ratio,
      peers: { 'each chart alone, as a launch maps it': alone.get(kind) ?? Number.NaN, ...peers },
    });
  }
  return measured;
}

/** Of each kind, that of the one build. */
function ratiosOf(measured: Awaited<ReturnType<typeof compareBuilds>>): ReadonlyMap<string, number> {
  return new Map(measured.map(({ kind, timings }) => [kind, timings[1]?.ratio ?? Number.NaN]));
}

async function peersOf(bundles: readonly BenchBundle[], isShort: boolean): Promise<Readonly<Record<string, number>>> {
  const engines = peerEngines();
  for (const { name, bytes } of bundles) {
    const told = await differences(engines, resolve(parse(bytes)));
    if (told.length > 0) throw new Error(`${name}: the engines do not read the same\n${told.join('\n')}`);
  }
  const contenders: Contender[] = [
    { name: 'floor', run: () => bundles.map(({ bytes }) => parse(bytes)).length },
    ...engines.map(({ name, read }) => ({
      name,
      run: async () => {
        let last: unknown;
        for (const { bytes } of bundles) last = await read(resolve(parse(bytes)));
        return last;
      },
    })),
  ];
  const timings = await timeRounds(contenders, isShort ? { rounds: 3, warmup: 2 } : { rounds: 15, warmup: 15 });
  return Object.fromEntries(timings.slice(1).map(({ name, ratio }) => [name, ratio]));
}

function parse(bytes: Buffer): Bundle<FhirResource> {
  return JSON.parse(bytes.toString());
}
