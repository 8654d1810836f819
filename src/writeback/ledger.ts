/**
 * What the bridge can leave in a chart: the Task, our summary, the payer's own letter, or a message. `closing-task`: a
 * second Task that tells the end where the first cannot be updated. `double`: a second copy of one of these, its
 * reference as version.
 */
export type Written = 'task' | 'document' | 'determination' | 'communication' | 'closing-task' | 'double';

/**
 * One resource to write to the chart. A row exists, as `in_flight`, before the first POST.
 * The Task has one row that follows every state; documents have one row per version.
 */
export interface LedgerEntry {
  readonly what: Written;
  /** Changes whenever the content to deliver changes; at most one delivered row per version. */
  readonly version: string;
  /**
   * `planned`: to be tried (again); `in_flight`: the request has left; `unknown`: its answer was lost, the chart is
   * looked at; `stored`: the EHR took it and did not say under which id; `done`: in the chart; `waiting`: needs a token
   * that the next launch brings; `skipped`: this site cannot take it; `failed`: a person must look; `retracted`: it was
   * in the chart and is marked as entered in error.
   */
  readonly state:
    | 'planned'
    | 'in_flight'
    | 'unknown'
    | 'stored'
    | 'done'
    | 'waiting'
    | 'skipped'
    | 'failed'
    | 'retracted';
  /** `Task/77` once known. */
  readonly reference?: string;
  readonly versionId?: string;
  /** Why it is not done, in words: `no scope Task.c`, `the EHR offers no Task.create`, `next launch`. */
  readonly reason?: string;
  /** Whose token wrote it: `session`, `refresh` or `system`. */
  readonly token?: string;
  /** Writes that were sent; all that the EHR refused for certain before the first other one count as one. */
  readonly attempts: number;
  /**
   * Looks into the chart since the last write whose answer was lost, for the thing itself, and of a `done` row for a
   * second copy of it or for an update that came late over a newer one; absent when nothing is or was in doubt.
   */
  readonly looks?: number;
  /** When the row came to its state, or when the chart was last looked at for it: the next try counts from here. */
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

const letters: ReadonlySet<Written> = new Set(['document', 'determination', 'communication']);

/** The letters that are in the chart: our summary, as a document or a message, and the payer's own. */
export function lettersInChart(rows: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return rows.filter(({ what, state }) => letters.has(what) && state === 'done');
}

/** The row of the letter that is in the chart as `reference`; undefined when it is none of this case. */
export function letterInChart(rows: readonly LedgerEntry[], reference: string): LedgerEntry | undefined {
  return lettersInChart(rows).find((row) => row.reference === reference);
}

/** The row of a copy in the chart that is to be marked as entered in error. */
export function toRetract(reference: string, at: string): LedgerEntry {
  return { what: 'double', version: reference, reference, state: 'planned', attempts: 0, at };
}

/** The row as it stands, or a planned one; the Task's whatever it told so far. */
export function plannedRow(rows: readonly LedgerEntry[], what: Written, version: string, at: string): LedgerEntry {
  const found = rowOf(rows, what, what === 'task' ? undefined : version);
  return found === undefined ? { what, version, state: 'planned', attempts: 0, at } : { ...found, version };
}

const ends: ReadonlySet<LedgerEntry['state']> = new Set(['done', 'skipped', 'failed', 'retracted']);

/** Delivered, or left to a person: nothing more is tried for this version. */
export function isSettled(rows: readonly LedgerEntry[], what: Written, version: string): boolean {
  const row = rowOf(rows, what, version);
  return row !== undefined && (ends.has(row.state) || (row.state === 'stored' && wasLookedFor(row)));
}

/** How often the chart is looked at after a write whose answer was lost, before it is written once more. */
export const looksBeforeAnother = 3;

/**
 * How often the chart is looked at for what the EHR stored without saying where: it is never written again, and one
 * look more costs less than a Task that keeps an old status.
 */
export const looksForStored = 5;

export function wasLookedFor({ state, looks = 0 }: LedgerEntry): boolean {
  return looks >= (state === 'stored' ? looksForStored : looksBeforeAnother);
}

/** A write has left, and it is not known what became of it. */
export function mayExist({ state, looks, reference }: LedgerEntry): boolean {
  if (reference !== undefined) return false;
  return state === 'in_flight' || state === 'unknown' || state === 'stored' || looks !== undefined;
}

/** A write of it may still come late: the chart has to be looked at for a second copy, or for what it says. */
export function mayBeDoubled({ state, looks, reference }: LedgerEntry): boolean {
  return reference !== undefined && looks !== undefined && ['done', 'skipped', 'failed'].includes(state);
}

/**
 * The rows after a person asked to try again: what failed, was skipped or waits is planned; what may be in the chart
 * is looked for as before, unless that has ended; what was stored and never found is looked for anew.
 */
export function askedAgain(rows: readonly LedgerEntry[], at: string): LedgerEntry[] {
  return rows.map((row) => {
    if (row.state === 'stored' && wasLookedFor(row)) return { ...row, looks: 0, at };
    if (!['failed', 'skipped', 'waiting'].includes(row.state)) return row;
    const { reason: _, ...rest } = row;
    return { ...rest, state: mayExist(row) && !wasLookedFor(row) ? 'unknown' : 'planned', at };
  });
}

/** Why the Task in the chart does not say how the request stands; undefined when it does, or when there is none. */
export function staleTask(rows: readonly LedgerEntry[]): string | undefined {
  const row = rowOf(rows, 'task');
  if (row === undefined || row.state === 'done' || row.state === 'retracted') return undefined;
  return row.reference === undefined && row.state !== 'stored' ? undefined : row.reason;
}
