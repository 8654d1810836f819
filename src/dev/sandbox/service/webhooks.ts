import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Log } from '../../../base/log.ts';
import type { ServiceLedger } from './service-ledger.ts';
import type { ServiceSwitches } from './service-switches.ts';
import { signWebhook } from './signature.ts';
import type { WebhookTarget } from './sites.ts';

/** A webhook about one record, to its site. */
export interface WebhookEvent {
  readonly record: string;
  readonly site: string;
  readonly target: WebhookTarget;
  readonly type: string;
  readonly title: string;
  /** `data` of the retrieve response at this time. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Fields that only newer kinds of events have. */
  readonly event?: { readonly event_id: string; readonly occurred_at: string };
}

export interface WebhookSender {
  /**
   * Sends in the background, and repeats after each of `waits` until the response is 2xx. Events may arrive out of
   * order, as from the live service.
   */
  send(event: WebhookEvent): void;
  /** Aborts deliveries in progress and resolves when none is left. */
  close(): Promise<void>;
}

// Milliseconds before each further attempt.
const waits = [1000, 5000, 30_000, 120_000];

interface Delivery {
  readonly event: WebhookEvent;
  readonly id: string;
  readonly body: string;
  readonly copy?: number;
}

export function createWebhookSender(options: {
  readonly switches: Pick<ServiceSwitches, 'take'>;
  readonly ledger: ServiceLedger;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: Log;
}): WebhookSender {
  const { switches, ledger, clock } = options;
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  /** By record: releases the webhook that is held back until the next one is sent. */
  const held = new Map<string, () => void>();

  function run(work: Promise<void>): void {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
  }

  async function notify(event: WebhookEvent): Promise<void> {
    const { record, site } = event;
    const release = held.get(record);
    const forged = switches.take('webhook-forged', { site });
    const late = switches.take('webhook-late', { site });
    const { copies, ids } = switches.take('webhook-doubled', { site }) ?? { copies: 1, ids: 'same' };
    const reordered = switches.take('webhook-reordered', { site });
    if (forged !== undefined) run(forge(event, forged));
    if (late !== undefined && !(await slept(late))) return;
    if (reordered !== undefined && !(await overtaken(record, reordered))) return;
    const body = bodyOf(event, event.data);
    const id = `msg_${randomUUID()}`;
    await Promise.all(
      Array.from({ length: copies }, (_, copy) =>
        deliver({ event, body, id: ids === 'same' ? id : `msg_${randomUUID()}`, ...(copies > 1 ? { copy } : {}) }),
      ),
    );
    release?.();
  }

  /** Waits until another webhook of the record is sent, at most this long. */
  function overtaken(record: string, longest: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const release = () => resolve(true);
    held.set(record, release);
    slept(longest).then(resolve, resolve);
    return promise.finally(() => {
      if (held.get(record) === release) held.delete(record);
    });
  }

  async function deliver(delivery: Delivery): Promise<void> {
    for (const wait of [0, ...waits]) {
      if (wait > 0 && !(await slept(wait))) return;
      // Each attempt is signed with its own time. The id stays the same.
      const { id, body, event } = delivery;
      const headers = await signWebhook({ id, now: clock(), rawBody: body, secret: event.target.secret });
      const status = await post(event.target, body, headers);
      note(delivery, status);
      if (status !== undefined && status >= 200 && status < 300) return;
      if (stop.signal.aborted) return;
    }
    options.log.warn({ webhook: delivery.id }, 'sandbox webhook was given up');
  }

  async function forge(event: WebhookEvent, kind: 'secret' | 'unsigned' | 'changed' | 'old'): Promise<void> {
    const id = `msg_${randomUUID()}`;
    const outcome = { result: 'Approved', detail: 'Forged', detail_code: 'approval' };
    const body = bodyOf(event, { ...event.data, status: 'completed', outcome });
    const signed = (rawBody: string, secret: string, ageSeconds = 0) =>
      signWebhook({ id, now: new Date(clock().getTime() - ageSeconds * 1000), rawBody, secret });
    const { secret } = event.target;
    const headers = {
      secret: () => signed(body, `whsec_${randomBytes(32).toString('base64')}`),
      unsigned: async () => ({}),
      changed: () => signed(bodyOf(event, event.data), secret),
      old: () => signed(body, secret, 3600),
    };
    note({ event, id, body }, await post(event.target, body, await headers[kind]()), kind);
  }

  function note({ event, id, copy }: Delivery, status: number | undefined, forged?: string): void {
    ledger.add('webhook.sent', {
      id: event.record,
      site: event.site,
      webhook: id,
      event: event.type,
      status: event.data.status,
      answered: status ?? null,
      ...(copy === undefined ? {} : { copy }),
      ...(forged === undefined ? {} : { forged }),
    });
  }

  /** Returns the status of the response; undefined if there was none. */
  async function post(target: WebhookTarget, body: string, headers: object): Promise<number | undefined> {
    try {
      const response = await options.fetch(target.url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined;
    }
  }

  function slept(milliseconds: number): Promise<boolean> {
    return pause(milliseconds, true, { signal: stop.signal, ref: false }).catch(() => false);
  }

  return {
    send(event) {
      if (stop.signal.aborted) return;
      const { record, site, type, data } = event;
      if (switches.take('webhook-missing', { site }) === undefined) run(notify(event));
      else ledger.add('webhook.withheld', { id: record, site, event: type, status: data.status });
    },
    async close() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

function bodyOf({ title, type, event }: WebhookEvent, data: Readonly<Record<string, unknown>>): string {
  const description = `${title} (${String(data.status ?? data.state ?? '')})`;
  return JSON.stringify({ ...event, title, description, event_type: type, data });
}
