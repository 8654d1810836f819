import { type KindRecord, kindRecord, type ServiceRecord } from '../core/contract/kinds.ts';
import type { PriorAuthorization } from '../core/contract/prior-authorization.ts';
import { BridgeError } from '../core/errors.ts';
import type { ListedStoredCase, Sealed, StoredCase, StoredSubmission } from '../store/types.ts';
import { isAboutWritten } from '../writeback/ledger.ts';
import {
  type Case,
  type CaseBase,
  type CaseKind,
  type CaseState,
  caseStates,
  type Entries,
  isEditable,
  type ListedCase,
  type Problem,
  type RequestContent,
  type RequestState,
  type User,
} from './case.ts';
import { actorOf, historyOf } from './events.ts';
import type { Round } from './rounds/round.ts';
import type { CaseHead, SubmissionContent } from './sealed-parts.ts';
import type { Signature } from './signature.ts';

/** A stored case with its head unsealed, as transitions read it. */
export interface Current {
  readonly stored: StoredCase;
  readonly head: CaseHead;
  readonly one: Case;
}

export function currentOf(stored: StoredCase): Current {
  const head = headOf(stored);
  return { stored, head, one: assembled(stored, head) };
}

/**
 * The case by its state. Bodies, records and entries are unsealed when they are read. Throws `store_unavailable` for a
 * row that this version cannot have written.
 */
export function caseOf(stored: StoredCase): Case {
  return assembled(stored, headOf(stored));
}

/** `caseOf` without the content of the requests that were sent. */
export function listedOf(stored: ListedStoredCase): ListedCase {
  return withoutContent(stored, headOf(stored));
}

export function headOf({ head }: ListedStoredCase): CaseHead {
  return opened<CaseHead>(head);
}

export function contentOf({ sealed }: StoredSubmission): SubmissionContent {
  return opened<SubmissionContent>(sealed);
}

export function recordIn({ kind, record }: StoredCase): KindRecord | undefined {
  return record === undefined ? undefined : kindRecord(kind as CaseKind, opened<ServiceRecord>(record));
}

export function priorAuthIn(stored: StoredCase): PriorAuthorization | undefined {
  const read = recordIn(stored);
  return read?.kind === 'prior-auth' ? read.record : undefined;
}

/** The payer's questions, oldest first. */
export function roundsIn({ rounds }: StoredCase): readonly Round[] {
  return rounds === undefined ? [] : opened<readonly Round[]>(rounds);
}

export function entriesIn({ draft }: ListedStoredCase): Entries {
  return draft === undefined ? { edits: {}, answers: {} } : opened<Entries>(draft);
}

/** The current request; undefined before the first. */
export function submissionOf<Submission extends { readonly attempt: number }>({
  submissions,
  attempt,
}: {
  readonly submissions: readonly Submission[];
  readonly attempt: number;
}): Submission | undefined {
  return submissions.find((each) => each.attempt === attempt);
}

function assembled(stored: StoredCase, head: CaseHead): Case {
  const one = withoutContent(stored, head);
  stored.submissions.forEach((submission, nth) => void withContent(one.requests[nth]!, submission));
  const submission = submissionOf(stored);
  return (isEditable(one) || submission === undefined ? one : withContent(one, submission)) as Case;
}

function withoutContent(stored: ListedStoredCase, head: CaseHead): ListedCase {
  const state = stateOf(stored);
  const base = baseOf(stored, head);
  if (state === 'draft' || state === 'refused') {
    return {
      ...withEntries(base, stored),
      state,
      // A write that was never tried is dropped if no request is under way, unless it belongs to a Task in the chart.
      writes: base.writes.filter((row) => row.attempts > 0 || isAboutWritten(row)),
      ...present({ notArrivedAt: stored.notArrivedAt }),
    } as ListedCase; // the transition `refuse` also stores the problem
  }
  const submission = submissionOf(stored);
  if (submission === undefined) throw damaged(stored);
  const { record, rounds } = stored;
  const sent = {
    state,
    sentAt: stored.sentAt ?? submission.sentAt,
    sentBy: head.sentBy ?? 'bridge',
    ...present({
      notArrivedAt: stored.notArrivedAt,
      serviceId: stored.serviceId,
      status: stored.status,
      readAt: stored.readAt,
      endedAt: stored.endedAt,
      cancellation: head.cancellation,
    }),
  };
  // The getters are added last: a spread would unseal parts that nobody needs.
  const whole = { ...base, ...sent };
  if (record !== undefined) lazy(whole, 'record', () => opened<ServiceRecord>(record));
  if (rounds !== undefined) lazy(whole, 'rounds', () => opened<readonly Round[]>(rounds));
  return whole as unknown as ListedCase; // the transitions write all parts that a state requires
}

