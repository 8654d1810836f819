import type { FastifyInstance, FastifyReply } from 'fastify';
import { registerFaults } from '../control/faults.ts';
import { sharedAssets } from '../control/look.ts';
import { benefitPath } from './benefits/list.tsx';
import { benefitPage } from './benefits/page.tsx';
import type { Desk } from './desk.ts';
import { listPage, missingPage, page, recordPage } from './pages.tsx';
import { platformCss } from './platform-css.ts';
import type { Refusals } from './refusals.ts';
import type { ServiceSwitches } from './service-switches.ts';

type Params = { Params: { id: string } };

/** The platform's pages and their assets. */
export async function registerPlatform(
  app: FastifyInstance,
  {
    desk,
    refusals,
    switches,
  }: { readonly desk: Desk; readonly refusals: Refusals; readonly switches: ServiceSwitches },
): Promise<void> {
  const own = { type: 'text/css; charset=utf-8', content: platformCss };
  for (const [name, { type, content }] of Object.entries({ ...sharedAssets(), 'platform.css': own }))
    app.get(`/assets/${name}`, (_, reply) => reply.type(type).send(content));
  await registerFaults(app, { switches, page, examplePath: '/prior-authorization' });

  app.get('/', async (_, reply) => html(reply, await listPage(desk, refusals.list())));

  app.get<Params>('/prior-authorizations/:id', async ({ params }, reply) => {
    const stored = desk.get(params.id);
    return stored === undefined
      ? html(reply.code(404), await missingPage())
      : html(reply, await recordPage(desk, stored));
  });

  app.post<Params & { Body: { back?: string } | null }>(
    '/prior-authorizations/:id/step',
    async ({ params, body }, reply) => {
      const stored = desk.get(params.id);
      if (stored === undefined) return html(reply.code(404), await missingPage());
      await desk.step(stored);
      return reply.redirect(backTo(params.id, body?.back), 303);
    },
  );

  app.post<Params & { Body: { back?: string } | null }>(
    '/prior-authorizations/:id/cancel',
    async ({ params, body }, reply) => {
      const stored = desk.get(params.id);
      if (stored === undefined) return html(reply.code(404), await missingPage());
      await desk.cancel(stored, 'Cancelled in the platform', 'platform');
      return reply.redirect(backTo(params.id, body?.back), 303);
    },
  );
  registerBenefitPages(app, desk);
}

/** The pages of one benefit verification, and what moves it on. */
function registerBenefitPages(app: FastifyInstance, { benefits }: Desk): void {
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

// Only back to one of the two pages that have the buttons.
function backTo(id: string, back: string | undefined): string {
  return back === '/' ? '/' : `/prior-authorizations/${encodeURIComponent(id)}`;
}
