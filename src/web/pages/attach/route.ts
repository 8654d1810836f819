import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Attached, CaseKind } from '../../../cases/case.ts';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError } from '../../../core/errors.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { sendPatientFile } from '../../http/send-file.ts';
import { checkForm } from '../../http/session.ts';
import { userOf } from '../../http/user.ts';
import { takesPdf } from '../../request/attached.ts';
import { type Draft, openDraft } from '../../request/draft.ts';
import { textOf } from '../../request/form.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { html } from '../../ui/page.tsx';
import { reviewPlace } from '../case/case-place.ts';
import { attach } from '../documents/words.ts';
import { postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { type OrderParams, orderOf } from '../review/route.ts';
import { AttachedPage, AttachPage, type AttachWhat } from './page.tsx';
import {
  readAppeal,
  readCard,
  readConsent,
  readDocument,
  takeUploads,
  type Upload,
  type UploadForm,
} from './upload.ts';

interface Params extends OrderParams {
  /** The id of an attached file. */
  readonly file: string;
  readonly what: string;
}
type Request = FastifyRequest<{ Params: Params }>;

/** What can be attached to a request of a kind, and where its review lists it. */
const places: Readonly<Record<AttachWhat, { readonly kinds: readonly CaseKind[]; readonly section: string }>> = {
  document: { kinds: kinds.filter((kind) => kindPages[kind].evidence === 'always'), section: 'section-evidence' },
  card: { kinds: kinds.filter((kind) => kindPages[kind].takesCards), section: 'section-insurance' },
  consent: { kinds: ['enrollment'], section: 'section-consent' },
  appeal: { kinds: ['prior-auth'], section: 'section-appeal' },
};

/** Files that a person attaches from the disk: chosen, looked at, taken away. */
export async function registerAttach(app: FastifyInstance, deps: Deps, pulls: Pulls): Promise<void> {
  for (const kind of kinds)
    await registerFor(app, deps, pulls, { kind, order: `/app/:launch/orders/:order${kindPages[kind].path}` });
}

async function registerFor(
  app: FastifyInstance,
  deps: Deps,
  pulls: Pulls,
  { kind, order }: { readonly kind: CaseKind; readonly order: string },
): Promise<void> {
  const open = async ({ launch }: Visit, request: Request): Promise<Draft> => {
    const draft = await openDraft(deps, pulls, { launch, order: orderOf(request), kind });
    if ('sent' in draft) throw new BridgeError('case_already_sent', { case: draft.sent.id });
    request.caseId = draft.case.id;
    if (request.params.what === 'appeal' && !takesPdf(draft.schema)) throw new BridgeError('not_found');
    return draft;
  };
  const whatOf = ({ params: { what } }: Request): AttachWhat => {
    const known = Object.hasOwn(places, what) ? (what as AttachWhat) : undefined;
    if (known === undefined || !places[known].kinds.includes(kind)) throw new BridgeError('not_found');
    return known;
  };

  app.get<{ Params: Params }>(`${order}/attached/:file`, async (request, reply) => {
    const opened = await visit(deps, request);
    const draft = await open(opened, request);
    const attached = attachedIn(draft, request);
    const isText = attached.kind === 'document' && attached.pdf !== true;
    const text = isText ? (await bytesOf(deps, draft, attached)).toString('utf8') : undefined;
    const view = { ...viewOf(deps, opened, draft), attached, ...(text === undefined ? {} : { text }) };
    return sendPage(reply, html(AttachedPage({ view })));
  });

  app.get<{ Params: Params }>(`${order}/attached/:file/file`, async (request, reply) => {
    const opened = await visit(deps, request);
    const draft = await open(opened, request);
    const attached = attachedIn(draft, request);
    if (attached.kind === 'document' && attached.pdf !== true) throw new BridgeError('not_found', { what: 'the file' });
    const bytes = await bytesOf(deps, draft, attached);
    return sendPatientFile(request, reply, attached.pdf === true ? 'application/pdf' : 'image/jpeg', bytes);
  });

  app.post<{ Params: Params }>(`${order}/attached/:file`, async (request, reply) => {
    const opened = await postedTo(deps, request);
    const draft = await open(opened, request);
    checkPatient(deps, textOf(opened.form, 'patient'), draft);
    const { id, kind: what } = attachedIn(draft, request);
    await deps.cases.detach(draft.case.id, id);
    await deps.audit?.record({ ...byLaunch(opened.launch, 'file_removed', { kind: what }), caseId: draft.case.id });
    return reply.redirect(`${reviewOf(opened, draft)}#${places[what].section}`, 303);
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
      const upload = await readUpload(deps, draft, what, form);
      if ('refused' in upload)
        return refuse(reply, { ...viewOf(deps, opened, draft), what, form, why: upload.refused });
      const kept = { ...upload.attached, by: userOf(opened.launch), at: deps.clock().toISOString() };
      await deps.audit?.record({ ...byLaunch(opened.launch, 'file_attached', { kind: what }), caseId: draft.case.id });
      await deps.cases.attach(draft.case.id, kept, upload.bytes);
      return reply.redirect(`${reviewOf(opened, draft)}#${places[what].section}`, 303);
    });
    scope.setErrorHandler(async (thrown, request, reply) => {
      if (!isTooLarge(thrown)) throw thrown;
      const opened = await visit(deps, request as Request);
      const draft = await open(opened, request as Request);
      const what = whatOf(request as Request);
      return refuse(
        reply,
        { ...viewOf(deps, opened, draft), what, form: { fields: {}, form: {} }, why: tooLarge[what] },
        413,
      );
    });
    done();
  });
}

function readUpload(deps: Deps, draft: Draft, what: AttachWhat, form: UploadForm): Promise<Upload> {
  if (what === 'card') return readCard(draft, form);
  if (what === 'appeal') return readAppeal(deps, draft, form);
  return what === 'consent' ? readConsent(draft, form) : readDocument(deps, draft, form);
}

const tooLarge: Readonly<Record<AttachWhat, string>> = {
  document: attach.refusedDocument.too_large,
  card: attach.refusedCard.too_large,
  consent: attach.refusedConsent.too_large,
  appeal: attach.refusedDocument.too_large,
};

type AttachView = Parameters<typeof AttachPage>[0]['view'];

function refuse(reply: FastifyReply, view: AttachView, status = 422): FastifyReply {
  return sendPage(reply, html(AttachPage({ view })), status);
}

function reviewOf({ home }: Visit, draft: Draft): string {
  return `${home}/${reviewPlace(draft.case)}`;
}

function viewOf(deps: Deps, opened: Visit, draft: Draft) {
  const { site, patient } = draft.case;
  return { ...opened, draft, review: reviewOf(opened, draft), patientMark: deps.cases.patientMark(site, patient) };
}

function checkPatient(deps: Deps, mark: string | undefined, { case: { site, patient } }: Draft): void {
  if (mark !== deps.cases.patientMark(site, patient)) throw new BridgeError('case_changed');
}

function attachedIn({ case: { attached = [] } }: Draft, { params }: Request): Attached {
  const found = attached.find(({ id }) => id === params.file);
  if (found === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return found;
}

async function bytesOf(deps: Deps, draft: Draft, { id }: Attached): Promise<Buffer> {
  const bytes = await deps.cases.attached(draft.case.id, id);
  if (bytes === undefined) throw new BridgeError('not_found', { what: 'the file' });
  return Buffer.from(bytes);
}

function isTooLarge(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && 'statusCode' in thrown && thrown.statusCode === 413;
}
