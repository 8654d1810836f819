import type { Task } from 'fhir/r4.js';
import { taskCodeTable } from '../service/task-codes.ts';
import { skip } from './attempt.ts';
import { isTakenBack } from './case-facts.ts';
import type { Delivery } from './delivery.ts';
import {
  because,
  type LedgerEntry,
  lacksDocument,
  lettersInChart,
  mayExist,
  rowOf,
  toRetract,
  type Why,
} from './ledger.ts';
import type { Identified } from './resources/common.ts';
import { finishedTaskStatuses } from './resources/shapes.ts';
import { closingVersion } from './resources/task.ts';

/** The desired Task, and how to write a closing Task if the existing Task cannot be updated. */
export interface Desired extends Identified<Task> {
  /** Writes a closing Task that refers to the Task `old`. */
  readonly close: (old: string) => Promise<Closing>;
}

/** The reference of the closing Task in the chart, why there is none, or `later` if it may still be written. */
export type Closing = { readonly reference: string } | { readonly reason: string } | 'later';

/** Used if a Task cannot be updated: writes a closing Task, or else leaves a message for a person. */
export async function closeBeside(
  delivery: Delivery,
  row: LedgerEntry,
  reference: string,
  desired: Desired,
  current: Task | undefined,
  refusal: Why,
): Promise<LedgerEntry> {
  const stale = staleText(reference, current, desired.resource, refusal.reason);
  const refusedBecause = (reason: string) => because(row, { ...refusal, reason });
  // If a check for a second copy is due, it keeps its time, however often a person asks for the update.
  const at = row.looks === undefined ? delivery.now() : row.at;
  // The Task has the right status and lacks only a reference to a document.
  if (current !== undefined && isSameStatus(current, desired.resource))
    return await delivery.put({ ...refusedBecause(stale), state: 'skipped', at });
  // No closing Task for a request that never arrived: it may be sent again, and the Task with its actual outcome would
  // contradict this one.
  const isEnd = finishedTaskStatuses.has(desired.resource.status) && !isTakenBack(delivery.facts);
  const closing = isEnd ? await desired.close(reference) : { reason: '' };
  if (closing === 'later')
    return await delivery.put({
      ...refusedBecause(stale),
      state: 'planned',
      at: row.state === 'planned' ? row.at : at,
    });
  if ('reference' in closing)
    return await delivery.put({
      ...refusedBecause(`${stale}; ${closing.reference} says how it ended`),
      state: 'skipped',
      at,
    });
  // The reason mentions a letter only if the bridge's own summary is in the chart. The payer's letter may be there
  // without the summary.
  const letter = lettersInChart(delivery.rows()).some(({ what }) => what !== 'determination');
  return await delivery.put({
    ...refusedBecause(`${stale}${letter ? '; the letter is in the chart' : ''}`),
    state: 'failed',
    at,
  });
}

// Only these texts are repeated in the ledger, since the bridge itself gives them to a Task. The ledger never has texts
// of the EHR.
const ownWords: ReadonlySet<string> = new Set(
  Object.values(taskCodeTable['prior-auth']).map(({ businessStatus }) => businessStatus),
);

function staleText(reference: string, current: Task | undefined, desired: Task, refusal: string): string {
  const why = `the EHR does not let the bridge update it (${refusal})`;
  if (current === undefined) return `${reference} may not say how the request stands; ${why}`;
  if (isSameStatus(current, desired)) return `${reference} ${lacksDocument}; ${why}`;
  const text = current.businessStatus?.text;
  return `${reference} still says ${text !== undefined && ownWords.has(text) ? text : current.status}; ${why}`;
}

// An EHR that does not store businessStatus has the status in the description.
function isSameStatus(current: Task, desired: Task): boolean {
  const [theirs, ours] = [current.businessStatus?.text, desired.businessStatus?.text];
  const isSame = ours === undefined ? current.description === desired.description : (theirs ?? ours) === ours;
  return current.status === desired.status && isSame;
}

/** Returns the state of a row's closing Task as `Desired.close` does. */
export function closingOf(rows: readonly LedgerEntry[], version: string): Closing {
  const row = rowOf(rows, 'closing-task', version);
  if (row?.reference !== undefined && row.state === 'done') return { reference: row.reference };
  if (row === undefined || ['planned', 'in_flight', 'unknown', 'waiting'].includes(row.state)) return 'later';
  return { reason: row.reason ?? '' };
}

/**
 * Retires closing Tasks of an earlier end, once the closing Task of the current end is in the chart. A closing Task in
 * the chart will be marked as entered in error; a closing Task that was never written is skipped.
 */
export async function retireClosings(delivery: Delivery): Promise<void> {
  const closings = delivery.rows().filter(({ what }) => what === 'closing-task');
  const version = closingVersion(delivery.facts);
  const counts = closings.find((row) => row.version === version && row.state === 'done');
  if (counts === undefined) return;
  for (const row of closings.filter((each) => each !== counts)) {
    const isKnown = delivery.rows().some((each) => each.what === 'double' && each.version === row.reference);
    if (row.state === 'done' && row.reference !== undefined && !isKnown)
      await delivery.put(toRetract(row.reference, delivery.now()));
    if (['planned', 'waiting', 'failed'].includes(row.state) && !mayExist(row))
      await skip(delivery, row.what, row.version, 'how the request ended has changed since');
  }
}
