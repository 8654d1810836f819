import { mappings } from '../../mappings/index.ts';
import { priorAuth } from '../../mappings/prior-auth.ts';
import { chartsOf, type OrderChart } from '../../src/chart/from-bundle.ts';
import { readBundle } from '../../src/fhir/bundle.ts';
import { runMapping } from '../../src/mapping/run/run.ts';
import type { SitePolicy } from '../../src/roles/policy.ts';
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

const floor = each('floor: JSON.parse', bundles, ({ bytes }) => JSON.parse(bytes.toString()));
const job = each('JSON.parse, select, map, validate', bundles, ({ bytes }) =>
  mapped(chartsOf(readBundle(JSON.parse(bytes.toString())).entries, { roles: mappings.roles, now, site })),
);

const kib = bundles.reduce((sum, { bytes }) => sum + bytes.length, 0) / bundles.length / 1024;
const about = `${bundles.length} bundles of ${kib.toFixed(1)} KiB on average, from ${new Set(bundles.map(({ name }) => name)).size} fixtures`;
console.log(
  tableOf(
    `map one: ${about}, from bytes to a validated body with provenance and gaps, on one thread`,
    await timeRounds([floor, job], { rounds: 60, warmup: 30 }),
  ),
);

// The parts come after the whole: their inputs stay in memory, which costs the garbage collector time.
const parsed: readonly unknown[] = bundles.map(({ bytes }) => JSON.parse(bytes.toString()));
const charts = parsed.map((json) => chartsOf(readBundle(json).entries, { roles: mappings.roles, now, site }));
const parts = [
  each('only select', parsed, (json) => chartsOf(readBundle(json).entries, { roles: mappings.roles, now, site })),
  each('only map and validate', charts, mapped),
];
console.log(
  tableOf('its parts, over input that is in memory', await timeRounds([floor, ...parts], { rounds: 30, warmup: 10 })),
);
