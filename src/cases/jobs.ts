import type { Queue } from 'pg-boss';

/** What each queue's jobs carry: ids only, since the queue's tables are not sealed. */
export interface JobData {
  /** Read the record of a case now. */
  look: { readonly case: string };
  /** Read it when its turn comes. */
  poll: { readonly case: string /** Its place in the allowance is taken. */; readonly reserved?: boolean };
  /** Read a record that a webhook named and no case has: it may answer a lost create. */
  match: { readonly site: string; readonly serviceId: string; readonly tries?: number };
  /** The time of a request in `sending` is over: its answer is lost. */
  settle: { readonly case: string };
  /** Bring the chart up to date; `launch` lends its token, `author` is its user. */
  deliver: {
    readonly case: string;
    readonly launch?: string;
    readonly author?: string /** How often it was tried. */;
    readonly tries?: number;
  };
}

export type QueueName = keyof JobData;

export type Job = {
  [Name in QueueName]: { readonly queue: Name; readonly data: JobData[Name]; readonly afterSeconds?: number };
}[QueueName];

// `short`: at most one waiting job per key, so that ten webhooks are one look.
const common = {
  policy: 'short',
  retryLimit: 5,
  retryDelay: 2,
  retryBackoff: true,
  retryDelayMax: 300,
  expireInSeconds: 120,
  deleteAfterSeconds: 3600,
} as const;

/**
 * Every queue, made before the first transaction: sending to one that the queue library has not cached yet hangs on the
 * embedded store.
 */
export const queues: readonly (Queue & { readonly name: QueueName })[] = [
  { ...common, name: 'look', notify: true },
  { ...common, name: 'poll', notify: false },
  { ...common, name: 'match', notify: true },
  { ...common, name: 'settle', notify: false },
  { ...common, name: 'deliver', notify: true, expireInSeconds: 300 },
];

/** Jobs with the same key and queue are one while they wait. */
export function keyOf(job: Job): string {
  if (job.queue === 'match') return `${job.data.site}|${job.data.serviceId}`;
  if (job.queue === 'deliver') return `${job.data.case}|${job.data.launch ?? ''}`;
  return job.data.case;
}
