import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { listFixtures, loadInput } from '../../src/dev/kit/fixture.ts';
import { demandedBy } from './asked-more.reasons.ts';

/**
 * What this build asks and another did not, and what it no longer asks: over the mapping cases that the other build has
 * (the sandbox's patients are among them), those written since, and public data.
 * `npm run proof -- asked /path/of/the/other/build`; both builds must be built. Ends with 1 when a
 * row of what is asked has no demand.
 */
const [before, after = join(import.meta.dirname, '../..')] = process.argv.slice(2);
if (before === undefined) throw new Error('Name the folder of the build to compare with.');

interface Question {
  readonly target: string;
  readonly severity: string;
  readonly message: string;
}

interface Order {
  readonly file: string;
  readonly order: string;
  readonly state: string;
  readonly reason?: string;
  readonly gaps?: readonly Question[];
}

interface InputSet {
  readonly name: string;
  readonly folder: string;
}

const written = 'cases written since';
const folders = mkdtempSync(join(tmpdir(), 'asked-more-'));
try {
  const known = new Set(listFixtures(join(before, 'fixtures/charts')).map((folder) => basename(folder)));
  const since = listFixtures(join(after, 'fixtures/charts')).filter((folder) => !known.has(basename(folder)));
  report([
    { name: 'mapping cases', folder: chartsOf(listFixtures(join(before, 'fixtures/charts')), 'known') },
    { name: written, folder: chartsOf(since, 'written') },
    ...publicSets(),
  ]);
} finally {
  rmSync(folders, { recursive: true });
}

function chartsOf(cases: readonly string[], set: string): string {
  for (const { name, entries } of cases.map((one) => loadInput(one))) {
    mkdirSync(join(folders, set, name), { recursive: true });
    writeFileSync(
      join(folders, set, name, 'chart.json'),
      JSON.stringify({ resourceType: 'Bundle', type: 'collection', entry: entries }),
    );
  }
  return join(folders, set);
}

function publicSets(): InputSet[] {
  const folder = process.env.PUBLIC_FHIR_DATA;
  if (folder === undefined) return [];
  const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return found
    .map(({ name }) => ({ name, folder: join(folder, name) }))
    .filter(({ name }) => !/(tables|formulary)$/.test(name));
}

function report(sets: readonly InputSet[]): void {
  const [counts, asked, gone]: string[][] = [[], [], []];
  let undemanded = 0;
  for (const { name, folder } of sets) {
    const [was, is] = [ordersOf(before ?? '', folder), ordersOf(after, folder)];
    const isReady = ({ state }: Order) => state === 'ready';
    const questionsIn = (orders: ReadonlyMap<string, Order>) =>
      [...orders.values()].reduce((sum, order) => sum + questionsOf(order).length, 0);
    let [askedCount, goneCount] = [0, 0];
    for (const [key, { file, order }] of was) {
      const chart = file.endsWith('/chart.json') ? (file.split('/')[0] ?? '') : `${name}/${file}`;
      const [then, now] = [was.get(key), is.get(key)];
      const more = notIn(now, then);
      const less = notIn(then, now);
      askedCount += more.length;
      goneCount += less.length;
      if (more.length > 0) {
        const found = more.map(({ message }) => demandedBy(message) ?? (name === written ? whyOf(chart) : undefined));
        undemanded += found.filter((demand) => demand === undefined).length;
        const demand = [...new Set(found.map((one) => one ?? '**none**'))].join(', ');
        asked?.push(`| ${chart} | ${order} | ${inWords(more)} | ${demand} |`);
      }
      if (less.length > 0) gone?.push(`| ${chart} | ${order} | ${inWords(less)} | ${now?.state ?? 'no order'} |`);
    }
    counts?.push(
      `| ${name} | ${was.size} | ${[...was.values()].filter(isReady).length} | ` +
        `${[...is.values()].filter(isReady).length} | ${questionsIn(was)} | ${askedCount} | ${goneCount} |`,
    );
  }
  process.stdout.write(
    `${[
      '# What is asked now and was not before',
      '',
      'Made by `npm run proof -- asked <folder of the other build>` over the mapping cases of that build and those ' +
        'written since, under the default policy, and public FHIR data. A question is a gap that blocks sending.',
      '',
      '| set | orders | complete before | complete now | questions before | asked now | no longer asked |',
      '|---|---|---|---|---|---|---|',
      ...(counts ?? []),
      '',
      '## Asked now',
      '',
      '| chart | order | asked | demanded by |',
      '|---|---|---|---|',
      ...(asked ?? []),
      '',
      '## No longer asked',
      '',
      '| chart | order | was asked | the order is now |',
      '|---|---|---|---|',
      ...(gone ?? []),
    ].join('\n')}\n`,
  );
  process.exitCode = undemanded === 0 ? 0 : 1;
}

/** The letter and number of a review that the case says it is for, where it names one. */
function whyOf(chart: string): string | undefined {
  const path = join(after, 'fixtures/charts', chart, 'why.md');
  const named = existsSync(path) ? /\b[KVS]\d+\b/.exec(readFileSync(path, 'utf8'))?.[0] : undefined;
  return named === undefined ? undefined : `${named} (this case)`;
}

function questionsOf(order: Order | undefined): readonly Question[] {
  return (order?.gaps ?? []).filter(({ severity }) => severity === 'blocks');
}

function notIn(these: Order | undefined, those: Order | undefined): Question[] {
  const targets = new Set(questionsOf(those).map(({ target }) => target));
  return questionsOf(these).filter(({ target }) => !targets.has(target));
}

function inWords(questions: readonly Question[]): string {
  return questions.map(({ target, message }) => `\`${target}\`: ${message}`).join('<br>');
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
