import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JobData, job, type QueueName } from '../../../src/cases/jobs.ts';
import { pollCase } from '../../../src/cases/work/poll-case.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import type { Store } from '../../../src/store/types.ts';
import { type Backend, postgres, postgresBackend, sqlOf } from '../../store/backends.ts';
import { aClinic, aSentCase } from '../clinic.ts';

const rounds = 25;
/** Of a request that took weeks: a record that is written again costs more than a job. */
const longLog = Array.from({ length: 200 }, (_, nth) => ({
  id: randomUUID(),
  created_at: '2026-11-21T09:00:00',
  type: 'phone_call',
  details: { note: `call ${nth}: the plan asked to be called again` },
}));

if ('missing' in postgres) test.skip(`what a poll costs: ${postgres.missing}`, () => {});
else {
  describe(`what a poll costs, on ${postgres.title}`, () => {
    let backend: Backend;
    let store: Store;
    beforeAll(async () => {
      backend = await postgresBackend();
      store = await backend.open({ queues });
    });
    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    /** Bytes of write-ahead log. */
    async function walOf(work: () => Promise<unknown>): Promise<number> {
      const sql = sqlOf(store);
      const place = async () => String((await sql('select pg_current_wal_insert_lsn() as place'))[0]?.place);
      const before = await place();
      await work();
      const [row] = await sql('select pg_wal_lsn_diff($1, $2)::int as bytes', [await place(), before]);
      return Number(row?.bytes);
    }

    async function done<Name extends QueueName>(queue: Name, data: JobData[Name], work: () => Promise<unknown>) {
      await store.enqueue([job(queue, 'valley', data)]);
      const jobs = await store.boss.fetch(queue, { batchSize: 1, groupConcurrency: 4 });
      expect(jobs).toHaveLength(1);
      await work();
      await store.boss.complete(
        queue,
        jobs.map(({ id, retryCount }) => ({ id, retryCount })),
      );
    }

    test('one that finds nothing new writes at most three times the log of an empty job [S9]', async () => {
      const clinic = aClinic(store);
      const sent = await aSentCase(clinic);
      clinic.service.move(sent.serviceId, { activity_log: longLog });
      await clinic.cases.refresh(sent.id);
      await store.boss.deleteQueuedJobs('poll');
      const empty: number[] = [];
      const poll: number[] = [];
      for (let nth = 0; nth < rounds; nth += 1) {
        empty.push(await walOf(() => done('letter', { case: randomUUID() }, async () => {})));
        poll.push(
          await walOf(() => done('poll', { case: sent.id }, () => pollCase(clinic.context, { case: sent.id }))),
        );
        // The next turn that it planned is no part of the next round.
        await store.boss.deleteQueuedJobs('poll');
      }
      expect(median(poll) / median(empty)).toBeLessThan(3);
    });
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
