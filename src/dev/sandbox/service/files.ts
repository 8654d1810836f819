import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { half, misbehave } from '../control/misbehave.ts';
import { servicePath } from './api.ts';
import { errorBody } from './error-bodies.ts';
import { cardOf, fileOf } from './letters.ts';
import { isSigned } from './links.ts';
import type { RequestHandler } from './request-handler.ts';
import type { ServiceLedger } from './service-ledger.ts';
import type { SandboxStore } from './service-store.ts';
import type { ServiceSwitches } from './service-switches.ts';

interface FileRequest {
  readonly Params: { readonly id: string; readonly name: string };
  readonly Querystring: { readonly expires?: string; readonly signature?: string };
}

/** Serves the files behind the signed links of records: faxes, the payer's letters, card images. */
export function registerFiles(
  app: FastifyInstance,
  options: {
    readonly handler: RequestHandler;
    readonly store: SandboxStore;
    readonly switches: ServiceSwitches;
    readonly ledger: ServiceLedger;
    readonly stop: AbortSignal;
  },
): void {
  const { handler, store, switches, ledger, stop } = options;
  const occasion = (request: FastifyRequest) => {
    const { id } = request.params as FileRequest['Params']; // every route of this plugin has this parameter
    const stored = handler.get(id) ?? handler.benefits.get(id);
    return { ...servicePath(request), site: stored?.site };
  };
  misbehave(app, { switches, stop, occasion, body: errorBody });

  app.get<FileRequest>('/files/:id/:name', async (request, reply) => {
    const { params, query } = request;
    const link = { expires: Number(query.expires), signature: query.signature ?? '' };
    if (!isSigned(store.key, params.id, params.name, link, handler.now())) return expired(reply);
    const [stored, verification] = [handler.get(params.id), handler.benefits.get(params.id)];
    const card = verification === undefined ? undefined : cardOf(verification.request, params.name);
    const file = stored === undefined ? card : await fileOf(stored, params.name);
    if (file === undefined) return missing(reply);
    const failing = switches.take('letter', occasion(request));
    ledger.add('file.given', {
      id: params.id,
      name: params.name,
      sha256: createHash('sha256').update(file.bytes).digest('hex'),
      bytes: file.bytes.length,
      whole: failing === undefined,
      ...(failing === undefined ? {} : { failing }),
    });
    reply.type(file.contentType).header('cache-control', 'no-store');
    switch (failing) {
      case undefined:
        return reply.send(file.bytes);
      case 'unavailable':
        return reply.code(503).type('application/json').send(errorBody(503));
      case 'missing':
        return missing(reply);
      case 'gone':
        return reply.code(410).type('application/json').send({ detail: 'The file is gone.' });
      case 'expired':
        return expired(reply);
      case 'cut':
        return reply.header('content-length', file.bytes.length).send(half(file.bytes));
      case 'empty':
        return reply.send(Buffer.alloc(0));
      case 'html':
        return reply
          .type('text/html; charset=utf-8')
          .send('<!doctype html><title>Portal</title><p>Please sign in.</p>');
    }
  });
}

function expired(reply: FastifyReply): FastifyReply {
  return reply.code(403).type('application/json').send({ detail: 'The link has expired or is not valid.' });
}

function missing(reply: FastifyReply): FastifyReply {
  return reply.code(404).type('application/json').send({ detail: 'There is no such file.' });
}
