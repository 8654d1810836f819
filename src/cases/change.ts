import type { ServiceRecord } from '../core/contract/kinds.ts';
import type { CaseWrite, Job, StoredCase } from '../store/types.ts';
import type { LedgerEntry } from '../writeback/ledger.ts';
import { type Current, present } from './assemble.ts';
import type { CaseState, Entries, RequestState } from './case.ts';
import { actorKey, type NewEvent } from './events.ts';
import { type Round, roundWork } from './rounds/round.ts';
import type { CaseHead, SubmissionContent } from './sealed-parts.ts';

/** The change that a transition makes to a case: only the given parts change; undefined removes a part. */
export interface CaseChange {
  readonly state?: CaseState;
  readonly columns?: { readonly [Key in ChangeableColumn]?: CaseWrite['columns'][Key] | undefined };
  readonly head?: { readonly [Key in keyof CaseHead]?: CaseHead[Key] | undefined };
  /** null removes the entries: a sent request has its own copy. */
  readonly entries?: Entries | null;
  /** A request that is being sent, or the result of a request that was sent. */
  readonly submissions?: readonly SubmissionChange[];
  /** null removes the record. */
  readonly record?: ServiceRecord | null;
  readonly rounds?: readonly Round[];
  readonly says?: readonly NewEvent[];
  readonly writes?: readonly LedgerEntry[];
  readonly jobs?: readonly Job[];
  /** false when the change is not visible on any page. */
  readonly visible?: boolean;
}

export type Changed = CaseChange | undefined;

export type ChangeableColumn = Exclude<keyof CaseWrite['columns'], 'state' | 'problem' | 'waiting'>;

export type SubmissionChange =
  | {
      readonly attempt: number;
      readonly state: 'sending';
      readonly sentAt: string;
      readonly content: SubmissionContent;
    }
  | {
      readonly attempt: number;
      readonly state: RequestState;
      readonly serviceId?: string;
      readonly settledAt?: string;
    };

/** The change in the form that the store takes. */
export function writeOf({ stored, head: before }: Current, change: CaseChange): CaseWrite {
  const { events, users } = eventsOf(change.says ?? [], change.head?.users ?? before.users);
  const head = withUsers(merged(before, change.head ?? {}), users);
  const waiting = change.writes === undefined ? stored.waiting : isWaiting(stored, change.writes);
  return {
    columns: columnsOf(stored, change, head, waiting),
    keys: { patient: head.patient, order: head.order },
    head,
    ...present({
      draft: change.entries,
      submissions: change.submissions,
      record: change.record,
      rounds: change.rounds,
      work: change.rounds === undefined ? undefined : workOf(change.rounds),
      writes: change.writes,
      jobs: change.jobs,
      visible: change.visible,
    }),
    events,
  };
}

function workOf(rounds: readonly Round[]): { readonly count: number } | null {
  const count = roundWork(rounds);
  return count === 0 ? null : { count };
}

function columnsOf(stored: StoredCase, change: CaseChange, head: CaseHead, waiting: boolean): CaseWrite['columns'] {
  const before = {
    status: stored.status,
    serviceId: stored.serviceId,
    attempt: stored.attempt,
    unwritten: stored.unwritten,
    notArrivedAt: stored.notArrivedAt,
    sentAt: stored.sentAt,
    readAt: stored.readAt,
    changedAt: stored.changedAt,
    endedAt: stored.endedAt,
  };
  const after = { ...before, ...change.columns, waiting, problem: head.problem?.code };
  // `present` keeps the required columns: attempt and unwritten are never undefined.
  return { ...present(after), state: change.state ?? stored.state } as CaseWrite['columns'];
}

function isWaiting({ writes }: StoredCase, changed: readonly LedgerEntry[]): boolean {
  const replaced = (row: { readonly what: string; readonly version: string }) =>
    changed.some((each) => each.what === row.what && (each.what === 'task' || each.version === row.version));
  return [...writes.filter((row) => !replaced(row)), ...changed].some((row) => row.state === 'waiting');
}

function eventsOf(
  says: readonly NewEvent[],
  users: CaseHead['users'],
): { readonly events: NonNullable<CaseWrite['events']>; readonly users: CaseHead['users'] } {
  let known = users;
  const events = says.map(({ type, facts, by }) => {
    const actor = actorKey(by, known);
    known = actor.users;
    return { type, actor: actor.key, facts: { ...facts } };
  });
  return { events, users: known };
}

function merged(head: CaseHead, changes: NonNullable<CaseChange['head']>): CaseHead {
  return present({ ...head, ...changes }) as CaseHead; // required parts of a head are never removed
}

function withUsers(head: CaseHead, users: CaseHead['users']): CaseHead {
  return users === head.users ? head : { ...head, users };
}
