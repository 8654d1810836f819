import type { FastifyInstance } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import type { Deps } from '../../http/deps.ts';
import { wantsPage } from '../../http/errors.ts';
import { html } from '../../ui/page.tsx';
import { sendPage } from '../launch/route.ts';
import { NoSitePage } from './page.tsx';

/** If no site is configured, every URL except the key set and health shows the operator's next steps. */
export function registerNoSite(app: FastifyInstance, { config, smart }: Pick<Deps, 'config' | 'smart'>): void {
  const hasKeys = smart.jwks().keys.length > 0;
  app.all('/*', async (request, reply) => {
    if (!wantsPage(request)) throw new BridgeError('no_site');
    return sendPage(reply, html(NoSitePage({ url: config.url, hasKeys })), 503);
  });
}
