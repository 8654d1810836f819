/**
 * What the bridge can leave in a chart: the Task, our summary, the payer's own letter, or a message. `closing-task`: a
 * second Task that tells the end where the first cannot be updated. `provenance`: who wrote one of these and from what,
 * with the reference of that one as version. `double`: a second copy of any of them, its reference as version.
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
  /**
   * What the EHR says of it in its own words, bounded. They may quote a chart: they are for the page of the request,
   * and stand in no log, event or metric.
   */
  readonly says?: string;
  /** Whose token wrote it: `session`, `refresh` or `system`. */
  readonly token?: string;
  /** Writes that were sent; all that the EHR refused for certain before the first other one count as one. */
  readonly attempts: number;
  /**
   * Looks into the chart since the last write whose answer was lost, for the thing itself, and of a `done` row for a
   * second copy of it or for an update that came late over a newer one; absent when nothing is or was in doubt.
   */
  readonly looks?: number;
  /** Tries in vain since `at`, each after the wait before it; absent while none failed. */
  readonly tries?: number;
  /** When it was last tried in vain: the next try counts from here. */
  readonly triedAt?: string;
  /** When the row came to its state, or when the chart was last looked at for it: the next look counts from here. */
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

/** The row that `entry` takes the place of. */
export function rowBefore(rows: readonly LedgerEntry[], { what, version }: LedgerEntry): LedgerEntry | undefined {
  return rowOf(rows, what, what === 'task' ? undefined : version);
}

/**
 * Whether `entry` may be written over what the ledger has: the row that its delivery knew (`before`), or, with where a
 * copy is in the chart, one that does not know it. Any other was written by somebody who came later: by another
 * delivery, after this one had lost its lock, or by a person.
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

/** The letters that are in the chart: our summary, as a document or a message, and the payer's own. */
export function lettersInChart(rows: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return rows.filter(({ what, state }) => letters.has(what) && state === 'done');
}

/** The row of the letter that is in the chart as `reference`; undefined when it is none of this case. */
export function letterInChart(rows: readonly LedgerEntry[], reference: string): LedgerEntry | undefined {
  return lettersInChart(rows).find((row) => row.reference === reference);
}

/** References of what the bridge itself wrote and what stands in the chart: each of them wants one Provenance. */
export function writtenByUs(rows: readonly LedgerEntry[]): readonly string[] {
  return rows
    .filter((row) => !isAboutWritten(row) && row.attempts > 0)
    .filter(({ what, state }) => (what === 'task' ? state !== 'retracted' : state === 'done'))
    .flatMap(({ reference }) => reference ?? []);
}

/** Whether a row is about a resource that stands in the chart: its Provenance, or a copy to be taken back. */
export function isAboutWritten({ what }: LedgerEntry): boolean {
  return what === 'provenance' || what === 'double';
}

/**
 * Whether staff need to know what became of a row. Not of a Provenance: every document and message says in its own text
 * who wrote it, and nobody can file a Provenance by hand.
 */
export function concernsStaff({ what, reference }: LedgerEntry): boolean {
  return what !== 'provenance' && reference?.startsWith('Provenance/') !== true;
}

/** In the reason of a row: what a person has to do in the EHR. */
export const toDoByHand = 'in the EHR: it does not let the bridge do it';

/** Letters that a person has called wrong and that the EHR does not let the bridge mark: they are in the chart. */
export function wrongInChart(rows: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return lettersInChart(rows).filter(({ reason }) => reason?.includes(toDoByHand) === true);
}

/** The row of a copy in the chart that is to be marked as entered in error. */
export function toRetract(reference: string, at: string): LedgerEntry {
  return { what: 'double', version: reference, reference, state: 'planned', attempts: 0, at };
}

/**
 * The row as it stands, or a planned one; the Task's whatever it told so far. Of one that the EHR stored without saying
 * where the version stays the one that was stored.
 */
