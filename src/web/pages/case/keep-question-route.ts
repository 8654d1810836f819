import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Case } from '../../../cases/case.ts';
import type { Round } from '../../../cases/rounds/round.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import { cellsFor } from '../../../core/answers/cells-for.ts';
import { type CellName, cellNames } from '../../../core/contract/answers-sheet.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { textOf } from '../../request/form.ts';
import { answersIn, questionText } from '../../request/reply-answers.ts';
import { withoutNames } from '../../request/without-names.ts';
import { html } from '../../ui/page.tsx';
import { postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { KeepQuestionPage, type WrongEntry } from './keep-question.tsx';
import { type CaseDeps, caseOf, casePath, type RoundParams, roundOf, viewOf } from './open-case.ts';
import { keepWords as words } from './question-words.ts';

type RoundRequest = FastifyRequest<{ Params: RoundParams }>;

const path = `${casePath}/questions/:round/keep`;

/** The page on which a person releases a question for the next request. */
export function registerKeepQuestion(app: FastifyInstance, page: CaseDeps): void {
  app.get<{ Params: RoundParams }>(path, (request, reply) => showQuestion(page, request, reply));
  app.post<{ Params: RoundParams }>(path, (request, reply) => keepQuestion(page, request, reply));
}

async function showQuestion(page: CaseDeps, request: RoundRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const { one, round } = await openRound(page, opened, request);
  const text = withoutNames(questionText(one, round, '…'), one.banner);
  return sendPage(reply, html(KeepQuestionPage({ view: { ...(await viewOf(page, opened, one)), round, text } })));
}

async function keepQuestion(page: CaseDeps, request: RoundRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await postedTo(deps, request);
  const { one, round } = await openRound(page, opened, request);
  const { form, launch } = opened;
  const isKept = textOf(form, 'action') !== 'forget';
  const text = textOf(form, 'text').trim().slice(0, 4000);
  const wrong = isKept ? wrongIn(text, textOf(form, 'read')) : undefined;
  if (wrong !== undefined) {
    const view = { ...(await viewOf(page, opened, one)), round, text, wrong };
    return sendPage(reply, html(KeepQuestionPage({ view })), 422);
  }
  const action = isKept ? 'question_kept' : 'question_forgotten';
  await deps.audit?.record({ ...byLaunch(launch, action, { round: round.number }), caseId: one.id });
  if (isKept) {
    const cells = await answeredCells(deps, one, round, text);
    await deps.cases.keepQuestion(one.id, { round: round.number, text, cells, by: userOf(launch) });
  } else await deps.cases.forgetQuestion(one.id, round.number);
  return reply.redirect(`${opened.home}/cases/${one.id}`, 303);
}

async function openRound(
  page: CaseDeps,
  opened: Visit,
  request: RoundRequest,
): Promise<{ readonly one: Case; readonly round: Round }> {
  const one = await caseOf(page, opened, request);
  await assertActs(page.deps, opened.launch, { action: 'keep-question', caseId: one.id });
  return { one, round: roundOf(one, request.params) };
}

function wrongIn(text: string, read: string): WrongEntry | undefined {
  if (text === '') return { field: 'text', why: words.empty };
  return read === 'yes' ? undefined : { field: 'read', why: words.unread };
}

/** The cells that were sent with a reply, else the cells that the text of the question maps to. */
async function answeredCells(
  { cases, mappings }: Deps,
  { id }: Case,
  { replies }: Round,
  text: string,
): Promise<CellName[]> {
  const contents = await Promise.all(replies.map(({ key }) => cases.replyContent(id, key)));
  const sent = contents.flatMap((documents = []) => documents.flatMap(({ content }) => answersIn(content) ?? []));
  const questions = new Set(sent.map(({ question }) => question));
  const replied = cellNames.filter((cell) => questions.has(cellTexts[cell].question));
  return replied.length > 0 ? replied : cellsFor(text, mappings.questions).map(({ cell }) => cell);
}
