import { BridgeError } from '../../core/errors.ts';
import { isStaff } from '../../ehr/smart/launch.ts';
import type { Launch, StaffSession } from '../../ehr/smart/types.ts';
import type { WorklistRow, WorklistTable } from '../../store/types.ts';
import { type ActRefusal, refused } from '../pages/launch/words.ts';
import { byLaunch } from './audit-rows.ts';
import type { Deps } from './deps.ts';

/**
 * Who may see lines of the worklist and act on requests. The rights are checked for every request, because the sites
 * file may change.
 */

export function opensWorklist({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): boolean {
  return site.worklist.sees !== 'nobody' && isStaff(fhirUser);
}

/** true for the owner, the prescriber, the assignee, and the user of a launch that has the patient's chart open. */
export function isInvolved(
  worklist: Pick<WorklistTable, 'patientMark'>,
  { site, fhirUser, patient }: StaffSession,
  row: WorklistRow,
): boolean {
  if ([row.owner, row.assigned, row.prescriber].includes(fhirUser)) return true;
  return patient !== undefined && worklist.patientMark(site.id, `Patient/${patient}`) === row.patientMark;
}

export function seesName(worklist: Pick<WorklistTable, 'patientMark'>, staff: StaffSession, row: WorklistRow): boolean {
  return !row.restricted || isInvolved(worklist, staff, row);
}

/**
 * true if the sites file lists this person as a manager. Managers see, assign and close all lines, and send nothing.
 */
export function isManager({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): boolean {
  return fhirUser !== undefined && site.worklist.managers.includes(fhirUser);
}

/** People to whom requests can be assigned. Managers are excluded, because they may not send requests. */
export function assignable<Person extends { readonly fhirUser: string }>(
  site: Launch['site'],
  people: readonly Person[],
): readonly Person[] {
  return people.filter(({ fhirUser }) => !isManager({ site, fhirUser }));
}

/** true if this person sees only the lines in which they are involved. */
export function seesOwnOnly(staff: StaffSession): boolean {
  return staff.site.worklist.sees === 'own' && !isManager(staff);
}

/** What a person may do with one line of the worklist. */
export interface LineRights {
  /** Read the payer's questions and the documents. */
  readonly sees: boolean;
  /** Assign and close the request. */
  readonly assigns: boolean;
  /** Take the request over and work on it. */
  readonly takes: boolean;
}

/** What this person may do with a line, including the rights from a chart that they have open in another window. */
export async function lineRights(
  deps: Deps,
  staff: StaffSession,
  row: WorklistRow,
  patient: string,
): Promise<LineRights> {
  const { worklist } = deps;
  const acts =
    worklist !== undefined &&
    (actsOnLine(worklist, staff, row) || (await deps.smart.hasOpenChart(staff.site.id, patient, staff.fhirUser)));
  return { sees: acts, assigns: acts, takes: acts && !isManager(staff) };
}

/** Whether this person may act on a line, without the rights from charts that they have open in other windows. */
export function actsOnLine(
  worklist: Pick<WorklistTable, 'patientMark'>,
  staff: StaffSession,
  row: WorklistRow,
): boolean {
  if (isInvolved(worklist, staff, row)) return true;
  return (staff.site.worklist.acts === 'staff' || isManager(staff)) && !row.restricted;
}

/**
 * Why the user of a launch may not send, cancel or change requests of the open chart; undefined if they may. The EHR
 * gave an unnamed user access to the chart, so such a user is refused only if the site requires a name.
 */
export function refusalOf({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): ActRefusal | undefined {
  if (fhirUser === undefined) return site.worklist.acts === 'named' ? 'unnamed' : undefined;
  if (isManager({ site, fhirUser })) return 'manager';
  return isStaff(fhirUser) ? undefined : 'not-staff';
}

/** Throws act_refused, and records it, unless the user of the launch may do this action (`send`, `cancel` ...). */
export async function assertActs(
  { audit }: Pick<Deps, 'audit'>,
  launch: Launch,
  { action, caseId }: { readonly action: string; readonly caseId?: string },
): Promise<void> {
  const refusal = refusalOf(launch);
  if (refusal === undefined) return;
  const entry = byLaunch(launch, 'act_refused', { refused: action.slice(0, 20), reason: refusal });
  await audit?.record({ ...entry, outcome: 'failure', ...(caseId === undefined ? {} : { caseId }) });
  const next = refusal === 'manager' ? { next: refused.manager } : {};
  throw new BridgeError('act_refused', caseId === undefined ? {} : { case: caseId }, next);
}
