import { setTimeout as sleep } from 'node:timers/promises';
import { retryAfterSeconds } from '../../base/retry-after.ts';
import type { Preset } from '../../config/presets/preset.ts';
import { BridgeError, type ErrorFacts } from '../../core/errors.ts';
import type { Interaction } from '../../core/fhir/scopes.ts';
import { ChartBytes } from './chart-bytes.ts';
import { FhirClient } from './fhirclient.ts';
import { type EhrAnswer, jsonOf, NoAnswer, send } from './http.ts';
import { causedBy, outcomeCodes, refusedBecause } from './operation-outcome.ts';
import { readPage } from './search-page.ts';
import type { TokenSource } from './tokens.ts';
import type { Parts } from './types.ts';

export interface FhirCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly subject: CallSubject;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Set for public resources (`/metadata`), which are requested without a token. */
  readonly anonymous?: boolean;
}

const fhirJson = 'application/fhir+json';
const repeatable = new Set([429, 502, 503, 504]);
/** Types that a chart can be read without. Data of these types beyond the limit is skipped with a warning. */
const withDocuments = new Set(['Binary', 'DocumentReference', 'DiagnosticReport']);
/** These types may also contain documents: card images, and anything in a batch. */
const withBytes = new Set([...withDocuments, 'Coverage', 'Bundle']);
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * fhirclient's FHIR client with guarded requests. The token is sent only to URLs under the FHIR base. Time and size are
 * limited. GETs are repeated on 429, 502, 503, 504 and lost connections. After a 401 the token is refreshed once.
 */
export class GuardedFhir extends FhirClient {
  private readonly base: URL;

  constructor(
    private readonly parts: Pick<Parts, 'fetch' | 'limits' | 'clock' | 'random'>,
    iss: string,
    private readonly tokens: TokenSource,
    private readonly preset?: Pick<Preset, 'refusesUntilNextMinute'>,
    private readonly bytes = new ChartBytes(parts.limits),
  ) {
    super(iss);
    this.base = new URL(iss);
  }

  /**
   * fhirclient's paging calls this: one GET whose response must be a Bundle. fhirclient would take any other response
   * for the last page.
   */
  override async fhirRequest<T>(uri: string | URL): Promise<T> {
    const address = this.resolve(String(uri));
    const subject: CallSubject = { type: typeOf(address, this.base), interaction: 's' };
    const answer = await this.exchange(address, { method: 'GET', subject });
    if (answer.status !== 200) throw readError(answer, subject);
    const bundle = this.resourceOf(answer, subject);
    refuseBrokenGlass(outcomeCodes(bundle), subject);
    if (bundle.resourceType !== 'Bundle')
      throw new BridgeError(
        'ehr_not_fhir',
        { http: answer.status, resource: subject.type, reason: 'not a Bundle' },
        causedBy(bundle),
      );
    return readPage(bundle, (link) => this.nextPage(link, address)) as T;
  }

  /**
   * Returns the target of a link on the page at `from`, below the configured base. Only path and query of the link are
   * used, because an EHR behind a proxy may name another host. Undefined for a path outside the base.
   */
  nextPage(link: string, from: string): string | undefined {
    const named = URL.parse(link, from);
    if (named === null || !/^https?:$/.test(named.protocol)) return undefined;
    const base = this.base.href.replace(/\/+$/, '');
    // some EHRs write a path below the base as if it were below the host
    const isRooted = /^\/(?!\/)/.test(link);
    const paths = [named.pathname, ...(isRooted ? [`${this.base.pathname.replace(/\/+$/, '')}${named.pathname}`] : [])];
    return paths.map((path) => new URL(`${new URL(base).origin}${path}${named.search}`)).find((url) => this.isOurs(url))
      ?.href;
  }

  /**
   * Returns the absolute URL of `uri`, which may be relative to the base or, in some EHRs, to the host. Throws
   * ehr_foreign_address for any other server.
   */
  resolve(uri: string): string {
    const direct = URL.canParse(uri, `${this.base.href.replace(/\/+$/, '')}/`)
      ? new URL(uri, `${this.base.href.replace(/\/+$/, '')}/`)
      : undefined;
    if (direct !== undefined && this.isOurs(direct)) return direct.href;
    const rooted =
      uri.startsWith('/') && !uri.startsWith('//') ? new URL(`${this.base.href.replace(/\/+$/, '')}${uri}`) : undefined;
    if (rooted !== undefined && this.isOurs(rooted)) return rooted.href;
    throw new BridgeError('ehr_foreign_address', direct === undefined ? {} : { origin: direct.origin });
  }

