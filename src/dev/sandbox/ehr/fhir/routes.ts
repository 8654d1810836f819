import { setTimeout as pause } from 'node:timers/promises';
import { getStatus, isOk, isOperationOutcome, multipleMatches, normalizeOperationOutcome } from '@medplum/core';
import { type FhirRequest, FhirRouter } from '@medplum/fhir-router';
import type { OperationOutcome, Resource } from '@medplum/fhirtypes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../../base/log.ts';
import { misbehave } from '../../control/misbehave.ts';
import type { EhrSwitches } from '../ehr-switches.ts';
import { type Access, patientsOf } from './access.ts';
import { capabilityStatement, type SignIn, smartConfiguration } from './capability.ts';
import type { EhrStore } from './ehr-store.ts';
import { GuardedRepository, type Lateness } from './guarded.ts';
import { fhirPath } from './path.ts';
import { isTypeHere } from './resource-types.ts';
import {
  conditionsOf,
  type FhirRefusal,
  forbidden,
  isFhirRefusal,
  notOffered,
  outcome,
  pagingOf,
  queryOf,
  searchAnswerOf,
  spelledVersion,
  storedBody,
  unbound,
} from './ways.ts';

export interface FhirRoutesOptions {
  readonly store: EhrStore;
  readonly base: string;
  readonly authorizationServer: string;
  /** Returns the access of a bearer token; undefined if the token is not valid. */
  readonly accessFor: (token: string) => Promise<Access | undefined>;
  readonly switches: EhrSwitches;
  readonly signIn: SignIn;
  /** Ends every wait. */
  readonly stop: AbortSignal;
  readonly clock: Clock;
}

const fhirJson = 'application/fhir+json; charset=utf-8';

/**
 * The FHIR server: medplum's router over the guarded store, with the HTTP features that the router leaves to its host.
 */
export function fhirRoutes(options: FhirRoutesOptions): (app: FastifyInstance) => Promise<void> {
  const router = new FhirRouter();
  const started = options.clock().toISOString();
  return async (app) => {
    acceptBodies(app);
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    misbehave(app, {
      switches: options.switches,
      stop: options.stop,
      occasion: fhirPath,
      body: (status) => outcome(status === 429 ? 'throttled' : 'transient', 'The EHR is not available'),
    });
    app.setErrorHandler((thrown: Error, _request, reply) =>
      sendOutcome(reply, statusOf(thrown), normalizeOperationOutcome(thrown)),
    );
    app.get('/metadata', async (_request, reply) =>
      send(reply, 200, capabilityStatement(options.base, options.authorizationServer, started, options.switches)),
    );
    app.get('/.well-known/smart-configuration', async (_request, reply) =>
      reply.type('application/json').send(smartConfiguration(options.authorizationServer, options.signIn)),
    );
    for (const url of ['/', '/*']) {
      app.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: (request, reply) => answer(request, reply, router, options),
      });
    }
  };
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  router: FhirRouter,
  options: FhirRoutesOptions,
): Promise<FastifyReply> {
  const access = await authenticate(request, options);
  if (access === undefined) {
    return sendOutcome(
      reply.header('www-authenticate', 'Bearer error="invalid_token"'),
      401,
      outcome('login', 'A valid access token is needed'),
    );
  }
  const { path, query: stated } = target(request, options.base);
  const { store, switches } = options;
  const asked = { request, path, switches };
  const query = queryOf(asked, stated);
  const body = storedBody(asked, store, access);
  const refused = refusal(request, path, switches) ?? unbound(asked) ?? [query, body].find(isFhirRefusal);
  if (refused !== undefined) return sendOutcome(reply, refused.status, refused.outcome);
  const merged = mergedInto(request, path, options);
  if (merged !== undefined) return merged(reply);
  const headers = conditionsOf(asked, store);
  if (headers === undefined) {
    const status = switches.take('conflict-status', fhirPath(request)) ?? 412;
    return sendOutcome(reply, status, outcome('conflict', 'It was modified since'));
  }
  const late = await lateness(request, path, options);
  const repository = new GuardedRepository(store, access, options.base, late, pagingOf(asked));
  const everything = request.method === 'GET' ? /^Patient\/([A-Za-z0-9.-]+)\/\$everything$/.exec(path)?.[1] : undefined;
  if (everything !== undefined)
    return send(reply, 200, await patientEverything(everything, repository, access, options));
  const [result, resource] = await router.handleRequest(
    routerRequest(request, { path, query: String(query), body, headers }),
    repository,
  );
  return respond(request, reply, result, resource, path, options);
}

/** Reading a merged record redirects to the record into which it was merged. The token may then read that record. */
function mergedInto(
  request: FastifyRequest,
  path: string,
  { switches, store, base }: FhirRoutesOptions,
): ((reply: FastifyReply) => FastifyReply) | undefined {
  if (request.method !== 'GET') return undefined;
  const merged = switches.take('merged-patient', fhirPath(request), ({ from }) => path === `Patient/${from}`);
  if (merged !== undefined) return (reply) => reply.redirect(`${base}/Patient/${merged.to}`, 302);
  const isTarget = switches.stating('merged-patient').some(({ to }) => path === `Patient/${to}`);
  const resource = store.peek(path);
  return isTarget && resource !== undefined ? (reply) => send(reply, 200, resource) : undefined;
}

