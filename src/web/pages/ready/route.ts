import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Case, isEditable } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import { recordByStaff } from '../../http/audit-rows.ts';
import type { Pulls } from '../../http/chart-reading.ts';
import type { Deps } from '../../http/deps.ts';
import { assertActs } from '../../http/rights.ts';
import { checkForm } from '../../http/session.ts';
import { Form, textOf, textsOf } from '../../request/form.ts';
import { html } from '../../ui/page.tsx';
import { sendConfirmed } from '../confirm/submission.ts';
import type { ConfirmView } from '../confirm/view.ts';
import { type LaunchParams, sendPage } from '../launch/route.ts';
import { openStaff } from '../worklist/worklist-access.ts';
import { type OpenDrafts, openDrafts } from './drafts.ts';
import { ReadyPage } from './page.tsx';
import { type WhyLeft, ready as words } from './words.ts';

type ReadyRequest = FastifyRequest<{ Params: LaunchParams }>;

/** Registers the page on which several drafts are sent together. Each draft is read and checked separately. */
export function registerReady(app: FastifyInstance, deps: Deps, pulls: Pulls): void {
  const path = '/app/:launch/ready';
  app.get<{ Params: LaunchParams }>(path, (request, reply) => show(deps, pulls, request, reply));
  app.post<{ Params: LaunchParams }>(path, (request, reply) => sendChecked(deps, pulls, request, reply));
}

const some = <Item extends z.ZodType>(item: Item) =>
  z.union([item.transform((one) => [one]), z.array(item).max(100)]).catch([]);
const lefts = Object.keys(words.left) as [WhyLeft, ...WhyLeft[]];

/**
 * The results of the last action: ids of cases that were sent, and ids of other cases with the reason (`<id>.changed`).
 */
const Done = z.object({
  sent: some(z.uuid()),
  left: some(
    z.string().transform((text, context) => {
      const [id, why] = text.split('.');
      const read = z.object({ id: z.uuid(), why: z.enum(lefts) }).safeParse({ id, why });
      if (read.success) return read.data;
      context.addIssue('not a reason');
      return z.NEVER;
    }),
  ),
  notice: z.enum(['unattested', 'none']).optional().catch(undefined),
});

async function show(deps: Deps, pulls: Pulls, request: ReadyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const visit = await openStaff(deps, request);
  const drafts = await openDrafts(deps, pulls, request, visit.staff);
  const { sent, left, notice } = Done.parse(request.query);
  const done = [
    ...(await theirs(deps, drafts, sent)).map((one) => ({ one, why: undefined })),
    ...(
      await theirs(
        deps,
        drafts,
        left.map(({ id }) => id),
      )
    ).map((one) => ({ one, why: left.find(({ id }) => id === one.id)?.why })),
  ];
  // The audit rows are written first; if one cannot be written, nothing is shown.
  const shown = [
    ...drafts.ready.map(({ draft }) => draft.case),
    ...drafts.others.map(({ one }) => one),
    ...drafts.sent,
  ];
  for (const one of shown)
    await recordByStaff(deps, visit.staff, { action: 'page_viewed', one, facts: { page: '/app/:launch/ready' } });
  return sendPage(reply, html(ReadyPage({ view: { ...visit, ...drafts, done, notice } })));
}

/** The cases with these ids, limited to patients whose chart is open. */
async function theirs({ cases }: Deps, { charts }: OpenDrafts, ids: readonly string[]): Promise<Case[]> {
  const patients = new Set(charts.map(({ patient }) => `Patient/${patient}`));
  const found = await Promise.all(ids.map((id) => cases.get(id).catch(() => undefined)));
  const site = charts[0]?.site.id;
  return found.filter((one) => one !== undefined).filter((one) => one.site === site && patients.has(one.patient));
}

async function sendChecked(
  deps: Deps,
  pulls: Pulls,
  request: ReadyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const form = Form.safeParse(request.body ?? {});
  const { staff, home } = await openStaff(deps, request);
  if (!form.success) throw new BridgeError('bad_request');
  checkForm(deps, request, staff.id, textOf(form.data, 'token'));
  const here = `${home}/ready`;
  const checked = [...new Set(textsOf(form.data, 'send'))];
  if (checked.length === 0) return reply.redirect(`${here}?notice=none`, 303);
  if (staff.site.attestation !== undefined && textOf(form.data, 'attested') === '')
    return reply.redirect(`${here}?notice=unattested`, 303);
  const { ready } = await openDrafts(deps, pulls, request, staff);
  const done = new URLSearchParams();
  // One after the other, because each request is checked against the patient's requests, which the previous one
  // changed.
  for (const id of checked) {
    const view = ready.find(({ draft }) => draft.case.id === id);
    const why = view === undefined ? 'gone' : await sendOne(deps, view, form.data);
    if (why === undefined) done.append('sent', id);
    else done.append('left', `${id}.${why}`);
  }
  return reply.redirect(`${here}?${done}`, 303);
}

/** Why the draft was not sent; undefined if it was. */
async function sendOne(deps: Deps, { launch, draft }: ConfirmView, form: Form): Promise<WhyLeft | undefined> {
  const { id } = draft.case;
  const field = (name: string) => textOf(form, `${name}.${id}`);
  await assertActs(deps, launch, { action: 'send', caseId: id });
  try {
    const sent = await sendConfirmed(deps, launch, draft, {
      patient: field('patient'),
      digest: field('digest'),
      rules: field('rules'),
      isAttested: textOf(form, 'attested') !== '',
      duplicates: [],
      action: field('action') === 'sign' ? 'sign' : 'send',
    });
    if ('untaken' in sent) return sent.untaken === 'rules' ? 'rules' : 'changed';
    return isEditable(sent) || sent.state === 'unknown' ? 'not_sent' : undefined;
  } catch (thrown) {
    const code = thrown instanceof BridgeError ? thrown.code : undefined;
    if (code === 'signature_required' || code === 'case_duplicate') return code;
    if (code === 'case_already_sent') return 'gone';
    if (code === 'case_changed' || code === 'case_not_ready') return 'changed';
    throw thrown;
  }
}
