import type { Clock, Log } from '../base/log.ts';
import { retryAfterSeconds } from '../base/retry-after.ts';
import { traced } from '../base/telemetry.ts';

/** `operation` names the request in logs and errors. */
export interface Call {
  readonly operation: string;
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly body?: string;
  readonly maxBytes: number;
}

/**
 * `not-sent`: the connection failed before any byte was sent. `lost`: the request may have arrived, but no complete
 * response came. `reason` is a code, never a text from the response.
 */
export type Exchange =
  | {
      readonly kind: 'reply';
      readonly http: number;
      readonly headers: Headers;
      readonly bytes: Uint8Array;
      readonly retryAfter?: number;
    }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'lost'; readonly reason: string };

export interface Wire {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
  readonly log: Log;
  readonly policy: WirePolicy;
}

/** Times in milliseconds. Only GET requests are retried, since a change must never be sent twice. */
export interface WirePolicy {
  readonly timeout: number;
  readonly attempts: number;
  readonly firstDelay: number;
  /** The longest wait. A longer Retry-After is returned to the caller. */
  readonly ceiling: number;
  /** No further attempt starts after this time. */
  readonly deadline: number;
  readonly retried: readonly number[];
}

export const defaultPolicy: WirePolicy = {
  timeout: 30_000,
  attempts: 4,
  firstDelay: 500,
  ceiling: 20_000,
  deadline: 60_000,
  retried: [429, 502, 503, 504],
};

/**
 * Sends once, or up to `policy.attempts` times for GET. Resolves to the result of the last attempt; rejects only if the
 * headers cannot be made.
 */
export async function exchange(call: Call, wire: Wire): Promise<Exchange> {
  const started = wire.clock().getTime();
  for (let attempt = 1; ; attempt++) {
    const result = await once(call, wire);
    const facts = {
      operation: call.operation,
      attempt,
      result: result.kind === 'reply' ? result.http : result.reason,
      ms: wire.clock().getTime() - started,
    };
    wire.log.debug(facts, 'service request');
    const wait = call.method === 'GET' && attempt < wire.policy.attempts ? delay(result, attempt, wire) : undefined;
    if (wait === undefined || wire.clock().getTime() - started + wait > wire.policy.deadline) return result;
    wire.log.info({ ...facts, wait: Math.round(wait) }, 'service request is repeated');
    await wire.sleep(wait);
  }
}

async function once(call: Call, wire: Wire): Promise<Exchange> {
  return await traced(`service ${call.operation}`, { 'http.request.method': call.method }, () => sent(call, wire));
}

async function sent(call: Call, wire: Wire): Promise<Exchange> {
  const headers = await call.headers();
  let answered = false;
  try {
    const response = await wire.fetch(call.url, {
      method: call.method,
      headers,
      ...(call.body === undefined ? {} : { body: call.body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(wire.policy.timeout),
    });
    answered = true;
    const bytes = await readCapped(response, call.maxBytes);
    if (bytes === undefined) return { kind: 'lost', reason: 'body-too-large' };
    const retryAfter = retryAfterSeconds(response.headers, wire.clock());
    return {
      kind: 'reply',
      http: response.status,
      headers: response.headers,
      bytes,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  } catch (thrown) {
    const reason = reasonOf(thrown);
    return { kind: !answered && neverSent.some((pattern) => pattern.test(reason)) ? 'not-sent' : 'lost', reason };
  }
}

function delay(result: Exchange, attempt: number, { policy, random }: Wire): number | undefined {
  if (result.kind === 'reply' && !policy.retried.includes(result.http)) return undefined;
  if (result.kind !== 'reply' && ['body-too-large', 'STOPPING', 'STOPPED'].includes(result.reason)) return undefined;
  if (result.kind === 'reply' && result.retryAfter !== undefined) {
    const asked = result.retryAfter * 1000;
    return asked > policy.ceiling ? undefined : asked + random() * policy.firstDelay;
  }
  return Math.min(policy.ceiling, policy.firstDelay * 2 ** (attempt - 1)) * (0.5 + random() / 2);
}

/** Returns the body; undefined if it has more than `maxBytes` after decompression. */
async function readCapped(response: Response, maxBytes: number): Promise<Uint8Array | undefined> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// Errors of DNS lookup, connection and TLS handshake, which all come before the request is written.
const neverSent = [
  /^ECONNREFUSED$/,
  /^ENOTFOUND$/,
  /^EAI_/,
  /^EHOSTUNREACH$/,
  /^ENETUNREACH$/,
  /^UND_ERR_CONNECT_TIMEOUT$/,
  /^ERR_TLS_/,
  /^ERR_SSL_/,
  /CERT/,
  /^UNABLE_TO_/,
  /SELF_SIGNED/,
  // The code of outgoing.ts while the process is ending.
  /^STOPPED$/,
];

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown';
  if (thrown.name === 'TimeoutError') return 'timeout';
  const cause = thrown.cause instanceof Error ? thrown.cause : thrown;
  if (cause instanceof AggregateError && cause.errors.length > 0) {
    const reasons = cause.errors.map((error) => reasonOf(error));
    return reasons.find((reason) => !neverSent.some((pattern) => pattern.test(reason))) ?? reasons[0] ?? 'unknown';
  }
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return /^[\w-]{1,60}$/.test(code) ? code : 'unknown';
}