async function authenticate(request: FastifyRequest, options: FhirRoutesOptions): Promise<Access | undefined> {
  const token = /^Bearer ([\w~+/.-]+=*)$/i.exec(request.headers.authorization ?? '')?.[1];
  return token === undefined ? undefined : options.accessFor(token);
}

function target(request: FastifyRequest, base: string): { path: string; query: string } {
  const url = new URL(request.url, base);
  const prefix = new URL(base).pathname;
  return { path: url.pathname.slice(prefix.length).replace(/^\/|\/$/g, ''), query: url.search };
}

/** Refuses a request because of a switch, or because this EHR does not have the resource type. */
function refusal(request: FastifyRequest, path: string, switches: EhrSwitches): FhirRefusal | undefined {
  const type = path.split('/')[0] ?? '';
  const occasion = fhirPath(request);
  if (type === '')
    return switches.take('no-system', occasion) === undefined
      ? undefined
      : { status: 404, outcome: outcome('not-supported', 'This EHR takes neither batch nor transaction') };
  if (!isTypeHere(type) || switches.take('hide-type', occasion, (hidden) => hidden === type) !== undefined)
    return { status: 404, outcome: outcome('not-supported', `This EHR has no ${type}`) };
  const limited = notOffered({ request, path, switches }, type) ?? forbidden({ request, path, switches }, type);
  if (limited !== undefined) return limited;
  const refused = switchOfWrite(request.method, path, type);
  const order = refused === undefined ? undefined : switches.take(refused, occasion, (value) => value.type === type);
  if (order === undefined) return undefined;
  return { status: order.status, outcome: refusalOutcome(order.status, `${request.method} ${path}`, type) };
}

function switchOfWrite(method: string, path: string, type: string): 'refuse-create' | 'refuse-update' | undefined {
  if (method === 'POST') return path === type ? 'refuse-create' : undefined;
  return method === 'PUT' || method === 'PATCH' ? 'refuse-update' : undefined;
}

function refusalOutcome(status: 403 | 405 | 422, what: string, type: string): OperationOutcome {
  const text = `This EHR refuses ${what}`;
  if (status === 405) return outcome('not-supported', text);
  if (status === 403) return outcome('forbidden', text);
  return {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: 'business-rule', details: { text }, expression: [`${type}.status`] }],
  };
}

/** How old the chart is that this request sees, after the delay of a slow search. */
async function lateness(
  request: FastifyRequest,
  path: string,
  { switches, stop }: FhirRoutesOptions,
): Promise<Lateness> {
  const occasion = fhirPath(request);
  const [type = '', second] = path.split('/');
  const isSearch = (request.method === 'GET' && second === undefined) || second === '_search';
  const isConditional = request.headers['if-none-exist'] !== undefined;
  const slow = isSearch
    ? switches.take('slow-search', occasion, (value) => value.type === undefined || value.type === type)
    : undefined;
  if (slow !== undefined)
    await pause(slow.milliseconds, undefined, { signal: stop, ref: false }).catch(() => undefined);
  const isWrite =
    ['PUT', 'PATCH'].includes(request.method) || (request.method === 'POST' && path === type && path !== '');
  const search = isSearch || isConditional ? switches.take('search-lag', occasion) : undefined;
  const commit = isWrite ? switches.take('late-commit', occasion) : undefined;
  return { searchMs: (search ?? 0) * 1000, commitMs: (commit ?? 0) * 1000 };
}

