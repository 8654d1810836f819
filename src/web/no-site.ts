import type { FastifyInstance } from 'fastify';
import { BridgeError } from '../core/errors.ts';
import type { Deps } from './deps.ts';
import { wantsPage } from './errors.ts';
import { sendPage } from './launch.ts';
import { NoSitePage } from './pages/no-site.tsx';
import { html } from './parts/page.tsx';

/** Every address of a bridge that has no site yet, but for its keys and its health: what its operator does next. */
export function registerNoSite(app: FastifyInstance, { config, smart }: Pick<Deps, 'config' | 'smart'>): void {
  const hasKeys = smart.jwks().keys.length > 0;
  app.all('/*', async (request, reply) => {
    if (!wantsPage(request)) throw new BridgeError('no_site');
    return sendPage(reply, html(NoSitePage({ url: config.url, hasKeys })), 503);
  });
}
