import { setTimeout as pause } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import { silentLog } from '../../../src/base/log.ts';
import { lookEverySeconds, type QueueRow, queues } from '../../../src/cases/work/queues.ts';
import { bossOptions, startQueues } from '../../../src/store/queue.ts';
import type { BareOptions } from './said.ts';

// A worker with empty handlers: pg-boss alone, with the queues, the looks and the limits of the bridge's own.

const { url, schema, limits }: BareOptions = JSON.parse(process.argv[2] ?? '');
const boss = new PgBoss({ ...bossOptions(schema), connectionString: url, max: 5 });
await startQueues(boss, queues, silentLog);
const state = { stopping: false };
const loops = queues.map(work);
process.stdout.write('{"ready":true}\n');
process.once('SIGTERM', async () => {
  state.stopping = true;
  await Promise.all(loops);
  await boss.stop({ graceful: false });
  process.exit(0);
});

async function work({ name }: QueueRow): Promise<void> {
  while (!state.stopping) {
    const jobs = await boss.fetch(name, { batchSize: limits.slots, groupConcurrency: limits.perSite });
    if (jobs.length === 0) await pause(lookEverySeconds[name] * 1000);
    else
      await boss.complete(
        name,
        jobs.map(({ id, retryCount }) => ({ id, retryCount })),
      );
  }
}
