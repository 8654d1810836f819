import type { FastifyReply } from 'fastify';
import { todayAt } from '../../../core/fhir/time/today.ts';
import type { WorklistTable } from '../../../store/types.ts';
import type { Deps } from '../../http/deps.ts';
import { seesOwnOnly } from '../../http/rights.ts';
import { launchesIn } from '../../http/session.ts';
import { textOf } from '../../request/form.ts';
import { html } from '../../ui/page.tsx';
import { sentLatelyText } from '../case/work-words.ts';
import { sendPage } from '../launch/route.ts';
import { actTogether } from './act-together.ts';
import { recordLines } from './list-audit.ts';
import { lineOf } from './list-line.ts';
import { queryOf, renewalsOf, soonOf } from './list-query.ts';
import { WorklistPage } from './page.tsx';
import { viewsOf } from './views-route.ts';
import {
  type ListRequest,
  postedByStaff,
  type StaffVisit,
  signedFor,
  visitStaff,
  type WorklistDeps,
} from './worklist-access.ts';
import { ListFilter, ListShown, queryText } from './worklist-asked.ts';

const summaryDays = 30;

export async function showList(
  { deps, worklist }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const shown = ListShown.parse(request.query);
  const asked = ListFilter.parse(request.query);
  return list(deps, worklist, { visit, asked, search: '', shown, hasCharts: chartsMayBeOpen(request, visit) }, reply);
}

export async function searchList(
  { deps, worklist }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { form, ...visit } = await postedByStaff(deps, request);
  const search = textOf(form, 'search').slice(0, 100);
  const asked = ListFilter.parse({ ...form });
  const hasCharts = chartsMayBeOpen(request, visit);
  if (!('assign' in form || 'close' in form))
    return list(deps, worklist, { visit, asked, search, shown: ListShown.parse({}), hasCharts }, reply);
  const did = await actTogether(deps, worklist, visit, form);
  // The search text must not be in a URL, so the list is sent without a redirect.
  if (search !== '')
    return list(deps, worklist, { visit, asked, search, shown: ListShown.parse(did), hasCharts }, reply);
  const said = Object.entries(did).map(([name, value]) => [name, String(value)]);
  return reply.redirect(`${visit.home}/worklist${queryText(asked, {})}&${new URLSearchParams(said)}`, 303);
}

// Another launch of this browser may have a chart; the next page checks whether it has.
function chartsMayBeOpen(request: ListRequest, { staff }: StaffVisit): boolean {
  return staff.patient !== undefined || launchesIn(request).size > 1;
}

interface Listing {
  readonly visit: StaffVisit;
  readonly asked: ListFilter;
  readonly search: string;
  readonly shown: ListShown;
  readonly hasCharts: boolean;
}

async function list(
  deps: Deps,
  worklist: WorklistTable,
  { visit, asked, search, shown, hasCharts }: Listing,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { staff } = visit;
  const query = queryOf(deps, visit, asked, search);
  const [page, counts, takenOver, sent, staffList, views] = await Promise.all([
    worklist.page(query),
    worklist.counts({
      site: staff.site.id,
      viewer: query.viewer,
      own: seesOwnOnly(staff),
      ending: soonOf(deps, visit),
      signs: signedFor(staff),
      renewals: renewalsOf(deps, visit),
    }),
    worklist.takenOver(staff.site.id, staff.fhirUser),
    deps.effort?.sent(staff.site.id, summaryDays),
    worklist.staff(staff.site.id),
    viewsOf({ deps }, visit),
  ]);
  const lines = page.rows.map((row) => lineOf(worklist, visit, row));
  await recordLines(deps, visit, 'worklist_viewed', lines, { part: asked.part, searched: search !== '' });
  const view = {
    ...visit,
    asked,
    search,
    lines,
    counts,
    takenOver: takenOver.map((row) => lineOf(worklist, visit, row)),
    work: sent === undefined ? '' : sentLatelyText(sent, summaryDays),
    hasTrends: deps.trends !== undefined && !seesOwnOnly(staff),
    next: page.next,
    now: deps.clock(),
    today: todayAt(deps.clock(), staff.site.timeZone).day,
    staffList,
    views,
    people: Object.assign({}, ...page.rows.map(({ line }) => line.value().people)),
    shown,
    hasCharts,
  };
  return sendPage(reply, html(WorklistPage({ view })));
}
