import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { RequestHandler } from './request-handler.ts';
import { requestedDrug } from './requests.ts';

const Skip = z.strictObject({ advance_seconds: z.number().min(0) });

/**
 * `/sandbox/*`: controls that the live service does not have. They step one record, list records, and move the clock.
 */
export function registerSteps(app: FastifyInstance, { handler }: { readonly handler: RequestHandler }): void {
  app.post<{ Params: { id: string } }>('/sandbox/prior-authorization/:id/step', async ({ params }, reply) => {
    const stored = handler.get(params.id);
    if (stored === undefined) return reply.code(404).send({ detail: 'Prior Authorization Request does not exist.' });
    const moved = await handler.step(stored);
    return moved === undefined
      ? reply.code(409).send({ detail: `No state follows ${stored.status}.` })
      : { id: moved.id, status: moved.status };
  });

  app.post<{ Params: { id: string } }>('/sandbox/benefit-verification/:id/step', async ({ params }, reply) => {
    const stored = handler.benefits.get(params.id);
    if (stored === undefined) return reply.code(404).send({ detail: 'Benefit Verification does not exist.' });
    const moved = await handler.benefits.step(stored);
    return moved === undefined
      ? reply.code(409).send({ detail: `No state follows ${stored.status}.` })
      : { id: moved.id, status: moved.status };
  });

  app.get('/sandbox/benefit-verification', async () =>
    handler.benefits
      .list()
      .map(({ id, status, request }) => ({ id, status, drug_name: request.drugs[0]?.name ?? null })),
  );

  app.get('/sandbox/prior-authorization', async () =>
    handler.list().map(({ id, status, request }) => ({ id, status, drug_name: requestedDrug(request).name })),
  );

  app.get('/sandbox/clock', async () => ({ now: handler.now().toISOString() }));

  app.post('/sandbox/clock', async ({ body }, reply) => {
    const skip = Skip.safeParse(body);
    if (!skip.success) return reply.code(422).send({ detail: 'Expected { "advance_seconds": number }.' });
    await handler.skip(skip.data.advance_seconds * 1000);
    return { now: handler.now().toISOString() };
  });
}
