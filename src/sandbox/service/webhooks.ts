import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Log } from '../../log.ts';
import { signWebhook } from '../../service/webhook.ts';

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export interface WebhookSender {
  target: WebhookTarget | undefined;
  /**
   * Sends in the background, again after each of the waits while the answer is not 2xx. Events are not kept in order,
   * as at the live service.
   */
  send(eventType: string, title: string, data: Readonly<Record<string, unknown>>): void;
  /** Gives up what is under way and resolves when nothing is. */
  close(): Promise<void>;
}

// Milliseconds before each further attempt.
const waits = [1000, 5000, 30_000, 120_000];

export function createWebhookSender(options: {
  readonly target: WebhookTarget | undefined;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: Log;
}): WebhookSender {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  const sender: WebhookSender = {
    target: options.target,
    send(eventType, title, data) {
      const { target } = sender;
      if (target === undefined || stop.signal.aborted) return;
      const body = JSON.stringify({
        title,
        description: `${title} (${String(data.status ?? '')})`,
        event_type: eventType,
        data,
      });
      const delivery = deliver(`msg_${randomUUID()}`, body, target).finally(() => running.delete(delivery));
      running.add(delivery);
    },
    async close() {
      stop.abort();
      await Promise.all(running);
    },
  };

  async function deliver(id: string, body: string, target: WebhookTarget): Promise<void> {
    for (const wait of [0, ...waits]) {
      if (wait > 0 && !(await slept(wait))) return;
      if (await attempt(id, body, target)) return;
    }
    options.log.warn({ webhook: id }, 'sandbox webhook was given up');
  }

  async function attempt(id: string, body: string, target: WebhookTarget): Promise<boolean> {
    // Each attempt is signed with its own time, the id stays.
    const signature = await signWebhook({ id, now: options.clock(), rawBody: body, secret: target.secret });
    try {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(10_000)]);
      const response = await options.fetch(target.url, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/json', ...signature },
        body,
        signal,
      });
      await response.body?.cancel();
      options.log.debug({ webhook: id, http: response.status }, 'sandbox webhook was delivered');
      return response.ok || stop.signal.aborted;
    } catch {
      return stop.signal.aborted;
    }
  }

  function slept(milliseconds: number): Promise<boolean> {
    return pause(milliseconds, true, { signal: stop.signal, ref: false }).catch(() => false);
  }

  return sender;
}