  /**
   * Makes one request with all guards. The caller handles every status but 401. Throws ehr_unreachable,
   * ehr_write_unclear, relaunch_required.
   */
  async exchange(address: string, outgoing: FhirCall): Promise<EhrAnswer> {
    const url = this.resolve(address);
    if (outgoing.anonymous === true) return this.repeat(url, outgoing, undefined);
    const token = await this.tokens.current();
    const answer = await this.repeat(url, outgoing, token);
    if (answer.status !== 401) return answer;
    const again = await this.repeat(url, outgoing, await this.tokens.renew(token));
    if (again.status === 401)
      throw new BridgeError(this.tokens.refusal, { http: 401, resource: outgoing.subject.type });
    return again;
  }

  /** Returns the FHIR resource in a response. Throws ehr_not_fhir for a login page, an empty body or anything else. */
  resourceOf(
    answer: EhrAnswer,
    subject: CallSubject,
  ): Readonly<Record<string, unknown>> & { readonly resourceType: string } {
    const value = jsonOf(answer);
    if (
      typeof value === 'object' &&
      value !== null &&
      'resourceType' in value &&
      typeof value.resourceType === 'string'
    )
      return { ...value, resourceType: value.resourceType };
    throw new BridgeError('ehr_not_fhir', { http: answer.status, resource: subject.type });
  }

  private async repeat(url: string, outgoing: FhirCall, token: string | undefined): Promise<EhrAnswer> {
    const { limits, clock } = this.parts;
    let until = performance.now() + limits.deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.follow(url, outgoing, token, until);
      if (answer instanceof NoAnswer && answer.reason === 'busy') {
        // while this chart waits for others, it holds no connection and no bytes
        if (!(await this.bytes.comesToRead())) throw noAnswerError(answer, outgoing.subject);
        until = performance.now() + limits.deadlineMs;
        attempt -= 1;
        continue;
      }
      const failed = answer instanceof NoAnswer || (repeatable.has(answer.status) && !isBreakTheGlass(answer));
      if (!failed) return answer;
      const asked = answer instanceof NoAnswer ? undefined : this.askedToWait(answer, clock());
      const waitMs = asked === undefined ? this.backoffMs(attempt) : asked * 1000;
      const mayRepeat =
        outgoing.method === 'GET' &&
        attempt < limits.attempts &&
        performance.now() + waitMs < until &&
        !(answer instanceof NoAnswer && answer.reason === 'too-large');
      if (mayRepeat) await sleep(waitMs);
      else if (answer instanceof NoAnswer) throw noAnswerError(answer, outgoing.subject);
      else return asked === undefined ? answer : { ...answer, retryAfter: asked };
    }
  }

  /** Follows redirects of GETs inside the FHIR base, as for a merged patient. The caller compares ids. */
  private async follow(
    url: string,
    outgoing: FhirCall,
    token: string | undefined,
    until: number,
  ): Promise<EhrAnswer | NoAnswer> {
    let at = url;
    for (let hops = 0; ; hops += 1) {
      const answer = await this.once(at, outgoing, token, until);
      const location =
        answer instanceof NoAnswer || !redirects.has(answer.status) ? null : answer.headers.get('location');
      if (location === null || outgoing.method !== 'GET') return answer;
      if (hops === 3)
        throw new BridgeError('ehr_error', { reason: 'too many redirects', resource: outgoing.subject.type });
      at = this.resolve(new URL(location, at).href);
    }
  }

  private async once(
    url: string,
    { method, subject, headers, body }: FhirCall,
    token: string | undefined,
    until: number,
  ): Promise<EhrAnswer | NoAnswer> {
    const { limits, fetch } = this.parts;
    const held = withBytes.has(subject.type)
      ? this.bytes.answer({ isDocument: withDocuments.has(subject.type) })
      : undefined;
    const all = {
      accept: fhirJson,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': fhirJson }),
      ...headers,
    };
    const bounds = {
      timeoutMs: Math.max(1, Math.ceil(Math.min(limits.timeoutMs, until - performance.now()))),
      bytes: limits.bodyBytes,
      ...(held === undefined ? {} : { refuse: held.refuse }),
    };
    try {
      return await send(fetch, url, { method, headers: all, ...(body === undefined ? {} : { body }) }, bounds);
    } catch (error) {
      held?.takeBack();
      if (error instanceof NoAnswer) return error;
      throw error;
    }
  }

  /** Seconds during which the EHR asks not to be called, or is known to refuse. */
  private askedToWait({ status, headers }: EhrAnswer, now: Date): number | undefined {
    const isUntilNextMinute = status === 429 && this.preset?.refusesUntilNextMinute === true;
    return retryAfterSeconds(headers, now) ?? (isUntilNextMinute ? 60 - now.getSeconds() : undefined);
  }

  /** Half of the doubled wait is fixed and half is random, so that many callers do not retry at the same time. */
  private backoffMs(attempt: number): number {
    const full = this.parts.limits.backoffMs * 2 ** (attempt - 1);
    return full / 2 + (full / 2) * ((this.parts.random(1)[0] ?? 0) / 255);
  }

  private isOurs(url: URL): boolean {
    const path = this.base.pathname.replace(/\/+$/, '');
    return (
      url.origin === this.base.origin &&
      url.username === '' &&
      url.password === '' &&
      (url.pathname === path || url.pathname.startsWith(`${path}/`)) &&
      // a proxy may decode an encoded slash, which could lead out of the base
      !/%(?:2f|5c)/i.test(url.pathname)
    );
  }
}

