import { expect, test, vi } from 'vitest';
import type { CaseContext } from '../../../src/cases/context.ts';
import type { QueueRow } from '../../../src/cases/work/queues.ts';
import { startQueueWorker } from '../../../src/cases/work/worker.ts';

test('a database that is away is told once, not at every look, and again when it goes away anew', async () => {
  const fetch = vi.fn<() => Promise<[]>>().mockRejectedValue(new Error('connect ECONNREFUSED'));
  const warn = vi.fn();
  const store = { boss: { fetch, touch: async () => undefined } };
  const worker = startQueueWorker({
    // Only the queue of the store and the log are used while no job comes.
    context: { store, log: { warn } } as unknown as CaseContext,
    queue: { name: 'poll' } as QueueRow,
    limits: { slots: 1, perSite: 1 },
    lookEverySeconds: 0.001,
    ended: () => undefined,
  });
  const looks = async (more: number) => {
    const before = fetch.mock.calls.length;
    await vi.waitFor(() => expect(fetch.mock.calls.length).toBeGreaterThan(before + more), { timeout: 20_000 });
  };
  try {
    await looks(5);
    expect(warn.mock.calls).toEqual([[{ queue: 'poll', code: 'store_unavailable' }, 'jobs could not be fetched']]);
    fetch.mockResolvedValue([]);
    await looks(2);
    fetch.mockRejectedValue(new Error('connect ECONNREFUSED'));
    await looks(5);
    expect(warn).toHaveBeenCalledTimes(2);
  } finally {
    await worker.stop(1000);
  }
});
