import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BridgeError } from '../errors.ts';
import type { StaffSession } from '../smart/types.ts';
import type { WorklistRow, WorklistTable, WorklistViewer } from '../store/types.ts';
import type { Deps } from './deps.ts';
import type { LaunchParams } from './launch.ts';
import { allAncestors } from './security.ts';
import { formToken, sessionOf } from './session.ts';

/** Who sees lines of the worklist and acts on them: asked anew at every request; the site's file may change it. */

/** A request of a signed-in member of staff. */
export interface StaffVisit {
  readonly staff: StaffSession;
  /** `/app/<launch>` */
  readonly home: string;
  readonly token: string;
}

/** Throws launch_not_found, relaunch_required, staff_only, and not_found where the site has no worklist. */
export async function visitStaff(deps: Deps, request: FastifyRequest<{ Params: LaunchParams }>): Promise<StaffVisit> {
  request.frameAncestors = allAncestors(deps.config);
  const id = z
    .string()
    .regex(/^[\w-]{16,64}$/)
    .safeParse(request.params.launch);
  if (!id.success) throw new BridgeError('launch_not_found');
  const staff = await deps.smart.staff(id.data, sessionOf(request, id.data));
  request.frameAncestors = staff.site.frameAncestors;
  request.siteId = staff.site.id;
  if (staff.site.worklist.sees === 'nobody') throw new BridgeError('not_found');
  return { staff, home: `/app/${staff.id}`, token: formToken(deps.vault, staff.id) };
}

export function viewerOf({ fhirUser, patient }: StaffSession): WorklistViewer {
  return { user: fhirUser, ...(patient === undefined ? {} : { patient: `Patient/${patient}` }) };
}

/** Owner, prescriber, assignee, or this launch has the patient's chart open. */
export function isInvolved(
  worklist: Pick<WorklistTable, 'patientMark'>,
  { site, fhirUser, patient }: StaffSession,
  row: WorklistRow,
): boolean {
  if ([row.owner, row.assigned, row.prescriber].includes(fhirUser)) return true;
  return patient !== undefined && worklist.patientMark(site.id, `Patient/${patient}`) === row.patientMark;
}

/** Whether the name of the patient is for this person. */
export function seesName(worklist: Pick<WorklistTable, 'patientMark'>, staff: StaffSession, row: WorklistRow): boolean {
  return !row.restricted || isInvolved(worklist, staff, row);
}

/** Also with a launch of the patient's chart that is open in another window. */
export async function mayAct(deps: Deps, staff: StaffSession, row: WorklistRow, patient: string): Promise<boolean> {
  const { worklist } = deps;
  if (worklist === undefined) return false;
  if (isInvolved(worklist, staff, row)) return true;
  if (await deps.smart.hasOpenChart(staff.site.id, patient, staff.fhirUser)) return true;
  return staff.site.worklist.acts === 'staff' && !row.restricted;
}
