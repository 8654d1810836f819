import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { BridgeError, type ErrorFacts } from '../errors.ts';
import type { Clock, Log } from '../log.ts';
import {
  CancelRequest,
  CreatedPriorAuthorization,
  CreateEnrollmentRequest,
  CreatePriorAuthRequest,
  EnrollmentConfirmation,
  Envelope,
  PriorAuthorization,
  withoutNulls,
} from './contract.ts';
import { type Download, downloadFile } from './download.ts';
import { type Answer, failureOf, isErrorBody } from './failure.ts';
import { defaultPolicy, type Exchange, exchange, type Wire, type WirePolicy } from './http.ts';

export type { Download } from './download.ts';

/**
 * The prior-authorization service (section 4 of its interface). Every failure is a BridgeError of a `service_...` row
 * whose facts hold `operation`, `http`, `service_code`, `fields`, `retry_after_seconds` as far as they are known, and
 * never a value that was sent. For the three that change something: `service_unclear` means that the request may have
 * arrived; every other error means that it had no effect.
 */
export interface ServiceClient {
  /**
   * `POST /prior-authorization`, sent exactly once. Resolves to `{ id }`. A body against the contract throws
   * `case_not_ready` before anything is sent.
   */
  createPriorAuthorization(body: CreatePriorAuthRequest): Promise<CreatedPriorAuthorization>;
  /**
   * `GET /prior-authorization/{id}`; repeated by itself when the service is busy. The record's id is the one asked for.
   */
  getPriorAuthorization(id: string): Promise<PriorAuthorization>;
  /**
   * `POST /prior-authorization/{id}/cancel`. A finished record gives `service_refused`, with its status as
   * `service_status` where the service names it.
   */
  cancelPriorAuthorization(id: string, reason: string): Promise<void>;
  /** `POST /patient-enrollment`, sent exactly once. Resolves to what the service confirmed with, if anything. */
  submitEnrollment(body: CreateEnrollmentRequest): Promise<EnrollmentConfirmation>;
  /** The bytes behind a signed link of a record; see `downloadFile`. */
  download(url: string): Promise<Download>;
}

export interface ServiceClientOptions {
  /** Base address; the paths of the interface are added to it. */
  readonly url: string;
  /** The bearer token, asked for before each request. */
  readonly token: () => string | Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch?: typeof fetch;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
  /**
   * Origins whose signed links may be fetched besides the service's own, and the largest file in bytes (default 25
   * MiB).
   */
  readonly downloads?: { readonly origins?: readonly string[]; readonly maxBytes?: number };
  readonly policy?: Partial<WirePolicy>;
}

const maxAnswer = 16 * 1024 * 1024;

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const wire: Wire = {
    fetch: options.fetch ?? fetch,
    clock: options.clock,
    sleep: options.sleep ?? ((milliseconds) => pause(milliseconds)),
    random: options.random ?? Math.random,
    log: options.log,
    policy: { ...defaultPolicy, ...options.policy },
  };
  const base = options.url.replace(/\/+$/, '');
  const files = {
    origins: [new URL(base).origin, ...(options.downloads?.origins ?? [])],
    maxBytes: options.downloads?.maxBytes ?? 25 * 1024 * 1024,
  };
  const send = (operation: string, method: 'GET' | 'POST', path: string, body?: unknown) =>
    exchange(
      {
        operation,
        url: base + path,
        method,
        headers: () => headersOf(options.token, body !== undefined),
        maxBytes: maxAnswer,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      wire,
    );
  return {
    async createPriorAuthorization(body) {
      const answer = definite(
        'create',
        await send('create', 'POST', '/prior-authorization', checked(CreatePriorAuthRequest, body)),
      );
      return created(answer);
    },
    async getPriorAuthorization(id) {
      const answer = readAnswer('get', await send('get', 'GET', `/prior-authorization/${segment(id)}`));
      const record = read(PriorAuthorization, dataOf(answer), { operation: 'get', http: answer.http });
      if (record.id !== id)
        throw new BridgeError('service_contract', { operation: 'get', http: answer.http, reason: 'another record' });
      return record;
    },
    async cancelPriorAuthorization(id, reason) {
      definite(
        'cancel',
        await send(
          'cancel',
          'POST',
          `/prior-authorization/${segment(id)}/cancel`,
          checked(CancelRequest, { cancellation_reason: reason }),
        ),
      );
    },
    async submitEnrollment(body) {
      const answer = definite(
        'enroll',
        await send('enroll', 'POST', '/patient-enrollment', checked(CreateEnrollmentRequest, body)),
      );
      const confirmation = EnrollmentConfirmation.safeParse(dataOf(answer));
      return confirmation.success ? confirmation.data : undefined;
    },
    download: (url) => downloadFile(url, files, wire),
  };
}

