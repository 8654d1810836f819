/**
 * What the bridge can write to a chart: the Task, its summary (`document`), the payer's own letter (`determination`),
 * or a message. `closing-task`: a second Task that states the end if the first cannot be updated. `provenance`: author
 * and sources of one of these, with that resource's reference as version. `double`: a second copy of any of them, with
 * its reference as version.
 */
export type WrittenKind =
  | 'task'
  | 'document'
  | 'determination'
  | 'communication'
  | 'closing-task'
  | 'provenance'
  | 'double';

/**
 * One resource to write to the chart. Its row is stored as `in_flight` before the first POST. The Task has one row for
 * all its states; documents have one row per version.
 */
export interface LedgerEntry {
  readonly what: WrittenKind;
  /** Changes with the content to deliver. Each version is delivered at most once. */
  readonly version: string;
  /**
   * `planned`: to be tried (again). `in_flight`: the request was sent. `unknown`: the response was lost, and the chart
   * is searched. `stored`: the EHR accepted it without returning an id. `done`: in the chart. `waiting`: needs the
   * token of the next launch. `skipped`: this site cannot accept it. `failed`: a person must check. `retracted`: it was
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
  readonly reference?: string;
  readonly versionId?: string;
  /**
   * Why the resource is not in the chart, in words, for example `no scope Task.c` or `the EHR offers no Task.create`.
   */
  readonly reason?: string;
  /**
   * The EHR's own message, cut to a limit. It may quote a chart, so it is shown only on the page of the request, never
   * in a log, event or metric.
   */
  readonly says?: string;
  /** The kind of token that wrote the resource: `session`, `refresh` or `system`. */
  readonly token?: string;
  /** How many writes were sent. All definite refusals before any other result count as one. */
  readonly attempts: number;
  /**
   * How often the chart was searched since the last write whose response was lost. For a `done` row, these are searches
   * for a second copy, or for an older update that arrived late. Absent if nothing was ever in doubt.
   */
  readonly looks?: number;
  /** Failed attempts since `at`, except attempts before their time; absent if none failed. */
  readonly tries?: number;
  /** The time of the last failed attempt. The wait for the next attempt starts then. */
  readonly triedAt?: string;
  /**
   * When the row got its state, or when the chart was last searched for it. The wait for the next search starts then.
   */
  readonly at: string;
}

/**
 * Returns the rows with `entry` as the last row. It replaces the Task's row, or a document's row of the same version.
 */
export function record(rows: readonly LedgerEntry[], entry: LedgerEntry): LedgerEntry[] {
  const others = rows.filter(
    (row) => row.what !== entry.what || (entry.what !== 'task' && row.version !== entry.version),
  );
  return [...others, entry];
}

export function rowBefore(rows: readonly LedgerEntry[], { what, version }: LedgerEntry): LedgerEntry | undefined {
  return rowOf(rows, what, what === 'task' ? undefined : version);
}

/**
 * `entry` may replace the stored row if that row is still the one the delivery read (`before`), or if its write has an
 * unknown result and `entry` has found the resource. Otherwise somebody wrote in between.
 */
export function follows(rows: readonly LedgerEntry[], entry: LedgerEntry, before: LedgerEntry | undefined): boolean {
  const stored = rowBefore(rows, entry);
  if (stored === undefined || before === undefined) return stored === before;
  const isSame = (['version', 'state', 'reference', 'attempts', 'looks', 'at'] as const).every(
    (key) => stored[key] === before[key],
  );
  return isSame || (entry.reference !== undefined && mayExist(stored));
}

export function rowOf(rows: readonly LedgerEntry[], what: WrittenKind, version?: string): LedgerEntry | undefined {
  return rows.findLast((row) => row.what === what && (version === undefined || row.version === version));
}

const letters: ReadonlySet<WrittenKind> = new Set(['document', 'determination', 'communication']);

