import { randomUUID } from 'node:crypto';
import type { Clock } from '../../log.ts';
import { signedPath } from './files.ts';
import { advance, begin, cancel, type Pace } from './machine.ts';
import { type Links, naive, type StoredEnrollment, type StoredPriorAuthorization, toRecord } from './record.ts';
import type { CreateBody, EnrollmentBody } from './requests.ts';
import type { SandboxStore } from './store.ts';
import type { WebhookSender } from './webhooks.ts';

/**
 * What the service does with requests, for its API, its platform pages and the sandbox's own controls. Every change is
 * kept, then told by webhook.
 */
export interface Desk {
  now(): Date;
  create(request: CreateBody): Promise<StoredPriorAuthorization>;
  enroll(request: EnrollmentBody): Promise<StoredEnrollment>;
  get(id: string): StoredPriorAuthorization | undefined;
  list(): StoredPriorAuthorization[];
  enrollments(): StoredEnrollment[];
  /** `data` of the retrieve response, with fresh links. */
  record(stored: StoredPriorAuthorization): Record<string, unknown>;
  /** Undefined when the status is terminal already. */
  cancel(stored: StoredPriorAuthorization, reason: string | undefined): Promise<StoredPriorAuthorization | undefined>;
  /** One state further; undefined when there is none. */
  step(stored: StoredPriorAuthorization): Promise<StoredPriorAuthorization | undefined>;
  /** Moves everything whose time has come, state by state. */
  run(): Promise<void>;
  /** Lets the sandbox's time jump ahead, and runs what falls due on the way. */
  skip(milliseconds: number): Promise<void>;
}

export function createDesk(options: {
  readonly store: SandboxStore;
  readonly webhooks: WebhookSender;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly url: () => string;
}): Desk {
  const { store, webhooks, pace } = options;
  const now = () => new Date(options.clock().getTime() + store.ahead);
  const links: Links = {
    platform: (id) => `${options.url()}/prior-authorizations/${encodeURIComponent(id)}`,
    file: (id, name) => options.url() + signedPath(store.key, id, name, now()),
  };
  const record = (stored: StoredPriorAuthorization) => toRecord(stored, links);
  const keep = async (stored: StoredPriorAuthorization) => {
    store.priorAuthorizations.set(stored.id, stored);
    const data = record(stored);
    await store.save();
    webhooks.send('prior_authorization.status_change', 'Prior authorization status changed', data);
    if (stored.mock?.result === 'Other' && stored.mock.trigger_message === true)
      webhooks.send('prior_authorization.message', 'Prior authorization message', data);
    return stored;
  };
  return {
    now,
    record,
    create: (request) => keep(begin(`pa_${randomUUID()}`, request, now(), pace)),
    async enroll(request) {
      const stored = { id: `pe_${randomUUID()}`, createdAt: naive(now()), request };
      store.enrollments.set(stored.id, stored);
      await store.save();
      return stored;
    },
    get: (id) => store.priorAuthorizations.get(id),
    list: () => [...store.priorAuthorizations.values()].reverse(),
    enrollments: () => [...store.enrollments.values()].reverse(),
    async cancel(stored, reason) {
      const cancelled = cancel(stored, reason, now());
      return cancelled === undefined ? undefined : keep(cancelled);
    },
    async step(stored) {
      const moved = advance(stored, now(), pace);
      return moved === undefined ? undefined : keep(moved);
    },
    async run() {
      const limit = now().getTime();
      for (const id of [...store.priorAuthorizations.keys()]) {
        for (
          let stored = store.priorAuthorizations.get(id);
          stored?.dueAt !== undefined && stored.dueAt <= limit;
          stored = store.priorAuthorizations.get(id)
        ) {
          const moved = advance(stored, new Date(stored.dueAt), pace);
          if (moved === undefined) break;
          await keep(moved);
        }
      }
    },
    async skip(milliseconds) {
      store.ahead += milliseconds;
      await this.run();
    },
  };
}
