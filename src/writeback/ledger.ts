/**
 * What the bridge can leave in a chart: the Task, our letter, the payer's own letter as it came by fax, or a message.
 */
export type Written = 'task' | 'document' | 'determination' | 'communication';

/**
 * One resource to write to the chart. A row exists, as `in_flight`, before the first POST.
 * The Task has one row that follows every state; documents have one row per version.
 */
export interface LedgerEntry {
  readonly what: Written;
  /** Changes whenever the content to deliver changes; at most one delivered row per version. */
  readonly version: string;
  /**
   * `planned`: to be tried (again); `in_flight`: the request has left; `unknown`: its answer was lost; `done`: in the
   * chart;
   * `waiting`: needs a token that the next launch brings; `skipped`: this site cannot take it; `failed`: a person must
   * look.
   */
  readonly state: 'planned' | 'in_flight' | 'done' | 'unknown' | 'failed' | 'waiting' | 'skipped';
  /** `Task/77` once known. */
  readonly reference?: string;
  readonly versionId?: string;
  /** Why skipped, failed or waiting, in words: `no scope Task.c`, `the EHR offers no Task.create`, `next launch`. */
  readonly reason?: string;
  /** Whose token wrote it: `session`, `refresh` or `system`. */
  readonly token?: string;
  readonly attempts: number;
  readonly at: string;
}

/**
 * The rows with `entry` as the last one: the Task's row is replaced whatever its version, a document's when the version
 * is the same.
 */
export function record(rows: readonly LedgerEntry[], entry: LedgerEntry): LedgerEntry[] {
  const others = rows.filter(
    (row) => row.what !== entry.what || (entry.what !== 'task' && row.version !== entry.version),
  );
  return [...others, entry];
}

export function rowOf(rows: readonly LedgerEntry[], what: Written, version?: string): LedgerEntry | undefined {
  return rows.findLast((row) => row.what === what && (version === undefined || row.version === version));
}
