import { expect, test } from 'vitest';
import { queueCounts } from '../../../src/cases/work/lag.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import type { Store } from '../../../src/store/types.ts';

test('each queue is told with its jobs that could run and the age of the oldest, an empty one with zeros', async () => {
  const getQueueStats = async (name: string) => (name === 'poll' ? [{ readyCount: 7, readyOldestSeconds: 42 }] : []);
  const counts = await queueCounts({ boss: { getQueueStats } } as unknown as Pick<Store, 'boss'>);
  expect(counts.map(({ queue }) => queue)).toEqual(queues.map(({ name }) => name));
  expect(counts).toContainEqual({ queue: 'poll', waiting: 7, oldestSeconds: 42 });
  expect(counts).toContainEqual({ queue: 'deliver', waiting: 0, oldestSeconds: 0 });
});
