import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Case, isEditable } from '../../../cases/case.ts';
import type { Signable } from '../../../cases/sign.ts';
import { maySign } from '../../../cases/signature.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { WorklistTable } from '../../../store/types.ts';
import { recordByStaff } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { isInvolved, lineRights, seesOwnOnly } from '../../http/rights.ts';
import { checkForm } from '../../http/session.ts';
import { userOf } from '../../http/user.ts';
import { Form, textOf } from '../../request/form.ts';
import { html } from '../../ui/page.tsx';
import { placeOf } from '../case/case-place.ts';
import { type LaunchParams, sendPage } from '../launch/route.ts';
import { openStaff, type StaffVisit, signedFor, viewerOf } from '../worklist/worklist-access.ts';
import { SignPage } from './page.tsx';
import { replyToSign, type SignNotice, type ToSign } from './view.ts';

interface SignParams extends LaunchParams {
  readonly case: string;
}
type SignRequest = FastifyRequest<{ Params: SignParams }>;

interface SignDeps {
  readonly deps: Deps;
  readonly worklist: WorklistTable;
}

/**
 * Registers the page on which the prescriber, or another signer that the site lists, signs or returns a request. It
 * needs no open chart.
 */
export function registerSign(app: FastifyInstance, deps: Deps): void {
  const { worklist } = deps;
  if (worklist === undefined) return;
  const page: SignDeps = { deps, worklist };
  const path = '/app/:launch/sign/:case';
  app.get<{ Params: SignParams }>(path, (request, reply) => show(page, request, reply));
  app.post<{ Params: SignParams }>(path, (request, reply) => act(page, request, reply));
}

const Query = z.object({
  notice: z
    .enum(['signed', 'returned', 'stale'] satisfies SignNotice[])
    .optional()
    .catch(undefined),
});

async function show(page: SignDeps, request: SignRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const visit = await openStaff(deps, request);
  const { one, signs } = await caseFor(page, visit, request);
  const what = await toSign(deps, one);
  const isChartOpen = one.patient === `Patient/${visit.staff.patient}`;
  const instead = isChartOpen ? `${visit.home}/${placeOf(one)}` : `${visit.home}/worklist/${one.id}`;
  if (what === undefined) return reply.redirect(instead, 303);
  await recordByStaff(deps, visit.staff, { action: 'signature_viewed', one });
  const { notice } = Query.parse(request.query);
  const next = notice === 'signed' || notice === 'returned' ? await nextFor(page, visit, one) : undefined;
  const view = { ...visit, one, what, signs, notice, next, request: isChartOpen ? instead : undefined };
  return sendPage(reply, html(SignPage({ view })));
}

async function act(page: SignDeps, request: SignRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { deps } = page;
  const form = Form.safeParse(request.body ?? {});
  const visit = await openStaff(deps, request);
  if (!form.success) throw new BridgeError('bad_request');
  checkForm(deps, request, visit.staff.id, textOf(form.data, 'token'));
  const { one, signs } = await caseFor(page, visit, request);
  if (!signs) {
    const facts = { refused: 'sign', reason: 'no-signer' };
    await recordByStaff(deps, visit.staff, { action: 'act_refused', one, facts, outcome: 'failure' });
    throw new BridgeError('sign_refused', { case: one.id });
  }
  const here = `${visit.home}/sign/${one.id}`;
  return reply.redirect(`${here}?notice=${await signed(deps, visit, one, form.data)}`, 303);
}

/** Signs or returns the content; `stale` if the content has changed since the person saw it. */
async function signed({ cases }: Deps, { staff }: StaffVisit, one: Case, form: Form): Promise<SignNotice> {
  const key = textOf(form, 'reply');
  const what: Signable = key === '' ? { digest: textOf(form, 'digest') } : { reply: key };
  const by = userOf(staff);
  try {
    if (textOf(form, 'action') === 'return') {
      await cases.returnUnsigned(one.id, what, { note: textOf(form, 'note'), by });
      return 'returned';
    }
    if (textOf(form, 'action') !== 'sign') throw new BridgeError('bad_request', { reason: 'unknown action' });
    await cases.sign(one.id, what, by);
    return 'signed';
  } catch (thrown) {
    if (thrown instanceof BridgeError && thrown.code === 'signature_changed') return 'stale';
    throw thrown;
  }
}

/**
 * The case, for a person who may sign it or see its line. Throws case_not_found, or sign_refused with an explanation.
 */
async function caseFor(
  { deps, worklist }: SignDeps,
  { staff }: StaffVisit,
  request: SignRequest,
): Promise<{ readonly one: Case; readonly signs: boolean }> {
  const id = z.uuid().safeParse(request.params.case);
  const row = id.success ? await worklist.find(id.data) : undefined;
  if (row === undefined || row.site !== staff.site.id || staff.site.signature === undefined)
    throw new BridgeError('case_not_found');
  const one = await deps.cases.get(row.case);
  request.caseId = one.id;
  if (maySign(staff.site, one, userOf(staff))) return { one, signs: true };
  if (seesOwnOnly(staff) && !isInvolved(worklist, staff, row)) throw new BridgeError('case_not_found');
  if (!(await lineRights(deps, staff, row, one.patient)).sees) throw new BridgeError('sign_refused', { case: one.id });
  return { one, signs: false };
}

/** The content that was last submitted for signature; undefined if there is none. */
async function toSign({ cases }: Deps, one: Case): Promise<ToSign | undefined> {
  const { signature } = one;
  if (isEditable(one)) {
    const shown = signature === undefined ? undefined : await cases.shownToSign(one.id, signature.digest);
    return signature === undefined || shown === undefined ? undefined : { is: 'draft', signature, shown };
  }
  const found = replyToSign(one);
  if (found === undefined) return undefined;
  // The first document is the text of the reply itself.
  const [, ...documents] = (await cases.replyContent(one.id, found.reply.key)) ?? [];
  return { is: 'reply', ...found, documents };
}

async function nextFor({ worklist }: SignDeps, { staff }: StaffVisit, one: Case): Promise<string | undefined> {
  const query = { site: staff.site.id, viewer: viewerOf(staff), toSign: signedFor(staff), limit: 2 };
  const { rows } = await worklist.page(query);
  return rows.find((row) => row.case !== one.id)?.case;
}
