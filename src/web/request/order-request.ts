import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { CaseKind, Sent } from '../../cases/case.ts';
import { BridgeError } from '../../core/errors.ts';
import type { Pulls } from '../http/chart-reading.ts';
import type { Deps } from '../http/deps.ts';
import { reviewPlace } from '../pages/case/case-place.ts';
import type { LaunchParams, Visit } from '../pages/launch/route.ts';
import type { Draft } from './draft.ts';
import { openDraft } from './open-draft.ts';

export interface OrderParams extends LaunchParams {
  readonly order: string;
}

export type OrderRequest<Params extends OrderParams = OrderParams> = FastifyRequest<{ Params: Params }>;

type NamesOrder = Pick<OrderRequest, 'params' | 'caseId'>;

/** What the handlers of one order's pages need. */
export interface OrderDeps {
  readonly deps: Deps;
  readonly pulls: Pulls;
  readonly kind: CaseKind;
}

const OrderId = z.string().regex(/^[A-Za-z0-9.-]{1,64}$/);

/** The id of the MedicationRequest in the URL path. Throws not_found for a malformed id. */
export function orderOf({ params }: Pick<NamesOrder, 'params'>): string {
  const order = OrderId.safeParse(params.order);
  if (!order.success) throw new BridgeError('not_found');
  return order.data;
}

/** The draft of the order that the URL path names. Its case is set on the request, so that the audit trail has it. */
export async function openOrder(
  { deps, pulls, kind }: OrderDeps,
  { launch }: Pick<Visit, 'launch'>,
  request: NamesOrder,
  { anew = false }: { readonly anew?: boolean } = {},
): Promise<Draft | { readonly sent: Sent }> {
  const opened = await openDraft(deps, pulls, { launch, order: orderOf(request), kind, anew });
  if (!('sent' in opened)) request.caseId = opened.case.id;
  return opened;
}

/** `openOrder` for pages that need a draft; throws case_already_sent. */
export async function openEditable(
  page: OrderDeps,
  opened: Pick<Visit, 'launch'>,
  request: NamesOrder,
): Promise<Draft> {
  const draft = await openOrder(page, opened, request);
  if ('sent' in draft) throw new BridgeError('case_already_sent', { case: draft.sent.id });
  return draft;
}

/** Throws case_changed if the form belongs to another patient. `mark` is the patient mark in the form. */
export function checkPatient({ cases }: Pick<Deps, 'cases'>, mark: string | undefined, { case: one }: Draft): void {
  if (mark !== cases.patientMark(one.site, one.patient)) throw new BridgeError('case_changed');
}

export function reviewOf({ home }: Pick<Visit, 'home'>, { case: one }: Pick<Draft, 'case'>): string {
  return `${home}/${reviewPlace(one)}`;
}

export function besideReview<V extends Visit>({ cases }: Pick<Deps, 'cases'>, opened: V, draft: Draft) {
  const { site, patient } = draft.case;
  return { ...opened, draft, review: reviewOf(opened, draft), patientMark: cases.patientMark(site, patient) };
}
