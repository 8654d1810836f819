import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { letterInChart } from '../../../writeback/ledger.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs, refusalOf } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { textOf } from '../../request/form.ts';
import { fragment, html } from '../../ui/page.tsx';
import { postedTo, sendPage, visit } from '../launch/route.ts';
import { act } from './act.ts';
import { actOnRound } from './act-on-round.ts';
import { registerAgain, startAgain } from './again-route.ts';
import { registerCaseFiles } from './files-route.ts';
import { registerKeepQuestion } from './keep-question-route.ts';
import { type CaseDeps, type CaseParams, type CaseRequest, caseOf, casePath, viewOf } from './open-case.ts';
import { CasePage, CaseUpdate } from './page.tsx';
import { registerQuestions, withOffers } from './question-route.ts';
import { registerReply } from './reply-route.ts';
import { replySaid } from './reply-said.tsx';
import { roundsSeen } from './round-state.ts';
import { mayBeWrong } from './writes.tsx';
import { WrongLetterPage } from './wrong-letter.tsx';

/** Query parameters of a poll: the version, actions and rounds that the page shows. */
const known = z.string().optional().catch(undefined);
const Seen = z.object({ seen: known, state: known, rounds: known, form: known });

const Named = z.object({ reference: z.string().catch('') });

/** Registers the routes of a case: its page and polled part, its files, and its actions. */
export async function registerCase(app: FastifyInstance, deps: Deps, pulls: Pulls): Promise<void> {
  const page: CaseDeps = { deps, pulls };
  app.get<{ Params: CaseParams }>(casePath, (request, reply) => showCase(page, request, reply));
  app.get<{ Params: CaseParams }>(`${casePath}/status`, (request, reply) => showStatus(page, request, reply));
  app.get<{ Params: CaseParams }>(`${casePath}/wrong-letter`, (request, reply) =>
    showWrongLetter(page, request, reply),
  );
  app.post<{ Params: CaseParams }>(casePath, (request, reply) => postAction(page, request, reply));
  registerCaseFiles(app, page);
  registerAgain(app, page);
  registerKeepQuestion(app, page);
  await registerReply(app, page);
  await registerQuestions(app, page);
}

async function showCase(page: CaseDeps, request: CaseRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const view = await viewOf(page, opened, await caseOf(page, opened, request));
  return sendPage(reply, html(CasePage({ view: await withOffers(page, view) })));
}

/** Answers a poll with the changed part, or with 204 if nothing changed. */
async function showStatus(page: CaseDeps, request: CaseRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await visit(deps, request, { touch: false });
  const { seen, state, rounds, form } = Seen.parse(request.query);
  const { launch } = opened;
  const owner = { site: launch.site.id, patient: launch.patient };
  // Nothing is unsealed while the page is up to date.
  if (seen !== undefined && (await deps.cases.isSeen(request.params.case, owner, seen))) return reply.code(204).send();
  const view = await viewOf(page, opened, await caseOf(page, opened, request));
  // A question changed and no form is in use, so the whole page is reloaded with the chart's answers to the question.
  if (rounds !== undefined && rounds !== '' && form === undefined && rounds !== roundsSeen(view))
    return reply.header('hx-redirect', view.here).code(204).send();
  return sendPage(reply, fragment(CaseUpdate({ view, seenState: state, seenRounds: rounds })));
}

async function showWrongLetter(page: CaseDeps, request: CaseRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const one = await caseOf(page, opened, request);
  const letter = letterInChart(one.writes, Named.parse(request.query).reference);
  const here = `${opened.home}/cases/${one.id}`;
  // The letter was marked in the meantime, or the page was outdated. The case page shows the letter's current state.
  if (letter === undefined || !mayBeWrong(one, letter) || refusalOf(opened.launch) !== undefined)
    return reply.redirect(here, 303);
  return sendPage(reply, html(WrongLetterPage({ view: { ...opened, case: one, letter, here } })));
}

async function postAction(page: CaseDeps, request: CaseRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await postedTo(deps, request);
  const { launch, form, home } = opened;
  const one = await caseOf(page, opened, request);
  const action = textOf(form, 'action');
  // Refreshing the status changes nothing, so everyone may do it.
  if (action !== 'refresh') await assertActs(deps, launch, { action, caseId: one.id });
  if (action === 'again') return reply.redirect(await startAgain(page, opened, one), 303);
  const by = userOf(launch);
  const next = (await actOnRound(deps, one, form, by)) ?? (await act(deps, one, form, by, launch.id));
  return reply.redirect(`${home}/cases/${next.id}${action.startsWith('reply-') ? `#${replySaid}` : ''}`, 303);
}
