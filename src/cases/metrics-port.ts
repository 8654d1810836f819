import fastify from 'fastify';
import type { Metrics } from '../base/metrics.ts';
import { checkRouter } from '../base/router.ts';
import type { Config } from '../config/config.ts';
import { BridgeError } from '../core/errors.ts';

interface OperationsOptions {
  readonly config: Pick<Config, 'metricsPort' | 'metricsHost'>;
  readonly metrics: Metrics;
  readonly ready: () => Promise<boolean>;
}

/**
 * A separate port for operators: `/metrics` for Prometheus, `/healthz` and `/readyz`. It is opened only with
 * `BRIDGE_METRICS_PORT`, and on this machine unless `BRIDGE_METRICS_HOST` says otherwise. It is separate because behind
 * a reverse proxy every request seems to come from this machine, so the address cannot restrict access on the port of
 * the pages. Throws port_busy and config_invalid.
 */
export async function startOperations({ config, metrics, ready }: OperationsOptions): Promise<{
  readonly url: string | undefined;
  close(): Promise<void>;
}> {
  const { metricsPort: port, metricsHost: host } = config;
  if (port === undefined) return { url: undefined, close: async () => {} };
  checkRouter();
  const app = fastify({ logger: false });
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metrics.text();
    return reply.type(contentType).send(text);
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = await ready();
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'not ready' });
  });
  try {
    return { url: await app.listen({ host, port }), close: () => app.close() };
  } catch (cause) {
    await app.close();
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new BridgeError('port_busy', { port, reason: code }, { cause });
  }
}
