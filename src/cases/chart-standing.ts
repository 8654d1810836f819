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
 * What a person must fix in the chart of a case. `failed`: something could not be saved; `wrong-letter`: a letter that
 * somebody called wrong is in the chart, and the EHR does not let it be marked; `old-status`: the Task has, or may
 * have, an older status, and the EHR does not let it be changed or found; `launch`: it is saved when somebody opens
 * this app from the chart; `file`: the EHR takes the letters in no form, so somebody files them.
 */
export type ChartLack = 'failed' | 'wrong-letter' | 'old-status' | 'launch' | 'file';

/** All that a chart lacks, the most pressing first. */
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

/** Letters that no channel of the site takes, and that nobody has marked as done since. */
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