export function plannedRow(rows: readonly LedgerEntry[], what: WrittenKind, version: string, at: string): LedgerEntry {
  const found = rowOf(rows, what, what === 'task' ? undefined : version);
  if (found === undefined) return { what, version, state: 'planned', attempts: 0, at };
  return found.state === 'stored' ? found : { ...found, version };
}

const ends: ReadonlySet<LedgerEntry['state']> = new Set(['done', 'skipped', 'failed', 'retracted']);

/** Delivered, or left to a person: nothing more is tried for this version. */
export function isSettled(rows: readonly LedgerEntry[], what: WrittenKind, version: string): boolean {
  const row = rowOf(rows, what, version);
  return row !== undefined && (ends.has(row.state) || isNotFound(row));
}

/** Our summary of an outcome goes by one of these. */
export const summaries = ['document', 'communication'] as const;

/** The rows of our summary of one outcome, by whatever it went or is to go. */
export function summaryRows(rows: readonly LedgerEntry[], version: string): readonly LedgerEntry[] {
  return rows.filter((row) => summaries.some((what) => what === row.what) && row.version === version);
}

/** Whether our summary of an outcome is delivered, or left to a person: nothing more is tried for it. */
export function isCarried(rows: readonly LedgerEntry[], version: string): boolean {
  const own = summaryRows(rows, version);
  const isEnd = (row: LedgerEntry) => isSettled([row], row.what, row.version);
  const isThere = own.some((row) => isEnd(row) && row.state !== 'skipped' && row.state !== 'failed');
  return isThere || (own.length > 0 && own.every(isEnd));
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

/** It was looked for as often as planned and let be written again, which only a delivery that wants it does. */
export function isLetBeWritten(row: LedgerEntry): boolean {
  return row.state === 'planned' && mayExist(row) && wasLookedFor(row);
}

/** The row without why it was not done. */
export function withoutReason({ reason: _, says: __, ...row }: LedgerEntry): LedgerEntry {
  return row;
}

/** Why something is not done: our words, and the EHR's where it gave any. */
export type Why = { readonly reason: string } & Pick<LedgerEntry, 'says'>;

/** The row with this reason in place of another one. */
export function because(row: LedgerEntry, { reason, says }: Why): LedgerEntry {
  return { ...withoutReason(row), reason, ...(says === undefined ? {} : { says }) };
}

/**
 * The rows after a person asked to try again: what failed, was skipped or waits is planned; what may be in the chart
 * is looked for as before, unless that has ended; what was stored and never found is looked for anew. Looks for a
 * second copy are not put off.
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

/** Why the Task in the chart does not say how the request stands; undefined when it does, or when there is none. */
export function staleTask(rows: readonly LedgerEntry[]): string | undefined {
  const row = rowOf(rows, 'task');
  if (row === undefined || row.state === 'done' || row.state === 'retracted') return undefined;
  return row.reference === undefined && row.state !== 'stored' ? undefined : row.reason;
}

/** What a Task lacks whose status is right. */
export const lacksDocument = 'does not point to all that was written';

/**
 * Who brings the status of the Task in the chart up to date: the next `launch`, or a `person` in the EHR; `unfound` of
 * a Task that is in the chart nobody knows where, and was written for another version than `version`. undefined when it
 * is right, when the bridge does it by itself, or when there is no Task.
 */
export function oldStatus(rows: readonly LedgerEntry[], version: string): 'launch' | 'person' | 'unfound' | undefined {
  const reason = staleTask(rows);
  const row = reason === undefined ? undefined : rowOf(rows, 'task');
  if (row?.state === 'waiting') return 'launch';
  if (row !== undefined && isNotFound(row)) return row.version === version ? undefined : 'unfound';
  const isLeft = row?.state === 'failed' || row?.state === 'skipped';
  return isLeft && reason?.includes(lacksDocument) === false ? 'person' : undefined;
}

/** Whether the EHR stored it without saying where, and it was looked for as often as planned. */
export function isNotFound(row: LedgerEntry): boolean {
  return row.state === 'stored' && wasLookedFor(row);
}
