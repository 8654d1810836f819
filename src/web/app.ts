import { randomUUID } from 'node:crypto';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController, type onRouteHookHandler } from 'fastify';
import { allowedFacts, type Log } from '../base/log.ts';
import { registerAssets } from './http/assets.ts';
import { auditPages } from './http/audit-rows.ts';
import { createPulls, type Pulls } from './http/chart-reading.ts';
import { closeUnused } from './http/closing.ts';
import type { Deps } from './http/deps.ts';
import { noteEffort } from './http/effort.ts';
import { registerErrors } from './http/errors.ts';
import { gatherEffort } from './http/gathered-effort.ts';
import { registerOperations } from './http/health-routes.ts';
import { registerSecurityHeaders } from './http/security.ts';
import { refuseStrangers } from './http/stranger-limit.ts';
import { registerWebhooks } from './http/webhook-route.ts';
import { registerAttach } from './pages/attach/route.ts';
import { registerCase } from './pages/case/route.ts';
import { registerConfirm } from './pages/confirm/route.ts';
import { registerDocuments } from './pages/documents/route.ts';
import { registerHome } from './pages/home/route.ts';
import { registerLaunch } from './pages/launch/route.ts';
import { registerNoSite } from './pages/no-site/route.ts';
import { createReading } from './pages/reading/route.ts';
import { registerReady } from './pages/ready/route.ts';
import { registerCard } from './pages/review/card-route.ts';
import { registerReview } from './pages/review/route.ts';
import { registerSearch } from './pages/search/route.ts';
import { registerSign } from './pages/sign/route.ts';
import { registerWorklist } from './pages/worklist/route.ts';

/**
 * The bridge's HTTP server with routes, error handler and headers, not listening yet. `seeRoute` is called for each
 * route.
 */
export async function buildApp(given: Deps, seeRoute?: onRouteHookHandler): Promise<FastifyInstance> {
  const effort = given.effort === undefined ? undefined : gatherEffort(given.effort, given);
  const deps: Deps = effort === undefined ? given : { ...given, effort };
  const app: FastifyInstance = fastify({
    loggerInstance: loggerOf(deps.log),
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 64 * 1024,
    // A browser may collect a hundred launches in a day, each with a cookie.
    http: { maxHeaderSize: 32 * 1024 },
    genReqId: () => randomUUID(),
    // Without a configured proxy, forwarded headers are ignored, because anyone could send them.
    trustProxy: deps.config.trustedProxies.length === 0 ? false : [...deps.config.trustedProxies],
    routerOptions: { ignoreTrailingSlash: true },
    requestTimeout: 60_000,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
  });
  if (seeRoute !== undefined) app.addHook('onRoute', seeRoute);
  closeUnused(app);
  registerErrors(app, deps);
  logRequests(app, deps);
  warnOfUntrustedProxy(app, deps);
  auditPages(app, deps);
  noteEffort(app, deps);
  await registerSecurityHeaders(app, deps.config);
  await app.register(cookie);
  refuseStrangers(app, deps);
  await app.register(formbody, { bodyLimit: 512 * 1024 });
  await app.register(rateLimit, { global: false });
  registerOperations(app, deps);
  await registerAssets(app);
  if (deps.config.sites.length === 0) registerNoSite(app, deps);
  else await registerPages(app, deps);
  if (effort !== undefined) app.addHook('onClose', () => effort.close());
  return app;
}

async function registerPages(app: FastifyInstance, deps: Deps): Promise<void> {
  const pulls = createPulls({
    smart: deps.smart,
    vault: deps.vault,
    clock: deps.clock,
    ...(deps.readChart === undefined ? {} : { read: deps.readChart }),
    ...(deps.audit === undefined ? {} : { audit: deps.audit }),
  });
  app.addHook('onClose', async () => pulls.clear());
  registerLaunch(app, deps, pulls);
  const reading = createReading(deps, pulls);
  registerHome(app, deps, pulls, reading);
  registerWorklist(app, deps, pulls);
  registerSign(app, deps);
  registerReview(app, deps, pulls, reading);
  registerConfirm(app, deps, pulls, reading);
  registerReady(app, deps, pulls);
  registerSearch(app, deps, pulls);
  registerDocuments(app, deps, pulls);
  await registerAttach(app, deps, pulls);
  registerCard(app, deps, pulls);
  await registerCase(app, deps, pulls);
  if (deps.config.playground) await registerMappingTools(app, deps, pulls);
  await registerWebhooks(app, deps);
}

// Imported only when configured, because a bridge in production does not use it.
async function registerMappingTools(app: FastifyInstance, deps: Deps, pulls: Pulls): Promise<void> {
  const { registerPlayground } = await import('../dev/playground/routes.ts');
  const { registerRecord } = await import('../dev/playground/register-record.ts');
  await registerPlayground(app, deps);
  registerRecord(app, deps, pulls);
}

// Logs the pattern of the route, never the URL: URLs contain codes, states and ids.
function logRequests(app: FastifyInstance, { log, metrics }: Pick<Deps, 'log' | 'metrics'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, siteId: site } = request;
    const route = request.routeOptions.url ?? 'none';
    const ms = Math.round(reply.elapsedTime);
    metrics?.requestEnded({ route, method, site, status: reply.statusCode, seconds: reply.elapsedTime / 1000 });
    const facts = { request: request.id, method, route, status: reply.statusCode, ms };
    if (route.startsWith('/assets/') || route === '/healthz' || route === '/readyz') log.debug(facts, 'request');
    else log.info(facts, 'request');
  });
}

/**
 * The bridge's own log. A log that has only the four methods of `Log` (in tests) gets the other methods that Fastify
 * calls.
 */
function loggerOf(log: Log): FastifyBaseLogger {
  if ('child' in log) return log as FastifyBaseLogger; // made by `createLog`
  const none = () => {};
  const of = (level: 'debug' | 'info' | 'warn' | 'error') => (facts: unknown, message?: string) =>
    log[level](typeof facts === 'object' && facts !== null ? allowedFacts({ ...facts }) : {}, message ?? '');
  const logger = {
    level: 'info',
    trace: none,
    debug: of('debug'),
    info: of('info'),
    warn: of('warn'),
    error: of('error'),
  };
  const whole = { ...logger, fatal: logger.error, silent: none, child: () => whole };
  return whole as FastifyBaseLogger;
}

// Behind a proxy that is not configured, all clinics would share one rate limit.
function warnOfUntrustedProxy(app: FastifyInstance, { config, log }: Deps): void {
  if (config.trustedProxies.length > 0) return;
  const warned = { already: false };
  app.addHook('onRequest', async (request) => {
    if (warned.already || request.headers['x-forwarded-for'] === undefined) return;
    warned.already = true;
    log.warn(
      { event: 'proxy_not_trusted' },
      'requests come through a proxy, but BRIDGE_TRUSTED_PROXIES is not set: limits count the proxy as one client',
    );
  });
}
