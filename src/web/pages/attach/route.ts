import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Attached, CaseKind } from '../../../cases/case.ts';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError } from '../../../core/errors.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { sendPatientFile } from '../../http/send-file.ts';
import { checkForm } from '../../http/session.ts';
import { isTooLarge } from '../../http/too-large.ts';
import { userOf } from '../../http/user.ts';
import { takesPdf } from '../../request/attached.ts';
import type { Draft } from '../../request/draft.ts';
import { textOf } from '../../request/form.ts';
import { kindPages } from '../../request/kind-pages.ts';
import {
  besideReview,
  checkPatient,
  type OrderDeps,
  type OrderParams,
  type OrderRequest,
  openEditable,
  reviewOf,
} from '../../request/order-request.ts';
import { html } from '../../ui/page.tsx';
import { postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { AttachedPage, AttachPage, type AttachWhat, tooLarge } from './page.tsx';
import {
  readAppeal,
  readCard,
  readConsent,
  readDocument,
  takeUploads,
  type Upload,
  type UploadForm,
} from './upload.ts';

interface FileParams extends OrderParams {
  /** The id of an attached file, in the URL path. */
  readonly file: string;
}
type FileRequest = OrderRequest<FileParams>;

interface UploadParams extends OrderParams {
  /** One of `AttachWhat`. */
  readonly what: string;
}
type UploadRequest = FastifyRequest<{ Params: UploadParams; Body: UploadForm | undefined }>;

/** The kinds of request to which each file can be attached, and the review section that lists the file. */
const places: Readonly<Record<AttachWhat, { readonly kinds: readonly CaseKind[]; readonly section: string }>> = {
  document: { kinds: kinds.filter((kind) => kindPages[kind].evidence === 'always'), section: 'section-evidence' },
  card: { kinds: kinds.filter((kind) => kindPages[kind].takesCards), section: 'section-insurance' },
  consent: { kinds: ['enrollment'], section: 'section-consent' },
  appeal: { kinds: ['prior-auth'], section: 'section-appeal' },
};

/** Files that a person attaches from the computer: choose, view, remove. */
export async function registerAttach(app: FastifyInstance, deps: Deps, pulls: Pulls): Promise<void> {
  for (const kind of kinds) {
    const page: OrderDeps = { deps, pulls, kind };
    const order = `/app/:launch/orders/:order${kindPages[kind].path}`;
    const file = `${order}/attached/:file`;
    app.get<{ Params: FileParams }>(file, (request, reply) => showFile(page, request, reply));
    app.get<{ Params: FileParams }>(`${file}/file`, (request, reply) => sendFile(page, request, reply));
    app.post<{ Params: FileParams }>(file, (request, reply) => removeFile(page, request, reply));
    await app.register((scope, _options, done) => {
      registerUpload(scope, page, `${order}/attach/:what`);
      done();
    });
  }
}

// The upload parser is registered in its own scope, so that no other page accepts multipart forms of this size.
function registerUpload(scope: FastifyInstance, page: OrderDeps, path: string): void {
  takeUploads(scope);
  // This hook runs before the body is read: only the owner of a launch may make the bridge read megabytes.
  scope.addHook('onRequest', async (request) => {
    await visit(page.deps, request as UploadRequest);
  });
  scope.get<{ Params: UploadParams; Body: undefined }>(path, (request, reply) => showUpload(page, request, reply));
  scope.post<{ Params: UploadParams; Body: UploadForm }>(path, (request, reply) => attachFile(page, request, reply));
  scope.setErrorHandler((thrown, request, reply) => refuseTooLarge(page, thrown, request as UploadRequest, reply));
}

async function showFile(page: OrderDeps, request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await visit(deps, request);
  const draft = await openEditable(page, opened, request);
  const attached = attachedIn(draft, request);
  const isText = attached.kind === 'document' && attached.pdf !== true;
  const text = isText ? (await bytesOf(deps, draft, attached)).toString('utf8') : undefined;
  const view = { ...besideReview(deps, opened, draft), attached, ...(text === undefined ? {} : { text }) };
  return sendPage(reply, html(AttachedPage({ view })));
}

async function sendFile(page: OrderDeps, request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const draft = await openEditable(page, opened, request);
  const attached = attachedIn(draft, request);
  if (attached.kind === 'document' && attached.pdf !== true) throw new BridgeError('not_found', { what: 'the file' });
  const bytes = await bytesOf(page.deps, draft, attached);
  return sendPatientFile(request, reply, attached.pdf === true ? 'application/pdf' : 'image/jpeg', bytes);
}

async function removeFile(page: OrderDeps, request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await postedTo(deps, request);
  const draft = await openEditable(page, opened, request);
  checkPatient(deps, textOf(opened.form, 'patient'), draft);
  const { id, kind: what } = attachedIn(draft, request);
  await deps.cases.detach(draft.case.id, id);
  await deps.audit?.record({ ...byLaunch(opened.launch, 'file_removed', { kind: what }), caseId: draft.case.id });
  return reply.redirect(`${reviewOf(opened, draft)}#${places[what].section}`, 303);
}

async function showUpload(page: OrderDeps, request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const draft = await openForUpload(page, opened, request);
  const view = { ...besideReview(page.deps, opened, draft), what: whatOf(page, request) };
  return sendPage(reply, html(AttachPage({ view })));
}

async function attachFile(page: OrderDeps, request: UploadRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await visit(deps, request);
  const what = whatOf(page, request);
  const form = request.body;
  if (form?.fields === undefined) throw new BridgeError('bad_request');
  checkForm(deps, request, opened.launch.id, form.fields.token);
  const draft = await openForUpload(page, opened, request);
  checkPatient(deps, form.fields.patient, draft);
  const upload = await readUpload(deps, draft, what, form);
  if ('refused' in upload) return refuse(reply, { ...besideReview(deps, opened, draft), what, form, wrong: upload });
  const kept = { ...upload.attached, by: userOf(opened.launch), at: deps.clock().toISOString() };
  await deps.audit?.record({ ...byLaunch(opened.launch, 'file_attached', { kind: what }), caseId: draft.case.id });
  await deps.cases.attach(draft.case.id, kept, upload.bytes);
  return reply.redirect(`${reviewOf(opened, draft)}#${places[what].section}`, 303);
}

async function refuseTooLarge(
  page: OrderDeps,
  thrown: unknown,
  request: UploadRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!isTooLarge(thrown)) throw thrown;
  const opened = await visit(page.deps, request);
  const draft = await openForUpload(page, opened, request);
  const what = whatOf(page, request);
  const view = {
    ...besideReview(page.deps, opened, draft),
    what,
    form: { fields: {}, form: {}, files: [] },
    wrong: { refused: tooLarge[what] },
  };
  return refuse(reply, view, 413);
}

