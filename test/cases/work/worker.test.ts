import { expect, test, vi } from 'vitest';
import type { CaseContext } from '../../../src/cases/context.ts';
import type { QueueRow } from '../../../src/cases/work/queues.ts';
import { startQueueWorker } from '../../../src/cases/work/worker.ts';

test('one job that runs gives signs of life, until it ends', async () => {
  vi.useFakeTimers();
  try {
    const job = { id: 'job-1', retryCount: 0, data: {}, groupId: 'a site that is not in the file' };
    const held = Promise.withResolvers<void>();
    const fetch = vi.fn<() => Promise<object[]>>().mockResolvedValueOnce([job]).mockResolvedValue([]);
    const touch = vi.fn(async () => undefined);
    const store = { boss: { fetch, touch, complete: () => held.promise } };
    const worker = startQueueWorker({
      context: { store, config: { sites: [] }, log: { warn: vi.fn() } } as unknown as CaseContext,
      queue: { name: 'poll' } as QueueRow,
      limits: { slots: 1, perSite: 1 },
      lookEverySeconds: 1,
      ended: () => undefined,
    });
    await vi.advanceTimersByTimeAsync(6500);
    const sign = ['poll', [{ id: 'job-1', retryCount: 0 }]];
    expect(touch.mock.calls).toEqual([sign, sign]);
    held.resolve();
    await vi.advanceTimersByTimeAsync(6500);
    expect(touch).toHaveBeenCalledTimes(2);
    const stopped = worker.stop(1000);
    await vi.advanceTimersByTimeAsync(1500);
    expect(await stopped).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('after a job it looks for another at once, and waits only where there was none', async () => {
  const job = (id: string) => ({ id, retryCount: 0, data: {}, groupId: 'a site that is not in the file' });
  const fetch = vi
    .fn<() => Promise<object[]>>()
    .mockResolvedValueOnce([job('1')])
    .mockResolvedValueOnce([job('2')])
    .mockResolvedValue([]);
  const never = new Promise<void>(() => undefined);
  const store = { boss: { fetch, touch: async () => undefined, complete: () => never } };
  const worker = startQueueWorker({
    context: { store, config: { sites: [] }, log: { warn: vi.fn() } } as unknown as CaseContext,
    queue: { name: 'poll' } as QueueRow,
    limits: { slots: 3, perSite: 3 },
    lookEverySeconds: 600,
    ended: () => undefined,
  });
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(3));
  expect(await worker.stop(10)).toBe(false);
});

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
