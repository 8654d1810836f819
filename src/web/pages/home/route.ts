import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ListedCase } from '../../../cases/case.ts';
import { titleAmong } from '../../../core/drug/display-name.ts';
import { indexChart } from '../../../core/fhir/references/graph.ts';
import { ordersIn } from '../../../core/roles/select.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { concernsStaff } from '../../../writeback/ledger.ts';
import type { Pull, Pulls } from '../../http/chart-reading.ts';
import { type Deps, rolesOfSite } from '../../http/deps.ts';
import { assertActs } from '../../http/rights.ts';
import { bannerOf } from '../../request/banner.ts';
import { drugNamesIn } from '../../request/drug-names.ts';
import { withOrderNoted } from '../../request/order-noted.ts';
import { html } from '../../ui/page.tsx';
import { type LaunchParams, postedTo, sendPage, visit } from '../launch/route.ts';
import { type Unopened, unopened } from '../launch/words.ts';
import type { ReadingWaits } from '../reading/route.ts';
import { newestOrdersFirst, orderFacts } from './order-words.ts';
import { HomePage } from './page.tsx';

type Request = FastifyRequest<{ Params: LaunchParams }>;

/** Query parameters of the list. Unknown values are ignored. */
const Query = z.object({
  again: z.literal('1').optional().catch(undefined),
  delivered: z.literal('1').optional().catch(undefined),
  unopened: z
    .enum(Object.keys(unopened) as Unopened[])
    .optional()
    .catch(undefined),
});

interface HomeDeps {
  readonly deps: Deps;
  readonly pulls: Pulls;
  readonly reading: ReadingWaits;
}

/** `/app/:launch` redirects to where the launch begins; `/app/:launch/orders` has the patient's orders and requests. */
export function registerHome(app: FastifyInstance, deps: Deps, pulls: Pulls, reading: ReadingWaits): void {
  const page: HomeDeps = { deps, pulls, reading };
  app.get<{ Params: LaunchParams }>('/app/:launch', (request, reply) => begin(page, request, reply));
  app.get<{ Params: LaunchParams }>('/app/:launch/orders', (request, reply) => list(page, request, reply));
  app.post<{ Params: LaunchParams }>('/app/:launch/deliver', (request, reply) => deliver(deps, request, reply));
}

async function begin(page: HomeDeps, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const begun = await page.reading.begin({ opened, request, reply });
  if ('sent' in begun) return begun.sent;
  const place = begun.value;
  return place === 'orders' ? list(page, request, reply) : reply.redirect(`${opened.home}/${place}`, 303);
}

async function deliver(deps: Deps, request: Request, reply: FastifyReply): Promise<FastifyReply> {
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
}

async function list({ deps, pulls, reading }: HomeDeps, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(deps, request);
  const { launch, home } = opened;
  const { again, delivered, unopened } = Query.parse(request.query);
  if (again !== undefined) {
    pulls.drop(launch.id);
    return reply.redirect(`${home}/orders`, 303);
  }
  const waiting = await reading.chart({ opened, request, reply });
  if (waiting !== undefined) return waiting.sent;
  const patient = `Patient/${launch.patient}`;
  const [pull, known] = await Promise.all([pulls.of(launch), deps.cases.forPatient(launch.site.id, patient)]);
  const cases = await Promise.all(known.map((one) => withOrderNoted(deps, pull, one)));
  const view = {
    ...opened,
    ...ordersOf(deps, launch, pull),
    cases,
    waiting: cases.filter(isWaiting).length,
    ...(delivered === undefined ? {} : { delivered: { left: cases.filter(isLeft).length } }),
    ...(unopened === undefined ? {} : { unopened }),
  };
  return sendPage(reply, html(HomePage({ view })));
}

/** The parts of the list that come from the chart. */
function ordersOf(deps: Deps, launch: Launch, { entries, warnings, forbidden, unread }: Pull) {
  const [roles, now] = [rolesOfSite(deps, launch.site), deps.clock()];
  const orders = ordersIn(indexChart(entries), { roles, now, site: launch.site, patient: `Patient/${launch.patient}` });
  return {
    banner: bannerOf(roles, entries, launch, now),
    orders: newestOrdersFirst(
      orders.map(({ candidate, chart }) => ({
        ...candidate,
        label: titleAmong(candidate.label, candidate.fits ? drugNamesIn(chart) : []),
        ...(candidate.fits ? orderFacts(chart) : {}),
      })),
    ),
    warnings,
    forbidden,
    unread,
  };
}

const longestMs = 8000;

// Waits a few seconds, so that the page can show the result. Longer deliveries continue in the background.
async function written({ cases }: Deps, { site, patient }: Launch): Promise<void> {
  const deadline = performance.now() + longestMs;
  while (performance.now() < deadline) {
    if (!(await cases.forPatient(site.id, `Patient/${patient}`)).some(isWaiting)) return;
    await pause(200);
  }
}

function isWaiting(one: ListedCase): boolean {
  return one.writes.some((row) => row.state === 'waiting' && concernsStaff(row));
}

function isLeft(one: ListedCase): boolean {
  return one.unwritten || one.writes.some((row) => ['waiting', 'failed'].includes(row.state) && concernsStaff(row));
}
