import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { EhrStore } from './fhir/ehr-store.ts';
import type { TokenContext } from './oauth/launches.ts';
import { contextOf } from './pages/chart.ts';

const Launch = z.strictObject({
  patient: z.string(),
  order: z.string().optional(),
  task: z.string().optional(),
  intent: z.string().optional(),
  fhirContext: z.array(z.json()).optional(),
});

/** `POST /sandbox/launches` makes launches like the buttons of the chart do, for scripts. */
export function registerLaunches(
  app: FastifyInstance,
  options: {
    readonly store: EhrStore;
    readonly launch: (context: TokenContext) => { readonly launch: string; readonly address: string };
  },
): void {
  const { store, launch } = options;
  app.post('/sandbox/launches', async ({ body }, reply) => {
    const asked = Launch.safeParse(body);
    if (!asked.success)
      return reply.code(422).send({ problems: ['expected patient and, if any, order, task, intent, fhirContext'] });
    const { patient } = asked.data;
    if (store.peek(`Patient/${patient}`) === undefined) return reply.code(404).send({ problems: ['no such patient'] });
    return reply.code(201).send(launch(contextOf(store, { ...asked.data, banner: true })));
  });
}
