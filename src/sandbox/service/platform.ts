import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Desk } from './desk.ts';
import { fileOf, isSigned } from './files.ts';
import { listPage, missingPage, recordPage } from './pages.tsx';
import { platformCss } from './platform-css.ts';
import type { SandboxStore } from './store.ts';

type Params = { Params: { id: string } };

/** The platform's pages, their assets, and the files behind the signed links of records. */
export function registerPlatform(
  app: FastifyInstance,
  { desk, store }: { readonly desk: Desk; readonly store: SandboxStore },
): void {
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
      await desk.cancel(stored, 'Cancelled in the platform');
      return reply.redirect(backTo(params.id, body?.back), 303);
    },
  );

  app.get<{ Params: { id: string; name: string }; Querystring: { expires?: string; signature?: string } }>(
    '/files/:id/:name',
    async ({ params, query }, reply) => {
      const link = { expires: Number(query.expires), signature: query.signature ?? '' };
      if (!isSigned(store.key, params.id, params.name, link, desk.now()))
        return reply.code(403).send({ detail: 'The link has expired or is not valid.' });
      const stored = desk.get(params.id);
      const file = stored === undefined ? undefined : await fileOf(stored, params.name);
      return file === undefined
        ? reply.code(404).send({ detail: 'There is no such file.' })
        : reply.type(file.contentType).header('cache-control', 'no-store').send(file.bytes);
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
