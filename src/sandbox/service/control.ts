import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Desk } from './desk.ts';
import { Fault, type Faults, operations } from './faults.ts';

const Skip = z.strictObject({ advance_seconds: z.number().min(0) });
const FaultRequest = z.union([
  z.strictObject({ operation: z.enum(operations), fault: Fault }),
  z.strictObject({ down: z.boolean() }),
]);

/** `/sandbox/*`: what the live service does not have. Step one record, move the clock, order a fault. */
export function registerControl(
  app: FastifyInstance,
  { desk, faults }: { readonly desk: Desk; readonly faults: Faults },
): void {
  app.post<{ Params: { id: string } }>('/sandbox/prior-authorization/:id/step', async ({ params }, reply) => {
    const stored = desk.get(params.id);
    if (stored === undefined) return reply.code(404).send({ detail: 'Prior Authorization Request does not exist.' });
    const moved = await desk.step(stored);
    return moved === undefined
      ? reply.code(409).send({ detail: `No state follows ${stored.status}.` })
      : { id: moved.id, status: moved.status };
  });

  app.get('/sandbox/prior-authorization', async () =>
    desk.list().map(({ id, status, request }) => ({ id, status, drug_name: request.prescription.drug_name })),
  );

  app.get('/sandbox/clock', async () => ({ now: desk.now().toISOString() }));

  app.post('/sandbox/clock', async ({ body }, reply) => {
    const skip = Skip.safeParse(body);
    if (!skip.success) return reply.code(422).send({ detail: 'Expected { "advance_seconds": number }.' });
    await desk.skip(skip.data.advance_seconds * 1000);
    return { now: desk.now().toISOString() };
  });

  app.post('/sandbox/faults', async ({ body }, reply) => {
    const parsed = FaultRequest.safeParse(body);
    if (!parsed.success)
      return reply.code(422).send({ detail: 'Expected { "operation", "fault" } or { "down": boolean }.' });
    if ('down' in parsed.data) faults.down = parsed.data.down;
    else faults.next(parsed.data.operation, parsed.data.fault);
    return reply.code(204).send();
  });
}
