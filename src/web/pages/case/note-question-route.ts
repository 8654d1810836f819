import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Case, User } from '../../../cases/case.ts';
import type { RoundRequest } from '../../../cases/rounds/reply.ts';
import { BridgeError } from '../../../core/errors.ts';
import { readUploadedScan } from '../../../ehr/documents/read-upload.ts';
import { assertActs } from '../../http/rights.ts';
import { checkForm } from '../../http/session.ts';
import { isTooLarge } from '../../http/too-large.ts';
import { userOf } from '../../http/user.ts';
import { html } from '../../ui/page.tsx';
import { takeUploads, type UploadForm } from '../attach/upload.ts';
import { sendPage, visit } from '../launch/route.ts';
import { NoteQuestionPage, type WrongNote } from './note-question.tsx';
import { type CaseDeps, type CaseParams, type CaseRequest, caseOf, casePath, viewOf } from './open-case.ts';
import { questionWords, noteWords as words } from './question-words.ts';
import { takesNotes } from './round-state.ts';

type NoteRequest = FastifyRequest<{ Params: CaseParams; Body: UploadForm }>;

const path = `${casePath}/questions/new`;

/** The page on which a person enters a question that the payer asked by fax, telephone or mail. */
export async function registerNoteQuestion(app: FastifyInstance, page: CaseDeps): Promise<void> {
  await app.register((scope, _options, done) => {
    takeUploads(scope);
    scope.addHook('onRequest', async (request) => {
      await visit(page.deps, request as CaseRequest);
    });
    scope.setErrorHandler((thrown, request, reply) => refuseTooLarge(page, thrown, request as CaseRequest, reply));
    scope.get<{ Params: CaseParams }>(path, (request, reply) => showNote(page, request, reply));
    scope.post<{ Params: CaseParams; Body: UploadForm }>(path, (request, reply) => takeNote(page, request, reply));
    done();
  });
}

async function showNote(page: CaseDeps, request: CaseRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const view = await viewOf(page, opened, await caseOf(page, opened, request));
  return takesNotes(view) ? sendPage(reply, html(NoteQuestionPage({ view }))) : reply.redirect(view.here, 303);
}

async function takeNote(page: CaseDeps, request: NoteRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await visit(deps, request);
  if (request.body?.fields === undefined) throw new BridgeError('bad_request');
  const { fields } = request.body;
  checkForm(deps, request, opened.launch.id, fields.token);
  const one = await caseOf(page, opened, request);
  await assertActs(deps, opened.launch, { action: 'note-question', caseId: one.id });
  const view = await viewOf(page, opened, one);
  if (!takesNotes(view)) throw new BridgeError('case_not_ready', { case: one.id });
  const noted = await noteIn(request.body, one, userOf(opened.launch));
  if ('why' in noted) return sendPage(reply, html(NoteQuestionPage({ view: { ...view, fields, wrong: noted } })), 422);
  await deps.cases.openRound(one.id, noted.request);
  return reply.redirect(view.here, 303);
}

async function refuseTooLarge(
  page: CaseDeps,
  thrown: unknown,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isTooLarge(thrown)) throw thrown;
  const opened = await visit(page.deps, request);
  const view = await viewOf(page, opened, await caseOf(page, opened, request));
  return sendPage(
    reply,
    html(NoteQuestionPage({ view: { ...view, wrong: { fields: ['file'], why: words.tooLarge } } })),
    413,
  );
}

async function noteIn(
  { fields, file }: UploadForm,
  { patient }: Case,
  by: User,
): Promise<{ readonly request: RoundRequest } | WrongNote> {
  const text = (fields.text ?? '').trim().slice(0, 20_000);
  const until = (fields.until ?? '').trim();
  if (until !== '' && !z.iso.date().safeParse(until).success) return { fields: ['until'], why: words.badDate };
  if (text === '' && file === undefined) return { fields: ['text', 'file'], why: words.empty };
  const scan = file === undefined ? undefined : await readUploadedScan(file, patient);
  if (scan !== undefined && 'refused' in scan) return { fields: ['file'], why: words.badFile };
  const channel = Object.hasOwn(questionWords.ways, fields.channel ?? '') ? fields.channel : undefined;
  return {
    request: {
      by,
      text,
      ...(until === '' ? {} : { until }),
      ...(channel === undefined ? {} : { channel }),
      ...(scan === undefined
        ? {}
        : { file: { name: 'Scan', type: scan.pdf ? 'application/pdf' : 'image/jpeg', bytes: scan.bytes } }),
    },
  };
}
