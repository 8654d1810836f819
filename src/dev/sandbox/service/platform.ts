import type { FastifyInstance, FastifyReply } from 'fastify';
import { registerFaults } from '../control/faults.ts';
import { sharedAssets } from '../control/look.ts';
import { servicePresets } from '../control/presets.ts';
import { benefitPath } from './benefits/list.tsx';
import { benefitPage } from './benefits/page.tsx';
import { listPage, missingPage, platformPage, recordPage } from './pages.tsx';
import { platformCss } from './platform-css.ts';
import { plays } from './play.ts';
import type { RefusedRequests } from './refusals.ts';
import type { RequestHandler } from './request-handler.ts';
import type { ServiceSwitches } from './service-switches.ts';

type Params = { Params: { id: string } };

export async function registerPlatform(
  app: FastifyInstance,
  {
    handler,
    refusals,
    switches,
  }: { readonly handler: RequestHandler; readonly refusals: RefusedRequests; readonly switches: ServiceSwitches },
): Promise<void> {
  const own = { type: 'text/css; charset=utf-8', content: platformCss };
  for (const [name, { type, content }] of Object.entries({ ...sharedAssets(), 'platform.css': own }))
    app.get(`/assets/${name}`, (_, reply) => reply.type(type).send(content));
  await registerFaults(app, {
    switches,
    page: platformPage,
    presets: servicePresets,
    examplePath: '/prior-authorization',
  });

  app.get('/', async (_, reply) => html(reply, await listPage(handler, refusals.list())));

  app.get<Params>('/prior-authorizations/:id', async ({ params }, reply) => {
    const stored = handler.get(params.id);
    return stored === undefined
      ? html(reply.code(404), await missingPage())
      : html(reply, await recordPage(handler, stored));
  });

  app.post<Params & { Body: { back?: string } | null }>(
    '/prior-authorizations/:id/step',
    async ({ params, body }, reply) => {
      const stored = handler.get(params.id);
      if (stored === undefined) return html(reply.code(404), await missingPage());
      await handler.step(stored);
      return reply.redirect(backTo(params.id, body?.back), 303);
    },
  );

  app.post<Params & { Body: { back?: string } | null }>(
    '/prior-authorizations/:id/cancel',
    async ({ params, body }, reply) => {
      const stored = handler.get(params.id);
      if (stored === undefined) return html(reply.code(404), await missingPage());
      await handler.cancel(stored, 'Cancelled in the platform', 'platform');
      return reply.redirect(backTo(params.id, body?.back), 303);
    },
  );
  for (const play of plays)
    app.post<Params & { Body: { back?: string } | null }>(
      `/prior-authorizations/:id/play/${play}`,
      async ({ params, body }, reply) => {
        const stored = handler.get(params.id);
        if (stored === undefined) return html(reply.code(404), await missingPage());
        await handler.play(stored, play);
        return reply.redirect(backTo(params.id, body?.back), 303);
      },
    );
  registerBenefitPages(app, handler);
}

/** The pages of benefit verifications, with the buttons that advance them. */
function registerBenefitPages(app: FastifyInstance, { benefits }: RequestHandler): void {
  app.get<Params>('/benefit-verifications/:id', async ({ params }, reply) => {
    const stored = benefits.get(params.id);
    return stored === undefined ? html(reply.code(404), await missingPage()) : html(reply, await benefitPage(stored));
  });

  for (const action of ['step', 'cancel'] as const)
    app.post<Params & { Body: { back?: string } | null }>(
      `/benefit-verifications/:id/${action}`,
      async ({ params, body }, reply) => {
        const stored = benefits.get(params.id);
        if (stored === undefined) return html(reply.code(404), await missingPage());
        await (action === 'step' ? benefits.step(stored) : benefits.cancel(stored, 'platform'));
        return reply.redirect(body?.back === '/' ? '/' : benefitPath(stored), 303);
      },
    );
}

function html(reply: FastifyReply, content: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(content);
}

// Redirects only to one of the two pages that have the buttons.
function backTo(id: string, back: string | undefined): string {
  return back === '/' ? '/' : `/prior-authorizations/${encodeURIComponent(id)}`;
}
