import type { FastifyInstance, FastifyReply } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { sendPatientFile } from '../../http/send-file.ts';
import type { Draft } from '../../request/draft.ts';
import { textOf } from '../../request/form.ts';
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
import { postedTo, sendPage, visit } from '../launch/route.ts';
import { PreviewPage } from './page.tsx';
import { previewFile, previewOf } from './view.ts';

interface DocumentParams extends OrderParams {
  /** The document's reference in the chart. */
  readonly document: string;
  readonly file: string;
}
type DocumentRequest = OrderRequest<DocumentParams>;

export function registerDocuments(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const path = '/app/:launch/orders/:order/documents/:document';
  const page: OrderDeps = { deps, pulls, kind: 'prior-auth' };
  app.get<{ Params: DocumentParams }>(path, (request, reply) => showDocument(page, request, reply));
  app.post<{ Params: DocumentParams }>(path, (request, reply) => tickDocument(page, request, reply));
  app.get<{ Params: DocumentParams }>(`${path}/files/:file`, (request, reply) => sendFile(page, request, reply));
}

async function showDocument(page: OrderDeps, request: DocumentRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, pulls } = page;
  const opened = await visit(deps, request);
  const draft = await openEditable(page, opened, request);
  const preview = await previewOf(deps, pulls, opened.launch, draft, request.params.document);
  return sendPage(reply, html(PreviewPage({ view: { ...besideReview(deps, opened, draft), preview } })));
}

async function tickDocument(page: OrderDeps, request: DocumentRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await postedTo(deps, request);
  const draft = await openEditable(page, opened, request);
  checkPatient(deps, textOf(opened.form, 'patient'), draft);
  await tick(deps, draft, request.params.document, textOf(opened.form, 'tick') === 'yes');
  return reply.redirect(`${reviewOf(opened, draft)}#section-evidence`, 303);
}

async function sendFile(page: OrderDeps, request: DocumentRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const draft = await openEditable(page, opened, request);
  const { document, file } = request.params;
  const { type, bytes } = previewFile(opened.launch, draft, document, Number(file));
  return sendPatientFile(request, reply, type, bytes);
}

// Documents that the site's policy attached stay attached when a person decides about another document.
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
