import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Case } from '../cases/case.ts';
import { ordersIn } from '../chart/select.ts';
import { indexChart } from '../fhir/graph.ts';
import type { Launch } from '../smart/types.ts';
import { bannerOf } from './banner.ts';
import { type Deps, rolesOfSite } from './deps.ts';
import { type LaunchParams, postedTo, sendPage, visit } from './launch.ts';
import { newestOrdersFirst, orderFacts } from './order-words.ts';
import { HomePage } from './pages/home.tsx';
import { html } from './parts/page.tsx';
import type { Pulls } from './pull.ts';

type Request = FastifyRequest<{ Params: LaunchParams }>;

/** `/app/:launch`: the one order that the EHR named, else the list; `/app/:launch/orders` is always the list. */
export function registerHome(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  app.get<{ Params: LaunchParams }>('/app/:launch', async (request, reply) => {
    const { launch, home } = await visit(deps, request);
    const [order, ...others] = launch.orders;
    if (order === undefined || others.length > 0) return list(request, reply);
    const cases = await deps.cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
    return reply.redirect(`${home}/${startOf(order, cases)}`, 303);
  });

  app.get<{ Params: LaunchParams }>('/app/:launch/orders', (request, reply) => list(request, reply));

  app.post<{ Params: LaunchParams }>('/app/:launch/deliver', async (request, reply) => {
    const { launch, home } = await postedTo(deps, request);
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
        waiting: cases.filter(isWaiting).length,
        ...(isDelivered(request) ? { delivered: { left: cases.filter(isLeft).length } } : {}),
      },
    });
    return sendPage(reply, html(page));
  }
}

// Who comes back after the outcome wants to see it; a new request starts from there.
function startOf(order: string, cases: readonly Case[]): string {
  const requests = cases.filter((one) => one.order === order && one.kind === 'prior-auth');
  const finished = requests.some((one) => one.state !== 'ended') ? undefined : requests[0];
  return finished === undefined ? `orders/${order.replace('MedicationRequest/', '')}` : `cases/${finished.id}`;
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
  return one.writes.some((write) => write.state === 'waiting');
}

function isLeft(one: Case): boolean {
  return one.unwritten || one.writes.some(({ state }) => state === 'waiting' || state === 'failed');
}

function isDelivered(request: Request): boolean {
  return z.object({ delivered: z.literal('1') }).safeParse(request.query).success;
}
