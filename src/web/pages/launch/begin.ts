import type { Identifier, MedicationRequest, Reference, Task } from 'fhir/r4.js';
import type { CaseKind, ListedCase } from '../../../cases/case.ts';
import { isOffered } from '../../../cases/offered.ts';
import { kinds } from '../../../core/contract/kinds.ts';
import { BridgeError } from '../../../core/errors.ts';
import type { FhirApi } from '../../../core/fhir/api.ts';
import type { NamedTask } from '../../../ehr/smart/fhir-context.ts';
import type { Launch } from '../../../ehr/smart/types.ts';
import { byLaunch } from '../../http/audit-rows.ts';
import type { Deps } from '../../http/deps.ts';
import { opensWorklist } from '../../http/rights.ts';
import { placeFor, placeOf, reviewPlace } from '../case/case-place.ts';
import type { Unopened } from './words.ts';

type Begins = Pick<Deps, 'audit' | 'cases' | 'smart'>;

/**
 * Where a launch begins, below `/app/<launch>`: the page that its `intent` names, else the case of the Task in the
 * launch context, else the order in the context, else the patient's orders. Only the patient's own chart and cases are
 * searched. If something was not found, the orders page says so. Throws the errors of an unavailable EHR.
 */
export async function beginOf(deps: Begins, launch: Launch): Promise<string> {
  const { intent, orders, tasks = [] } = launch;
  if (intent === 'worklist' && opensWorklist(launch)) return 'worklist';
  if (intent === 'orders') return 'orders';
  const kind = kindOf(intent, launch);
  const cases = await deps.cases.forPatient(launch.site.id, `Patient/${launch.patient}`);
  const ofTask = tasks.length === 0 ? undefined : await caseOfTasks(deps, launch, tasks, cases);
  if (typeof ofTask === 'object') return placeFor(ofTask, launch);
  // The launch context may have a Task of another system, and the order that the Task is about.
  if (ofTask !== undefined && (ofTask === 'task-elsewhere' || orders.length === 0)) return ordersWith(ofTask);
  const order = orders.length > 1 ? await firstReadable(deps, launch, orders) : orders[0];
  if (order !== undefined) return orderPlace(order, kind, cases, launch);
  return orders.length === 0 ? 'orders' : ordersWith('order-unknown');
}

/**
 * Where a person continues after opening a case's chart in the EHR: at the case, unless the chart belongs to another
 * patient.
 */
export async function backTo({ cases }: Pick<Deps, 'cases'>, launch: Launch, id: string): Promise<string> {
  const owner = { site: launch.site.id, patient: `Patient/${launch.patient}` };
  try {
    return placeFor(await cases.get(id, owner), launch);
  } catch (thrown) {
    if (thrown instanceof BridgeError && thrown.code === 'case_not_found') return ordersWith('case-elsewhere');
    throw thrown;
  }
}

function ordersWith(what: Unopened): string {
  return `orders?${new URLSearchParams({ unopened: what })}`;
}

// A prior authorization, unless the launch names another kind that the site offers.
function kindOf(intent: string | undefined, { site }: Launch): CaseKind {
  const named = kinds.find((kind) => kind === intent);
  return named !== undefined && isOffered(named, site) ? named : 'prior-auth';
}

function orderPlace(order: string, kind: CaseKind, cases: readonly ListedCase[], launch: Launch): string {
  const requests = cases.filter((one) => one.order === order && one.kind === kind);
  const live = requests.find((one) => one.state === 'draft' || one.state === 'refused');
  if (live !== undefined) return placeFor(live, launch);
  // A person who returns after the outcome wants to see the outcome. The case page shows it and offers a new request.
  const finished = requests.some((one) => one.state !== 'ended') ? undefined : requests[0];
  if (finished !== undefined) return placeOf(finished);
  return reviewPlace({ kind, order });
}

async function firstReadable(
  { smart }: Begins,
  launch: Launch,
  orders: readonly string[],
): Promise<string | undefined> {
  const api = smart.api(launch);
  for (const order of orders) {
    const found = await orderAt(api, order);
    if (found !== undefined && isOf(api, found.subject, launch.patient)) return order;
  }
  return undefined;
}

async function caseOfTasks(
  deps: Begins,
  launch: Launch,
  tasks: readonly NamedTask[],
  cases: readonly ListedCase[],
): Promise<ListedCase | 'task-unknown' | 'task-unread' | 'task-elsewhere'> {
  const known = tasks.flatMap((task) => writtenAs(task, cases) ?? [])[0];
  if (known !== undefined) return known;
  const api = deps.smart.api(launch);
  let isUnread = false;
  for (const task of tasks) {
    const found = 'reference' in task ? await taskAt(api, task.reference) : undefined;
    isUnread ||= found === 'unread';
    if (found === undefined || found === 'unread') continue;
    if (!isOf(api, found.for, launch.patient)) {
      await deps.audit?.record({ ...byLaunch(launch, 'launched', { refused: 'task' }), outcome: 'failure' });
      return 'task-elsewhere';
    }
    const named = (found.identifier ?? []).flatMap((identifier) => numbered(identifier, cases) ?? [])[0];
    if (named !== undefined) return named;
  }
  return isUnread ? 'task-unread' : 'task-unknown';
}

/** The case whose ledger has the Task, or whose id the Task has as an identifier. */
function writtenAs(task: NamedTask, cases: readonly ListedCase[]): ListedCase | undefined {
  if ('identifier' in task) return numbered(task.identifier, cases);
  return cases.find(({ writes }) =>
    writes.some(
      ({ what, reference }) => (what === 'task' || what === 'closing-task') && isSame(reference, task.reference),
    ),
  );
}

// Only the patient's own cases are searched, so that a foreign identifier opens no other patient's case.
function numbered({ system, value }: Identifier, cases: readonly ListedCase[]): ListedCase | undefined {
  if (!/\/fhir\/ns\/(?:case|closing-task)$/.test(system ?? '')) return undefined;
  // The identifier of a closing Task has a version after the case id.
  return cases.find(({ id }) => value === id || value?.startsWith(`${id}-`) === true);
}

// Some servers change upper and lower case in ids.
function isSame(left: string | undefined, right: string): boolean {
  return left?.toLowerCase() === right.toLowerCase();
}

/** The Task; undefined if the EHR does not have it; `unread` if the EHR refuses or fails. */
async function taskAt(api: FhirApi, reference: string): Promise<Task | 'unread' | undefined> {
  try {
    return await api.read<Task>('Task', reference.slice('Task/'.length));
  } catch (thrown) {
    if (thrown instanceof BridgeError && ['ehr_forbidden', 'ehr_error', 'ehr_not_fhir'].includes(thrown.code))
      return 'unread';
    throw thrown;
  }
}

/** The order; undefined if the EHR does not have it or does not let this user read it. */
async function orderAt(api: FhirApi, reference: string): Promise<MedicationRequest | undefined> {
  try {
    return await api.read<MedicationRequest>('MedicationRequest', reference.slice('MedicationRequest/'.length));
  } catch (thrown) {
    if (thrown instanceof BridgeError && thrown.code === 'ehr_forbidden') return undefined;
    throw thrown;
  }
}

function isOf({ base }: FhirApi, subject: Reference | undefined, patient: string): boolean {
  const stated = subject?.reference ?? '';
  const relative = stated.startsWith(`${base}/`) ? stated.slice(base.length + 1) : stated;
  return relative.replace(/\/_history\/.*$/, '') === `Patient/${patient}`;
}
