import type { Site } from '../config/config.ts';
import type { WriteChannel } from '../config/write-channels.ts';
import { type CaseFacts, hasLetter, isTakenBack, leftAt, letterVersion, payerLetterVersion } from './case-facts.ts';
import { asksProvenance, tried } from './channel-plan.ts';
import {
  isCarried,
  isLetBeWritten,
  isNotFound,
  isSettled,
  type LedgerEntry,
  mayBeDoubled,
  mayExist,
  plannedRow,
  summaryRows,
  writtenByUs,
} from './ledger.ts';
import { taskVersion } from './resources/task.ts';

/**
 * Returns the rows that a chart still lacks: planned rows for resources that were never tried, rows that wait, are
 * unclear or unfinished, and rows to be checked for a second copy. Rows of this version that were skipped or failed are
 * left to a person.
 */
export function outstanding(site: Site, facts: CaseFacts, letters: readonly Uint8Array[] = []): LedgerEntry[] {
  const since = leftAt(facts);
  if (since === undefined || !belongsInChart(facts)) return [];
  const { writes } = facts;
  const channels = tried(site.writeback.channels);
  const isLettered = hasLetter(facts);
  const wanted = [
    ...(isLettered ? [plannedSummary(channels, facts, since)] : []),
    ...(isLettered ? letters : []).map((bytes) =>
      plannedRow(writes, 'determination', payerLetterVersion(bytes), since),
    ),
    ...(channels.includes('task+document') ? [plannedRow(writes, 'task', taskVersion(facts, writes), since)] : []),
    ...(asksProvenance(site) ? writtenByUs(writes) : []).map((target) =>
      plannedRow(writes, 'provenance', target, since),
    ),
  ];
  const isDone = ({ what, version }: LedgerEntry) =>
    what === 'document' || what === 'communication' ? isCarried(writes, version) : isSettled(writes, what, version);
  const lacking = wanted.filter((row) => !isDone(row));
  const isNamed = (row: LedgerEntry) =>
    lacking.some(({ what, version }) => what === row.what && version === row.version);
  return [...lacking, ...writes.filter((row) => row.what !== 'task' && isOpen(row) && !isNamed(row))].concat(
    writes.filter((row) => row.what === 'task' && mayBeDoubled(row) && !lacking.some(({ what }) => what === 'task')),
  );
}

function plannedSummary(channels: readonly WriteChannel[], facts: CaseFacts, since: string): LedgerEntry {
  const version = letterVersion(facts);
  const open = summaryRows(facts.writes, version).findLast(({ state }) => state !== 'skipped' && state !== 'failed');
  const first = channels[0] === 'communication' ? 'communication' : 'document';
  return open ?? plannedRow(facts.writes, first, version, since);
}

// Whether the row is a payer's letter or a duplicate to be retracted, may have arrived, or may exist twice.
function isOpen(row: LedgerEntry): boolean {
  if (isUnclear(row) || mayBeDoubled(row) || isLetBeWritten(row)) return !isNotFound(row);
  return ['determination', 'double'].includes(row.what) && ['planned', 'waiting'].includes(row.state);
}

export function isUnclear({ state }: LedgerEntry): boolean {
  return state === 'in_flight' || state === 'unknown' || state === 'stored';
}

function belongsInChart(facts: CaseFacts): boolean {
  // A request that did not arrive is written only if its Task may be in the chart.
  if (isTakenBack(facts))
    return facts.writes.some((row) => row.what === 'task' && (row.reference !== undefined || mayExist(row)));
  // While a request is being sent, there is nothing to write yet.
  return !['draft', 'sending', 'refused'].includes(facts.state);
}
