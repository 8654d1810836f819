import type { FastifyRequest } from 'fastify';
import { BridgeError } from '../../../core/errors.ts';
import type { StaffSession } from '../../../ehr/smart/types.ts';
import type { WorklistQuery, WorklistViewer } from '../../../store/types.ts';
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

/** As `openStaff`; throws not_found where the site has no worklist. */
export async function visitStaff(deps: Deps, request: StaffRequest): Promise<StaffVisit> {
  const visit = await openStaff(deps, request);
  if (visit.staff.site.worklist.sees === 'nobody') throw new BridgeError('not_found');
  return visit;
}

type StaffRequest = FastifyRequest<{ Params: LaunchParams }>;

/** Who of the staff asks, with or without a chart open. Throws launch_not_found, relaunch_required, staff_only. */
export async function openStaff(deps: Deps, request: StaffRequest): Promise<StaffVisit> {
  request.frameAncestors = allAncestors(deps.config);
  const id = launchIdOf(request);
  const staff = await deps.smart.staff(id, sessionOf(request, id));
  request.frameAncestors = staff.site.frameAncestors;
  request.siteId = staff.site.id;
  return { staff, home: `/app/${staff.id}`, token: formToken(deps.vault, staff.id) };
}

/** What waits for this person's signature: of whom; undefined where the site has no signatures. */
export function signedFor({ site, fhirUser }: StaffSession): WorklistQuery['toSign'] {
  if (site.signature === undefined) return undefined;
  return site.signature.signers.includes(fhirUser) ? 'all' : 'own';
}

export function viewerOf({ fhirUser, patient }: StaffSession): WorklistViewer {
  return { user: fhirUser, ...(patient === undefined ? {} : { patient: `Patient/${patient}` }) };
}
