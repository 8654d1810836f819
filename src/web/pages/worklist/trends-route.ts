import type { FastifyReply } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import { seesOwnOnly } from '../../http/rights.ts';
import { html } from '../../ui/page.tsx';
import { sendPage } from '../launch/route.ts';
import { TrendsPage } from './trends-page.tsx';
import { type ListRequest, visitStaff, type WorklistDeps } from './worklist-access.ts';

/** The trends of the practice, for users who see all its lines. */
export async function showTrends(
  { deps }: WorklistDeps,
  request: ListRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  if (deps.trends === undefined || seesOwnOnly(visit.staff)) throw new BridgeError('not_found');
  const trends = await deps.trends.of(visit.staff.site);
  return sendPage(reply, html(TrendsPage({ view: { ...visit, trends } })));
}
