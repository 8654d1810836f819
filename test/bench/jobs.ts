/**
 * Jobs a second while cases run their whole life, beside pg-boss alone with empty handlers: as many jobs, in the same
 * queues, under the same limits, in turns on one PostgreSQL cluster of its own.
 *
 *   npm run bench -- jobs [cases of a round] [rounds]
 *
 * A case is sent, followed by webhooks, ended, and written to the chart: its Task, the summary and the payer's letter.
 * Service and EHRs answer without delay, from one process of their own on this machine; what each process costs is
 * printed apart.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedPostgres, startCluster } from '../support/postgres.ts';
import { runBare } from './jobs/run-bare.ts';
import { openProduct } from './jobs/run-product.ts';
import { median, tableOf } from './jobs/table.ts';
import { startBench } from './jobs/world.ts';

const [cases = 120, rounds = 3] = process.argv.slice(2).map(Number);
const sites = Array.from({ length: 8 }, (_, nth) => `site-${nth + 1}`);
const say = (text: string) => process.stdout.write(`${text}\n`);

if (installedPostgres() === undefined) {
  say('Skipped: PostgreSQL is not installed on this machine, and the run starts a server of its own.');
  process.exit(0);
}

const ending: (() => Promise<void> | void)[] = [];
const end = async () => {
  for (const each of ending.splice(0).reverse()) await each();
};
// What was started ends with the run, also when it is stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end().then(() => process.exit(1)));
try {
  const folder = mkdtempSync(join(tmpdir(), 'bench-jobs-'));
  ending.push(() => rmSync(folder, { recursive: true, force: true }));
  const cluster = await startCluster({ autovacuum: 'on' });
  ending.push(() => cluster.remove());
  const patients = Math.ceil((cases * rounds * 2) / sites.length);
  const world = await startBench({ cluster, sites, patients, folder });
  ending.push(world.close);
  const product = await openProduct(world, sites);
  ending.push(product.close);
  for (const workers of [1, 2]) {
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const life = await product.run(cases, workers);
      const bare = await runBare(cluster.url, { workers, jobs: life.jobs, limits: product.limits });
      ratios.push(life.perSecond / bare.perSecond);
      say(tableOf(`${workers} worker${workers === 1 ? '' : 's'}, round ${round}: ${life.what}`, life, bare));
    }
    say(
      `${workers} worker${workers === 1 ? '' : 's'}: jobs a second over the bare queue ${median(ratios).toFixed(3)}\n`,
    );
  }
} finally {
  await end();
}
