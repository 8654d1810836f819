import type { FastifyInstance, FastifyReply } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import { normaliseIcd10 } from '../../../core/fhir/codes/icd10.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import type { Draft } from '../../request/draft.ts';
import { textOf } from '../../request/form.ts';
import { fieldId } from '../../request/labels.ts';
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
import { FindCodePage, FindPharmacyPage } from './page.tsx';
import { diagnosesIn, searchCodes } from './search-codes.ts';
import { searchPharmacies, usePharmacy } from './search-pharmacies.ts';

/**
 * Registers the search for diagnosis codes and pharmacies: as pages that need no scripts, and as JSON for the fields of
 * the review page. The search text is sent by POST, because it may describe the patient and proxies log URLs.
 */
export function registerSearch(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const page: OrderDeps = { deps, pulls, kind: 'prior-auth' };
  const at = (what: string) => `/app/:launch/orders/:order/find/${what}`;
  app.get<{ Params: OrderParams }>(at('diagnosis'), (request, reply) => showCodes(page, request, reply));
  app.post<{ Params: OrderParams }>(at('diagnosis'), (request, reply) => findCode(page, request, reply));
  app.get<{ Params: OrderParams }>(at('pharmacy'), (request, reply) => showPharmacies(page, request, reply));
  app.post<{ Params: OrderParams }>(at('pharmacy'), (request, reply) => findPharmacy(page, request, reply));
}

async function showCodes(page: OrderDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const opened = await visit(page.deps, request);
  const draft = await openEditable(page, opened, request);
  const found = await searchCodes(page.deps, draft, '');
  return sendPage(reply, html(FindCodePage({ view: { ...besideReview(page.deps, opened, draft), text: '', found } })));
}

async function findCode(page: OrderDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const { opened, draft, text, use } = await searched(page, request);
  if (use !== '') {
    await useCode(deps, draft, use);
    return reply.redirect(`${reviewOf(opened, draft)}#section-diagnoses`, 303);
  }
  const found = await searchCodes(deps, draft, text);
  if (wantsJson(request)) return sendFound(request, reply, found);
  return sendPage(reply, html(FindCodePage({ view: { ...besideReview(deps, opened, draft), text, found } })));
}

async function showPharmacies(page: OrderDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await visit(deps, request);
  const draft = await openEditable(page, opened, request);
  const found = await searchPharmacies(deps, opened, draft, '');
  return sendPage(reply, html(FindPharmacyPage({ view: { ...besideReview(deps, opened, draft), text: '', found } })));
}

async function findPharmacy(page: OrderDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const { opened, draft, text, use } = await searched(page, request);
  const found = await searchPharmacies(deps, opened, draft, use === '' ? text : '');
  if (use !== '') {
    const chosen = found.find(({ fields }) => JSON.stringify(fields) === use);
    if (chosen === undefined) throw new BridgeError('bad_request', { fields: ['use'] });
    await usePharmacy(deps, opened, draft, chosen.fields);
    return reply.redirect(`${reviewOf(opened, draft)}#${fieldId('pharmacy.name')}`, 303);
  }
  if (wantsJson(request)) return sendFound(request, reply, { pharmacies: found });
  return sendPage(reply, html(FindPharmacyPage({ view: { ...besideReview(deps, opened, draft), text, found } })));
}

/** Reads a posted search: the search text, or the result that a person chose. */
async function searched(page: OrderDeps, request: OrderRequest) {
  const opened = await postedTo(page.deps, request);
  const draft = await openEditable(page, opened, request);
  checkPatient(page.deps, textOf(opened.form, 'patient'), draft);
  return { opened, draft, text: textOf(opened.form, 'q').slice(0, 200), use: textOf(opened.form, 'use') };
}

function wantsJson(request: OrderRequest): boolean {
  return request.headers.accept === 'application/json';
}

// No audit row for each keystroke: the page that searches shows the same chart data and was recorded.
function sendFound(request: OrderRequest, reply: FastifyReply, found: object): FastifyReply {
  request.visitOf = undefined;
  return reply.send(found);
}

// The codes of the request stay, except proposed codes that nobody has confirmed.
async function useCode(deps: Deps, draft: Draft, use: string): Promise<void> {
  const code = normaliseIcd10(use);
  if (code === undefined) throw new BridgeError('bad_request', { fields: ['use'] });
  const standing = diagnosesIn(draft.values).flatMap(([target, one]) =>
    draft.provenance.get(target)?.kind === 'proposed' ? [] : [one],
  );
  await deps.cases.saveDraft(draft.case.id, ({ answers }) => ({
    answers: { ...answers, diagnoses: [...new Set([...(answers.diagnoses ?? standing), code])] },
  }));
}
