/**
 * The resources that the bridge can write to a chart: the Task, our summary, the payer's own letter, or a message.
 * `closing-task`: a second Task that states the end when the first cannot be updated. `provenance`: author and sources
 * of one of these, with the reference of that resource as version. `double`: a second copy of any of them, with its
 * reference as version.
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
 * One resource to write to the chart. A row exists, as `in_flight`, before the first POST.
 * The Task has one row that follows every state; documents have one row per version.
 */
export interface LedgerEntry {
  readonly what: WrittenKind;
  /** Changes whenever the content to deliver changes; at most one delivered row per version. */
  readonly version: string;
  /**
   * `planned`: to be tried (again); `in_flight`: the request was sent; `unknown`: its answer was lost, and the chart is
   * searched; `stored`: the EHR accepted it without returning an id; `done`: in the chart; `waiting`: needs the token
   * of the next launch; `skipped`: this site cannot accept it; `failed`: a person must check; `retracted`: it was in
   * the chart and is marked as entered in error.
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
  /** Why it is not done, as text: `no scope Task.c`, `the EHR offers no Task.create`, `next launch`. */
  readonly reason?: string;
  /**
   * The EHR's own message, cut to a limit. It may quote a chart, so it is shown only on the page of the request, and is
   * never in a log, event or metric.
   */
  readonly says?: string;
  /** The kind of token that wrote it: `session`, `refresh` or `system`. */
  readonly token?: string;
  /** The number of writes sent; all definite refusals before the first other result count as one. */
  readonly attempts: number;
  /**
   * The number of searches of the chart since the last write whose answer was lost. For a `done` row, they search for a
   * second copy, or for an update that arrived late over a newer one. Absent when nothing is or was in doubt.
   */
  readonly looks?: number;
  /** Failed attempts since `at`, each after the wait before it; absent while none failed. */
  readonly tries?: number;
  /** The time of the last failed attempt, from which the wait for the next one counts. */
  readonly triedAt?: string;
  /** When the row got its state, or the chart was last searched for it; the wait for the next search starts here. */
  readonly at: string;
}

/** The rows with `entry` as the last one; it replaces the Task's row, or a document's row of the same version. */
export function record(rows: readonly LedgerEntry[], entry: LedgerEntry): LedgerEntry[] {
  const others = rows.filter(
    (row) => row.what !== entry.what || (entry.what !== 'task' && row.version !== entry.version),
  );
  return [...others, entry];
}

/** The row that `entry` replaces. */
export function rowBefore(rows: readonly LedgerEntry[], { what, version }: LedgerEntry): LedgerEntry | undefined {
  return rowOf(rows, what, what === 'task' ? undefined : version);
}

/**
 * Whether `entry` may replace the current row of the ledger: the current row must be the one that its delivery knew
 * (`before`), or `entry` must have a reference in the chart and the result of the current row's write be unknown. Any
 * other row was written by somebody later: by another delivery, after this one had lost its lock, or by a person.
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

/** The letters in the chart: our summary, as a document or a message, and the payer's own letter. */
export function lettersInChart(rows: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return rows.filter(({ what, state }) => letters.has(what) && state === 'done');
}

/** The row of the letter in the chart with this reference; undefined when it is not a letter of this case. */
export function letterInChart(rows: readonly LedgerEntry[], reference: string): LedgerEntry | undefined {
  return lettersInChart(rows).find((row) => row.reference === reference);
}

/** References of the resources in the chart that the bridge itself wrote; each of them needs one Provenance. */
export function writtenByUs(rows: readonly LedgerEntry[]): readonly string[] {
  return rows
    .filter((row) => !isAboutWritten(row) && row.attempts > 0)
    .filter(({ what, state }) => (what === 'task' ? state !== 'retracted' : state === 'done'))
    .flatMap(({ reference }) => reference ?? []);
}

/** Whether a row refers to another resource in the chart: its Provenance, or a copy to be retracted. */
export function isAboutWritten({ what }: LedgerEntry): boolean {
  return what === 'provenance' || what === 'double';
}

/**
 * Whether staff need to know the result. They do not for a Provenance: the documents and messages state their author in
 * their own text, and a Provenance cannot be filed by hand.
 */
export function concernsStaff({ what, reference }: LedgerEntry): boolean {
  return what !== 'provenance' && reference?.startsWith('Provenance/') !== true;
}

/** In the reason of a row: the action that a person has to take in the EHR. */
export const toDoByHand = 'in the EHR: it does not let the bridge do it';

/** Letters in the chart that a person has reported as wrong and that the EHR does not allow the bridge to mark. */
export function wrongInChart(rows: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return lettersInChart(rows).filter(({ reason }) => reason?.includes(toDoByHand) === true);
}

/** The row of a copy in the chart that is to be marked as entered in error. */
export function toRetract(reference: string, at: string): LedgerEntry {
  return { what: 'double', version: reference, reference, state: 'planned', attempts: 0, at };
}

