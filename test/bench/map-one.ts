import { priorAuth } from '../../mappings/prior-auth.ts';
import { chartsOf, type OrderChart } from '../../src/chart/from-bundle.ts';
import type { SitePolicy } from '../../src/chart/select.ts';
import { readBundle } from '../../src/fhir/bundle.ts';
import { runMapping } from '../../src/mapping/run.ts';
import { benchBundles } from './bundles.ts';
import { type Contender, tableOf, timeRounds } from './rounds.ts';

const now = new Date('2026-11-21T15:00:00Z');
const site: SitePolicy = { country: 'USA', diagnoses: 'ask' };
const bundles = benchBundles({ size: 20 * 1024, count: 100 });

// One after the other, as a server meets them: the last result is kept, the others are garbage.
function each<Item>(name: string, items: readonly Item[], job: (item: Item) => unknown): Contender {
  return {
    name,
    run: () => {
      let last: unknown;
      for (const item of items) last = job(item);
      return last;
    },
  };
}

function mapped(orders: readonly OrderChart[]): unknown {
  return orders.map(({ chart }) => (chart === undefined ? undefined : runMapping(priorAuth, chart)));
}

const parsed: readonly unknown[] = bundles.map(({ bytes }) => JSON.parse(bytes.toString()));
const charts = parsed.map((json) => chartsOf(readBundle(json).entries, { now, site }));

/** The whole job on one thread, from the bytes of a bundle to a validated body with provenance and gaps; and its parts on input that the earlier parts made. */
const contenders: readonly Contender[] = [
  each('floor: JSON.parse', bundles, ({ bytes }) => JSON.parse(bytes.toString())),
  each('JSON.parse, select, map, validate', bundles, ({ bytes }) => mapped(chartsOf(readBundle(JSON.parse(bytes.toString())).entries, { now, site }))),
  each('only select', parsed, (json) => chartsOf(readBundle(json).entries, { now, site })),
  each('only map and validate', charts, mapped),
];

const kib = bundles.reduce((sum, { bytes }) => sum + bytes.length, 0) / bundles.length / 1024;
const title = `map one: ${bundles.length} bundles of ${kib.toFixed(1)} KiB on average, from ${new Set(bundles.map(({ name }) => name)).size} fixtures`;
console.log(tableOf(title, await timeRounds(contenders, { rounds: 60, warmup: 20 })));
