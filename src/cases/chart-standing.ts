import { hasLetter, letterVersion } from '../writeback/case-facts.ts';
import {
  concernsStaff,
  isCarried,
  type LedgerEntry,
  oldStatus,
  summaryRows,
  wrongInChart,
} from '../writeback/ledger.ts';
import { taskVersion } from '../writeback/resources/task.ts';
import { type ListedCase, recordOf } from './case.ts';
import { listedFactsOf } from './facts-of-case.ts';
import { letterStanding } from './letter-state.ts';

/**
 * A problem with the chart that a person must fix. `failed`: something could not be saved; `wrong-letter`: a letter
 * that somebody reported as wrong is in the chart, and the EHR does not allow it to be marked; `old-status`: the Task
 * has, or may have, an older status, and the EHR does not allow it to be changed or found; `launch`: a write waits
 * until somebody opens this app from the chart; `file`: the EHR accepts the letters through no channel, so somebody
 * must file them by hand.
 */
export type ChartLack = 'failed' | 'wrong-letter' | 'old-status' | 'launch' | 'file';

/** The most urgent first. */
export function chartLacks(one: ListedCase): ChartLack[] {
  const { writes } = one;
  const isGivenUp = letterStanding(recordOf(one), one.events).is === 'given-up';
  const has = (state: LedgerEntry['state']) => writes.some((row) => row.state === state && concernsStaff(row));
  return [
    ...(has('failed') || isGivenUp ? (['failed'] as const) : []),
    ...(wrongInChart(writes).length > 0 ? (['wrong-letter'] as const) : []),
    ...(isLeftOld(taskStanding(one)) ? (['old-status'] as const) : []),
    ...(has('waiting') ? (['launch'] as const) : []),
    ...(lettersToFile(one).length > 0 ? (['file'] as const) : []),
  ];
}

/** Who updates the status of the Task in the chart; undefined when it is current. */
export function taskStanding(one: ListedCase): ReturnType<typeof oldStatus> {
  return oldStatus(one.writes, taskVersion(listedFactsOf(one), one.writes));
}

function isLeftOld(standing: ReturnType<typeof oldStatus>): boolean {
  return standing === 'person' || standing === 'unfound';
}

/** Letters that no channel of the site accepts, and that nobody has marked as done since. */
export function lettersToFile(one: ListedCase): readonly LedgerEntry[] {
  const facts = listedFactsOf(one);
  if (one.state !== 'ended' || !hasLetter(facts)) return [];
  const version = letterVersion(facts);
  const marked = one.events.findLast(({ type }) => type === 'marked_done')?.at ?? '';
  const isLeft = (row: LedgerEntry) => row.state === 'skipped' && row.at > marked;
  const summary = summaryRows(one.writes, version);
  const isNowhere = isCarried(one.writes, version) && summary.every(({ state }) => state === 'skipped');
  return [
    ...(isNowhere ? summary.filter((row) => row.what === 'document' && isLeft(row)) : []),
    ...one.writes.filter((row) => row.what === 'determination' && isLeft(row)),
  ];
}
