import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Case, roundsOf, type User } from '../../../cases/case.ts';
import type { RoundRequest } from '../../../cases/rounds/reply.ts';
import { BridgeError } from '../../../core/errors.ts';
import { readUploadedScan } from '../../../ehr/documents/read-upload.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs, refusalOf } from '../../http/rights.ts';
import { sendPatientFile } from '../../http/send-file.ts';
import { checkForm } from '../../http/session.ts';
import { userOf } from '../../http/user.ts';
import { type Form, textOf } from '../../request/form.ts';
import { replyOffers } from '../../request/print/reply-documents.ts';
import { renderReply } from '../../request/print/reply-pdf.ts';
import { answersTo, questionText } from '../../request/reply-answers.ts';
import { html } from '../../ui/page.tsx';
import { takeUploads, type UploadForm } from '../attach/upload.ts';
import { type LaunchParams, postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { NoteQuestionPage } from './note-question.tsx';
import { takesNotes } from './question-offers.tsx';
import { RevealedPage } from './question-text.tsx';
import { questionWords, noteWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';

interface Params extends LaunchParams {
  readonly case: string;
  readonly round: string;
  readonly file: string;
  readonly key: string;
}
type Request = FastifyRequest<{ Params: Params }>;

/** What the pages of questions share with that of their case. */
export interface OfCase {
  readonly caseOf: (
    opened: Visit,
    request: FastifyRequest<{ Params: LaunchParams & { case: string } }>,
  ) => Promise<Case>;
  readonly viewOf: (opened: Visit, one: Case) => Promise<CaseView>;
}

const path = '/app/:launch/cases/:case';

/** Questions of the payer: their files, their text as it came, what people note, and replies to print. */
export async function registerQuestions(app: FastifyInstance, deps: Deps, { caseOf, viewOf }: OfCase): Promise<void> {
  app.get<{ Params: Params }>(`${path}/questions/files/:file`, async (request, reply) => {
    const opened = await visit(deps, request);
    const one = await caseOf(opened, request);
    const file = await deps.cases.questionFile(one.id, request.params.file);
    if (file === undefined) throw new BridgeError('not_found', { what: 'the file' });
    return sendPatientFile(request, reply, file.type, file.bytes);
  });

  app.get<{ Params: Params }>(`${path}/replies/:key.pdf`, async (request, reply) => {
    const opened = await visit(deps, request);
    const one = await caseOf(opened, request);
    return sendPatientFile(request, reply, 'application/pdf', await packetOf(deps, opened, one, request.params.key));
  });

  // A form, so that no address that somebody keeps or follows shows them.
  app.post<{ Params: Params }>(`${path}/questions/:round`, async (request, reply) => {
    const opened = await postedTo(deps, request);
    const one = await caseOf(opened, request);
    await assertActs(deps, opened.launch, { action: 'reveal', caseId: one.id });
    const round = roundsOf(one).find(({ number }) => String(number) === request.params.round);
    if (round === undefined) throw new BridgeError('not_found', { what: 'the question' });
    // Before it is shown: what cannot be recorded is not shown.
    await deps.audit?.record({
      ...byLaunch(opened.launch, 'question_revealed', { round: round.number }),
      caseId: one.id,
    });
    return sendPage(reply, html(RevealedPage({ view: await viewOf(opened, one), round })));
  });

  await app.register((scope, _options, done) => {
    takeUploads(scope);
    scope.addHook('onRequest', async (request) => {
      await visit(deps, request as Request);
    });
    scope.get<{ Params: Params }>(`${path}/questions/new`, async (request, reply) => {
      const opened = await visit(deps, request);
      const view = await viewOf(opened, await caseOf(opened, request));
      return takesNotes(view) ? sendPage(reply, html(NoteQuestionPage({ view }))) : reply.redirect(view.here, 303);
    });
    scope.post<{ Params: Params; Body: UploadForm }>(`${path}/questions/new`, async (request, reply) => {
      const opened = await visit(deps, request);
      if (request.body?.fields === undefined) throw new BridgeError('bad_request');
      checkForm(deps, request, opened.launch.id, request.body.fields.token);
      const one = await caseOf(opened, request);
      await assertActs(deps, opened.launch, { action: 'note-question', caseId: one.id });
      const view = await viewOf(opened, one);
      if (!takesNotes(view)) throw new BridgeError('case_not_ready', { case: one.id });
      const noted = await noteIn(request.body, one, userOf(opened.launch));
      const { fields } = request.body;
      if ('why' in noted)
        return sendPage(reply, html(NoteQuestionPage({ view: { ...view, fields, why: noted.why } })), 422);
      await deps.cases.openRound(one.id, noted.request);
      return reply.redirect(view.here, 303);
    });
    done();
  });
}

async function packetOf(deps: Deps, { launch }: Visit, one: Case, key: string): Promise<Uint8Array> {
  const round = roundsOf(one).find(({ replies }) => replies.some((reply) => reply.key === key));
  const reply = round?.replies.find((each) => each.key === key);
  const content = await deps.cases.replyContent(one.id, key);
  if (round === undefined || reply === undefined || content === undefined)
    throw new BridgeError('not_found', { what: 'the reply' });
  // What is printed can be faxed.
  if (reply.state === 'unsigned' || reply.state === 'returned')
    throw new BridgeError('signature_required', { case: one.id });
  return await renderReply({ one, site: launch.site, round, reply, content, now: deps.clock() });
}

async function noteIn(
  { fields, file }: UploadForm,
  { patient }: Case,
  by: User,
): Promise<{ readonly request: RoundRequest } | { readonly why: string }> {
  const text = (fields.text ?? '').trim().slice(0, 20_000);
  const until = (fields.until ?? '').trim();
  if (until !== '' && !z.iso.date().safeParse(until).success) return { why: words.badDate };
  if (text === '' && file === undefined) return { why: words.empty };
  const scan = file === undefined ? undefined : await readUploadedScan(file, patient);
  if (scan !== undefined && 'refused' in scan) return { why: words.badFile };
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

/** What can be chosen for a reply, where somebody can reply now. */
export async function withOffers(deps: Deps, pulls: Pulls, view: CaseView): Promise<CaseView> {
  const { case: one, launch } = view;
  if (one.state !== 'open' || refusalOf(launch) !== undefined) return view;
  if (!roundsOf(one).some(({ ended }) => ended === undefined)) return view;
  const { candidates, answers } = await replyOffers(deps, pulls, launch, one);
  const by = { questions: deps.mappings.questions, evidence: launch.site.evidence };
  return { ...view, candidates, answers: (round) => answersTo(questionText(one, round), answers, by) };
}

/** What a person does with rounds besides replying; undefined for what is none of it. */
export async function actOnRound(deps: Deps, one: Case, form: Form, by: User): Promise<Case | undefined> {
  const { cases } = deps;
  const key = textOf(form, 'key');
  switch (textOf(form, 'action')) {
    case 'reply-arrived':
      return await cases.settleReply(one.id, { key, arrived: true, by });
    case 'reply-not-arrived':
      return await cases.settleReply(one.id, { key, arrived: false, by });
    case 'reply-sent':
      return await cases.noteReplySent(one.id, {
        key,
        on: dayIn(form),
        how: textOf(form, 'how').slice(0, 40),
        completes: textOf(form, 'completes') === 'yes',
        by,
      });
    case 'close-round':
      return await cases.closeRound(one.id, { round: Number(textOf(form, 'round')), by });
    case 'open-fax':
      return await cases.openRound(one.id, { by, text: '', fax: textOf(form, 'fax') });
    default:
      return undefined;
  }
}

function dayIn(form: Form): string {
  const on = textOf(form, 'on');
  if (z.iso.date().safeParse(on).success) return on;
  throw new BridgeError('bad_request', { reason: 'not a date' }, { next: words.badDate });
}
