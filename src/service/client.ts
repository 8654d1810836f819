import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { Clock, Log } from '../base/log.ts';
import {
  BenefitVerification,
  CreateBenefitVerificationRequest,
  CreatedBenefitVerification,
} from '../core/contract/benefit-verification.ts';
import { CreateEnrollmentRequest, EnrollmentConfirmation } from '../core/contract/enrollment.ts';
import { Envelope } from '../core/contract/envelope.ts';
import { withoutNulls } from '../core/contract/open-contract.ts';
import { CancelRequest } from '../core/contract/parts.ts';
import { CreatedPriorAuthorization, PriorAuthorization } from '../core/contract/prior-authorization.ts';
import type { Profile } from '../core/contract/profile.ts';
import { contractFor, type PriorAuthRequest } from '../core/contract/profiles.ts';
import { Amendment } from '../core/contract/reply.ts';
import { BridgeError, type ErrorFacts } from '../core/errors.ts';
import { type Download, downloadFile } from './download.ts';
import { failureOf, isErrorBody, type ServiceAnswer } from './failure.ts';
import { defaultPolicy, type Exchange, exchange, type Wire, type WirePolicy } from './http.ts';

export type { Download } from './download.ts';

/**
 * The prior authorization service (section 4 of its interface). Every failure is a BridgeError with a `service_...`
 * code. Its facts may have `operation`, `http`, `service_code`, `fields` and `retry_after_seconds`, and never a value
 * that was sent. If an operation changes something, `service_unclear` means that the request may have arrived; any
 * other error means that it had no effect.
 */
export interface ServiceClient {
  /**
   * `POST /prior-authorization`, sent exactly once. Throws `case_not_ready`, before anything is sent, if the body
   * violates the contract of the profile.
   */
  createPriorAuthorization(body: PriorAuthRequest): Promise<CreatedPriorAuthorization>;
  /** `GET /prior-authorization/{id}`, retried if the service is busy. The returned record has the requested id. */
  getPriorAuthorization(id: string): Promise<PriorAuthorization>;
  /**
   * `POST /prior-authorization/{id}/cancel`. For a finished record, throws `service_refused`, with the fact
   * `service_status` if the service states the status.
   */
  cancelPriorAuthorization(id: string, reason: string): Promise<void>;
  /**
   * `PATCH /prior-authorization/{id}`, sent exactly once. Only with the profile `current`; the interface document does
   * not have it. Adds evidence, and ends the outreach if the amendment says so. Throws `case_not_ready`, before
   * anything is sent, if the body violates the contract.
   */
  amendPriorAuthorization(id: string, amendment: Amendment): Promise<void>;
  /**
   * `POST /patient-enrollment`, sent exactly once. Resolves to the content of the service's confirmation, if it has
   * any.
   */
  submitEnrollment(body: CreateEnrollmentRequest): Promise<EnrollmentConfirmation>;
  /**
   * `POST /benefit-verification`, sent exactly once. Only with the profile `current`. Throws `case_not_ready`, before
   * anything is sent, if the body violates the contract.
   */
  createBenefitVerification(body: CreateBenefitVerificationRequest): Promise<CreatedBenefitVerification>;
  /** `GET /benefit-verification/{id}`, retried if the service is busy. */
  getBenefitVerification(id: string): Promise<BenefitVerification>;
  /** `POST /benefit-verification/{id}/cancel`, without a body. The service answers 204. */
  cancelBenefitVerification(id: string): Promise<void>;
  /** Fetches a signed link of a record; see `downloadFile`. */
  download(url: string): Promise<Download>;
}

export interface ServiceClientOptions {
  readonly url: string;
  /** `documented` by default. */
  readonly profile?: Profile;
  /** Returns the bearer token. Called before each request. */
  readonly token: () => string | Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch?: typeof fetch;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** Returns 0 to 1, for the jitter of waits. */
  readonly random?: () => number;
  /**
   * `origins`: whose signed links may be fetched, besides the service's own. `maxBytes`: the largest file, 25 MiB by
   * default.
   */
  readonly downloads?: { readonly origins?: readonly string[]; readonly maxBytes?: number };
  readonly policy?: Partial<WirePolicy>;
}

