import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type Case, lacksOrder } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import { todayAt } from '../../../core/fhir/time/today.ts';
import { recordByStaff } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { lineRights, seesName } from '../../http/rights.ts';
import { sendCaseFile } from '../../http/send-file.ts';
import { launchesIn, sessionOf } from '../../http/session.ts';
import { html } from '../../ui/page.tsx';
import { type CaseFileName, caseFile, caseFilesOf } from '../case/case-files.ts';
import { placeFor, placeOf } from '../case/case-place.ts';
import { followOf } from '../case/follow-links.tsx';
import { sendPage } from '../launch/route.ts';
import { type CaseRequest, caseFor, type StaffVisit, visitStaff, type WorklistDeps } from './worklist-access.ts';
import { WorklistCasePage } from './worklist-case.tsx';

export async function showCase(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const { row, one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  const chart = await chartOf(deps, request, visit, one);
  const isSaved = Saved.safeParse(request.query).success;
  // A note goes to the notes of the case page; anything else goes to where the case is worked on. A draft without an
  // active order has no page in the chart.
  if (chart !== undefined && !lacksOrder(one))
    return reply.redirect(`${chart}/${isSaved ? `${placeOf(one)}#notes` : placeFor(one, visit.staff)}`, 303);
  const acts = await lineRights(deps, visit.staff, row, one.patient);
  const open = seesName(worklist, visit.staff, row) || acts.sees;
  await recordByStaff(deps, visit.staff, {
    action: 'worklist_case_viewed',
    one,
    facts: open ? {} : { restricted: true },
  });
  const view = {
    ...visit,
    row,
    now: deps.clock(),
    today: todayAt(deps.clock(), visit.staff.site.timeZone).day,
    ...(open ? { one, staffList: await worklist.staff(visit.staff.site.id) } : {}),
    ...(open ? { follow: await followOf(deps, one, ({ id }) => `${visit.home}/worklist/${id}`) } : {}),
    acts,
    files: acts.sees ? await caseFilesOf(deps, one) : [],
    questions: deps.mappings.questions,
    isSaved,
  };
  return sendPage(reply, html(WorklistCasePage({ view })));
}

/**
 * Redirects from a denied line to its next request. If that request is open already, to its line; otherwise to the page
 * of the open chart that begins it. Without an open chart, to the denied line itself, which explains how to open the
 * chart.
 */
export async function startAgain(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const { row, one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  if (row.next !== undefined) return reply.redirect(`${visit.home}/worklist/${row.next}`, 303);
  const chart = await chartOf(deps, request, visit, one);
  const to = chart === undefined ? `${visit.home}/worklist/${one.id}` : `${chart}/cases/${one.id}/again`;
  return reply.redirect(to, 303);
}

export async function sendCaseDocument(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
  name: CaseFileName,
): Promise<FastifyReply> {
  const visit = await visitStaff(deps, request);
  const { row, one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  const { sees } = await lineRights(deps, visit.staff, row, one.patient);
  if (!sees) {
    await recordByStaff(deps, visit.staff, {
      action: 'letter_downloaded',
      one,
      facts: { refused: name },
      outcome: 'failure',
    });
    throw new BridgeError('not_yours', { case: one.id });
  }
  const file = await caseFile(deps, one, visit.staff.site, name);
  await recordByStaff(deps, visit.staff, { action: 'letter_downloaded', one, facts: { file: name } });
  return sendCaseFile(reply, file);
}

/**
 * The path (`/app/<launch>`) under which this person has the patient's chart open in this browser; undefined if it is
 * not open.
 */
async function chartOf(deps: Deps, request: CaseRequest, visit: StaffVisit, one: Case): Promise<string | undefined> {
  if (visit.staff.patient !== undefined && one.patient === `Patient/${visit.staff.patient}`) return visit.home;
  const chart = await openChartOf(deps, request, visit, one);
  return chart === undefined ? undefined : `/app/${chart}`;
}

/**
 * The id of a launch of this browser in which the same person has the patient's chart open; undefined if there is none.
 */
async function openChartOf(
  { smart }: Deps,
  request: CaseRequest,
  { staff }: StaffVisit,
  { patient }: Case,
): Promise<string | undefined> {
  for (const id of await smart.own(launchesIn(request))) {
    const other = await smart.staff(id, sessionOf(request, id)).catch(() => undefined);
    const isSame = other?.site.id === staff.site.id && other.fhirUser === staff.fhirUser;
    if (isSame && `Patient/${other.patient}` === patient) return id;
  }
  return undefined;
}

const Saved = z.object({ saved: z.literal('1') });
