import type { Job } from 'pg-boss';
import { traced } from '../../base/telemetry.ts';
import type { JobLimits } from '../../config/config.ts';
import { asBridgeError } from '../../core/errors.ts';
import type { CaseContext } from '../context.ts';
import type { QueueName } from '../jobs.ts';
import { handlers } from './handlers.ts';
import type { QueueRow } from './queues.ts';

export interface QueueWorker {
  /** Checks for waiting jobs now. */
  wake(): void;
  /** Takes no more jobs and waits for the running ones. false if some were still running at the limit. */
  stop(limitMs: number): Promise<boolean>;
}

export interface QueueWorkerOptions {
  readonly context: CaseContext;
  readonly queue: QueueRow;
  readonly limits: JobLimits;
  /** Seconds between checks without a call of `wake`. */
  readonly lookEverySeconds: number;
  /** Called for every job that ended; `code` is the code of its error. */
  readonly ended: (job: { readonly site: string; readonly seconds: number; readonly code?: string }) => void;
}

const signMs = 3000;

/**
 * Works on the jobs of one queue. A free slot takes the next job at once, so that no job waits for the slowest job of a
 * batch. A running job sends heartbeats to the queue; without them, another process takes the job over.
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
      // Logged once per outage: twice a second for each queue would flood the log.
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
      // The queue limits the jobs of one site at a time, so an answer without jobs may come while other sites have
      // some.
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

/** Never rejects: the queue gets the job's error and retries it. */
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
    // The queue library stores the result of a job unencrypted, so only the error code may be stored.
    const { code } = asBridgeError(thrown);
    context.log.warn({ queue: queue.name, code }, 'job failed');
    end(code);
    // If this call fails, the queue detects the lost job by its missing heartbeat, as it does for a killed process.
    await boss.fail(queue.name, attempt, { code }).catch(() => {});
  }
}

async function handle(context: CaseContext, name: QueueName, { data, groupId }: Job): Promise<void> {
  // Jobs of a site that is not in the sites file do nothing. When the site is back, recover.ts finds the work again.
  if (!context.config.sites.some(({ id }) => id === groupId)) return;
  // The cast is safe: only `job` creates jobs, and it types the data of each queue.
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

/** A wait that `wake` ends early, even if `wake` is called between `reset` and the wait. */
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

/** true if the work settled in time. */
async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
