import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { listFixtures, loadFixture } from '../../src/proof/fixture.ts';
import { demandedBy } from './asked-more.reasons.ts';

/**
 * Which charts were complete in another build and are not in this one: over the mapping cases (the sandbox's patients
 * are among them) and public data.
 * `npm run laws:asked -- /path/of/the/other/build > docs/asked-more.md`; both builds must be built. Ends with 1 when a
 * row has no demand.
 */
const [before, after = join(import.meta.dirname, '../..')] = process.argv.slice(2);
if (before === undefined) throw new Error('Name the folder of the build to compare with.');

interface Order {
  readonly file: string;
  readonly order: string;
  readonly state: string;
  readonly reason?: string;
  readonly gaps?: readonly { readonly target: string; readonly severity: string; readonly message: string }[];
}

const cases = mkdtempSync(join(tmpdir(), 'asked-more-'));
try {
  for (const { name, entries } of listFixtures(join(import.meta.dirname, '../../fixtures/charts')).map(loadFixture)) {
    mkdirSync(join(cases, name));
    writeFileSync(
      join(cases, name, 'chart.json'),
      JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: entries }),
    );
  }
  report([cases, ...publicSets()]);
} finally {
  rmSync(cases, { recursive: true });
}

function publicSets(): string[] {
  const folder = process.env.PUBLIC_FHIR_DATA;
  if (folder === undefined) return [];
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return found.map(({ name }) => join(folder, name)).filter((path) => !/(tables|formulary)$/.test(path));
}

function report(sets: readonly string[]): void {
  const rows: string[] = [];
  const counts: string[] = [];
  let undemanded = 0;
  for (const set of sets) {
    const [was, is] = [ordersOf(before ?? '', set), ordersOf(after, set)];
    const name = set === cases ? 'mapping cases' : basename(set);
    const ready = [...was.values()].filter(({ state }) => state === 'ready');
    const asked = ready.filter(({ file, order }) => is.get(`${file} ${order}`)?.state !== 'ready');
    const gained = [...is.values()].filter(
      (one) => one.state === 'ready' && was.get(`${one.file} ${one.order}`)?.state !== 'ready',
    );
    counts.push(`| ${name} | ${was.size} | ${ready.length} | ${asked.length} | ${gained.length} |`);
    for (const { file, order } of asked) {
      const now = is.get(`${file} ${order}`);
      const why = (now?.gaps ?? [])
        .filter(({ severity }) => severity === 'blocks')
        .map(({ target, message }) => `\`${target}\`: ${message}`);
      const chart = set === cases ? (file.split('/')[0] ?? '') : `${name}/${file}`;
      const demand = demandedBy(chart);
      if (demand === undefined) undemanded += 1;
      rows.push(
        `| ${chart} | ${order} | ${why.join('<br>') || (now?.state ?? 'not an order any more')} | ` +
          `${demand ?? '**none**'} |`,
      );
    }
  }
  process.stdout.write(
    `${[
      '# What is asked now and was not before',
      '',
      'Charts that were complete in the build before and are not in this one, each with what it waits for and what ' +
        'demands it.',
      'Made by `npm run laws:asked -- <folder of the other build>` over the mapping cases, under the default policy, ' +
        'and public FHIR data.',
      '',
      '| set | orders | complete before | asked now | complete now and not before |',
      '|---|---|---|---|---|',
      ...counts,
      '',
      '| chart | order | waits for | demanded by |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n')}\n`,
  );
  process.exitCode = undemanded === 0 ? 0 : 1;
}

function ordersOf(build: string, set: string): Map<string, Order> {
  const argv = [join(build, 'bin/prior-auth-bridge.cjs'), 'map', set, '--json', '--now', '2026-11-21'];
  let text: string;
  try {
    text = execFileSync('node', argv, { encoding: 'utf8', maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    // orders with gaps end the command with 1; what it printed stands all the same
    text = String(Reflect.get(error as object, 'stdout'));
  }
  const { orders } = JSON.parse(text) as { orders: Order[] };
  const found = new Map(
    orders.map((order) => [
      `${relative(set, order.file)} ${order.order}`,
      { ...order, file: relative(set, order.file) },
    ]),
  );
  return new Map([...found].map(([key, order]) => [key, { ...order, ...stateOf(order, found, set) }]));
}

// Two cases may make one request; the second is then a repetition and became what the first became.
function stateOf(
  { state, reason = '', gaps = [] }: Order,
  orders: ReadonlyMap<string, Order>,
  set: string,
): Pick<Order, 'state' | 'gaps'> {
  const [, order, file = ''] = /^the same request as (\S+) \((.+?), /.exec(reason) ?? [];
  const first = orders.get(`${relative(set, file)} ${order}`);
  return state !== 'duplicate' || first === undefined
    ? { state, gaps }
    : { state: first.state, gaps: first.gaps ?? [] };
}
