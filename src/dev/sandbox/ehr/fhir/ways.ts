import type { Bundle, OperationOutcome, Resource } from '@medplum/fhirtypes';
import type { FastifyRequest } from 'fastify';
import type { EhrSwitches } from '../ehr-switches.ts';
import { offeredOf } from './capability.ts';
import type { EhrStore } from './ehr-store.ts';
import type { Paging } from './guarded.ts';
import { fhirPath } from './path.ts';
import type { ResourceTypeHere } from './resource-types.ts';
import { brokenRules, storedOf, type Writer } from './rules.ts';

/** The response to a request that is refused. */
export interface FhirRefusal {
  readonly status: number;
  readonly outcome: OperationOutcome;
}

interface Asked {
  readonly request: FastifyRequest;
  /** The path below the FHIR base, such as `Task/7`. */
  readonly path: string;
  readonly switches: EhrSwitches;
}

/** Refuses interactions that this EHR does not offer for a type. */
export function notOffered({ request, path, switches }: Asked, type: ResourceTypeHere): FhirRefusal | undefined {
  const [offers] = switches.stating('offers');
  if (offers === undefined) return undefined;
  const offered = offeredOf(switches, type);
  const isSearch = path === type || path.endsWith('/_search');
  const letters = {
    GET: isSearch ? 's' : 'r',
    POST: isSearch && path !== type ? 's' : 'c',
    PUT: 'u',
    PATCH: 'p',
    DELETE: 'd',
  };
  const letter = Object.entries(letters).find(([method]) => method === request.method)?.[1] ?? '';
  if (offered.includes(letter) && offered !== '') return undefined;
  switches.take('offers', fhirPath(request));
  return offered === ''
    ? { status: 404, outcome: outcome('not-supported', `This EHR has no ${type}`) }
    : { status: 405, outcome: outcome('not-supported', `This EHR does not offer ${request.method} ${type}`) };
}

/** Refuses a request by a policy or a limit, whatever scopes are granted. */
export function forbidden({ request, path, switches }: Asked, type: string): FhirRefusal | undefined {
  const occasion = fhirPath(request);
  const glass = switches.take('break-the-glass', occasion, (closed) => closed === type && request.method === 'GET');
  if (glass !== undefined) return { status: 403, outcome: coded('forbidden', '4130', 'Break-the-Glass is needed') };
  const limit = Number(request.headers['content-length'] ?? 0);
  if (switches.take('body-limit', occasion, (bytes) => limit > bytes) !== undefined)
    return { status: 413, outcome: outcome('too-long', 'The body is too large') };
  const includes = new URL(request.url, 'http://ehr').searchParams.keys().some((name) => /^_(rev)?include/.test(name));
  if (includes && switches.take('no-include', occasion) !== undefined)
    return { status: 400, outcome: outcome('not-supported', `${path} takes no include`) };
  return undefined;
}

/** Returns the request's search in the router's form, or refuses an unknown parameter. */
export function queryOf({ request, switches }: Asked, query: string): string | FhirRefusal {
  const [pages] = switches.stating('pages');
  if (pages === undefined) return query;
  const params = new URLSearchParams(query);
  const link = params.get(pages.link);
  if (link !== null) return Buffer.from(link, 'base64url').toString();
  if (pages.parameter === '_count') return query;
  if (params.has('_count')) {
    switches.take('pages', fhirPath(request));
    return { status: 400, outcome: outcome('not-supported', 'Unknown search parameter: _count') };
  }
  return query.replace(`${pages.parameter}=`, '_count=');
}

/** How search results are paged, and what is added to them. */
export function pagingOf({ request, switches }: Asked): Paging {
  const code = switches.take('outcome-entry', fhirPath(request));
  const pages = switches.take('pages', fhirPath(request));
  return {
    ...(code === undefined ? {} : { note: coded('informational', code, 'The result may not be the whole record') }),
    ...(pages === undefined ? {} : pages),
  };
}

/** Returns a search result with this EHR's faults: failed in part, or with null in its entries and links. */
export function searchAnswerOf({ request, switches }: Asked, found: Bundle): object {
  const severity = switches.take('failed-search', fhirPath(request));
  const hasNulls = switches.take('null-entries', fhirPath(request)) !== undefined;
  const { entry = [], link = [] } = found;
  const failure = severity === undefined ? [] : [{ search: { mode: 'outcome' }, resource: failed(severity) }];
  const kept = severity === undefined ? entry : [...entry.slice(0, entry.length / 2), ...failure];
  const [entries, links] = hasNulls
    ? [
        [null, ...kept, null],
        [null, ...link],
      ]
    : [kept, link];
  return { ...found, link: links, ...(entries.length === 0 ? {} : { entry: entries }) };
}

