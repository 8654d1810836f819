import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Attached } from '../cases/case.ts';
import { BridgeError } from '../errors.ts';
import { byLaunch } from './audit.ts';
import type { Deps } from './deps.ts';
import { type Draft, openDraft } from './draft.ts';
import { textOf } from './form.ts';
import { type LaunchParams, postedTo, sendPage, type Visit, visit } from './launch.ts';
import { AttachedPage, AttachPage, type AttachWhat, PreviewPage } from './pages/documents.tsx';
import { html } from './parts/page.tsx';
import { fileOf, previewOf } from './preview.ts';
import type { Pulls } from './pull.ts';
import { orderOf } from './review.ts';
import { checkForm } from './session.ts';
import { readCard, readDocument, takeUploads, type UploadForm } from './upload.ts';
import { userOf } from './user.ts';
import { attach } from './words/documents.ts';

interface Params extends LaunchParams {
  readonly order: string;
  /** A reference of the chart, or the id of an attached file. */
  readonly document: string;
  readonly file: string;
  readonly what: string;
}
type Request = FastifyRequest<{ Params: Params }>;

/** Documents of the chart before they are ticked, and files that a person attaches from the disk. */
export async function registerDocuments(app: FastifyInstance, deps: Deps, pulls: Pulls): Promise<void> {
  const order = '/app/:launch/orders/:order';
  const open = (opened: Visit, request: Request) => openFor(deps, pulls, opened, request);

  app.get<{ Params: Params }>(`${order}/documents/:document`, async (request, reply) => {
    const opened = await visit(deps, request);
    const draft = await open(opened, request);
    const preview = await previewOf(deps, pulls, opened.launch, draft, request.params.document);
    return sendPage(reply, html(PreviewPage({ view: { ...viewOf(deps, opened, draft), preview } })));
  });

  app.post<{ Params: Params }>(`${order}/documents/:document`, async (request, reply) => {
    const opened = await postedTo(deps, request);
    const draft = await open(opened, request);
    checkPatient(deps, textOf(opened.form, 'patient'), draft);
    await tick(deps, draft, request.params.document, textOf(opened.form, 'tick') === 'yes');
    return reply.redirect(`${opened.home}/orders/${draft.order}#section-evidence`, 303);
  });

  app.get<{ Params: Params }>(`${order}/documents/:document/files/:file`, async (request, reply) => {
    const { launch, ...opened } = await visit(deps, request);
    const draft = await open({ launch, ...opened }, request);
    const { type, bytes } = fileOf(launch, draft, request.params.document, Number(request.params.file));
    return sendFile(request, reply, type, bytes);
  });

  app.get<{ Params: Params }>(`${order}/attached/:document`, async (request, reply) => {
    const opened = await visit(deps, request);
    const draft = await open(opened, request);
    const attached = attachedIn(draft, request.params.document);
    const text = attached.kind === 'document' ? (await bytesOf(deps, draft, attached)).toString('utf8') : undefined;
    const view = { ...viewOf(deps, opened, draft), attached, ...(text === undefined ? {} : { text }) };
    return sendPage(reply, html(AttachedPage({ view })));
  });

  app.get<{ Params: Params }>(`${order}/attached/:document/image`, async (request, reply) => {
    const opened = await visit(deps, request);
    const draft = await open(opened, request);
    const attached = attachedIn(draft, request.params.document);
    if (attached.kind !== 'card') throw new BridgeError('not_found', { what: 'the file' });
    return sendFile(request, reply, 'image/jpeg', await bytesOf(deps, draft, attached));
  });

  app.post<{ Params: Params }>(`${order}/attached/:document`, async (request, reply) => {
    const opened = await postedTo(deps, request);
    const draft = await open(opened, request);
    checkPatient(deps, textOf(opened.form, 'patient'), draft);
    const { id, kind } = attachedIn(draft, request.params.document);
    await deps.cases.detach(draft.case.id, id);
    await deps.audit?.record({ ...byLaunch(opened.launch, 'file_removed', { kind }), caseId: draft.case.id });
    return reply.redirect(`${opened.home}/orders/${draft.order}#${sectionOf(kind)}`, 303);
  });

  // A scope of its own: no other page takes forms of this kind or size.
  await app.register((scope, _options, done) => {
    takeUploads(scope);
    // Nobody who has not launched makes the bridge read megabytes.
    scope.addHook('onRequest', async (request) => {
      await visit(deps, request as Request);
    });
    scope.get<{ Params: Params }>(`${order}/attach/:what`, async (request, reply) => {
      const opened = await visit(deps, request);
      const draft = await open(opened, request);
      return sendPage(reply, html(AttachPage({ view: { ...viewOf(deps, opened, draft), what: whatOf(request) } })));
    });
    scope.post<{ Params: Params; Body: UploadForm }>(`${order}/attach/:what`, async (request, reply) => {
      const opened = await visit(deps, request);
      const what = whatOf(request);
      const form = request.body;
      if (form?.fields === undefined) throw new BridgeError('bad_request');
      checkForm(deps, request, opened.launch.id, form.fields.token);
      const draft = await open(opened, request);
      checkPatient(deps, form.fields.patient, draft);
      const upload = what === 'card' ? await readCard(draft, form) : await readDocument(deps, draft, form);
      if ('refused' in upload)
        return refuse(reply, { ...viewOf(deps, opened, draft), what, form, why: upload.refused });
      const kept = { ...upload.attached, by: userOf(opened.launch), at: deps.clock().toISOString() };
      await deps.audit?.record({ ...byLaunch(opened.launch, 'file_attached', { kind: what }), caseId: draft.case.id });
      await deps.cases.attach(draft.case.id, kept, upload.bytes);
      return reply.redirect(`${opened.home}/orders/${draft.order}#${sectionOf(what)}`, 303);
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      if (!isTooLarge(thrown)) throw thrown;
      const opened = await visit(deps, request as Request);
      const draft = await open(opened, request as Request);
      const what = whatOf(request as Request);
      const why = what === 'card' ? attach.refusedCard.too_large : attach.refusedDocument.too_large;
      return refuse(reply, { ...viewOf(deps, opened, draft), what, form: { fields: {} }, why }, 413);
    });
    done();
  });
}

