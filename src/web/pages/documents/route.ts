import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { sendPatientFile } from '../../http/send-file.ts';
import { type Draft, openDraft } from '../../request/draft.ts';
import { textOf } from '../../request/form.ts';
import { html } from '../../ui/page.tsx';
import { type LaunchParams, postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import { orderOf } from '../review/route.ts';
import { PreviewPage } from './page.tsx';
import { fileOf, previewOf } from './view.ts';

interface Params extends LaunchParams {
  readonly order: string;
  /** A reference of the chart. */
  readonly document: string;
  readonly file: string;
}
type Request = FastifyRequest<{ Params: Params }>;

/** Documents of the chart before they are ticked. */
export function registerDocuments(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
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
    return sendPatientFile(request, reply, type, bytes);
  });
}

async function openFor(deps: Deps, pulls: Pulls, { launch }: Pick<Visit, 'launch'>, request: Request): Promise<Draft> {
  const draft = await openDraft(deps, pulls, { launch, order: orderOf(request), kind: 'prior-auth' });
  if ('sent' in draft) throw new BridgeError('case_already_sent', { case: draft.sent.id });
  request.caseId = draft.case.id;
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
