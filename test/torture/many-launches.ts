import { parseArgs } from 'node:util';
import { manyLaunches, type Product } from './launches.ts';

// launches.long.test.ts at length, over the build in dist: 200 at once, 1,000 in all, and what they cost in memory.

const { values } = parseArgs({
  options: {
    launches: { type: 'string', default: '1000' },
    together: { type: 'string', default: '200' },
    first: { type: 'string', default: '300' },
  },
});
const [launches, together, first] = [Number(values.launches), Number(values.together), Number(values.first)];
const collect = globalThis.gc ?? (() => undefined);

const dist = new URL('../../dist/', import.meta.url);
const from = (path: string) => import(new URL(path, dist).href);
const [server, config] = await Promise.all([from('src/cli/server.js'), from('src/config/config.js')]);
const product: Product = { startBridge: server.startBridge, makeConfig: config.makeConfig, Site: config.Site };

const used = new Map<number, number>();
const look = (after: number) => () => {
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  used.set(after, heapUsed + external);
  say(`after ${after} launches: ${mebibytes(heapUsed + external)} MiB used, ${mebibytes(rss)} MiB resident`);
};

const started = performance.now();
const outcome = await manyLaunches(product, {
  launches,
  together,
  perBrowser: 10,
  at: [
    { launches: first, look: look(first) },
    { launches, look: look(launches) },
  ],
});
const ratio = (used.get(launches) ?? 0) / (used.get(first) ?? 1);
const { opened, lost, mixed, failed, again, mostAtOnce } = outcome;
say(
  [
    `${opened} of ${launches} launches opened in ${Math.round((performance.now() - started) / 1000)} s, ` +
      `${mostAtOnce} at once`,
    `${lost.length} sessions lost, ${mixed.length} charts mixed, ${failed.length} launches failed, ` +
      `${again} begun again since the EHR was late`,
    `memory after ${launches} over memory after ${first}, both after a full collection: ` +
      `${ratio.toFixed(2)} (at most 1.2)`,
    ...[...lost, ...mixed, ...failed].slice(0, 10),
  ].join('\n'),
);
if (opened < launches || lost.length + mixed.length + failed.length > 0 || ratio > 1.2) process.exitCode = 1;

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
