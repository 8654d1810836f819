import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Case } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import { todayAt } from '../../../core/fhir/time/today.ts';
import type { StaffSession } from '../../../ehr/smart/types.ts';
import type { WorklistQuery, WorklistRow, WorklistTable, WorklistViewer } from '../../../store/types.ts';
import type { Deps } from '../../http/deps.ts';
import { isInvolved, seesOwnOnly } from '../../http/rights.ts';
import { allAncestors } from '../../http/security.ts';
import { checkForm, formToken, sessionOf } from '../../http/session.ts';
import { Form, textOf } from '../../request/form.ts';
import { type LaunchParams, launchIdOf } from '../launch/route.ts';
import { renewalTerms } from './renewal-terms.ts';

export interface WorklistDeps {
  readonly deps: Deps;
  readonly worklist: WorklistTable;
}

export interface CaseParams extends LaunchParams {
  readonly case: string;
}

export type ListRequest = FastifyRequest<{ Params: LaunchParams }>;
export type CaseRequest = FastifyRequest<{ Params: CaseParams }>;

/** A request by a signed-in member of staff. */
export interface StaffVisit {
  readonly staff: StaffSession;
  /** `/app/<launch>` */
  readonly home: string;
  readonly token: string;
}

/**
 * Opens the session of a member of staff for the worklist. Throws launch_not_found, relaunch_required, staff_only, and
 * not_found if the site has no worklist.
 */
export async function visitStaff(deps: Deps, request: ListRequest): Promise<StaffVisit> {
  const visit = await openStaff(deps, request);
  if (visit.staff.site.worklist.sees === 'nobody') throw new BridgeError('not_found');
  return visit;
}

/**
 * Opens the session of a member of staff, with or without an open chart. Throws launch_not_found, relaunch_required,
 * staff_only.
 */
export async function openStaff(deps: Deps, request: ListRequest): Promise<StaffVisit> {
  request.frameAncestors = allAncestors(deps.config);
  const id = launchIdOf(request);
  const staff = await deps.smart.staff(id, sessionOf(request, id));
  request.frameAncestors = staff.site.frameAncestors;
  request.siteId = staff.site.id;
  return { staff, home: `/app/${staff.id}`, token: formToken(deps.vault, staff.id) };
}

/** Whose requests this person may sign; undefined if the site has no signatures. */
export function signedFor({ site, fhirUser }: StaffSession): WorklistQuery['toSign'] {
  if (site.signature === undefined) return undefined;
  return site.signature.signers.includes(fhirUser) ? 'all' : 'own';
}

export function viewerOf({ fhirUser, patient }: StaffSession): WorklistViewer {
  return { user: fhirUser, ...(patient === undefined ? {} : { patient: `Patient/${patient}` }) };
}

export async function postedByStaff(deps: Deps, request: ListRequest): Promise<StaffVisit & { readonly form: Form }> {
  const form = Form.safeParse(request.body ?? {});
  const visit = await visitStaff(deps, request);
  if (!form.success) throw new BridgeError('bad_request');
  checkForm(deps, request, visit.staff.id, textOf(form.data, 'token'));
  return { ...visit, form: form.data };
}

/** Throws case_not_found for a case of another site, or a case that this person may not see. */
export async function caseFor(
  deps: Deps,
  worklist: WorklistTable,
  { staff }: StaffVisit,
  id: string,
): Promise<{ readonly row: WorklistRow; readonly one: Case }> {
  const known = z.uuid().safeParse(id);
  const { site } = staff;
  const renewals = renewalTerms(site, todayAt(deps.clock(), site.timeZone).day);
  const row = known.success ? await worklist.find(known.data, renewals) : undefined;
  if (row === undefined || row.site !== staff.site.id) throw new BridgeError('case_not_found');
  if (seesOwnOnly(staff) && !isInvolved(worklist, staff, row)) throw new BridgeError('case_not_found');
  return { row, one: await deps.cases.get(row.case) };
}