/** The existing row (the Task's of any version), or a planned one. A row stored without an id keeps its version. */
export function plannedRow(rows: readonly LedgerEntry[], what: WrittenKind, version: string, at: string): LedgerEntry {
  const found = rowOf(rows, what, what === 'task' ? undefined : version);
  if (found === undefined) return { what, version, state: 'planned', attempts: 0, at };
  return found.state === 'stored' ? found : { ...found, version };
}

const ends: ReadonlySet<LedgerEntry['state']> = new Set(['done', 'skipped', 'failed', 'retracted']);

/** Delivered, or left to a person: no further attempt is made for this version. */
export function isSettled(rows: readonly LedgerEntry[], what: WrittenKind, version: string): boolean {
  const row = rowOf(rows, what, version);
  return row !== undefined && (ends.has(row.state) || isNotFound(row));
}

/** The kinds of resource that can carry our summary of an outcome. */
export const summaries = ['document', 'communication'] as const;

/** The rows of our summary of one outcome, of either kind. */
export function summaryRows(rows: readonly LedgerEntry[], version: string): readonly LedgerEntry[] {
  return rows.filter((row) => summaries.some((what) => what === row.what) && row.version === version);
}

/** Whether our summary of an outcome is delivered, or left to a person: no further attempt is made for it. */
export function isCarried(rows: readonly LedgerEntry[], version: string): boolean {
  const own = summaryRows(rows, version);
  const isEnd = (row: LedgerEntry) => isSettled([row], row.what, row.version);
  const isThere = own.some((row) => isEnd(row) && row.state !== 'skipped' && row.state !== 'failed');
  return isThere || (own.length > 0 && own.every(isEnd));
}

/** How often the chart is searched after a write whose answer was lost, before the resource is written again. */
export const looksBeforeAnother = 3;

/**
 * How often the chart is searched for a resource that the EHR stored without returning an id. It is never written
 * again, and one more search costs less than a Task that keeps an old status.
 */
export const looksForStored = 5;

export function wasLookedFor({ state, looks = 0 }: LedgerEntry): boolean {
  return looks >= (state === 'stored' ? looksForStored : looksBeforeAnother);
}

/** A write was sent, and its result is unknown. */
export function mayExist({ state, looks, reference }: LedgerEntry): boolean {
  if (reference !== undefined) return false;
  return state === 'in_flight' || state === 'unknown' || state === 'stored' || looks !== undefined;
}

/** An earlier write may still arrive late: the chart has to be searched for a second copy, or for older content. */
export function mayBeDoubled({ state, looks, reference }: LedgerEntry): boolean {
  return reference !== undefined && looks !== undefined && ['done', 'skipped', 'failed'].includes(state);
}

/** All planned searches were made and writing again is allowed; only a delivery that needs the resource writes it. */
export function isLetBeWritten(row: LedgerEntry): boolean {
  return row.state === 'planned' && mayExist(row) && wasLookedFor(row);
}

/** The row without the reason why it was not done. */
export function withoutReason({ reason: _, says: __, ...row }: LedgerEntry): LedgerEntry {
  return row;
}

/** Why something is not done: our text, and the EHR's if it gave any. */
export type Why = { readonly reason: string } & Pick<LedgerEntry, 'says'>;

/** The row with this reason instead of its previous one. */
export function because(row: LedgerEntry, { reason, says }: Why): LedgerEntry {
  return { ...withoutReason(row), reason, ...(says === undefined ? {} : { says }) };
}

/**
 * The rows after a person asked for a retry: rows that failed, were skipped or wait become planned. Searches for
 * resources that may be in the chart continue, unless they have ended; searches for a stored resource that was never
 * found start again. Checks for a second copy are not postponed.
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

/** Why the Task in the chart does not state the request's current status; undefined when it does or does not exist. */
export function staleTask(rows: readonly LedgerEntry[]): string | undefined {
  const row = rowOf(rows, 'task');
  if (row === undefined || row.state === 'done' || row.state === 'retracted') return undefined;
  return row.reference === undefined && row.state !== 'stored' ? undefined : row.reason;
}

/** The problem of a Task whose status is right. */
export const lacksDocument = 'does not point to all that was written';

/**
 * Who updates the status of the Task in the chart: the next `launch`, or a `person` in the EHR; `unfound` if the Task
 * is in the chart under an unknown id and was written for a version other than `version`. Undefined when the status is
 * right, when the bridge updates it automatically, or when there is no Task.
 */
export function oldStatus(rows: readonly LedgerEntry[], version: string): 'launch' | 'person' | 'unfound' | undefined {
  const reason = staleTask(rows);
  const row = reason === undefined ? undefined : rowOf(rows, 'task');
  if (row?.state === 'waiting') return 'launch';
  if (row !== undefined && isNotFound(row)) return row.version === version ? undefined : 'unfound';
  const isLeft = row?.state === 'failed' || row?.state === 'skipped';
  return isLeft && reason?.includes(lacksDocument) === false ? 'person' : undefined;
}

/** Whether the EHR stored it without returning an id, and all planned searches were made. */
export function isNotFound(row: LedgerEntry): boolean {
  return row.state === 'stored' && wasLookedFor(row);
}