function typeOf(address: string, base: URL): string {
  const rest = new URL(address).pathname.slice(base.pathname.replace(/\/+$/, '').length + 1);
  return /^[A-Z][A-Za-z]+/.exec(rest)?.[0] ?? 'Bundle';
}

export interface CallSubject {
  readonly type: string;
  readonly interaction: Interaction | 'batch' | 'metadata';
}

/** Epic's codes for a chart behind Break-the-Glass. */
const breakTheGlass = new Set(['4130', '4131', '4134']);

/** Whether the response is a refusal by policy, which repeating the request does not change. */
export function isBreakTheGlass(answer: EhrAnswer): boolean {
  return outcomeCodes(jsonOf(answer)).some((code) => breakTheGlass.has(code));
}

/** Throws ehr_forbidden if the codes say that the chart is closed to this user. */
export function refuseBrokenGlass(codes: readonly string[], subject: CallSubject): void {
  if (codes.some((code) => breakTheGlass.has(code)))
    throw new BridgeError('ehr_forbidden', { resource: subject.type, reason: 'break-the-glass', codes });
}

/** Returns the BridgeError of a read that got no resource. */
export function readError(answer: EhrAnswer, subject: CallSubject): BridgeError {
  const { facts, codes } = factsOf(answer, subject);
  if (codes.some((code) => breakTheGlass.has(code)))
    return new BridgeError('ehr_forbidden', { ...facts, reason: 'break-the-glass' });
  const said = causedBy(jsonOf(answer));
  if (answer.status === 403) return new BridgeError('ehr_forbidden', { ...facts, scope: scopeName(subject) }, said);
  return new BridgeError('ehr_error', facts, said);
}

/**
 * Returns the BridgeError of a failed write. After a 5xx the write is unclear, since a gateway may send it after the
 * EHR has stored the resource. A refusal by the EHR itself is final. The cause is the EHR's own message.
 */
export function writeError(answer: EhrAnswer, subject: CallSubject): BridgeError {
  const { facts, codes } = factsOf(answer, subject);
  const said = refusedBecause(answer);
  const { status } = answer;
  if (status === 403) {
    const reason = codes.some((code) => breakTheGlass.has(code)) ? { reason: 'break-the-glass' } : {};
    return new BridgeError('ehr_forbidden', { ...facts, scope: scopeName(subject), ...reason }, said);
  }
  if (status === 409 || status === 412) return new BridgeError('ehr_conflict', facts, said);
  if (status === 429) return new BridgeError('ehr_error', facts, said);
  if (status === 408 || (status >= 500 && status !== 501)) return new BridgeError('ehr_write_unclear', facts, said);
  return new BridgeError('ehr_write_refused', facts, said);
}

/**
 * Returns the BridgeError of a request without a usable response. A write that may have arrived is ehr_write_unclear.
 */
export function noAnswerError(cause: NoAnswer, subject: CallSubject): BridgeError {
  const facts = { resource: subject.type, reason: cause.reason };
  const isWrite = ['c', 'u', 'd'].includes(subject.interaction);
  if (isWrite && cause.sent) return new BridgeError('ehr_write_unclear', facts, { cause });
  return new BridgeError(cause.reason === 'too-large' ? 'ehr_not_fhir' : 'ehr_unreachable', facts, { cause });
}

function factsOf(answer: EhrAnswer, subject: CallSubject): { facts: ErrorFacts; codes: string[] } {
  const codes = outcomeCodes(jsonOf(answer));
  const facts = {
    http: answer.status,
    resource: subject.type,
    ...(codes.length === 0 ? {} : { codes }),
    ...(answer.retryAfter === undefined ? {} : { retry_after_seconds: answer.retryAfter }),
  };
  return { codes, facts };
}

function scopeName({ type, interaction }: CallSubject): string {
  return interaction === 'batch' || interaction === 'metadata' ? type : `${type}.${interaction}`;
}
