import type { Queue } from 'pg-boss';
import type { QueueName } from '../jobs.ts';

/**
 * The queues. Jobs are grouped by site: across all processes, only a limited number of jobs of one site run at a time
 * (`JobLimits`), so that a slow site delays no other.
 */
export interface QueueRow extends Queue {
  readonly name: QueueName;
}

// `short`: at most one waiting job per key, so that ten webhooks cause one reading.
const common = {
  policy: 'short',
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 120,
  // After this time without a heartbeat, the jobs of a killed process go to another process.
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3600,
  notify: false,
} as const;

// People wait for these jobs, so processes that listen are notified when a job is due and need no timer.
const notified = { ...common, notify: true } as const;

export const queues: readonly QueueRow[] = [
  { ...notified, name: 'look' },
  { ...notified, name: 'match' },
  { ...notified, name: 'deliver', expireInSeconds: 300 },
  { ...notified, name: 'round' },
  // No sweep finds a missing mark, so the job that sets it is retried for hours.
  { ...notified, name: 'follow', retryLimit: 50 },
  { ...common, name: 'letter' },
  { ...common, name: 'settle' },
  { ...common, name: 'poll' },
];

/** Seconds between checks for jobs that came due, or whose notification was missed. */
export const lookEverySeconds: Readonly<Record<QueueName, number>> = {
  look: 0.5,
  match: 0.5,
  deliver: 0.5,
  round: 0.5,
  follow: 2,
  letter: 2,
  settle: 2,
  poll: 1,
};
