import type { FastifyReply } from 'fastify';
import type { Case } from '../../../cases/case.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { StaffMember, WorklistRow, WorklistTable } from '../../../store/types.ts';
import { recordByStaff } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { assignable, type LineRights, lineRights, seesName } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { type Form, textOf } from '../../request/form.ts';
import { type CaseRequest, caseFor, postedByStaff, type StaffVisit, type WorklistDeps } from './worklist-access.ts';

export async function actOnCase(
  { deps, worklist }: WorklistDeps,
  request: CaseRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { form, ...visit } = await postedByStaff(deps, request);
  const { row, one } = await caseFor(deps, worklist, visit, request.params.case);
  request.caseId = one.id;
  await act(deps, worklist, visit, { row, one, form });
  const here = `${visit.home}/worklist`;
  return reply.redirect(textOf(form, 'action') === 'seen' ? here : `${here}/${one.id}?saved=1`, 303);
}

interface Acting {
  readonly row: WorklistRow;
  readonly one: Case;
  readonly form: Form;
}

// Everyone who sees a line may leave a note. Other actions need `lineRights`.
async function act(deps: Deps, worklist: WorklistTable, visit: StaffVisit, { row, one, form }: Acting): Promise<void> {
  const { cases } = deps;
  const by = userOf(visit.staff);
  const action = textOf(form, 'action');
  if (action === 'seen') return void (await cases.seeTakeOver(one.id, by));
  const rights = await lineRights(deps, visit.staff, row, one.patient);
  if (!allows(rights, action) && !(action === 'note' && seesName(worklist, visit.staff, row))) {
    const facts = { refused: action.slice(0, 20) };
    await recordByStaff(deps, visit.staff, { action: 'worklist_case_viewed', one, facts, outcome: 'failure' });
    throw new BridgeError('not_yours', { case: one.id });
  }
  if (action === 'note') await cases.addNote(one.id, { text: textOf(form, 'text'), by });
  else if (action === 'take') await cases.takeOver(one.id, by);
  else if (action === 'done') await cases.markDone(one.id, by);
  else if (action === 'assign') await cases.assign(one.id, { by, ...(await assigneeIn(worklist, visit, form, 'to')) });
  else throw new BridgeError('bad_request', { reason: 'unknown action' });
}

function allows({ assigns, takes }: LineRights, action: string): boolean {
  return action === 'take' ? takes : assigns;
}

export interface Assignee {
  readonly to?: StaffMember;
}

/**
 * The assignee that a form names; `to` is undefined for an empty name. Throws bad_request for an unknown person, and
 * for a manager, who may not send requests.
 */
export async function assigneeIn(
  worklist: WorklistTable,
  { staff }: StaffVisit,
  form: Form,
  field: string,
): Promise<Assignee> {
  const chosen = textOf(form, field);
  if (chosen === '') return {};
  const to = assignable(staff.site, await worklist.staff(staff.site.id)).find(({ fhirUser }) => fhirUser === chosen);
  if (to === undefined) throw new BridgeError('bad_request', { fields: [field] });
  return { to };
}
