import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asBridgeError, BridgeError, type ErrorCode, type ErrorFacts, errors } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Deps } from './deps.ts';
import { ErrorPage } from './pages/error.tsx';
import { html } from './parts/page.tsx';

/**
 * The one place where a failure becomes an answer: a page for people, JSON for programs, with what to do next and a
 * reference.
 */
export function registerErrors(app: FastifyInstance, { log, metrics }: Pick<Deps, 'log' | 'metrics'>): void {
  app.setErrorHandler((thrown: unknown, request, reply) => {
    const error = fromFastify(thrown);
    report(log, error, thrown, request);
    metrics?.failed({ code: error.code, route: request.routeOptions.url ?? 'none', site: request.siteId });
    return answer(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => answer(new BridgeError('not_found'), request, reply));
}

// What Fastify itself refuses (a body too large, a strange content type, too many requests) keeps its status.
function fromFastify(thrown: unknown): BridgeError {
  if (thrown instanceof BridgeError) return thrown;
  const status = statusOf(thrown);
  if (status === 429) return new BridgeError('too_many');
  if (status >= 400 && status < 500) return new BridgeError('bad_request', { http: status });
  return asBridgeError(thrown);
}

function statusOf(thrown: unknown): number {
  const { statusCode } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Partial<FastifyError>;
  return typeof statusCode === 'number' ? statusCode : 500;
}

function report(log: Log, error: BridgeError, thrown: unknown, request: FastifyRequest): void {
  const facts: ErrorFacts = {
    request: request.id,
    route: request.routeOptions.url ?? 'none',
    code: error.code,
    ...error.facts,
  };
  if (error.status < 500) log.info(facts, 'request refused');
  else log.error({ ...facts, ...origin(error.code === 'internal' ? thrown : error.cause) }, 'request failed');
}

// Messages of foreign errors may quote a chart, so only the kind of error and the places in our code are logged.
function origin(cause: unknown): ErrorFacts {
  if (!(cause instanceof Error)) return {};
  const frames = (cause.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim());
  return { cause: cause instanceof BridgeError ? cause.code : cause.name, at: frames };
}

function answer(error: BridgeError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error.code === 'bad_request' && typeof error.facts.http === 'number' ? error.facts.http : error.status;
  reply.code(status);
  // A polling page whose session is over reloads: then nothing of the chart stays on the screen.
  if (request.headers['hx-request'] === 'true' && lost.has(error.code)) reply.header('hx-refresh', 'true');
  if (!wantsPage(request))
    return reply.send({ error: error.code, title: titleOf(error.code), next: error.next, reference: request.id });
  const launch = /^\/app\/([\w-]{20,64})(\/|$)/.exec(request.url)?.[1];
  const home = launch === undefined || lost.has(error.code) ? undefined : `/app/${launch}`;
  const view = {
    code: error.code,
    title: titleOf(error.code),
    next: error.next,
    facts: error.facts,
    reference: request.id,
    ownWindow: request.ownWindow,
    home,
    case: home === undefined || typeof error.facts.case !== 'string' ? undefined : `${home}/cases/${error.facts.case}`,
  };
  return reply.type('text/html; charset=utf-8').send(html(ErrorPage({ view })));
}

// After these there is no way back into the launch.
const lost: ReadonlySet<ErrorCode> = new Set(['relaunch_required', 'launch_not_found', 'patient_mismatch']);

function titleOf(code: ErrorCode): string {
  return errors[code].title;
}

function wantsPage(request: FastifyRequest): boolean {
  return /^\/(app|launch|callback)\b/.test(request.url) || (request.headers.accept ?? '').includes('text/html');
}
