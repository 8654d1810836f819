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
  /** Set for public resources, which are requested without a token (`/metadata`). */
  readonly anonymous?: boolean;
}

const fhirJson = 'application/fhir+json';
const repeatable = new Set([429, 502, 503, 504]);
/**
 * Types that a chart can be read without: excess data of these types is skipped with a warning, and the rest of the
 * chart is read.
 */
const withDocuments = new Set(['Binary', 'DocumentReference', 'DiagnosticReport']);
/** Other types may also contain documents: images of cards, and any batch answer. */
const withBytes = new Set([...withDocuments, 'Coverage', 'Bundle']);
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * fhirclient's FHIR client with its request replaced: the token is sent only to addresses under the FHIR base, time and
 * size are limited, GETs are repeated on 429, 502, 503, 504 and lost connections, and after a 401 the token is
 * refreshed once.
 */
export class GuardedFhir extends FhirClient {
  private readonly base: URL;

  constructor(
    private readonly parts: Pick<Parts, 'fetch' | 'limits' | 'clock' | 'random'>,
    iss: string,
    private readonly tokens: TokenSource,
    /** The known properties of this EHR. */
    private readonly preset?: Pick<Preset, 'refusesUntilNextMinute'>,
    private readonly bytes = new ChartBytes(parts.limits),
  ) {
    super(iss);
    this.base = new URL(iss);
  }

  /**
   * Called by fhirclient's paging: one GET whose answer must be a Bundle (fhirclient itself would treat any other
   * answer as the end of the pages).
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
   * The target of a link on the page at `from`, below the configured base. Only path and query are used, because behind
   * a proxy an EHR's links may have a host other than the configured one. Undefined for a path outside of the base.
   */
  nextPage(link: string, from: string): string | undefined {
    const named = URL.parse(link, from);
    if (named === null || !/^https?:$/.test(named.protocol)) return undefined;
    const base = this.base.href.replace(/\/+$/, '');
    // some EHRs write a path relative to the base as if it were relative to the host
    const isRooted = /^\/(?!\/)/.test(link);
    const paths = [named.pathname, ...(isRooted ? [`${this.base.pathname.replace(/\/+$/, '')}${named.pathname}`] : [])];
    return paths.map((path) => new URL(`${new URL(base).origin}${path}${named.search}`)).find((url) => this.isOurs(url))
      ?.href;
  }

  /**
   * The absolute address of `uri`, which may be relative to the base or, in some EHRs, to the host; throws
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
   * One request with all its guards; the caller handles every status but 401. Throws ehr_unreachable,
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

  /** The FHIR resource in an answer; throws ehr_not_fhir for a login page, an empty body or anything else. */
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
        // holds no connection and no bytes while it waits for other charts
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

  /** Follows redirects of GETs inside the FHIR base (a merged patient's new address); the caller compares ids. */
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

  /** Seconds for which the EHR asks not to be called, or is known to refuse. */
  private askedToWait({ status, headers }: EhrAnswer, now: Date): number | undefined {
    const isUntilNextMinute = status === 429 && this.preset?.refusesUntilNextMinute === true;
    return retryAfterSeconds(headers, now) ?? (isUntilNextMinute ? 60 - now.getSeconds() : undefined);
  }

  /** Half of the doubled wait is fixed and half is random, so that many callers do not return at the same time. */
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
      // an encoded slash, which a proxy may decode, could lead out of the base
      !/%(?:2f|5c)/i.test(url.pathname)
    );
  }
}

function typeOf(address: string, base: URL): string {
  const rest = new URL(address).pathname.slice(base.pathname.replace(/\/+$/, '').length + 1);
  return /^[A-Z][A-Za-z]+/.exec(rest)?.[0] ?? 'Bundle';
}

/** The subject of a request, in terms that are safe to log and show. */
export interface CallSubject {
  readonly type: string;
  readonly interaction: Interaction | 'batch' | 'metadata';
}

/** Epic's codes for a chart behind Break-the-Glass: a refusal by policy, which repeating does not change. */
const breakTheGlass = new Set(['4130', '4131', '4134']);

/** Whether an answer is a refusal by policy, which repeating does not change. */
export function isBreakTheGlass(answer: EhrAnswer): boolean {
  return outcomeCodes(jsonOf(answer)).some((code) => breakTheGlass.has(code));
}

/** Throws ehr_forbidden when the codes say that the chart is closed to this user. */
export function refuseBrokenGlass(codes: readonly string[], subject: CallSubject): void {
  if (codes.some((code) => breakTheGlass.has(code)))
    throw new BridgeError('ehr_forbidden', { resource: subject.type, reason: 'break-the-glass', codes });
}

/** The BridgeError of a read without the requested content. */
export function readError(answer: EhrAnswer, subject: CallSubject): BridgeError {
  const { facts, codes } = factsOf(answer, subject);
  if (codes.some((code) => breakTheGlass.has(code)))
    return new BridgeError('ehr_forbidden', { ...facts, reason: 'break-the-glass' });
  const said = causedBy(jsonOf(answer));
  if (answer.status === 403) return new BridgeError('ehr_forbidden', { ...facts, scope: scopeName(subject) }, said);
  return new BridgeError('ehr_error', facts, said);
}

/**
 * The BridgeError of a write. It depends on whether the write may have happened: a 5xx may come from a gateway after
 * the EHR stored the resource, so it is unclear; a refusal by the EHR itself is final. Its cause is the EHR's own
 * message.
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

/** The BridgeError of a request that got no usable answer. A write that may have arrived is ehr_write_unclear. */
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
