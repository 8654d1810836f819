import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Case, roundsOf } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs, refusalOf } from '../../http/rights.ts';
import { sendPatientFile } from '../../http/send-file.ts';
import { replyOffers } from '../../request/print/reply-documents.ts';
import { renderReply } from '../../request/print/reply-pdf.ts';
import { answersTo, askedText } from '../../request/reply-answers.ts';
import { toldApart } from '../../request/told-apart.ts';
import { html } from '../../ui/page.tsx';
import { postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { registerNoteQuestion } from './note-question-route.ts';
import { type CaseDeps, type CaseParams, caseOf, casePath, type RoundParams, roundOf, viewOf } from './open-case.ts';
import { RevealedPage } from './question-text.tsx';
import type { CaseView } from './view.ts';

type FileParams = CaseParams & { readonly file: string };
type ReplyParams = CaseParams & { readonly key: string };

/**
 * Registers the routes of the payer's questions: files, original texts, questions entered by people, and replies to
 * print.
 */
export async function registerQuestions(app: FastifyInstance, page: CaseDeps): Promise<void> {
  app.get<{ Params: FileParams }>(`${casePath}/questions/files/:file`, (request, reply) =>
    sendQuestionFile(page, request, reply),
  );
  app.get<{ Params: ReplyParams }>(`${casePath}/replies/:key.pdf`, (request, reply) =>
    sendPacket(page, request, reply),
  );
  // A POST form, so that no bookmark or link reveals the original text.
  app.post<{ Params: RoundParams }>(`${casePath}/questions/:round`, (request, reply) => reveal(page, request, reply));
  await registerNoteQuestion(app, page);
}

async function sendQuestionFile(
  page: CaseDeps,
  request: FastifyRequest<{ Params: FileParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const one = await caseOf(page, opened, request);
  const file = await page.deps.cases.questionFile(one.id, request.params.file);
  if (file === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return sendPatientFile(request, reply, file.type, file.bytes);
}

async function sendPacket(
  page: CaseDeps,
  request: FastifyRequest<{ Params: ReplyParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const one = await caseOf(page, opened, request);
  const packet = await packetOf(page.deps, opened, one, request.params.key);
  return sendPatientFile(request, reply, 'application/pdf', packet);
}

async function reveal(
  page: CaseDeps,
  request: FastifyRequest<{ Params: RoundParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await postedTo(deps, request);
  const one = await caseOf(page, opened, request);
  await assertActs(deps, opened.launch, { action: 'reveal', caseId: one.id });
  const round = roundOf(one, request.params);
  // The audit row is written first: without it the original text is not shown.
  await deps.audit?.record({
    ...byLaunch(opened.launch, 'question_revealed', { round: round.number }),
    caseId: one.id,
  });
  return sendPage(reply, html(RevealedPage({ view: await viewOf(page, opened, one), round })));
}

async function packetOf(deps: Deps, { launch }: Visit, one: Case, key: string): Promise<Uint8Array> {
  const round = roundsOf(one).find(({ replies }) => replies.some((reply) => reply.key === key));
  const reply = round?.replies.find((each) => each.key === key);
  const content = await deps.cases.replyContent(one.id, key);
  if (round === undefined || reply === undefined || content === undefined)
    throw new BridgeError('not_found', { what: 'the reply' });
  // An unsigned reply cannot be printed, because a printout can be faxed.
  if (reply.state === 'unsigned' || reply.state === 'returned')
    throw new BridgeError('signature_required', { case: one.id });
  return await renderReply({ one, site: launch.site, round, reply, content, now: deps.clock() });
}

/** Adds the answers and documents that a reply can include, if the user can reply now. */
export async function withOffers({ deps, pulls }: CaseDeps, view: CaseView): Promise<CaseView> {
  const { case: one, launch } = view;
  if (one.state !== 'open' || refusalOf(launch) !== undefined) return view;
  if (!roundsOf(one).some(({ ended }) => ended === undefined)) return view;
  const offers = await replyOffers(deps, pulls, launch, one);
  const candidates = offers.candidates === undefined ? undefined : toldApart(offers.candidates);
  const by = { questions: deps.mappings.questions, evidence: launch.site.evidence, candidates: candidates ?? [] };
  return {
    ...view,
    candidates,
    answers: (round) => answersTo(askedText(one, round), offers.answers, by),
  };
}