/**
 * The answer to a request that changes something: a 2xx whose body is not an error, or an error that says whether it
 * can have had an effect.
 */
function definite(operation: string, result: Exchange): Answer {
  if (result.kind === 'not-sent') throw new BridgeError('service_unreachable', { operation, reason: result.reason });
  if (result.kind === 'lost') throw new BridgeError('service_unclear', { operation, reason: result.reason });
  const answer = answerOf(operation, result);
  const isError = isErrorBody(answer.json);
  if (answer.http < 300) {
    if (isError) throw failureOf(answer);
    if (answer.json === undefined && result.bytes.length > 0)
      throw new BridgeError('service_unclear', { operation, http: answer.http, reason: 'unreadable answer' });
    return answer;
  }
  // A 5xx may come after the request took effect. Only 503 promises that it did not, and only when it can be told from
  // a gateway's.
  const refusedBusy = answer.http === 503 && (isError || answer.retryAfter !== undefined);
  if (answer.http >= 500 && !refusedBusy)
    throw new BridgeError('service_unclear', { operation, http: answer.http, reason: 'server error' });
  throw failureOf(answer);
}

function readAnswer(operation: string, result: Exchange): Answer {
  if (result.kind === 'lost' && result.reason === 'body-too-large')
    throw new BridgeError('service_contract', { operation, reason: result.reason });
  if (result.kind !== 'reply')
    throw new BridgeError(
      'service_unreachable',
      { operation, reason: result.reason },
      { next: 'Try again in a minute.' },
    );
  const answer = answerOf(operation, result);
  if (answer.http >= 300 || isErrorBody(answer.json)) throw failureOf(answer);
  return answer;
}

function created(answer: Answer): CreatedPriorAuthorization {
  const data = CreatedPriorAuthorization.safeParse(dataOf(answer));
  if (!data.success)
    throw new BridgeError('service_unclear', {
      operation: answer.operation,
      http: answer.http,
      reason: 'answer without id',
    });
  return data.data;
}

function dataOf(answer: Answer): unknown {
  const envelope = Envelope.safeParse(withoutNulls(answer.json));
  return envelope.success ? envelope.data.data : undefined;
}

function answerOf(operation: string, reply: Extract<Exchange, { kind: 'reply' }>): Answer {
  return {
    operation,
    http: reply.http,
    json: jsonOf(reply.bytes),
    ...(reply.retryAfter === undefined ? {} : { retryAfter: reply.retryAfter }),
  };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown, facts: ErrorFacts): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new BridgeError('service_contract', {
      ...facts,
      fields: parsed.error.issues.map((issue) => issue.path.join('.')),
    });
  return parsed.data;
}

function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (!parsed.success)
    throw new BridgeError('case_not_ready', { fields: parsed.error.issues.map((issue) => issue.path.join('.')) });
  return parsed.data;
}

async function headersOf(token: ServiceClientOptions['token'], hasBody: boolean): Promise<Record<string, string>> {
  const value = await token();
  // fetch would quote a malformed token in its own error text.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new BridgeError('service_unauthorized', { reason: 'the token is empty or has characters that no token has' });
  return {
    authorization: `Bearer ${value}`,
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  };
}

/** An id as one path segment: opaque, but never a step to another path. */
function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new BridgeError('service_not_found', { reason: 'not an id' });
  return encodeURIComponent(id);
}
