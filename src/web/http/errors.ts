import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../base/log.ts';
import type { Banner } from '../../cases/case.ts';
import { asBridgeError, BridgeError, type ErrorCode, type ErrorFacts, errors } from '../../core/errors.ts';
import { saidBy } from '../../core/fhir/ehr-says.ts';
import { ErrorPage } from '../pages/error/page.tsx';
import { html } from '../ui/page.tsx';
import { byLaunch } from './audit-rows.ts';
import type { Deps } from './deps.ts';

/**
 * The only place where a failure becomes a response: a page for people or JSON for programs, with the next step and a
 * reference.
 */
export function registerErrors(app: FastifyInstance, deps: ErrorDeps): void {
  const { log, metrics } = deps;
  app.setErrorHandler(async (thrown: unknown, request, reply) => {
    const error = fromFastify(thrown);
    report(log, error, thrown, request);
    metrics?.failed({ code: error.code, route: request.routeOptions.url ?? 'none', site: request.siteId });
    return await answer(deps, error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => answer(deps, new BridgeError('not_found'), request, reply));
}

type ErrorDeps = Pick<Deps, 'log' | 'metrics' | 'cases' | 'audit'>;

// Fastify itself refuses some requests: a body too large, an unknown content type, too many requests. Their status is
// kept.
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

// Error messages of other libraries may quote a chart, so only the type of error and the places in our code are logged.
function origin(cause: unknown): ErrorFacts {
  if (!(cause instanceof Error)) return {};
  const frames = (cause.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 6)
    .map((line) => line.trim());
  return { cause: cause instanceof BridgeError ? cause.code : cause.name, at: frames };
}

async function answer(
  deps: ErrorDeps,
  error: BridgeError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const status = error.code === 'bad_request' && typeof error.facts.http === 'number' ? error.facts.http : error.status;
  reply.code(status);
  const isLost = lost.has(error.code);
  // When the session of a polling page has ended, the page reloads, so that no chart data stays on the screen.
  if (request.headers['hx-request'] === 'true' && isLost) reply.header('hx-refresh', 'true');
  if (!wantsPage(request))
    return reply.send({ error: error.code, title: titleOf(error.code), next: error.next, reference: request.id });
  const launch = /^\/app\/([\w-]{20,64})(\/|$)/.exec(request.url)?.[1];
  const home = launch === undefined || isLost ? undefined : `/app/${launch}`;
  const view = {
    code: error.code,
    title: titleOf(error.code),
    next: error.next,
    facts: error.facts,
    says: saidBy(error),
    reference: request.id,
    ownWindow: request.ownWindow,
    home,
    case: home === undefined || typeof error.facts.case !== 'string' ? undefined : `${home}/cases/${error.facts.case}`,
    retry: isLost ? undefined : retryOf(request, status),
    site: isLost ? undefined : request.visitOf?.site.name,
    banner: isLost ? undefined : await bannerOf(deps, request),
  };
  return reply.type('text/html; charset=utf-8').send(html(ErrorPage({ view })));
}

// A failure of the EHR or the service may be temporary, so the page offers a link to try again. Forms are never sent
// again.
function retryOf({ method, url }: FastifyRequest, status: number): string | undefined {
  const mayPass = status === 429 || status >= 500;
  return method === 'GET' && mayPass && /^\/(app|launch)\b/.test(url) ? url : undefined;
}

/**
 * The patient banner for the error page, taken from the patient's requests. Undefined if the EHR shows its own banner,
 * or if the store cannot be read. The access is recorded like every page that names a patient; without the record, no
 * banner is shown.
 */
async function bannerOf({ cases, audit, log }: ErrorDeps, request: FastifyRequest): Promise<Banner | undefined> {
  const launch = request.visitOf;
  if (launch?.needPatientBanner !== true) return undefined;
  try {
    const [one] = await cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
    if (one === undefined) return undefined;
    await audit?.record(byLaunch(launch, 'page_viewed', { page: request.routeOptions.url ?? '' }));
    return one.banner;
  } catch (thrown) {
    log.warn({ code: asBridgeError(thrown).code }, 'an error page without the patient’s banner');
    return undefined;
  } finally {
    // The access is recorded above, so the audit hook must not record it again.
    request.visitOf = undefined;
  }
}

// Errors after which the launch cannot continue.
const lost: ReadonlySet<ErrorCode> = new Set(['relaunch_required', 'launch_not_found', 'patient_mismatch']);

function titleOf(code: ErrorCode): string {
  return errors[code].title;
}

export function wantsPage(request: FastifyRequest): boolean {
  return /^\/(app|launch|callback)\b/.test(request.url) || (request.headers.accept ?? '').includes('text/html');
}