/** The letters in the chart: the bridge's summary, as a document or a message, and the payer's own letter. */
export function lettersInChart(rows: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return rows.filter(({ what, state }) => letters.has(what) && state === 'done');
}

/** Returns the row of the letter in the chart with this reference; undefined if it is no letter of this case. */
export function letterInChart(rows: readonly LedgerEntry[], reference: string): LedgerEntry | undefined {
  return lettersInChart(rows).find((row) => row.reference === reference);
}

/** References of resources in the chart that the bridge wrote. Each of them needs one Provenance. */
export function writtenByUs(rows: readonly LedgerEntry[]): readonly string[] {
  return rows
    .filter((row) => !isAboutWritten(row) && row.attempts > 0)
    .filter(({ what, state }) => (what === 'task' ? state !== 'retracted' : state === 'done'))
    .flatMap(({ reference }) => reference ?? []);
}

/** Whether a row belongs to another resource in the chart: its Provenance, or a copy to be retracted. */
export function isAboutWritten({ what }: LedgerEntry): boolean {
  return what === 'provenance' || what === 'double';
}

/**
 * Whether staff need to know the result. For a Provenance they do not: documents and messages state their author
 * themselves, and a Provenance cannot be filed by hand.
 */
export function concernsStaff({ what, reference }: LedgerEntry): boolean {
  return what !== 'provenance' && reference?.startsWith('Provenance/') !== true;
}

/** Part of a row's reason: what a person must do in the EHR. */
export const toDoByHand = 'in the EHR: it does not let the bridge do it';

/** Letters in the chart that a person has reported as wrong and that the EHR does not let the bridge mark. */
export function wrongInChart(rows: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return lettersInChart(rows).filter(({ reason }) => reason?.includes(toDoByHand) === true);
}

/** Returns the row of a copy in the chart that must be marked as entered in error. */
export function toRetract(reference: string, at: string): LedgerEntry {
  return { what: 'double', version: reference, reference, state: 'planned', attempts: 0, at };
}

/**
 * Returns the existing row (the Task's row of any version), or a planned row. A row stored without an id keeps its
 * version.
 */
export function plannedRow(rows: readonly LedgerEntry[], what: WrittenKind, version: string, at: string): LedgerEntry {
  const found = rowOf(rows, what, what === 'task' ? undefined : version);
  if (found === undefined) return { what, version, state: 'planned', attempts: 0, at };
  return found.state === 'stored' ? found : { ...found, version };
}

const ends: ReadonlySet<LedgerEntry['state']> = new Set(['done', 'skipped', 'failed', 'retracted']);

/** Whether this version is delivered or left to a person, so that it is not tried again. */
export function isSettled(rows: readonly LedgerEntry[], what: WrittenKind, version: string): boolean {
  const row = rowOf(rows, what, version);
  return row !== undefined && (ends.has(row.state) || isNotFound(row));
}

export const summaries = ['document', 'communication'] as const;

/** Returns the rows of the bridge's summary of one outcome, as a document or a message. */
export function summaryRows(rows: readonly LedgerEntry[], version: string): readonly LedgerEntry[] {
  return rows.filter((row) => summaries.some((what) => what === row.what) && row.version === version);
}

/** Whether the bridge's summary of an outcome is delivered or left to a person, so that it is not tried again. */
export function isCarried(rows: readonly LedgerEntry[], version: string): boolean {
  const own = summaryRows(rows, version);
  const isEnd = (row: LedgerEntry) => isSettled([row], row.what, row.version);
  const isThere = own.some((row) => isEnd(row) && row.state !== 'skipped' && row.state !== 'failed');
  return isThere || (own.length > 0 && own.every(isEnd));
}

/** How often the chart is searched after a lost response, before the resource is written again. */
export const looksBeforeAnother = 3;

/**
 * How often the chart is searched for a resource that the EHR stored without returning an id. It is never written
 * again, and one more search costs less than a Task that keeps an old status.
 */
