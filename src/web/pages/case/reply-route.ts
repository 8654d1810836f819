import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Case, roundsOf } from '../../../cases/case.ts';
import type { ReplyDocument } from '../../../cases/rounds/reply.ts';
import { asBridgeError, BridgeError } from '../../../core/errors.ts';
import { dayIn } from '../../../core/fhir/time/time-zone.ts';
import {
  isPdf,
  isPicture,
  readUploadedPdf,
  readUploadedPicture,
  readUploadedText,
} from '../../../ehr/documents/read-upload.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs } from '../../http/rights.ts';
import { checkForm } from '../../http/session.ts';
import { isTooLarge } from '../../http/too-large.ts';
import { userOf } from '../../http/user.ts';
import { attachedKind } from '../../request/attached.ts';
import { textOf, textsOf } from '../../request/form.ts';
import { replyDocuments } from '../../request/print/reply-documents.ts';
import { html } from '../../ui/page.tsx';
import { mostFiles, takeUploads, type UploadForm } from '../attach/upload.ts';
import { attach } from '../documents/words.ts';
import { sendPage, visit } from '../launch/route.ts';
import { type CaseDeps, type CaseParams, caseOf, casePath, viewOf } from './open-case.ts';
import { CasePage } from './page.tsx';
import { withOffers } from './question-route.ts';
import { replyFileWords as words } from './question-words.ts';
import { replySaid } from './reply-said.tsx';
import { takesReply } from './round-state.ts';
import type { FileField, TypedReply } from './view.ts';

type ReplyRequest = FastifyRequest<{ Params: CaseParams; Body: UploadForm }>;

export async function registerReply(app: FastifyInstance, page: CaseDeps): Promise<void> {
  await app.register((scope, _options, done) => {
    takeUploads(scope);
    // This hook runs before the body is read: only the owner of the launch may send megabytes.
    scope.addHook('onRequest', async (request) => {
      await visit(page.deps, request as ReplyRequest);
    });
    scope.setErrorHandler((thrown, request, reply) => refuseTooLarge(page, thrown, request as ReplyRequest, reply));
    scope.post<{ Params: CaseParams; Body: UploadForm }>(`${casePath}/replies`, (request, reply) =>
      takeReply(page, request, reply),
    );
    done();
  });
}

async function takeReply(page: CaseDeps, request: ReplyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await visit(deps, request);
  const { body: upload } = request;
  if (upload?.form === undefined) throw new BridgeError('bad_request');
  checkForm(deps, request, opened.launch.id, upload.fields.token);
  const one = await caseOf(page, opened, request);
  await assertActs(deps, opened.launch, { action: 'reply', caseId: one.id });
  const typed = await replyIn(page, { launch: opened.launch, upload }, one);
  if (typed === undefined) return reply.redirect(`${opened.home}/cases/${one.id}#${replySaid}`, 303);
  const now = { ...(await viewOf(page, opened, await caseOf(page, opened, request))), typed };
  return sendPage(reply, html(CasePage({ view: await withOffers(page, now) })), 422);
}

async function refuseTooLarge(
  page: CaseDeps,
  thrown: unknown,
  request: ReplyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isTooLarge(thrown)) throw thrown;
  const opened = await visit(page.deps, request);
  const view = await viewOf(page, opened, await caseOf(page, opened, request));
  const round = roundsOf(view.case).find(takesReply)?.number ?? 0;
  const typed = {
    round,
    text: '',
    ticked: [],
    answers: [],
    completes: false,
    why: words.tooLarge,
    field: 'file' as const,
  };
  return sendPage(reply, html(CasePage({ view: await withOffers(page, { ...view, typed }) })), 413);
}

/** Errors after which the form is shown again with the typed reply. */
const shownAgain: ReadonlySet<string> = new Set(['reply_crossed', 'round_over', 'reply_decided', 'bad_request']);

