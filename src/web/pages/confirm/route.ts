import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { isEditable } from '../../../cases/case.ts';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError, type ErrorCode } from '../../../core/errors.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs } from '../../http/rights.ts';
import { digestOf } from '../../request/draft.ts';
import { type Form, textOf } from '../../request/form.ts';
import { kindPages } from '../../request/kind-pages.ts';
import { noteShown } from '../../request/note-shown.ts';
import { type OrderParams, type OrderRequest, openEditable, openOrder, orderOf } from '../../request/order-request.ts';
import { gapsOutsideBody, isReady } from '../../request/outside-body.ts';
import { goingAnswersOf, withPayerAnswers } from '../../request/payer-answers.ts';
import { html } from '../../ui/page.tsx';
import { postedTo, sendPage, visit } from '../launch/route.ts';
import type { ReadingWaits } from '../reading/route.ts';
import { type ReviewDeps, reviewAddress } from '../review/view.ts';
import { handOver } from './hand-over.ts';
import { ConfirmPage } from './page.tsx';
import { type Confirmed, sendConfirmed, type Untaken } from './submission.ts';
import { confirmViewOf } from './view.ts';

/** Registers the page on which a request of any kind is checked and sent. */
export function registerConfirm(app: FastifyInstance, deps: Deps, pulls: Pulls, reading: ReadingWaits): void {
  for (const kind of kinds) {
    const path = `/app/:launch/orders/:order${kindPages[kind].path}/confirm`;
    const page: ReviewDeps = { deps, pulls, reading, kind };
    app.get<{ Params: OrderParams }>(path, (request, reply) => showConfirm(page, request, reply));
    app.post<{ Params: OrderParams }>(path, (request, reply) => confirmed(page, request, reply));
  }
}

/** Why the page is shown again. Unknown values are ignored. */
const Query = z.object({ notice: z.enum(['unattested', 'unsigned']).optional().catch(undefined) });

async function showConfirm(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps, kind, reading } = page;
  const opened = await visit(deps, request);
  const review = reviewAddress(page, opened, request);
  const waiting = await reading.chart({ opened, request, reply }, orderOf(request));
  if (waiting !== undefined) return waiting.sent;
  const draft = await openOrder(page, opened, request);
  if ('sent' in draft) return reply.redirect(`${opened.home}/cases/${draft.sent.id}`, 303);
  const going = goingAnswersOf(deps, opened.launch, draft);
  const result = withPayerAnswers(draft, going);
  if (draft.rulesChange !== undefined) return reply.redirect(`${review}?notice=rules`, 303);
  if (result.status !== 'complete' || !isReady(draft)) return reply.redirect(`${review}?notice=incomplete`, 303);
  const { sections } = kindPages[kind];
  const open = gapsOutsideBody(draft, deps.clock());
  const shown = await noteShown(deps, draft, { sections, open, digest: digestOf(result) });
  const { notice } = Query.parse(request.query);
  const view = await confirmViewOf(page, opened, shown, { result, body: result.body, review, notice, going });
  return sendPage(reply, html(ConfirmPage({ view })));
}

/** Sends the request, or submits it for signature. */
async function confirmed(page: ReviewDeps, request: OrderRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const { form, ...opened } = await postedTo(deps, request);
  const { launch, home } = opened;
  const review = reviewAddress(page, opened, request);
  const draft = await openEditable(page, opened, request);
  const asked = confirmedIn(form);
  await assertActs(deps, launch, { action: asked.action, caseId: draft.case.id });
  try {
    const done =
      asked.action === 'ask'
        ? await handOver(page, launch, draft, asked)
        : await sendConfirmed(deps, launch, draft, asked);
    if ('untaken' in done) return reply.redirect(`${review}${backFor[done.untaken]}`, 303);
    if (asked.action === 'ask') return reply.redirect(`${review}/confirm#signature`, 303);
    return reply.redirect(isEditable(done) ? review : `${home}/cases/${done.id}`, 303);
  } catch (thrown) {
    const back = thrown instanceof BridgeError ? shownAgain[thrown.code] : undefined;
    if (back === undefined) throw thrown;
    return reply.redirect(`${review}/confirm${back}`, 303);
  }
}

/** For each refusal, where the person continues, below the review URL. */
const backFor: Readonly<Record<Untaken, string>> = {
  rules: '?notice=rules',
  changed: '?notice=changed',
  unattested: '/confirm?notice=unattested#attestation',
};

// Errors after which the confirmation page is shown again: there a person can accept the other request, or ask for a
// signature.
const shownAgain: Readonly<Partial<Record<ErrorCode, string>>> = {
  case_duplicate: '#duplicates',
  signature_required: '?notice=unsigned#signature',
};

function confirmedIn(form: Form): Confirmed {
  const action = textOf(form, 'action');
  return {
    patient: textOf(form, 'patient'),
    digest: textOf(form, 'digest'),
    rules: textOf(form, 'rules'),
    isAttested: textOf(form, 'attested') !== '',
    duplicates: textOf(form, 'duplicates').split(' '),
    action: action === 'ask' || action === 'sign' ? action : 'send',
  };
}
