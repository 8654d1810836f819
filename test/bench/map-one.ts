import { priorAuth } from '../../mappings/prior-auth.ts';
import { chartsOf } from '../../src/chart/from-bundle.ts';
import type { SitePolicy } from '../../src/chart/select.ts';
import { readBundle } from '../../src/fhir/bundle.ts';
import { runMapping } from '../../src/mapping/run.ts';
import { type BenchBundle, benchBundles } from './bundles.ts';
import { type Contender, tableOf, timeRounds } from './rounds.ts';

const now = new Date('2026-11-21T15:00:00Z');
const site: SitePolicy = { country: 'USA', diagnoses: 'ask' };
const bundles = benchBundles({ size: 20 * 1024, count: 200 });

function each<Result>(name: string, job: (bundle: BenchBundle) => Result): Contender {
  return { name, run: () => bundles.map(job) };
}

const parsed = bundles.map(({ bytes }) => JSON.parse(bytes.toString()));
const charts = parsed.map((json) => chartsOf(readBundle(json).entries, { now, site }));

/** The whole job on one thread, from the bytes of a bundle to a validated body with provenance and gaps; and its parts on input that the earlier parts made. */
const contenders: readonly Contender[] = [
  each('floor: JSON.parse', ({ bytes }) => JSON.parse(bytes.toString())),
  each('JSON.parse, select, map, validate', ({ bytes }) =>
    chartsOf(readBundle(JSON.parse(bytes.toString())).entries, { now, site }).map(({ chart }) => (chart === undefined ? undefined : runMapping(priorAuth, chart))),
  ),
  { name: 'only select', run: () => parsed.map((json) => chartsOf(readBundle(json).entries, { now, site })) },
  { name: 'only map and validate', run: () => charts.map((orders) => orders.map(({ chart }) => (chart === undefined ? undefined : runMapping(priorAuth, chart)))) },
];

const kib = bundles.reduce((sum, { bytes }) => sum + bytes.length, 0) / bundles.length / 1024;
const title = `map one: ${bundles.length} bundles of ${kib.toFixed(1)} KiB on average, from ${new Set(bundles.map(({ name }) => name)).size} fixtures`;
console.log(tableOf(title, await timeRounds(contenders, { rounds: 30, warmup: 10 })));
