import type { CaseWrite, Job, Store } from '../store/types.ts';
import type { QueueName } from './jobs.ts';

type Listener = (queue: QueueName) => void;

export interface QueuedJobs {
  listen(listener: Listener): void;
  notify(jobs: readonly Job[]): void;
}

export function createQueuedJobs(): QueuedJobs {
  const listeners: Listener[] = [];
  return {
    listen: (listener) => void listeners.push(listener),
    notify(jobs) {
      const due = new Set(jobs.filter(({ afterSeconds = 0 }) => afterSeconds <= 0).map(({ queue }) => queue));
      // The cast is safe: only `job` creates jobs, and it accepts only known queues.
      for (const queue of due) for (const listener of listeners) listener(queue as QueueName);
    },
  };
}

/** Wraps the store so that every committed job is announced. The workers of this process then need no timer. */
export function withJobNotifications(store: Store, { notify }: Pick<QueuedJobs, 'notify'>): Store {
  const { cases, webhooks } = store;
  return {
    ...store,
    cases: {
      ...cases,
      async change(id, transition, options) {
        let jobs: CaseWrite['jobs'] = [];
        const noting: typeof transition = (current, at) => {
          const write = transition(current, at);
          jobs = write?.jobs ?? [];
          return write;
        };
        const changed = await cases.change(id, noting, options);
        notify(jobs);
        return changed;
      },
    },
    webhooks: {
      ...webhooks,
      async receive(event, jobs) {
        const received = await webhooks.receive(event, jobs);
        if (received === 'accepted') notify(jobs);
        return received;
      },
    },
    async enqueue(jobs) {
      await store.enqueue(jobs);
      notify(jobs);
    },
  };
}
