import type { Queue } from 'pg-boss';
import type { QueueName } from '../jobs.ts';

/**
 * The queues. Jobs are grouped by site: at most this many of one site run at a time (`JobLimits`) across all processes,
 * so that a slow site delays no other.
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
  // After this time without a heartbeat, another process takes over the jobs of a killed one.
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3600,
  notify: false,
} as const;

// People wait for these jobs: listening processes are notified of a job that is due now, so that it waits for no timer.
const notified = { ...common, notify: true } as const;

export const queues: readonly QueueRow[] = [
  { ...notified, name: 'look' },
  { ...notified, name: 'match' },
  { ...notified, name: 'deliver', expireInSeconds: 300 },
  { ...notified, name: 'round' },
  // No sweep finds a mark that is missing, so its job is tried for hours.
  { ...notified, name: 'follow', retryLimit: 50 },
  { ...common, name: 'letter' },
  { ...common, name: 'settle' },
  { ...common, name: 'poll' },
];

/** How often a process checks for jobs that came due, or whose notification it missed. */
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
