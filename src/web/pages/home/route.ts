import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Case } from '../../../cases/case.ts';
import { indexChart } from '../../../core/fhir/references/graph.ts';
import { ordersIn } from '../../../core/roles/select.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { concernsStaff } from '../../../writeback/ledger.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import { type Deps, rolesOfSite } from '../../http/deps.ts';
import { assertActs } from '../../http/rights.ts';
import { bannerOf } from '../../request/banner.ts';
import { html } from '../../ui/page.tsx';
import { type LaunchParams, postedTo, sendPage, visit } from '../launch/route.ts';
import { type Unopened, unopened } from '../launch/words.ts';
import type { Reading } from '../reading/route.ts';
import { newestOrdersFirst, orderFacts } from './order-words.ts';
import { HomePage } from './page.tsx';

type Request = FastifyRequest<{ Params: LaunchParams }>;

/** What the address of the list may say; anything else is as if it were not there. */
const Query = z.object({
  again: z.literal('1').optional().catch(undefined),
  delivered: z.literal('1').optional().catch(undefined),
  unopened: z
    .enum(Object.keys(unopened) as Unopened[])
    .optional()
    .catch(undefined),
});

/** `/app/:launch`: where the launch begins; `/app/:launch/orders`: the orders and requests of the patient. */
export function registerHome(app: FastifyInstance, deps: Deps, pulls: Pulls, reading: Reading): void {
  app.get<{ Params: LaunchParams }>('/app/:launch', async (request, reply) => {
    const opened = await visit(deps, request);
    const begun = await reading.begin({ opened, request, reply });
    if ('sent' in begun) return begun.sent;
    const place = begun.value;
    return place === 'orders' ? list(request, reply) : reply.redirect(`${opened.home}/${place}`, 303);
  });

  app.get<{ Params: LaunchParams }>('/app/:launch/orders', (request, reply) => list(request, reply));

  app.post<{ Params: LaunchParams }>('/app/:launch/deliver', async (request, reply) => {
    const { launch, home } = await postedTo(deps, request);
    await assertActs(deps, launch, { action: 'deliver' });
    await deps.cases.flushWaiting({
      id: launch.id,
      site: launch.site.id,
      patient: `Patient/${launch.patient}`,
      ...(launch.fhirUser === undefined ? {} : { fhirUser: launch.fhirUser }),
    });
    await written(deps, launch);
    return reply.redirect(`${home}/orders?delivered=1`, 303);
  });

  async function list(request: Request, reply: FastifyReply): Promise<FastifyReply> {
    const opened = await visit(deps, request);
    const { launch } = opened;
    const query = Query.parse(request.query);
    if (query.again !== undefined) {
      pulls.drop(launch.id);
      return reply.redirect(`${opened.home}/orders`, 303);
    }
    const waiting = await reading.chart({ opened, request, reply });
    if (waiting !== undefined) return waiting.sent;
    const patient = `Patient/${launch.patient}`;
    const [pull, cases] = await Promise.all([pulls.of(launch), deps.cases.forPatient(launch.site.id, patient)]);
    const choosing = { roles: rolesOfSite(deps, launch.site), now: deps.clock(), site: launch.site };
    const page = HomePage({
      view: {
        ...opened,
        banner: bannerOf(rolesOfSite(deps, launch.site), pull.entries, launch, deps.clock()),
        orders: newestOrdersFirst(
          ordersIn(indexChart(pull.entries), { ...choosing, patient }).map(({ candidate, chart }) => ({
            ...candidate,
            ...(candidate.fits ? orderFacts(chart) : {}),
          })),
        ),
        cases,
        warnings: pull.warnings,
        forbidden: pull.forbidden,
        unread: pull.unread,
        waiting: cases.filter(isWaiting).length,
        ...(query.delivered === undefined ? {} : { delivered: { left: cases.filter(isLeft).length } }),
        ...(query.unopened === undefined ? {} : { unopened: query.unopened }),
      },
    });
    return sendPage(reply, html(page));
  }
}

const longestMs = 8000;

// The person sees what became of it; what takes longer goes on by itself.
async function written({ cases }: Deps, { site, patient }: Launch): Promise<void> {
  const deadline = performance.now() + longestMs;
  while (performance.now() < deadline) {
    if (!(await cases.forPatient(site.id, `Patient/${patient}`)).some(isWaiting)) return;
    await pause(200);
  }
}

function isWaiting(one: Case): boolean {
  return one.writes.some((row) => row.state === 'waiting' && concernsStaff(row));
}

function isLeft(one: Case): boolean {
  return one.unwritten || one.writes.some((row) => ['waiting', 'failed'].includes(row.state) && concernsStaff(row));
}
