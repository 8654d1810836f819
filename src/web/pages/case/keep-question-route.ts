import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Case, roundsOf } from '../../../cases/case.ts';
import type { Round } from '../../../cases/rounds/round.ts';
import { cellTexts } from '../../../core/answers/answer-text.ts';
import { cellsFor } from '../../../core/answers/cells-for.ts';
import { type CellName, cellNames } from '../../../core/contract/answers-sheet.ts';
import { BridgeError } from '../../../core/errors.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { textOf } from '../../request/form.ts';
import { answersIn, questionText } from '../../request/reply-answers.ts';
import { withoutNames } from '../../request/without-names.ts';
import { html } from '../../ui/page.tsx';
import { type LaunchParams, postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { KeepQuestionPage } from './keep-question.tsx';
import type { OfCase } from './question-route.ts';
import { keepWords as words } from './question-words.ts';

interface Params extends LaunchParams {
  readonly case: string;
  readonly round: string;
}
type Request = FastifyRequest<{ Params: Params }>;

const path = '/app/:launch/cases/:case/questions/:round/keep';

/** The page on which a question is released for the next request. */
export function registerKeepQuestion(app: FastifyInstance, deps: Deps, { caseOf, viewOf }: OfCase): void {
  const openedBy = async (opened: Visit, request: Request) => {
    const one = await caseOf(opened, request);
    await assertActs(deps, opened.launch, { action: 'keep-question', caseId: one.id });
    const round = roundsOf(one).find(({ number }) => String(number) === request.params.round);
    if (round === undefined) throw new BridgeError('not_found', { what: 'the question' });
    return { one, round };
  };

  app.get<{ Params: Params }>(path, async (request, reply) => {
    const opened = await visit(deps, request);
    const { one, round } = await openedBy(opened, request);
    const text = withoutNames(questionText(one, round, '…'), one.banner);
    return sendPage(reply, html(KeepQuestionPage({ view: { ...(await viewOf(opened, one)), round, text } })));
  });

  app.post<{ Params: Params }>(path, async (request, reply) => {
    const opened = await postedTo(deps, request);
    const { one, round } = await openedBy(opened, request);
    const { form, launch } = opened;
    const isKept = textOf(form, 'action') !== 'forget';
    const text = textOf(form, 'text').trim().slice(0, 4000);
    const why = isKept ? whyNot(text, textOf(form, 'read')) : undefined;
    if (why !== undefined) {
      const view = { ...(await viewOf(opened, one)), round, text, why };
      return sendPage(reply, html(KeepQuestionPage({ view })), 422);
    }
    const action = isKept ? 'question_kept' : 'question_forgotten';
    await deps.audit?.record({ ...byLaunch(launch, action, { round: round.number }), caseId: one.id });
    if (isKept) {
      const cells = await answeredCells(deps, one, round, text);
      await deps.cases.keepQuestion(one.id, { round: round.number, text, cells, by: userOf(launch) });
    } else await deps.cases.forgetQuestion(one.id, round.number);
    return reply.redirect(`${opened.home}/cases/${one.id}`, 303);
  });
}

function whyNot(text: string, read: string): string | undefined {
  if (text === '') return words.empty;
  return read === 'yes' ? undefined : words.unread;
}

/** The cells that went with a reply; without one those that the text leads to. */
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
