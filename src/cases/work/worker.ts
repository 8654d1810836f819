import type { Job } from 'pg-boss';
import { traced } from '../../base/telemetry.ts';
import type { JobLimits } from '../../config/config.ts';
import { asBridgeError } from '../../core/errors.ts';
import type { CaseContext } from '../context.ts';
import type { QueueName } from '../jobs.ts';
import { handlers } from './handlers.ts';
import type { QueueRow } from './queues.ts';

export interface QueueWorker {
  /** Jobs may be waiting: look now. */
  wake(): void;
  /** Takes no more jobs and waits for those under way, at most so long; false when some were left. */
  stop(limitMs: number): Promise<boolean>;
}

export interface QueueWorkerOptions {
  readonly context: CaseContext;
  readonly queue: QueueRow;
  readonly limits: JobLimits;
  /** Seconds between looks without a call of `wake`. */
  readonly lookEverySeconds: number;
  /** Told of every job that ended; `code` is of the error it ended with. */
  readonly ended: (job: { readonly site: string; readonly seconds: number; readonly code?: string }) => void;
}

const signMs = 3000;

/**
 * Works on the jobs of one queue: each has a slot of its own, and a slot that is free takes the next job at once, so
 * that nothing waits for the slowest of a batch. While a job runs the queue is told so; the jobs of a process that was
 * killed are taken up by another.
 */
export function startQueueWorker(options: QueueWorkerOptions): QueueWorker {
  const { context, queue, limits } = options;
  const { boss } = context.store;
  const running = new Map<string, { readonly job: Job; readonly done: Promise<void> }>();
  const state = { stopping: false, isAway: false };
  const pause = createPause();

  const signs = setInterval(() => {
    const jobs = [...running.values()].map(({ job: { id, retryCount } }) => ({ id, retryCount }));
    if (jobs.length > 0) boss.touch(queue.name, jobs).catch((error) => warn(options, error, 'no sign of life given'));
  }, signMs).unref();

  const begin = (job: Job) => {
    const done = runJob(options, job).finally(() => {
      running.delete(job.id);
      pause.wake();
    });
    running.set(job.id, { job, done });
  };

  const fetchJobs = async (): Promise<readonly Job[]> => {
    const free = limits.slots - running.size;
    if (free <= 0) return [];
    try {
      const jobs = await boss.fetch<object>(queue.name, { batchSize: free, groupConcurrency: limits.perSite });
      state.isAway = false;
      return jobs;
    } catch {
      // Twice a second and for each queue it would fill the log of an outage.
      if (!state.isAway)
        context.log.warn({ queue: queue.name, code: 'store_unavailable' }, 'jobs could not be fetched');
      state.isAway = true;
      return [];
    }
  };

  const loop = async () => {
    while (!state.stopping) {
      pause.reset();
      const jobs = await fetchJobs();
      for (const job of jobs) begin(job);
      // Of one site only so many come at once: there may be more of others.
      if (jobs.length === 0) await pause.wait(options.lookEverySeconds * 1000);
    }
  };
  const looping = loop();

  return {
    wake: pause.wake,
    async stop(limitMs) {
      state.stopping = true;
      pause.wake();
      await looping;
      const drained = await within(limitMs, Promise.all([...running.values()].map(({ done }) => done)));
      clearInterval(signs);
      return drained;
    },
  };
}

/** Never rejects: what a job ends with is told to the queue, which tries it again. */
async function runJob({ context, queue, ended }: QueueWorkerOptions, job: Job): Promise<void> {
  const began = performance.now();
  const site = job.groupId ?? '';
  const attempt = { id: job.id, retryCount: job.retryCount };
  const end = (code?: string) =>
    ended({ site, seconds: (performance.now() - began) / 1000, ...(code === undefined ? {} : { code }) });
  const { boss } = context.store;
  try {
    await traced(`job ${queue.name}`, { 'bridge.site': site, 'bridge.queue': queue.name }, () =>
      handle(context, queue.name, job),
    );
    await boss.complete(queue.name, attempt);
    end();
  } catch (thrown) {
    // The queue library stores what a job ends with, in the clear: only the code may get there.
    const { code } = asBridgeError(thrown);
    context.log.warn({ queue: queue.name, code }, 'job failed');
    end(code);
    // A queue that cannot be told notices by itself, as of a process that was killed.
    await boss.fail(queue.name, attempt, { code }).catch(() => {});
  }
}

async function handle(context: CaseContext, name: QueueName, { data, groupId }: Job): Promise<void> {
  // Of a site that is not in the file nothing is done; what was due is found again when it is back. See recover.ts.
  if (!context.config.sites.some(({ id }) => id === groupId)) return;
  // Jobs are put by `job` alone, which types what each queue carries.
  const work = handlers[name] as (context: CaseContext, data: object) => Promise<unknown>;
  await work(context, data);
}

function warn({ context, queue }: QueueWorkerOptions, error: unknown, message: string): void {
  context.log.warn({ queue: queue.name, code: asBridgeError(error).code }, message);
}

interface Pause {
  reset(): void;
  wake(): void;
  wait(ms: number): Promise<void>;
}

/** A wait that ends early when it is woken, also when that happened since `reset`. */
function createPause(): Pause {
  let woken = Promise.withResolvers<void>();
  return {
    reset() {
      woken = Promise.withResolvers<void>();
    },
    wake: () => woken.resolve(),
    wait: async (ms) => void (await within(ms, woken.promise)),
  };
}

/** true when it settled in time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