type AttachView = Parameters<typeof AttachPage>[0]['view'];

function refuse(reply: FastifyReply, view: AttachView, status = 422): FastifyReply {
  return sendPage(reply, html(AttachPage({ view })), status);
}

async function openFor(deps: Deps, pulls: Pulls, { launch }: Pick<Visit, 'launch'>, request: Request): Promise<Draft> {
  const draft = await openDraft(deps, pulls, { launch, order: orderOf(request), kind: 'prior-auth' });
  if ('sent' in draft) throw new BridgeError('case_already_sent', { case: draft.sent.id });
  return draft;
}

function viewOf(deps: Deps, opened: Visit, draft: Draft) {
  const { site, patient } = draft.case;
  const review = `${opened.home}/orders/${draft.order}`;
  return { ...opened, draft, review, patientMark: deps.cases.patientMark(site, patient) };
}

function checkPatient(deps: Deps, mark: string | undefined, { case: { site, patient } }: Draft): void {
  if (mark !== deps.cases.patientMark(site, patient)) throw new BridgeError('case_changed');
}

// What the site's policy has taken by itself stays taken once a person decides about one document.
async function tick(deps: Deps, draft: Draft, reference: string, isTicked: boolean): Promise<void> {
  const candidates = draft.chart.choice('evidence')?.candidates ?? [];
  if (!candidates.some((one) => one.reference === reference && one.fits))
    throw new BridgeError('not_found', { what: 'the document' });
  const taken = candidates.filter((one) => one.taken === true).map((one) => one.reference);
  const known = new Set(candidates.map((one) => one.reference));
  await deps.cases.saveDraft(draft.case.id, ({ answers }) => {
    const others = (answers.evidence ?? taken).filter((one) => known.has(one) && one !== reference);
    return { answers: { ...answers, evidence: [...others, ...(isTicked ? [reference] : [])] } };
  });
}

function attachedIn({ case: { attached = [] } }: Draft, id: string): Attached {
  const found = attached.find((one) => one.id === id);
  if (found === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return found;
}

async function bytesOf(deps: Deps, draft: Draft, { id }: Attached): Promise<Buffer> {
  const bytes = await deps.cases.attached(draft.case.id, id);
  if (bytes === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return Buffer.from(bytes);
}

function sendFile(request: Request, reply: FastifyReply, type: string, bytes: Buffer): FastifyReply {
  request.servesFile = type === 'application/pdf' ? 'pdf' : 'image';
  // Never by a name of the chart's.
  const name = type === 'application/pdf' ? 'document.pdf' : `document.${type.replace('image/', '')}`;
  return reply.type(type).header('content-disposition', `inline; filename="${name}"`).send(bytes);
}

function sectionOf(kind: AttachWhat): string {
  return kind === 'card' ? 'section-insurance' : 'section-evidence';
}

function whatOf({ params: { what } }: Request): AttachWhat {
  if (what !== 'document' && what !== 'card') throw new BridgeError('not_found');
  return what;
}

function isTooLarge(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown && thrown.statusCode === 413;
}
