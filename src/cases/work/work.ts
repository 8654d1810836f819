import type { Metrics } from '../../base/metrics.ts';
import type { JobLimits } from '../../config/config.ts';
import { asBridgeError } from '../../core/errors.ts';
import type { CaseContext } from '../context.ts';
import type { QueueName } from '../jobs.ts';
import { lookEverySeconds, queues } from './queues.ts';
import { recover } from './recover.ts';
import { retain } from './retention.ts';
import { type QueueWorker, startQueueWorker } from './worker.ts';

/** The job workers of this process. */
export interface Work {
  /** Recovers the work of processes that ended. Rejects when the store cannot be read. */
  prepare(): Promise<void>;
  /** Starts to work on jobs. */
  start(): void;
  /**
   * Waits for running jobs, by default at most 25 s. If some are still running, `giveUp` is called and they get a few
   * seconds to store their state. Returns false if some did not finish in the first period.
   */
  stop(limitSeconds?: number, giveUp?: () => void): Promise<boolean>;
}

export interface WorkOptions {
  readonly limits: JobLimits;
  readonly metrics?: Pick<Metrics, 'jobEnded'>;
  /** Seconds between sweeps for cases that no job works on. */
  readonly sweepSeconds?: number;
  /** Seconds between removals of expired data. */
  readonly retainSeconds?: number;
}

const sweepSeconds = 60;
export const retainSeconds = 3600;
/** Seconds that jobs have to store their state after their requests were aborted. */
const noteSeconds = 5;
// If no other process can queue jobs, `wake` reports every new job, so the timer matters only for delayed jobs.
const aloneEverySeconds = 1;

export function createWork(context: CaseContext, options: WorkOptions): Work {
  const workers = new Map<QueueName, QueueWorker>();
  let listening: Promise<() => Promise<void>> | undefined;
  let sweeping: NodeJS.Timeout | undefined;
  let retaining: NodeJS.Timeout | undefined;
  context.queued.listen((queue) => workers.get(queue)?.wake());
  const wake = (dueQueue: string | undefined) => {
    for (const [queue, worker] of workers) if (dueQueue === undefined || dueQueue === queue) worker.wake();
  };
  const sweep = () =>
    recover(context, { atStart: false }).catch((error) =>
      context.log.warn({ code: asBridgeError(error).code }, 'cases could not be looked through'),
    );
  const tidy = () =>
    retain(context).catch((error) => context.log.warn({ code: asBridgeError(error).code }, 'retention failed'));
  return {
    prepare: async () => void (await recover(context, { atStart: true })),
    start() {
      if (workers.size > 0) return;
      const pace = Math.max(0.2, context.config.pollSeconds);
      for (const queue of queues) {
        const every = context.store.exclusive ? aloneEverySeconds : lookEverySeconds[queue.name];
        const worker = startQueueWorker({
          context,
          queue,
          limits: options.limits,
          lookEverySeconds: Math.min(every, pace),
          ended: (job) => options.metrics?.jobEnded({ queue: queue.name, ...job }),
        });
        workers.set(queue.name, worker);
      }
      listening = context.store.listen(wake);
      sweeping = setInterval(() => void sweep(), (options.sweepSeconds ?? sweepSeconds) * 1000).unref();
      retaining = setInterval(() => void tidy(), (options.retainSeconds ?? retainSeconds) * 1000).unref();
      void tidy();
    },
    async stop(limitSeconds = 25, giveUp) {
      clearInterval(sweeping);
      clearInterval(retaining);
      // Not awaited, so that an unreachable database does not keep the process alive.
      void listening?.then((end) => end()).catch(() => {});
      const stopWithin = async (seconds: number) => {
        const stopped = await Promise.all([...workers.values()].map((worker) => worker.stop(seconds * 1000)));
        return stopped.every(Boolean);
      };
      let isDone = await stopWithin(limitSeconds);
      if (!isDone && giveUp !== undefined) {
        giveUp();
        isDone = await stopWithin(noteSeconds);
      }
      workers.clear();
      return isDone;
    },
  };
}
