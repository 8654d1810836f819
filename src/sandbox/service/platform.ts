import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Desk } from './desk.ts';
import { listPage, missingPage, recordPage } from './pages.tsx';
import { platformCss } from './platform-css.ts';

type Params = { Params: { id: string } };

/** The platform's pages and their assets. */
export function registerPlatform(app: FastifyInstance, { desk }: { readonly desk: Desk }): void {
  const { resolve } = createRequire(import.meta.url);
  const assets = {
    'pico.css': { type: 'text/css; charset=utf-8', content: readFileSync(resolve('@picocss/pico/css/pico.min.css')) },
    'platform.css': { type: 'text/css; charset=utf-8', content: platformCss },
    'htmx.js': { type: 'text/javascript; charset=utf-8', content: readFileSync(resolve('htmx.org/dist/htmx.min.js')) },
  };
  for (const [name, { type, content }] of Object.entries(assets))
    app.get(`/assets/${name}`, (_, reply) => reply.type(type).send(content));

  app.get('/', async (_, reply) => html(reply, await listPage(desk)));

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
}

function html(reply: FastifyReply, content: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(content);
}

// Only back to one of the two pages that have the buttons.
function backTo(id: string, back: string | undefined): string {
  return back === '/' ? '/' : `/prior-authorizations/${encodeURIComponent(id)}`;
}
