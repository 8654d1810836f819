import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Case, isEditable } from '../../../cases/case.ts';
import type { Submission } from '../../../cases/requests.ts';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError } from '../../../core/errors.ts';
import { auditAttested, auditSensitive } from '../../http/audit-rows.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { measureSent } from '../../http/effort.ts';
import { assertActs } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { type Draft, digestOf } from '../../request/draft.ts';
import { type Form, textOf } from '../../request/form.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { noteShown } from '../../request/note-shown.ts';
import { noteUsed } from '../../request/note-used.ts';
import { type OrderParams, type OrderRequest, openEditable, openOrder, orderOf } from '../../request/order-request.ts';
import { gapsOutsideBody, isReady } from '../../request/outside-body.ts';
import { goingAnswersOf, type PayerAnswers, sensitiveGoing, withPayerAnswers } from '../../request/payer-answers.ts';
import { isUnderRules } from '../../request/rules-change.ts';
import { html } from '../../ui/page.tsx';
import { postedTo, sendPage, type Visit, visit } from '../launch/route.ts';
import type { Reading } from '../reading/route.ts';
import { type ReviewDeps, reviewAddress } from '../review/view.ts';
import { ConfirmPage } from './page.tsx';
import { confirmViewOf } from './view.ts';

/** The last page before a request of each kind is sent. */
export function registerConfirm(app: FastifyInstance, deps: Deps, pulls: Pulls, reading: Reading): void {
  for (const kind of kinds) {
    const path = `/app/:launch/orders/:order${kindPages[kind].path}/confirm`;
    const page: ReviewDeps = { deps, pulls, reading, kind };
    app.get<{ Params: OrderParams }>(path, (request, reply) => showConfirm(page, request, reply));
    app.post<{ Params: OrderParams }>(path, (request, reply) => send(page, request, reply));
  }
}

async function showConfirm(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, kind, reading } = page;
  const opened = await visit(deps, request);
  const review = reviewAddress(page, opened, request);
  const waiting = await reading.chart({ opened, request, reply }, orderOf(request));
  if (waiting !== undefined) return waiting.sent;
  const draft = await openOrder(page, opened, request);
  if ('sent' in draft) return reply.redirect(`${opened.home}/cases/${draft.sent.id}`, 303);
  const result = withPayerAnswers(draft, goingAnswersOf(deps, opened.launch, draft));
  if (draft.rulesChange !== undefined) return reply.redirect(`${review}?notice=rules`, 303);
  if (result.status !== 'complete' || !isReady(draft)) return reply.redirect(`${review}?notice=incomplete`, 303);
  await noteShown(deps, draft, { sections: kindPages[kind].sections, open: gapsOutsideBody(draft, deps.clock()) });
  const isUnattested = asksStatement(request);
  const view = await confirmViewOf(page, opened, draft, { result, body: result.body, review, isUnattested });
  return sendPage(reply, html(ConfirmPage({ view })));
}

function asksStatement({ query }: OrderRequest): boolean {
  return typeof query === 'object' && query !== null && 'notice' in query && query.notice === 'unattested';
}

async function send(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const opened = await postedTo(deps, request);
  const { launch, home } = opened;
  const review = reviewAddress(page, opened, request);
  const draft = await openEditable(page, opened, request);
  await assertActs(deps, launch, { action: 'send', caseId: draft.case.id });
  const going = goingAnswersOf(deps, launch, draft);
  const checked = checkedSubmission(draft, opened, going);
  if ('back' in checked) return reply.redirect(`${review}${checked.back}`, 303);
  await deps.cases.saveDraft(draft.case.id, chosenOf(draft));
  await auditAttested(deps, launch, draft.case.id);
  await auditSensitive(deps, launch, draft, sensitiveGoing(going));
  const sent = await sendUnlessDuplicate(deps, draft.case.id, checked);
  if (sent === undefined) return reply.redirect(`${review}/confirm#duplicates`, 303);
  if (isEditable(sent)) return reply.redirect(review, 303);
  await noteUsed(deps, draft);
  await measureSent(deps, sent, [...draft.provenance.values()]);
  return reply.redirect(`${home}/cases/${sent.id}`, 303);
}

/** The request as a person confirmed it, or where on the review they go when it is no longer that one. */
function checkedSubmission(
  draft: Draft,
  { launch, form }: Visit & { readonly form: Form },
  going: PayerAnswers | undefined,
): Submission | { readonly back: string } {
  const result = withPayerAnswers(draft, going);
  if (draft.rulesChange !== undefined || !isUnderRules(textOf(form, 'rules'), draft)) return { back: '?notice=rules' };
  if (result.status !== 'complete' || !isReady(draft)) throw new BridgeError('case_not_ready');
  if (textOf(form, 'digest') !== digestOf(result)) return { back: '?notice=changed' };
  if (launch.site.attestation !== undefined && textOf(form, 'attested') === '')
    return { back: '/confirm?notice=unattested#attestation' };
  const { body, gaps, provenance } = result;
  return {
    body,
    provenance,
    gaps,
    mappedBy: draft.mappedBy,
    by: userOf(launch),
    expectedPatient: textOf(form, 'patient'),
    launch: launch.id,
    duplicatesSeen: textOf(form, 'duplicates').split(' '),
  };
}

// A duplicate is asked about: the page is shown again with the other request and a box to tick.
async function sendUnlessDuplicate(deps: Deps, id: string, submission: Submission): Promise<Case | undefined> {
  try {
    return await deps.cases.send(id, submission);
  } catch (thrown) {
    if (thrown instanceof BridgeError && thrown.code === 'case_duplicate') return undefined;
    throw thrown;
  }
}

// The Task in the chart names the drug, the coverage and the prescriber that the request was made with.
function chosenOf({ chart, title }: Draft): { title: string; coverage?: string; prescriber?: string } {
  const coverage = chart.choices.find((choice) => choice.role === 'coverage')?.chosen;
  const prescriber = chart.root('prescriber')?.nodes[0]?.source?.resource;
  return {
    title,
    ...(coverage === undefined ? {} : { coverage }),
    ...(prescriber === undefined ? {} : { prescriber }),
  };
}
