import { appendFileSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installedPostgres } from '../support/postgres.ts';
import { allEhrs, isSiteName, someEhrs } from './ehrs.ts';
import { torture } from './torture.ts';

// short.long.test.ts at length, over the build in dist. Ends with 1 when anything was lost, doubled, false or mixed.

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20' },
    asked: { type: 'string', default: '0' },
    kills: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    profile: { type: 'string', default: 'current' },
    store: { type: 'string', default: 'pglite' },
    webs: { type: 'string' },
    workers: { type: 'string' },
    together: { type: 'string', default: '6' },
    leavers: { type: 'string', default: '3' },
    hurry: { type: 'string', default: '1' },
    speed: { type: 'string', default: '8' },
    minutes: { type: 'string', default: '600' },
    quiet: { type: 'string', default: '1800' },
    sites: { type: 'string' },
    'no-last-look': { type: 'boolean', default: false },
    folder: { type: 'string' },
  },
});

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'torture-'));
mkdirSync(folder, { recursive: true });
const report = join(folder, 'report.txt');
const say = (line: string) => {
  process.stdout.write(`${line}\n`);
  appendFileSync(report, `${line}\n`);
};
const store = values.store === 'postgres' ? 'postgres' : 'pglite';
if (store === 'postgres' && installedPostgres() === undefined) {
  say('Skipped: PostgreSQL is not installed on this machine, and the run starts a server of its own.');
  process.exit(0);
}
const seed = Number(values.seed);
say(`Seed ${seed}; ledgers, logs and this report (report.txt) in ${folder}`);
say(`Looks into the chart after an unclear write come ${values.hurry} times sooner than in a hospital`);

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());

const result = await torture({
  cases: Number(values.cases),
  asked: Number(values.asked),
  kills: Number(values.kills),
  seed,
  sites: values.sites === undefined ? allEhrs : someEhrs(...values.sites.split(',').filter(isSiteName)),
  profile: values.profile === 'documented' ? 'documented' : 'current',
  store,
  webs: Number(values.webs ?? (store === 'postgres' ? 2 : 1)),
  workers: Number(values.workers ?? (store === 'postgres' ? 3 : 0)),
  together: Number(values.together),
  leavers: Number(values.leavers),
  hurry: Number(values.hurry),
  looksAgain: !values['no-last-look'],
  speed: Number(values.speed),
  slowestMs: 25_000,
  quietSeconds: Number(values.quiet),
  stormSeconds: Number(values.minutes) * 60,
  slowSite: values.sites === undefined,
  signal: ended.signal,
  folder,
  say,
});

const { violence, seconds, counts, violations, troubles, endings, slowSite } = result;
const sorted = [...violence.recoveries].sort((a, b) => a - b);
const rows: readonly (readonly [string, string | number])[] = [
  ...Object.entries(counts),
  ['processes killed (SIGKILL)', violence.kills],
  ['processes stopped for a while (SIGSTOP)', violence.stops],
  ['times that connections were cut', violence.cuts],
  ['restarts of the database', violence.restarts],
  ['clocks that were wrong', violence.skews.length],
  ['median ms from start to ready', Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)],
  ['most ms from start to ready', Math.round(sorted.at(-1) ?? 0)],
  ...Object.entries(slowSite ?? {}).map(([name, ms]) => [`${name}, ms`, Math.round(ms)] as const),
  ['seconds in all', Math.round(seconds.all)],
  ['seconds from quiet to the end', Math.round(seconds.quiet)],
];
const width = Math.max(...rows.map(([name]) => name.length));
say('');
for (const [name, value] of rows) say(`${name.padEnd(width)}  ${value}`);
say('');
say('What people met on their way:');
for (const [trouble, times] of Object.entries(troubles).sort(([, a], [, b]) => b - a)) say(`  ${times} x ${trouble}`);
for (const failed of violence.failedStarts) say(`  ${failed}`);
for (const ending of endings) say(`  at the end ${ending}`);
if (violations.length > 0) {
  say(`\n${violations.length} violations; to repeat: --seed ${seed}`);
  for (const violation of violations) say(`  ${violation}`);
  process.exitCode = 1;
} else say('\nNothing lost, doubled, false or mixed.');