function baseOf(stored: ListedStoredCase, head: CaseHead): Omit<CaseBase, 'requests'> & Pick<ListedCase, 'requests'> {
  return {
    id: stored.id,
    kind: stored.kind as CaseKind, // only `newCase` writes this column
    site: stored.site,
    patient: head.patient,
    order: head.order,
    launch: head.launch,
    banner: head.banner,
    title: head.title,
    attempt: stored.attempt,
    version: stored.version,
    requests: stored.submissions.map(requestOf),
    others: head.others ?? [],
    events: stored.events,
    history: historyOf(stored.events, head, stored.kind as CaseKind),
    writes: stored.writes,
    unwritten: stored.unwritten,
    createdAt: stored.createdAt,
    updatedAt: stored.updatedAt,
    ...present({
      encounter: head.encounter,
      prescriber: head.prescriber,
      coverage: head.coverage,
      payer: head.payer,
      prescriberName: head.prescriberName,
      memberId: head.memberId,
      askedTerms: head.askedTerms,
      needed: head.needed,
      drugNames: head.drugNames,
      changedAt: stored.changedAt,
      problem: problemOf(stored, head),
      owner: personOf(head.owner, head.users),
      assigned: personOf(head.assigned, head.users),
      notes: head.notes?.map(({ by, ...note }) => ({ ...note, by: personOf(by, head.users) ?? {} })),
      restricted: head.restricted,
      orderEnded: head.orderEnded,
      followed: head.followed,
      signature: signatureIn(head),
    }),
  };
}

function signatureIn({ signature, notes = [], users }: CaseHead): Signature | undefined {
  if (signature === undefined) return undefined;
  const { askedBy, settledBy, ...rest } = signature;
  const { state, settledAt } = rest;
  const note = notes.findLast(({ at, by }) => at === settledAt && by === settledBy);
  return {
    ...rest,
    ...present({
      askedBy: personOf(askedBy, users),
      settledBy: personOf(settledBy, users),
      note: state === 'returned' ? note?.text : undefined,
    }),
  };
}

function personOf(key: string | undefined, users: CaseHead['users']): User | undefined {
  const actor = key === undefined ? undefined : actorOf(key, users);
  return actor === 'bridge' ? undefined : actor;
}

// A successful poll clears only the problem column; the text of the last problem may still be stored.
function problemOf({ problem }: ListedStoredCase, head: CaseHead): Problem | undefined {
  return problem === undefined ? undefined : head.problem;
}

function requestOf({
  attempt,
  state,
  sentAt,
  serviceId,
  settledAt,
}: ListedStoredCase['submissions'][number]): ListedCase['requests'][number] {
  return { attempt, state: state as RequestState, sentAt, ...present({ serviceId, settledAt }) };
}

function withContent<Base extends object>(base: Base, submission: StoredSubmission): Base & RequestContent {
  const content = once(() => contentOf(submission));
  lazy(base, 'body', () => content().body);
  lazy(base, 'provenance', () => content().provenance);
  lazy(base, 'gaps', () => content().gaps);
  lazy(base, 'mappedBy', () => content().mappedBy);
  lazy(base, 'codeTitles', () => content().codeTitles);
  lazy(base, 'consent', () => content().draft.consent);
  lazy(base, 'entries', () => content().draft);
  return base as Base & RequestContent;
}

function withEntries<Base extends object>(base: Base, stored: ListedStoredCase): Base & Entries {
  return { ...base, ...entriesIn(stored) };
}

function lazy(target: object, name: string, read: () => unknown): void {
  Object.defineProperty(target, name, { get: once(read), enumerable: true, configurable: true });
}

function once<T>(read: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}

function stateOf(stored: ListedStoredCase): CaseState {
  const state = caseStates.find((each) => each === stored.state);
  if (state === undefined) throw damaged(stored);
  return state;
}

function damaged({ id, state }: ListedStoredCase): BridgeError {
  return new BridgeError('store_unavailable', { record: 'case', case: id, state });
}

// Only src/cases writes these parts, and a seal is bound to its case, so the content has the type that was sealed.
function opened<T>(sealed: Sealed): T {
  return sealed.value() as T;
}

/** A copy without the properties that are undefined. */
export function present<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
