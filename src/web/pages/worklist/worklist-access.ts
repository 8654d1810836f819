import type { FastifyRequest } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import type { StaffSession } from '../../../ehr/smart/types.ts';
import type { WorklistViewer } from '../../../store/types.ts';
import type { Deps } from '../../http/deps.ts';
import { allAncestors } from '../../http/security.ts';
import { formToken, sessionOf } from '../../http/session.ts';
import { type LaunchParams, launchIdOf } from '../launch/route.ts';

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
  const id = launchIdOf(request);
  const staff = await deps.smart.staff(id, sessionOf(request, id));
  request.frameAncestors = staff.site.frameAncestors;
  request.siteId = staff.site.id;
  if (staff.site.worklist.sees === 'nobody') throw new BridgeError('not_found');
  return { staff, home: `/app/${staff.id}`, token: formToken(deps.vault, staff.id) };
}

export function viewerOf({ fhirUser, patient }: StaffSession): WorklistViewer {
  return { user: fhirUser, ...(patient === undefined ? {} : { patient: `Patient/${patient}` }) };
}
