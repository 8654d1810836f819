import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Ledger } from './ledger.ts';
import { type Switches, type SwitchTable, WrongOrder } from './switches.ts';

const Orders = z.union([z.array(z.unknown()), z.looseObject({}).transform((order) => [order])]);
const Window = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(100_000).default(10_000),
  kind: z.string().optional(),
});

/** Serves `/sandbox/switches` and `/sandbox/ledger`, which both sandboxes have. */
export function registerControl<Table extends SwitchTable>(
  app: FastifyInstance,
  { switches, ledger }: { readonly switches: Switches<Table>; readonly ledger: Pick<Ledger, 'after' | 'count'> },
): void {
  app.get('/sandbox/switches', async () => ({ standing: switches.standing(), known: Object.keys(switches.table) }));

  // Accepts either all orders of a request or none.
  app.post('/sandbox/switches', async ({ body }, reply) => {
    const orders = Orders.safeParse(body);
    if (!orders.success) return reply.code(422).send({ problems: ['expected an order or a list of orders'] });
    const ids: number[] = [];
    try {
      for (const order of orders.data) ids.push(switches.add(order));
      return reply.code(201).send({ ids });
    } catch (thrown) {
      for (const id of ids) switches.clear(id);
      if (thrown instanceof WrongOrder) return reply.code(422).send({ problems: thrown.problems });
      throw thrown;
    }
  });

  app.delete('/sandbox/switches', async (_, reply) => {
    switches.clear();
    return reply.code(204).send();
  });

  app.delete<{ Params: { id: string } }>('/sandbox/switches/:id', async ({ params }, reply) =>
    switches.clear(Number(params.id)) ? reply.code(204).send() : reply.code(404).send({ problems: ['no such order'] }),
  );

  app.get('/sandbox/ledger', async ({ query }, reply) => {
    const window = Window.safeParse(query);
    if (!window.success) return reply.code(422).send({ problems: ['expected after, limit and kind'] });
    const { after, limit, kind } = window.data;
    const read = ledger.after(after, limit);
    return {
      total: ledger.count(),
      last: read.at(-1)?.seq ?? after,
      entries: kind === undefined ? read : read.filter((entry) => entry.kind === kind),
    };
  });
}
