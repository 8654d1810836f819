import { BridgeError } from '../../core/errors.ts';
import { isStaff } from '../../ehr/smart/launch.ts';
import type { Launch, StaffSession } from '../../ehr/smart/types.ts';
import type { WorklistRow, WorklistTable } from '../../store/types.ts';
import type { Refusal } from '../pages/launch/words.ts';
import { byLaunch } from './audit-rows.ts';
import type { Deps } from './deps.ts';

/** Who sees lines of the worklist and acts on requests: asked anew at every request; the site's file may change it. */

/** Whether the worklist opens for the user of a launch: they are of the staff, and their site has one. */
export function opensWorklist({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): boolean {
  return site.worklist.sees !== 'nobody' && isStaff(fhirUser);
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

/**
 * Why the user of a launch does not send, cancel and change requests of the chart that it has open: the EHR says that
 * they are no staff, or does not say who they are. undefined when they do. Who is not named was let into the chart by
 * the EHR all the same: the site's file may ask for a name.
 */
export function refusalOf({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): Refusal | undefined {
  if (fhirUser === undefined) return site.worklist.acts === 'named' ? 'unnamed' : undefined;
  return isStaff(fhirUser) ? undefined : 'not-staff';
}

/** Throws act_refused, audited, unless the user of the launch may do this (`send`, `cancel` ...) to the request. */
export async function assertActs(
  { audit }: Pick<Deps, 'audit'>,
  launch: Launch,
  { action, caseId }: { readonly action: string; readonly caseId?: string },
): Promise<void> {
  const refusal = refusalOf(launch);
  if (refusal === undefined) return;
  const entry = byLaunch(launch, 'act_refused', { refused: action.slice(0, 20), reason: refusal });
  await audit?.record({ ...entry, outcome: 'failure', ...(caseId === undefined ? {} : { caseId }) });
  throw new BridgeError('act_refused', caseId === undefined ? {} : { case: caseId });
}
