import type { Queue } from 'pg-boss';
import type { QueueName } from '../jobs.ts';

/**
 * The queues. Jobs are grouped by site: of one site at most so many are worked on at a time (`JobLimits`), in all
 * processes together, so that a slow site keeps no other waiting.
 */
export interface QueueRow extends Queue {
  readonly name: QueueName;
}

// `short`: at most one waiting job per key, so that ten webhooks are one look.
const common = {
  policy: 'short',
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 120,
  // The jobs of a process that was killed are taken up by another one after this time without a sign of life.
  heartbeatSeconds: 10,
  deleteAfterSeconds: 3600,
  notify: false,
} as const;

// Somebody waits for these: a job for now is told to the processes that listen, so that it waits for no clock.
const told = { ...common, notify: true } as const;

export const queues: readonly QueueRow[] = [
  { ...told, name: 'look' },
  { ...told, name: 'match' },
  { ...told, name: 'deliver', expireInSeconds: 300 },
  { ...told, name: 'round' },
  { ...common, name: 'letter' },
  { ...common, name: 'settle' },
  { ...common, name: 'poll' },
];

/** How often a process looks for jobs that came due, or that it was not told of. */
export const lookEverySeconds: Readonly<Record<QueueName, number>> = {
  look: 0.5,
  match: 0.5,
  deliver: 0.5,
  round: 0.5,
  letter: 2,
  settle: 2,
  poll: 1,
};
