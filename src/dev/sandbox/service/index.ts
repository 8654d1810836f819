import formbody from '@fastify/formbody';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Clock, Log } from '../../../base/log.ts';
import { asBridgeError } from '../../../core/errors.ts';
import { registerControl } from '../control/control-routes.ts';
import { openLedger } from '../control/ledger.ts';
import { type Order, Switches } from '../control/switches.ts';
import { registerApi } from './api.ts';
import { businessError } from './error-bodies.ts';
import { registerFiles } from './files.ts';
import { registerPlatform } from './platform.ts';
import { keepRefusals } from './refusals.ts';
import { createRequestHandler, type RequestHandler } from './request-handler.ts';
import { serviceLedger } from './service-ledger.ts';
import { openServiceStore } from './service-store.ts';
import { type ServiceSwitches, serviceSwitches } from './service-switches.ts';
import type { ServiceSite } from './sites.ts';
import { registerSteps } from './steps.ts';
import { createWebhookSender } from './webhooks.ts';

export type { ServiceSite } from './sites.ts';

export interface SandboxServiceOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly sites: readonly ServiceSite[];
  readonly clock: Clock;
  readonly log: Log;
  /** A JSON file for the state across restarts. */
  readonly dataFile?: string;
  /** A file of JSON lines to which the ledger is appended. */
  readonly ledgerFile?: string;
  /** 1 (default): a prior authorization takes 20 to 35 s. 10: ten times as fast. 0: only `step` advances it. */
  readonly speed?: number;
  /**
   * `auto` (default) submits to the payer after some seconds, as a person would. `wait` stays in awaiting_review until
   * a person presses the platform's button.
   */
  readonly review?: 'auto' | 'wait';
  /** `wait`: a payer that asks waits for a person, even if the profile has no way to reply. */
  readonly replies?: 'auto' | 'wait';
  /** Whether `mock_result` is accepted, as by a sandbox organization of the live service; true by default. */
  readonly allowMock?: boolean;
  readonly switches?: readonly unknown[];
  readonly fetch?: typeof fetch;
}

/** The running sandbox of the service: its API, its platform pages at `/`, and its controls at `/sandbox/*`. */
export interface SandboxService {
  /** The base URL of the API, such as `http://127.0.0.1:8082`. */
  readonly url: string;
  readonly switches: ServiceSwitches;
  /** Moves a record of either kind to its next state; returns its new status. */
  step(id: string): Promise<string | undefined>;
  /** Moves the sandbox's clock ahead by this many milliseconds. */
  skip(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

export type ServiceOrder = Order<typeof serviceSwitches>;

// Milliseconds between checks for due steps.
const tick = 100;

/**
 * Starts the service and resolves once it listens. Rejects with the system's error (EADDRINUSE), or with
 * `input_unreadable` for a data file of something else.
 */
export async function startSandboxService(options: SandboxServiceOptions): Promise<SandboxService> {
  const { sites, clock, log } = options;
  const switches = new Switches(serviceSwitches, clock, true);
  for (const order of options.switches ?? []) switches.add(order);
  const store = await openServiceStore(options.dataFile);
  const ledger = openLedger(serviceLedger, options.ledgerFile, clock);
  const webhooks = createWebhookSender({ switches, ledger, fetch: options.fetch ?? fetch, clock, log });
  const refusals = keepRefusals();
  const stop = new AbortController();
  let url = '';
  const handler = createRequestHandler({
    store,
    webhooks,
    switches,
    ledger,
    sites,
    clock,
    pace: { speed: options.speed ?? 1, review: options.review ?? 'auto', replies: options.replies ?? 'auto' },
    url: () => url,
  });
  const app = Fastify({ bodyLimit: 40 * 1024 * 1024, forceCloseConnections: true });
  guard(app, log);
  await app.register(formbody);
  await app.register((api, _, done) => {
    registerApi(api, { handler, refusals, switches, sites, stop: stop.signal, allowMock: options.allowMock ?? true });
    done();
  });
  await app.register((files, _, done) => {
    registerFiles(files, { handler, store, switches, ledger, stop: stop.signal });
    done();
  });
  registerSteps(app, { handler });
  registerControl(app, { switches, ledger });
  await registerPlatform(app, { handler, refusals, switches });
  await app.listen({ host: options.host, port: options.port });
  url = `http://${options.host}:${portOf(app, options.port)}`;
  const timer = runEvery(tick, handler, log);
  return {
    url,
    switches,
    async step(id) {
      const verification = handler.benefits.get(id);
      if (verification !== undefined) return ((await handler.benefits.step(verification)) ?? verification).status;
      const stored = handler.get(id);
      return stored === undefined ? undefined : ((await handler.step(stored)) ?? stored).status;
    },
    skip: (milliseconds) => handler.skip(milliseconds),
    async close() {
      clearInterval(timer);
      stop.abort();
      await app.close();
      await webhooks.close();
      await store.save();
      ledger.close();
    },
  };
}

/** Sets headers for every response, refuses writes from other sites' pages, and handles all errors. */
function guard(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    if (request.method !== 'GET' && request.headers['sec-fetch-site'] === 'cross-site')
      return reply.code(403).send({ detail: 'Not from another site.' });
    return undefined;
  });
  app.setErrorHandler((error: FastifyError, _, reply) => {
    const status = error.statusCode ?? 500;
    if (status < 500) return reply.code(status).send(businessError('bad_request', 'Bad request'));
    log.error({ code: asBridgeError(error).code }, 'sandbox service failed');
    return reply.code(500).send(businessError('internal', 'Internal error'));
  });
}

function portOf(app: FastifyInstance, asked: number): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : asked;
}

function runEvery(milliseconds: number, handler: RequestHandler, log: Log): NodeJS.Timeout {
  return setInterval(() => {
    handler
      .run()
      .catch((error: unknown) => log.error({ code: asBridgeError(error).code }, 'sandbox service could not move on'));
  }, milliseconds).unref();
}
