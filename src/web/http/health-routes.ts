import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';

/** Routes for operators and EHRs that need no session: liveness, readiness, public keys. */
export function registerOperations(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/readyz', async (_request, reply) => {
    const isReady = (await deps.ready?.()) ?? true;
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });

  // Shorter than the time for which a new key is published before its first use.
  app.get('/.well-known/jwks.json', async (_request, reply) =>
    reply.type('application/json').header('cache-control', 'public, max-age=300').send(deps.smart.jwks()),
  );
}
