import formbody from '@fastify/formbody';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { asBridgeError } from '../../errors.ts';
import type { Clock, Log } from '../../log.ts';
import { businessError, registerApi } from './api.ts';
import { registerControl } from './control.ts';
import { createDesk, type Desk } from './desk.ts';
import { createFaults, type Faults } from './faults.ts';
import { registerPlatform } from './platform.ts';
import { openStore } from './store.ts';
import { createWebhookSender, type WebhookTarget } from './webhooks.ts';

export interface SandboxServiceOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The bearer token that callers must send. */
  readonly token: string;
  readonly clock: Clock;
  readonly log: Log;
  /** JSON file that keeps everything over a restart. */
  readonly dataFile?: string;
  /** 1 (default): a prior authorization passes all states in 20 to 35 s; 10: ten times as fast; 0: only by stepping. */
  readonly speed?: number;
  /**
   * `auto` (default) submits to the payer after some seconds, as if a person had; `wait` stays in awaiting_review until
   * the platform's button is pressed.
   */
  readonly review?: 'auto' | 'wait';
  readonly webhook?: WebhookTarget;
  /** Takes `mock_result`, as a sandbox organization of the live service does; default true. */
  readonly allowMock?: boolean;
  /** For the webhooks that it sends. */
  readonly fetch?: typeof fetch;
}

/**
 * The running sandbox of the prior-authorization service: its API, its platform pages at `/`, and its controls at
 * `/sandbox/*`.
 */
export interface SandboxService {
  /** `http://127.0.0.1:8082`, the base address of the API. */
  readonly url: string;
  readonly faults: Faults;
  /** One state further; resolves to the status it then has. */
  step(id: string): Promise<string | undefined>;
  /** Lets the sandbox's time jump ahead by so many milliseconds. */
  skip(milliseconds: number): Promise<void>;
  setWebhook(target: WebhookTarget | undefined): void;
  close(): Promise<void>;
}

// Milliseconds between looks at what has fallen due.
const tick = 100;

/**
 * Starts it and resolves when it listens. Rejects with the listen error (EADDRINUSE), or `input_unreadable` for a data
 * file that is not its own.
 */
export async function startSandboxService(options: SandboxServiceOptions): Promise<SandboxService> {
  const store = await openStore(options.dataFile);
  const webhooks = createWebhookSender({
    target: options.webhook,
    fetch: options.fetch ?? fetch,
    clock: options.clock,
    log: options.log,
  });
  let url = '';
  const desk = createDesk({
    store,
    webhooks,
    clock: options.clock,
    pace: { speed: options.speed ?? 1, review: options.review ?? 'auto' },
    url: () => url,
  });
  const faults = createFaults();
  const app = Fastify({ bodyLimit: 40 * 1024 * 1024, forceCloseConnections: true });
  guard(app, options.log);
  await app.register(formbody);
  await app.register((api, _, done) => {
    registerApi(api, { desk, faults, token: options.token, allowMock: options.allowMock ?? true });
    done();
  });
  registerControl(app, { desk, faults });
  registerPlatform(app, { desk, store });
  await app.listen({ host: options.host, port: options.port });
  url = `http://${options.host}:${portOf(app, options.port)}`;
  const timer = runEvery(tick, desk, options.log);
  return {
    url,
    faults,
    async step(id) {
      const stored = desk.get(id);
      return stored === undefined ? undefined : ((await desk.step(stored)) ?? stored).status;
    },
    skip: (milliseconds) => desk.skip(milliseconds),
    setWebhook(target) {
      webhooks.target = target;
    },
    async close() {
      clearInterval(timer);
      await app.close();
      await webhooks.close();
      await store.save();
    },
  };
}

/** Headers for every answer, no writes from other sites' pages, and one error handler. */
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

function runEvery(milliseconds: number, desk: Desk, log: Log): NodeJS.Timeout {
  return setInterval(() => {
    desk
      .run()
      .catch((error: unknown) => log.error({ code: asBridgeError(error).code }, 'sandbox service could not move on'));
  }, milliseconds).unref();
}