function failed(severity: 'error' | 'fatal'): OperationOutcome {
  const issue = [{ severity, code: 'timeout' as const, details: { text: 'Not everything could be searched' } }];
  return { resourceType: 'OperationOutcome', issue };
}

/** Returns the body as this product stores it, or the product's refusal. */
export function storedBody({ request, path, switches }: Asked, store: EhrStore, writer: Writer): unknown {
  const resource = request.body as Resource | undefined; // the store checks the resource, whatever its type is
  const type = path.split('/')[0];
  const isWrite = request.method === 'PUT' || (request.method === 'POST' && path === type && path !== '');
  if (!isWrite || resource === undefined || resource.resourceType !== type) return resource;
  const set = switches.take('rules', fhirPath(request));
  if (set === undefined) return resource;
  const broken = brokenRules(set, resource, writer);
  if (broken.length === 0) return storedOf(set, resource, store.peek(path));
  const issue = broken.map(({ expression, text }) => ({
    severity: 'error' as const,
    code: 'business-rule' as const,
    details: { text: `${expression} ${text}` },
    expression: [expression],
  }));
  return { status: 422, outcome: { resourceType: 'OperationOutcome', issue } } satisfies FhirRefusal;
}

/** Refuses an update without a version if this EHR requires one (RFC 6585 3). */
export function unbound({ request, switches }: Asked): FhirRefusal | undefined {
  if (!isUpdate(request) || request.headers['if-match'] !== undefined) return undefined;
  if (switches.take('versions', fhirPath(request), ({ required }) => required) === undefined) return undefined;
  return { status: 428, outcome: outcome('conflict', 'If-Match is required') };
}

function isUpdate({ method }: FastifyRequest): boolean {
  return method === 'PUT' || method === 'PATCH';
}

/** How a version is written in an ETag or If-Match. `none` returns undefined. */
export const spelledVersion = {
  weak: (version: string) => `W/"${version}"`,
  strong: (version: string) => `"${version}"`,
  bare: (version: string) => version,
  none: () => undefined,
} as const;

/**
 * Checks the conditions of a request by this EHR's rules, and returns the headers that are left; undefined if a
 * condition fails.
 */
export function conditionsOf(
  { request, path, switches }: Asked,
  store: EhrStore,
): FastifyRequest['headers'] | undefined {
  const { 'if-none-exist': ifNoneExist, 'if-match': ifMatch, ...others } = request.headers;
  const isConditional = ifNoneExist !== undefined && switches.take('no-conditional', fhirPath(request)) === undefined;
  const kept = { ...others, ...(isConditional ? { 'if-none-exist': ifNoneExist } : {}) };
  if (ifMatch !== undefined && isUpdate(request)) {
    const version = ifMatch.replace(/^W\//, '').replaceAll('"', '');
    const isOther = ({ takes }: { takes: 'any' | 'weak' | 'strong' | 'bare' }) =>
      takes !== 'any' && spelledVersion[takes](version) !== ifMatch;
    if (switches.take('versions', fhirPath(request), isOther) !== undefined) return undefined;
  }
  if (!isUpdate(request) || switches.take('precondition', fhirPath(request)) === undefined)
    return { ...kept, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) };
  const since = Date.parse(String(request.headers['if-unmodified-since']));
  const changed = Math.floor(Date.parse(store.peek(path)?.meta?.lastUpdated ?? '') / 1000) * 1000;
  return changed > since ? undefined : kept;
}

export function isFhirRefusal(value: unknown): value is FhirRefusal {
  return typeof value === 'object' && value !== null && 'outcome' in value && 'status' in value;
}

export function outcome(
  code: 'transient' | 'throttled' | 'login' | 'not-supported' | 'forbidden' | 'too-long' | 'conflict',
  text: string,
): OperationOutcome {
  return { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code, details: { text } }] };
}

function coded(code: 'forbidden' | 'informational', detail: string, text: string): OperationOutcome {
  const severity = code === 'forbidden' ? ('error' as const) : ('information' as const);
  const details = { coding: [{ system: 'urn:oid:1.2.840.114350.1.13.0.1.7.2.657369', code: detail }], text };
  return { resourceType: 'OperationOutcome', issue: [{ severity, code, details }] };
}