/** The path of a kind's records, and the value of their property `object`. */
interface RecordPlace {
  readonly path: string;
  readonly object: string;
}
const priorAuthorizations: RecordPlace = { path: '/prior-authorization', object: 'prior_authorization' };
const benefitVerifications: RecordPlace = { path: '/benefit-verification', object: 'benefit_verification' };

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
  const profile = options.profile ?? 'documented';
  const base = options.url.replace(/\/+$/, '');
  const files = {
    origins: [new URL(base).origin, ...(options.downloads?.origins ?? [])],
    maxBytes: options.downloads?.maxBytes ?? 25 * 1024 * 1024,
  };
  const send = (operation: string, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
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
  const record = async <Data extends { readonly id: string; readonly object?: string | undefined }>(
    schema: z.ZodType<Data>,
    { path, object }: RecordPlace,
    id: string,
  ): Promise<Data> => {
    const answer = readAnswer('get', await send('get', 'GET', `${path}/${segment(id)}`));
    const facts = { operation: 'get', http: answer.http };
    const data = read(schema, dataOf(answer), facts);
    if (data.id !== id) throw new BridgeError('service_contract', { ...facts, reason: 'another record' });
    if ((data.object ?? object) !== object)
      throw new BridgeError('service_contract', { ...facts, reason: 'a record of another kind' });
    return data;
  };
  return {
    async createPriorAuthorization(body) {
      const answer = definite(
        'create',
        await send('create', 'POST', '/prior-authorization', checked(contractFor(profile, body), body)),
      );
      return created(CreatedPriorAuthorization, answer);
    },
    getPriorAuthorization: (id) => record(PriorAuthorization, priorAuthorizations, id),
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
    async amendPriorAuthorization(id, amendment) {
      const body = checked(Amendment, amendment);
      definite('amend', await send('amend', 'PATCH', `/prior-authorization/${segment(id)}`, amendmentBody(body)));
    },
    async submitEnrollment(body) {
      const answer = definite(
        'enroll',
        await send('enroll', 'POST', '/patient-enrollment', checked(CreateEnrollmentRequest, body)),
      );
      const confirmation = EnrollmentConfirmation.safeParse(dataOf(answer));
      return confirmation.success ? confirmation.data : undefined;
    },
    async createBenefitVerification(body) {
      const answer = definite(
        'create',
        await send('create', 'POST', '/benefit-verification', checked(CreateBenefitVerificationRequest, body)),
      );
      return created(CreatedBenefitVerification, answer);
    },
    getBenefitVerification: (id) => record(BenefitVerification, benefitVerifications, id),
    async cancelBenefitVerification(id) {
      definite('cancel', await send('cancel', 'POST', `/benefit-verification/${segment(id)}/cancel`));
    },
    download: (url) => downloadFile(url, files, wire),
  };
}

/**
 * Returns the response to a request that changes something, if its status is 2xx and its body is no error. Otherwise
 * throws an error that says whether the request may have had an effect.
 */
function definite(operation: string, result: Exchange): ServiceAnswer {
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
  // A 5xx may come after the request took effect. Only a 503 of the service itself, and not of a gateway, means that it
  // did not.
  const refusedBusy = answer.http === 503 && (isError || answer.retryAfter !== undefined);
  if (answer.http >= 500 && !refusedBusy)
    throw new BridgeError('service_unclear', { operation, http: answer.http, reason: 'server error' });
  throw failureOf(answer);
}

function readAnswer(operation: string, result: Exchange): ServiceAnswer {
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

function created<Data>(schema: z.ZodType<Data>, answer: ServiceAnswer): Data {
  const data = schema.safeParse(dataOf(answer));
  if (!data.success)
    throw new BridgeError('service_unclear', {
      operation: answer.operation,
      http: answer.http,
      reason: 'answer without id',
    });
  return data.data;
}

function dataOf(answer: ServiceAnswer): unknown {
  const envelope = Envelope.safeParse(withoutNulls(answer.json));
  return envelope.success ? envelope.data.data : undefined;
}

function answerOf(operation: string, reply: Extract<Exchange, { kind: 'reply' }>): ServiceAnswer {
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

function amendmentBody({ evidence, ends }: Amendment): Readonly<Record<string, unknown>> {
  return { ...(evidence.length === 0 ? {} : { evidence }), ...(ends === undefined ? {} : { [ends]: true }) };
}

async function headersOf(token: ServiceClientOptions['token'], hasBody: boolean): Promise<Record<string, string>> {
  const value = await token();
  // fetch would quote a malformed token in its error.
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new BridgeError('service_unauthorized', { reason: 'the token is empty or has characters that no token has' });
  return {
    authorization: `Bearer ${value}`,
    accept: 'application/json',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  };
}

/** Encodes an id as one path segment, so that it never leads to another path. */
function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw new BridgeError('service_not_found', { reason: 'not an id' });
  return encodeURIComponent(id);
}