async function openForUpload(page: OrderDeps, opened: Visit, request: UploadRequest): Promise<Draft> {
  const draft = await openEditable(page, opened, request);
  if (request.params.what === 'appeal' && !takesPdf(draft.schema)) throw new BridgeError('not_found');
  return draft;
}

function whatOf({ kind }: OrderDeps, { params: { what } }: UploadRequest): AttachWhat {
  const known = Object.hasOwn(places, what) ? (what as AttachWhat) : undefined;
  if (known === undefined || !places[known].kinds.includes(kind)) throw new BridgeError('not_found');
  return known;
}

function readUpload(deps: Deps, draft: Draft, what: AttachWhat, form: UploadForm): Promise<Upload> {
  if (what === 'card') return readCard(draft, form);
  if (what === 'appeal') return readAppeal(deps, draft, form);
  return what === 'consent' ? readConsent(draft, form) : readDocument(deps, draft, form);
}

type AttachView = Parameters<typeof AttachPage>[0]['view'];

function refuse(reply: FastifyReply, view: AttachView, status = 422): FastifyReply {
  return sendPage(reply, html(AttachPage({ view })), status);
}

function attachedIn({ case: { attached = [] } }: Draft, { params }: FileRequest): Attached {
  const found = attached.find(({ id }) => id === params.file);
  if (found === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return found;
}

async function bytesOf(deps: Deps, draft: Draft, { id }: Attached): Promise<Buffer> {
  const bytes = await deps.cases.attached(draft.case.id, id);
  if (bytes === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return Buffer.from(bytes);
}