/** Stores the reply in a form. Returns the typed reply and the reason if it was refused. */
async function replyIn(
  { deps, pulls }: CaseDeps,
  { launch, upload }: { readonly launch: Launch; readonly upload: UploadForm },
  one: Case,
): Promise<TypedReply | undefined> {
  const { form } = upload;
  const typed = {
    round: Number(textOf(form, 'round')),
    text: textOf(form, 'text'),
    ticked: textsOf(form, 'document'),
    answers: textsOf(form, 'answer'),
    completes: textOf(form, 'completes') === 'yes',
  };
  try {
    if (one.state !== 'open')
      throw new BridgeError(one.state === 'ended' ? 'reply_decided' : 'case_not_ready', { case: one.id });
    const { documents, sensitive } = await replyDocuments(deps, pulls, launch, one, {
      ...typed,
      from: textOf(form, 'answers-from') === 'sent' ? 'sent' : 'chart',
    });
    const own = await ownFiles(deps, { launch, one, upload });
    // The audit row is written first: without it the reply is not sent.
    if (sensitive > 0)
      await deps.audit?.record({ ...byLaunch(launch, 'sensitive_chosen', { items: sensitive }), caseId: one.id });
    const { round, text, completes } = typed;
    await deps.cases.reply(one.id, {
      round,
      text,
      completes,
      documents: [...documents, ...own],
      seen: textOf(form, 'seen'),
      by: userOf(launch),
      signs: textOf(form, 'action') === 'sign-reply',
    });
    return undefined;
  } catch (thrown) {
    if (thrown instanceof RefusedFile) return { ...typed, why: thrown.message, field: thrown.field };
    const { code, message, next } = asBridgeError(thrown);
    if (!shownAgain.has(code)) throw thrown;
    return { ...typed, why: code === 'bad_request' ? next : `${message.replace(/ \(case: .*\)$/, '')} ${next}` };
  }
}

interface OwnFiles {
  readonly launch: Launch;
  readonly one: Case;
  readonly upload: UploadForm;
}

/** Why a file, or its title or date, cannot be part of a reply. */
class RefusedFile extends Error {
  readonly field: FileField;

  constructor(why: string, field: FileField = 'file') {
    super(`${why} ${words.again}`);
    this.field = field;
  }
}

/** The chosen files as documents of the reply. Throws RefusedFile if a title, a date or a file cannot be used. */
async function ownFiles({ clock }: Pick<Deps, 'clock'>, { launch, one, upload }: OwnFiles): Promise<ReplyDocument[]> {
  const { fields, files } = upload;
  if (files.length === 0) return [];
  const title = (fields['file-title'] ?? '').trim().slice(0, 200);
  const date = (fields['file-date'] ?? '').trim();
  if (title === '') throw new RefusedFile(words.noTitle, 'file-title');
  if (!z.iso.date().safeParse(date).success || date > dayIn(clock().getTime(), launch.site.timeZone))
    throw new RefusedFile(words.noDate, 'file-date');
  if (files.length > mostFiles) throw new RefusedFile(words.tooMany);
  const documents: ReplyDocument[] = [];
  for (const { name, bytes } of files) {
    // The files share one title, so their names are added to tell them apart.
    const own = files.length === 1 ? title : `${title}: ${name.replace(/\.\w{1,5}$/, '').slice(0, 100)}`;
    const heading = { title: own, date_created: `${date}T00:00:00.000000` };
    documents.push({ ...heading, ...(await partOf(bytes, launch, one)) });
  }
  return documents;
}

/** One file as it is sent in the reply: the file itself if the service accepts its type, otherwise its text. */
async function partOf(
  bytes: Buffer,
  { site }: Launch,
  one: Case,
): Promise<Pick<ReplyDocument, 'asset'> | Pick<ReplyDocument, 'content'>> {
  if (isPdf(bytes)) {
    const read = await readUploadedPdf(bytes, one.patient);
    if ('refused' in read) throw new RefusedFile(attach.refusedDocument[read.refused]);
    return { asset: { file_content: read.bytes.toString('base64') } };
  }
  if (site.service.profile === 'documented' && isPicture(bytes)) {
    const read = await readUploadedPicture(bytes, one.patient);
    if ('refused' in read) throw new RefusedFile(words.refusedPicture(read.refused === 'heavy'));
    return { asset: { file_content: read.data } };
  }
  const read = await readUploadedText(bytes, one.patient);
  if ('refused' in read) throw new RefusedFile(attach.refusedDocument[read.refused]);
  return { content: { kind: attachedKind, text: read.text, ...(read.shortened ? { shortened: true } : {}) } };
}
