import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { VNode } from 'preact';
import { z } from 'zod';
import { FaultsPage, type Tried } from './faults-page.tsx';
import type { Preset } from './presets.ts';
import { type Switches, type SwitchTable, WrongOrder } from './switches.ts';

interface FaultsOptions<Table extends SwitchTable> {
  readonly switches: Switches<Table>;
  readonly page: (title: string, content: VNode) => string | Promise<string>;
  /** Named faults, each of which ends by itself. */
  readonly presets?: readonly Preset[];
  /** A path of this sandbox, shown as an example. */
  readonly examplePath: string;
}

const Form = z.looseObject({
  switch: z.string().default(''),
  value: z.string().default(''),
  path: z.string().default(''),
  method: z.string().default(''),
  times: z.string().default(''),
  forSeconds: z.string().default(''),
});
const Chosen = z.looseObject({ preset: z.string().default('') });
const Off = z.looseObject({ id: z.coerce.number().int().optional() });

/** Serves `/sandbox/faults`: a page on which people turn the switches on and off. */
export async function registerFaults<Table extends SwitchTable>(
  app: FastifyInstance,
  { switches, page, presets = [], examplePath }: FaultsOptions<Table>,
): Promise<void> {
  if (!app.hasContentTypeParser('application/x-www-form-urlencoded')) await app.register(formbody);
  const show = async (reply: FastifyReply, tried?: Tried) =>
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        await page(
          'Faults',
          FaultsPage({ table: switches.table, standing: switches.standing(), presets, examplePath, tried }),
        ),
      );

  app.get('/sandbox/faults', (_, reply) => show(reply));

  app.post('/sandbox/faults', (request, reply) => {
    if (isForeign(request.headers['sec-fetch-site'])) return reply.code(403).send('Not from another site.');
    const form = Form.parse(request.body ?? {});
    try {
      switches.add(orderOf(form));
      return reply.redirect('/sandbox/faults', 303);
    } catch (thrown) {
      if (!(thrown instanceof WrongOrder)) throw thrown;
      return show(reply.code(422), { ...form, problems: thrown.problems });
    }
  });

  app.post('/sandbox/faults/preset', (request, reply) => {
    if (isForeign(request.headers['sec-fetch-site'])) return reply.code(403).send('Not from another site.');
    const { preset } = Chosen.parse(request.body ?? {});
    for (const order of presets.find(({ id }) => id === preset)?.orders ?? []) switches.add(order);
    return reply.redirect('/sandbox/faults', 303);
  });

  app.post('/sandbox/faults/off', (request, reply) => {
    if (isForeign(request.headers['sec-fetch-site'])) return reply.code(403).send('Not from another site.');
    const { id } = Off.parse(request.body ?? {});
    switches.clear(id);
    return reply.redirect('/sandbox/faults', 303);
  });
}

function isForeign(from: string | string[] | undefined): boolean {
  return from !== undefined && from !== 'same-origin' && from !== 'none';
}

/** Returns the form as an order. An empty field sets no limit. */
function orderOf(form: z.output<typeof Form>): unknown {
  const limits = Object.entries({ path: form.path, method: form.method }).filter(([, text]) => text !== '');
  const numbers = Object.entries({ times: form.times, forSeconds: form.forSeconds }).filter(([, text]) => text !== '');
  return {
    switch: form.switch,
    value: readValue(form.value),
    ...Object.fromEntries(limits),
    ...Object.fromEntries(numbers.map(([name, text]) => [name, Number(text)])),
  };
}

/** Parses JSON, or returns the text: `after` and `"after"` mean the same. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
