import { isStaff } from '../smart/launch.ts';
import type { Launch, StaffSession } from '../smart/types.ts';
import type { WorklistRow, WorklistTable } from '../store/types.ts';
import type { Deps } from './deps.ts';

/** Who sees lines of the worklist and acts on requests: asked anew at every request; the site's file may change it. */

/** Whether the worklist opens for the user of a launch: they are of the staff, and their site has one. */
export function seesWorklist(
  { worklist }: Pick<Deps, 'worklist'>,
  { site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>,
): boolean {
  return worklist !== undefined && site.worklist.sees !== 'nobody' && isStaff(fhirUser);
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