function routerRequest(
  request: FastifyRequest,
  {
    path,
    query,
    body,
    headers: all,
  }: {
    readonly path: string;
    readonly query: string;
    readonly body: unknown;
    readonly headers: FastifyRequest['headers'];
  },
): FhirRequest {
  const method = request.method;
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT' && method !== 'PATCH' && method !== 'DELETE')
    throw new TypeError(`unrouted method ${method}`);
  const ifMatch = all['if-match']?.replace(/^W\//, '').replaceAll('"', '');
  // The router requires a weak ETag, whichever spelling this EHR accepts.
  const headers = ifMatch === undefined ? all : { ...all, 'if-match': spelledVersion.weak(ifMatch) };
  return {
    method,
    url: `${path}${query}`,
    pathname: '',
    params: {},
    query: {},
    body,
    headers,
    config: { transactions: true },
  };
}

function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  result: OperationOutcome,
  resource: Resource | undefined,
  path: string,
  options: FhirRoutesOptions,
): FastifyReply {
  const stated = statusOfOutcome(result);
  const status = stated === 412 ? (options.switches.take('conflict-status', fhirPath(request)) ?? 412) : stated;
  if (!isOk(result)) return sendOutcome(reply, status, result);
  const writes = request.method !== 'GET' && !path.endsWith('_search') && path !== '';
  if (resource === undefined) return reply.code(204).send();
  const empty = status === 201 ? options.switches.take('empty-created', fhirPath(request)) : undefined;
  const hasHeaders = empty !== 'location' && empty !== 'both';
  if (resource.meta?.versionId !== undefined && resource.resourceType !== 'Bundle' && hasHeaders)
    setVersionHeaders(reply, resource, { writes, asked: request, options });
  if (request.method === 'GET' && request.headers['if-none-match'] === `W/"${resource.meta?.versionId}"`)
    return reply.code(304).send();
  if (empty === 'body' || empty === 'both') return reply.code(201).send();
  if (writes && request.headers.prefer?.includes('return=minimal') === true) return reply.code(status).send();
  if (resource.resourceType === 'Binary' && request.method === 'GET' && !acceptsFhir(request)) {
    return reply
      .type(resource.contentType ?? 'application/octet-stream')
      .header('x-content-type-options', 'nosniff')
      .send(Buffer.from(resource.data ?? '', 'base64'));
  }
  const answered = shown(resource, request, options.switches);
  const isSearch = answered.resourceType === 'Bundle' && answered.type === 'searchset';
  return send(
    reply,
    status,
    isSearch ? searchAnswerOf({ request, path, switches: options.switches }, answered) : answered,
  );
}

function setVersionHeaders(
  reply: FastifyReply,
  resource: Resource,
  { writes, asked, options }: { writes: boolean; asked: FastifyRequest; options: FhirRoutesOptions },
): void {
  const { versionId = '', lastUpdated } = resource.meta ?? {};
  const { etag, versionId: isSaid } = options.switches.take('versions', fhirPath(asked)) ?? {
    etag: 'weak' as const,
    versionId: true,
  };
  const tag = spelledVersion[etag](versionId);
  if (tag !== undefined) reply.header('etag', tag);
  if (lastUpdated !== undefined) reply.header('last-modified', new Date(lastUpdated).toUTCString());
  const address = `${options.base}/${resource.resourceType}/${resource.id}`;
  if (writes) reply.header('location', isSaid ? `${address}/_history/${versionId}` : address);
}

/** The resource as it is sent, without `versionId` if this EHR hides it. */
function shown(resource: Resource, request: FastifyRequest, switches: EhrSwitches): Resource {
  const isHidden = switches.take('versions', fhirPath(request), ({ versionId }) => !versionId) !== undefined;
  return isHidden ? withoutVersion(resource) : resource;
}

function withoutVersion(resource: Resource): Resource {
  const { versionId: _, ...meta } = resource.meta ?? {};
  const bare = { ...resource, meta } as Resource;
  if (bare.resourceType !== 'Bundle') return bare;
  const entry = bare.entry?.map((one) =>
    one.resource === undefined ? one : { ...one, resource: withoutVersion(one.resource) },
  );
  return { ...bare, ...(entry === undefined ? {} : { entry }) } as Resource;
}

function acceptsFhir(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? '*/*';
  return /fhir\+json|application\/json|\*\/\*/.test(accept);
}

/** `Patient/{id}/$everything`: the patient and the resources of the compartment that the token may read. */
async function patientEverything(
  id: string,
  repository: GuardedRepository,
  access: Access,
  options: FhirRoutesOptions,
): Promise<Resource> {
  const patient = await repository.readResource('Patient', id);
  const compartment = options.store
    .all()
    .filter(
      (resource) => resource.resourceType !== 'Patient' && patientsOf(resource).has(id) && access.may(resource, 'r'),
    );
  const entry = [patient, ...compartment].map((resource) => ({
    fullUrl: `${options.base}/${resource.resourceType}/${resource.id}`,
    resource,
    search: { mode: 'match' as const },
  }));
  return { resourceType: 'Bundle', type: 'searchset', total: entry.length, entry };
}

function acceptBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    ['application/fhir+json', 'application/json-patch+json', 'application/json'],
    { parseAs: 'string' },
    (_request, body, done) => {
      try {
        done(null, body === '' ? undefined : JSON.parse(String(body)));
      } catch {
        done(Object.assign(new Error('The body is not JSON'), { statusCode: 400 }));
      }
    },
  );
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    const form: Record<string, string[]> = {};
    for (const [name, value] of new URLSearchParams(String(body))) form[name] = [...(form[name] ?? []), value];
    done(null, form);
  });
}

function sendOutcome(reply: FastifyReply, status: number, body: OperationOutcome): FastifyReply {
  return send(reply, status, body);
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type(fhirJson).send(JSON.stringify(body));
}

function statusOf(thrown: Error & { statusCode?: number; outcome?: unknown }): number {
  if (isOperationOutcome(thrown.outcome)) return statusOfOutcome(thrown.outcome);
  return thrown.statusCode ?? 500;
}

function statusOfOutcome(result: OperationOutcome): number {
  return result.id === multipleMatches.id ? 412 : getStatus(result);
}
