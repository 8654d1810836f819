import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { endSessions } from '../../http/end-sessions.ts';
import { html } from '../../ui/page.tsx';
import { caseFileNames } from '../case/case-files.ts';
import { type LaunchParams, sendPage } from '../launch/route.ts';
import { EndedPage } from '../sign-in/ended.tsx';
import { actOnCase } from './case-acts.ts';
import { sendCaseDocument, showCase, startAgain } from './case-route.ts';
import { exportList } from './list-export.ts';
import { searchList, showList } from './list-route.ts';
import { showTrends } from './trends-route.ts';
import { changeViews } from './views-route.ts';
import { type CaseParams, type ListRequest, postedByStaff, type WorklistDeps } from './worklist-access.ts';

/** The worklist of a practice, the page of one case, and the actions of staff. */
export function registerWorklist(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const { worklist } = deps;
  if (worklist === undefined) return;
  const page: WorklistDeps = { deps, worklist };
  const path = '/app/:launch/worklist';
  app.get<{ Params: LaunchParams }>(path, (request, reply) => showList(page, request, reply));
  app.post<{ Params: LaunchParams }>(path, (request, reply) => searchList(page, request, reply));
  app.get<{ Params: LaunchParams }>(`${path}.csv`, (request, reply) => exportList(page, request, reply));
  app.get<{ Params: LaunchParams }>(`${path}/trends`, (request, reply) => showTrends(page, request, reply));
  app.post<{ Params: LaunchParams }>(`${path}/views`, (request, reply) => changeViews(page, request, reply));
  app.get<{ Params: CaseParams }>(`${path}/:case`, (request, reply) => showCase(page, request, reply));
  app.get<{ Params: CaseParams }>(`${path}/:case/again`, (request, reply) => startAgain(page, request, reply));
  for (const name of caseFileNames)
    app.get<{ Params: CaseParams }>(`${path}/:case/${name}`, (request, reply) =>
      sendCaseDocument(page, request, reply, name),
    );
  app.post<{ Params: CaseParams }>(`${path}/:case`, (request, reply) => actOnCase(page, request, reply));
  app.post<{ Params: LaunchParams }>('/app/:launch/sign-out', (request, reply) => signOut(deps, pulls, request, reply));
}

async function signOut(deps: Deps, pulls: Pulls, request: ListRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { staff } = await postedByStaff(deps, request);
  await endSessions(deps, pulls, staff, { request, reply });
  return sendPage(reply, html(EndedPage({ session: staff })));
}
