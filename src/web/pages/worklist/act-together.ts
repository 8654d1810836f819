import { lacksOrder } from '../../../cases/case.ts';
import type { WorklistTable } from '../../../store/types.ts';
import { recordByStaff } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { lineRights } from '../../http/rights.ts';
import { userOf } from '../../http/user.ts';
import { type Form, textsOf } from '../../request/form.ts';
import { type Assignee, assigneeIn } from './case-acts.ts';
import { caseFor, type StaffVisit } from './worklist-access.ts';

const mostTogether = 100;

/** Assigns or closes the checked lines on which this person may act. Counts the lines that it skipped. */
export async function actTogether(
  deps: Deps,
  worklist: WorklistTable,
  visit: StaffVisit,
  form: Form,
): Promise<{ readonly did: 'assign' | 'close'; readonly done: number; readonly left: number; readonly to?: string }> {
  const did = 'assign' in form ? 'assign' : 'close';
  const ids = [...new Set(textsOf(form, 'case'))].slice(0, mostTogether);
  const by = userOf(visit.staff);
  const assignee: Assignee = did === 'assign' ? await assigneeIn(worklist, visit, form, 'assign') : {};
  let done = 0;
  for (const id of ids) {
    const { row, one } = await caseFor(deps, worklist, visit, id);
    const { assigns } = await lineRights(deps, visit.staff, row, one.patient);
    if (!assigns) {
      const facts = { refused: did };
      await recordByStaff(deps, visit.staff, { action: 'worklist_case_viewed', one, facts, outcome: 'failure' });
      continue;
    }
    if (did === 'close' && one.state !== 'ended' && !lacksOrder(one)) continue;
    if (did === 'assign') await deps.cases.assign(id, { by, ...assignee });
    else await deps.cases.markDone(id, by);
    done += 1;
  }
  const to = assignee.to?.fhirUser;
  return { did, done, left: ids.length - done, ...(to === undefined ? {} : { to }) };
}
