import { BridgeError } from '../../core/errors.ts';
import { isStaff } from '../../ehr/smart/launch.ts';
import type { Launch, StaffSession } from '../../ehr/smart/types.ts';
import type { WorklistRow, WorklistTable } from '../../store/types.ts';
import { type ActRefusal, refused } from '../pages/launch/words.ts';
import { byLaunch } from './audit-rows.ts';
import type { Deps } from './deps.ts';

/**
 * The rights to see lines of the worklist and to act on requests. Checked for every request, because the sites file may
 * change.
 */

/** Whether the worklist opens for the user of a launch: the user is staff, and the site has a worklist. */
export function opensWorklist({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): boolean {
  return site.worklist.sees !== 'nobody' && isStaff(fhirUser);
}

/** Owner, prescriber, assignee, or the user of a launch that has the patient's chart open. */
export function isInvolved(
  worklist: Pick<WorklistTable, 'patientMark'>,
  { site, fhirUser, patient }: StaffSession,
  row: WorklistRow,
): boolean {
  if ([row.owner, row.assigned, row.prescriber].includes(fhirUser)) return true;
  return patient !== undefined && worklist.patientMark(site.id, `Patient/${patient}`) === row.patientMark;
}

/** Whether this person may see the patient's name. */
export function seesName(worklist: Pick<WorklistTable, 'patientMark'>, staff: StaffSession, row: WorklistRow): boolean {
  return !row.restricted || isInvolved(worklist, staff, row);
}

/** Whether the site's file names this person as a manager: sees, assigns and closes all lines, and sends nothing. */
export function isManager({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): boolean {
  return fhirUser !== undefined && site.worklist.managers.includes(fhirUser);
}

/** To whom requests can be assigned; not to managers, who could not send them. */
export function assignable<Person extends { readonly fhirUser: string }>(
  site: Launch['site'],
  people: readonly Person[],
): readonly Person[] {
  return people.filter(({ fhirUser }) => !isManager({ site, fhirUser }));
}

/** Whether this person sees only the lines that they are involved in. */
export function seesOwnOnly(staff: StaffSession): boolean {
  return staff.site.worklist.sees === 'own' && !isManager(staff);
}

/** What a person may do with one line of the worklist. */
export interface LineRights {
  /** May read the payer's questions and the documents. */
  readonly sees: boolean;
  /** May assign and close it. */
  readonly assigns: boolean;
  /** May take it over and work on it. */
  readonly takes: boolean;
}

/** The rights to a line; a launch of the patient's chart that the user has open in another window counts too. */
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

/** Whether this person may act on a line, whatever charts they have open elsewhere. */
export function actsOnLine(
  worklist: Pick<WorklistTable, 'patientMark'>,
  staff: StaffSession,
  row: WorklistRow,
): boolean {
  if (isInvolved(worklist, staff, row)) return true;
  return (staff.site.worklist.acts === 'staff' || isManager(staff)) && !row.restricted;
}

/**
 * Why the user of a launch may not send, cancel or change requests of the open chart: the EHR says that they are not
 * staff, or does not name them; or the site's file says that they are managers. undefined when they may. The EHR let an
 * unnamed user into the chart, so a site has to require a name.
 */
export function refusalOf({ site, fhirUser }: Pick<Launch, 'site' | 'fhirUser'>): ActRefusal | undefined {
  if (fhirUser === undefined) return site.worklist.acts === 'named' ? 'unnamed' : undefined;
  if (isManager({ site, fhirUser })) return 'manager';
  return isStaff(fhirUser) ? undefined : 'not-staff';
}

/** Throws act_refused, audited, unless the user of the launch may do this (`send`, `cancel` ...). */
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
