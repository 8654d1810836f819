import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { type OrderParams, type OrderRequest, openEditable, openOrder, orderOf } from '../../request/order-request.ts';
import { payerAnswersOf } from '../../request/payer-answers.ts';
import { fragment, html } from '../../ui/page.tsx';
import { sendPage, visit } from '../launch/route.ts';
import type { ReadingWaits } from '../reading/route.ts';
import { ReviewBody, ReviewPage } from './page.tsx';
import { PayerAnswersPart } from './payer-questions.tsx';
import { saveReview } from './save.ts';
import { noteSeen, questionsBefore, type ReviewDeps, viewOf } from './view.ts';

/** Query parameters of the review page. Unknown values are ignored. */
const Query = z.object({
  notice: z.enum(['saved', 'pulled', 'incomplete', 'changed', 'rules']).optional().catch(undefined),
  since: z.iso.datetime().optional().catch(undefined),
  technical: z.literal('1').optional().catch(undefined),
  answers: z.literal('1').optional().catch(undefined),
});

/** Query parameters of a poll: what the open page shows. */
const OpenPage = z.object({
  case: z.uuid(),
  seen: z.string().max(200),
  since: z.iso.datetime(),
  asked: z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .optional()
    .transform((anchors) => anchors ?? []),
  technical: z.literal('1').optional().catch(undefined),
  'answers-shown': z.literal('1').optional().catch(undefined),
});

/** Registers the review page of an order for each kind of request. */
export function registerReview(app: FastifyInstance, deps: Deps, pulls: Pulls, reading: ReadingWaits): void {
  for (const kind of kinds) {
    const path = `/app/:launch/orders/:order${kindPages[kind].path}`;
    const page: ReviewDeps = { deps, pulls, reading, kind };
    app.get<{ Params: OrderParams }>(path, (request, reply) => showReview(page, request, reply));
    app.get<{ Params: OrderParams }>(`${path}/changes`, (request, reply) => showChanges(page, request, reply));
    app.get<{ Params: OrderParams }>(`${path}/answers`, (request, reply) => showAnswers(page, request, reply));
    app.post<{ Params: OrderParams }>(path, { bodyLimit: 512 * 1024 }, (request, reply) =>
      saveReview(page, request, reply),
    );
  }
}

async function showReview(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, reading } = page;
  const opened = await visit(deps, request);
  const waiting = await reading.chart({ opened, request, reply }, orderOf(request));
  if (waiting !== undefined) return waiting.sent;
  const found = await openOrder(page, opened, request, { anew: isAnew(request) });
  if ('sent' in found) return reply.redirect(`${opened.home}/cases/${found.sent.id}`, 303);
  const { draft, seen } = await noteSeen(page, opened.launch, found);
  const { notice, since = deps.clock().toISOString(), technical, answers } = Query.parse(request.query);
  const [isTechnical, hasAnswers] = [technical !== undefined, answers !== undefined];
  const view = await viewOf(page, opened, draft, { notice, since, seen, asked: undefined, isTechnical, hasAnswers });
  return sendPage(reply, html(ReviewPage({ view })));
}

/** Answers a poll with the new content of the page, or with 204 if the case has not changed. */
async function showChanges(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  // `touch: false`: polling does not keep the session alive.
  const opened = await visit(deps, request, { touch: false });
  const { case: id, asked, since, ...query } = OpenPage.parse(request.query);
  const owner = { site: opened.launch.site.id, patient: opened.launch.patient };
  if (await deps.cases.isSeen(id, owner, query.seen)) return reply.code(204).send();
  const found = await openOrder(page, opened, request);
  // A colleague sent the request, so the page redirects to the case.
  if ('sent' in found) return reply.header('hx-redirect', `${opened.home}/cases/${found.sent.id}`).code(204).send();
  const { draft, seen } = await noteSeen(page, opened.launch, found);
  const [isTechnical, hasAnswers] = [query.technical !== undefined, query['answers-shown'] !== undefined];
  const view = await viewOf(page, opened, draft, { since, seen, asked, isTechnical, hasAnswers });
  return sendPage(reply, fragment(ReviewBody({ view })));
}

/** The answers to payer questions, which the page fetches after it is shown. */
async function showAnswers(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  // `touch: false`: a fetch by the page's script does not keep the session alive.
  const opened = await visit(page.deps, request, { touch: false });
  const draft = await openEditable(page, opened, request);
  const answers = payerAnswersOf(page.deps, opened.launch, draft);
  if (answers === undefined) throw new BridgeError('not_found', { what: 'the answers' });
  const isTechnical = Query.parse(request.query).technical !== undefined;
  const askedBefore = await questionsBefore(page.deps, draft);
  const { carried } = draft.case;
  return sendPage(reply, fragment(PayerAnswersPart({ answers, carried, isTechnical, askedBefore })));
}

const Anew = z.object({ anew: z.literal('1') });

function isAnew({ query }: OrderRequest): boolean {
  return Anew.safeParse(query).success;
}