export const looksForStored = 5;

export function wasLookedFor({ state, looks = 0 }: LedgerEntry): boolean {
  return looks >= (state === 'stored' ? looksForStored : looksBeforeAnother);
}

/** Whether a write was sent whose result is unknown. */
export function mayExist({ state, looks, reference }: LedgerEntry): boolean {
  if (reference !== undefined) return false;
  return state === 'in_flight' || state === 'unknown' || state === 'stored' || looks !== undefined;
}

/**
 * Whether an earlier write may still arrive late, so that the chart must be searched for a second copy or for older
 * content.
 */
export function mayBeDoubled({ state, looks, reference }: LedgerEntry): boolean {
  return reference !== undefined && looks !== undefined && ['done', 'skipped', 'failed'].includes(state);
}

/** Whether all searches were made, so that the resource may be written again if a delivery needs it. */
export function isLetBeWritten(row: LedgerEntry): boolean {
  return row.state === 'planned' && mayExist(row) && wasLookedFor(row);
}

/** Returns the row without `reason` and `says`. */
export function withoutReason({ reason: _, says: __, ...row }: LedgerEntry): LedgerEntry {
  return row;
}

/** Why something is not done: the bridge's reason, and the EHR's message if it gave one. */
export type Why = { readonly reason: string } & Pick<LedgerEntry, 'says'>;

/** Returns the row with this reason in place of its previous one. */
export function because(row: LedgerEntry, { reason, says }: Why): LedgerEntry {
  return { ...withoutReason(row), reason, ...(says === undefined ? {} : { says }) };
}

/**
 * Returns the rows after a person asked for a retry. Rows that failed, were skipped or wait become planned. Searches
 * for resources that may be in the chart continue; a search that ended without finding a stored resource starts again.
 * Checks for a second copy keep their time.
 */
export function askedAgain(rows: readonly LedgerEntry[], at: string): LedgerEntry[] {
  return rows.map((row) => {
    if (isNotFound(row)) return { ...row, looks: 0, at };
    if (!['failed', 'skipped', 'waiting'].includes(row.state)) return row;
    return {
      ...withoutReason(row),
      state: mayExist(row) && !wasLookedFor(row) ? 'unknown' : 'planned',
      at: mayBeDoubled(row) ? row.at : at,
    };
  });
}

/**
 * Says why the Task in the chart does not have the request's current status; undefined if it has, or if there is no
 * Task.
 */
export function staleTask(rows: readonly LedgerEntry[]): string | undefined {
  const row = rowOf(rows, 'task');
  if (row === undefined || row.state === 'done' || row.state === 'retracted') return undefined;
  return row.reference === undefined && row.state !== 'stored' ? undefined : row.reason;
}

/** The reason of a Task that has the right status but lacks a reference. */
export const lacksDocument = 'does not point to all that was written';

/**
 * Who updates an outdated Task in the chart: the next `launch`, or a `person` in the EHR. `unfound`: the Task is in the
 * chart under an unknown id, with another version than `version`. Undefined if the status is right, if the bridge
 * updates it automatically, or if there is no Task.
 */
export function oldStatus(rows: readonly LedgerEntry[], version: string): 'launch' | 'person' | 'unfound' | undefined {
  const reason = staleTask(rows);
  const row = reason === undefined ? undefined : rowOf(rows, 'task');
  if (row?.state === 'waiting') return 'launch';
  if (row !== undefined && isNotFound(row)) return row.version === version ? undefined : 'unfound';
  const isLeft = row?.state === 'failed' || row?.state === 'skipped';
  return isLeft && reason?.includes(lacksDocument) === false ? 'person' : undefined;
}

/** Whether the EHR stored the resource without returning an id, and no search has found it. */
export function isNotFound(row: LedgerEntry): boolean {
  return row.state === 'stored' && wasLookedFor(row);
}
