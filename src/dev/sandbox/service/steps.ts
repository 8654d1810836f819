import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Desk } from './desk.ts';
import { drugOf } from './requests.ts';

const Skip = z.strictObject({ advance_seconds: z.number().min(0) });

/** `/sandbox/*`: what the live service does not have. Step one record, list them, move the clock. */
export function registerSteps(app: FastifyInstance, { desk }: { readonly desk: Desk }): void {
  app.post<{ Params: { id: string } }>('/sandbox/prior-authorization/:id/step', async ({ params }, reply) => {
    const stored = desk.get(params.id);
    if (stored === undefined) return reply.code(404).send({ detail: 'Prior Authorization Request does not exist.' });
    const moved = await desk.step(stored);
    return moved === undefined
      ? reply.code(409).send({ detail: `No state follows ${stored.status}.` })
      : { id: moved.id, status: moved.status };
  });

  app.post<{ Params: { id: string } }>('/sandbox/benefit-verification/:id/step', async ({ params }, reply) => {
    const stored = desk.benefits.get(params.id);
    if (stored === undefined) return reply.code(404).send({ detail: 'Benefit Verification does not exist.' });
    const moved = await desk.benefits.step(stored);
    return moved === undefined
      ? reply.code(409).send({ detail: `No state follows ${stored.status}.` })
      : { id: moved.id, status: moved.status };
  });

  app.get('/sandbox/benefit-verification', async () =>
    desk.benefits.list().map(({ id, status, request }) => ({ id, status, drug_name: request.drugs[0]?.name ?? null })),
  );

  app.get('/sandbox/prior-authorization', async () =>
    desk.list().map(({ id, status, request }) => ({ id, status, drug_name: drugOf(request).name })),
  );

  app.get('/sandbox/clock', async () => ({ now: desk.now().toISOString() }));

  app.post('/sandbox/clock', async ({ body }, reply) => {
    const skip = Skip.safeParse(body);
    if (!skip.success) return reply.code(422).send({ detail: 'Expected { "advance_seconds": number }.' });
    await desk.skip(skip.data.advance_seconds * 1000);
    return { now: desk.now().toISOString() };
  });
}
