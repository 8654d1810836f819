import { DetailError, Envelope } from '../core/contract/envelope.ts';
import { withoutNulls } from '../core/contract/open-contract.ts';
import type { PriorAuthLeaf } from '../core/contract/profiles.ts';
import { BridgeError, type ErrorCode, type ErrorFacts } from '../core/errors.ts';
import { benefitErrors } from './benefits.ts';

/** `json` is undefined if the body is not JSON. */
export interface ServiceAnswer {
  readonly operation: string;
  readonly http: number;
  readonly json: unknown;
  readonly retryAfter?: number;
}

/**
 * Returns the error for any refusal by the service. The facts have the HTTP status, the service's error code, and from
 * a validation list the paths (`diagnoses[0].code`) and kinds of error. Titles, descriptions and messages are left out,
 * because they may quote what was sent.
 */
export function failureOf(answer: ServiceAnswer): BridgeError {
  const json = withoutNulls(answer.json);
  const serviceCode = codeOf(json);
  const known = serviceCode === undefined ? undefined : knownCode(serviceCode);
  const facts: ErrorFacts = {
    operation: answer.operation,
    http: answer.http,
    ...(serviceCode === undefined ? {} : { service_code: serviceCode }),
    ...(known?.fields === undefined ? {} : { fields: known.fields }),
    ...validationOf(json),
    ...finishedStatusOf(json),
    ...(answer.retryAfter === undefined ? {} : { retry_after_seconds: answer.retryAfter }),
  };
  const row = rowOf(answer, serviceCode);
  const next =
    known?.next ?? (row === 'service_rate_limited' && isSending(answer) ? sendAgain(answer.retryAfter) : undefined);
  return new BridgeError(row, facts, next === undefined ? {} : { next });
}

/** Whether the body is an error in one of the service's own forms, so that the service itself has answered. */
export function isErrorBody(json: unknown): boolean {
  const value = withoutNulls(json);
  const envelope = Envelope.safeParse(value);
  return (envelope.success && envelope.data.status === 'error') || DetailError.safeParse(value).success;
}

// Reads are retried automatically. Only a person repeats a change.
function isSending({ operation }: ServiceAnswer): boolean {
  return operation !== 'get' && operation !== 'download';
}

function rowOf({ operation, http }: ServiceAnswer, serviceCode: string | undefined): ErrorCode {
  if (serviceCode === 'rate_limit_exceeded' || http === 429) return 'service_rate_limited';
  if (serviceCode === 'service_unavailable') return 'service_error';
  if (http === 413) return 'service_too_large';
  if (http === 401 || http === 403) return 'service_unauthorized';
  // Only these operations have a record id in their path. For others, 404 means that the URL is not the service's.
  if (http === 404) return naming.has(operation) ? 'service_not_found' : 'service_contract';
  if (http >= 500) return 'service_error';
  if (http >= 300 && http < 400) return 'service_contract';
  return 'service_refused';
}

const naming: ReadonlySet<string> = new Set(['get', 'cancel', 'amend']);

function codeOf(json: unknown): string | undefined {
  const envelope = Envelope.safeParse(json);
  const code = envelope.success ? envelope.data.error?.code : undefined;
  if (code === undefined) return undefined;
  // Error codes of benefit verifications are words with spaces, so they are compared with the known codes.
  return /^[A-Za-z0-9_.-]{1,64}$/.test(code) || Object.hasOwn(benefitErrors, code) ? code : 'unreadable';
}

function validationOf(json: unknown): ErrorFacts {
  const body = DetailError.safeParse(json);
  if (!body.success || typeof body.data.detail === 'string') return {};
  const problems = body.data.detail.slice(0, 50);
  return {
    fields: problems.map(({ loc }) => pathOf(loc ?? [])),
    kinds: problems.map(({ type }) => (type !== undefined && /^[a-z_.]{1,60}$/.test(type) ? type : 'invalid')),
  };
}

/** Returns `diagnoses[0].code` for `['body', 'diagnoses', 0, 'code']`. */
function pathOf(loc: readonly (string | number)[]): string {
  const parts = loc[0] === 'body' || loc[0] === 'path' || loc[0] === 'query' ? loc.slice(1) : loc;
  const path = parts
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${/^\w{1,60}$/.test(part) ? part : '?'}`))
    .join('');
  return path.replace(/^\./, '');
}

// When a finished record is canceled, the service answers with a sentence that ends with the status. Only that word is
// used.
function finishedStatusOf(json: unknown): ErrorFacts {
  const body = DetailError.safeParse(json);
  const word =
    body.success && typeof body.data.detail === 'string'
      ? /status: (COMPLETED|FAILED|CANCELLED|NOT_SUBMITTED)\b/i.exec(body.data.detail)?.[1]
      : undefined;
  return word === undefined ? {} : { service_status: word.toLowerCase() };
}

interface KnownCode {
  readonly next: string;
  readonly fields?: readonly PriorAuthLeaf[];
}

function knownCode(code: string): KnownCode | undefined {
  if (Object.hasOwn(knownCodes, code)) return knownCodes[code];
  const next = Object.hasOwn(benefitErrors, code) ? benefitErrors[code] : undefined;
  return next === undefined ? undefined : { next };
}
/** Tells staff to wait as long as the service asks. */
function sendAgain(seconds: number | undefined): string {
  return `The service takes no more requests for now. Wait${lengthOf(seconds)}, then send again.`;
}

function lengthOf(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds <= 60) return ' a minute';
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? ` ${minutes} minutes` : ` ${Math.min(24, Math.ceil(minutes / 60))} hours`;
}

/** What staff can do about the service's own error codes. `fields`: the fields that the code is about. */
const knownCodes: Readonly<Record<string, KnownCode>> = {
  insurance_content_invalid_rx_bin: {
    next: 'Correct the RxBIN: six digits, as on the insurance card. Then send again.',
    fields: ['insurance_content.rx_bin'],
  },
  insurance_card_member_id_ocr_failure: {
    next: 'The card’s image cannot be read: enter the member number, then send again.',
    fields: ['insurance_content.member_number'],
  },
  unsupported_patient: { next: 'The service does not take requests for this patient. Use your usual way.' },
  unsupported_drug: { next: 'The service does not take requests for this drug. Use your usual way.' },
  provider_not_authorized: {
    next: 'The prescriber is not enrolled with the service. Ask the operator to enroll the NPI, then send again.',
    fields: ['provider.npi'],
  },
  previous_pa_request_in_progress: { next: 'An earlier request for this order is still under way. Follow that one.' },
  prescription_message_already_linked: { next: 'An earlier request for this prescription exists. Follow that one.' },
  prescription_message_not_found: {
    next: 'The service does not find the prescription. Send the prescription, then the request again.',
  },
  mock_result_not_allowed: {
    next: 'A mock result is for the sandbox only. The operator must correct the mapping.',
    fields: ['mock_result'],
  },
  api_access_not_enabled: { next: 'The operator must ask the service to enable access for this organization.' },
  service_unavailable: { next: 'The service is not available for now and took nothing. Try again in a minute.' },
};
