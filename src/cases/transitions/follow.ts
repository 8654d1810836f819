import { kindRecord, type ServiceRecord } from '../../core/contract/kinds.ts';
import type { BridgeError } from '../../core/errors.ts';
import { contentOfOutcome, firstStatusOf } from '../../service/record-outcome.ts';
import { statusRule } from '../../service/statuses.ts';
import type { Job } from '../../store/types.ts';
import { type Current, contentOf, recordIn, roundsIn, submissionOf } from '../assemble.ts';
import type { Actor } from '../case.ts';
import type { CaseChange, Changed } from '../change.ts';
import type { NewEvent } from '../events.ts';
import { job } from '../jobs.ts';
import { letterIsDue } from '../letter-state.ts';
import { problemOf, problemOfOthers } from '../problem.ts';
import { withReading } from '../rounds/from-record.ts';
import { asksProvider } from '../rounds/merge.ts';
import { answersRequest, believable, submissionIdOf, visible } from '../service-record.ts';
import { roundsChange } from './rounds.ts';
import { followed, withLeft } from './send.ts';

/**
 * The record was read. A finished case never returns to an unfinished status; a record with such a status is logged as
 * an event. Throws `service_contract` when the record is not about the current request.
 */
export function recordRead(current: Current, { record }: { readonly record: ServiceRecord }, at: string): CaseChange {
  const { stored, head, one } = current;
  const { serviceId, attempt } = stored;
  const body = bodyLeft(current);
  believable(
    { id: stored.id, serviceId, submissionId: submissionIdOf(stored.id, attempt), body },
    kindRecord(one.kind, record),
  );
  const [other] = head.others ?? [];
  if (stored.state === 'open' && record.status === 'cancelled' && other !== undefined)
    return otherFollowed(current, other, at);
  if (stored.state === 'ended' && !statusRule(one.kind, record.status).terminal)
    return reportedAfterEnd(current, record, at);
  return brought(current, record, at);
}

/** The case after its record was read, including the rounds. */
function brought(current: Current, answer: ServiceRecord, at: string): CaseChange {
  return asked(current, answer, broughtRecord(current, answer, at), at);
}

/** Adds the record's rounds; only a prior authorization has them. */
function asked(current: Current, answer: ServiceRecord, change: CaseChange, at: string): CaseChange {
  const read = kindRecord(current.one.kind, answer);
  if (read.kind !== 'prior-auth') return change;
  const before = roundsIn(current.stored);
  const { rounds, accepted } = withReading(before, read.record, { stored: current.stored, at });
  // Events about the question may have been stored before their case was known.
  const isAsked = change.says?.some(({ type }) => type === 'status') === true && read.record.status === asksProvider;
  const ask = isAsked ? [job('round', current.stored.site, { case: current.stored.id })] : [];
  if (rounds === before) return { ...change, jobs: [...(change.jobs ?? []), ...ask] };
  const says = accepted.map((round) => ({ type: 'reply_accepted', facts: { round }, by: 'bridge' }) as const);
  return joined(change, {
    ...roundsChange(current, rounds, says),
    jobs: [...(roundsChange(current, rounds).jobs ?? []), ...ask],
  });
}

/** The case after its record was read, without the rounds. */
function broughtRecord({ stored, head, one: { kind } }: Current, answer: ServiceRecord, at: string): CaseChange {
  const before = recordIn(stored);
  const record = visible(kindRecord(kind, answer));
  const now = kindRecord(kind, record);
  const changed =
    before?.record.status !== record.status ||
    JSON.stringify(contentOfOutcome(before)) !== JSON.stringify(contentOfOutcome(now));
  const ended = statusRule(kind, record.status).terminal;
  const { site, id } = stored;
  const isLetterDue = now.kind === 'prior-auth' && letterIsDue(now.record, stored.events);
  const letter = isLetterDue ? [job('letter', site, { case: id })] : [];
  const deliver = changed ? [job('deliver', site, { case: id })] : [];
  const follow = changed && ended ? [job('follow', site, { case: id })] : [];
  return {
    state: ended ? 'ended' : 'open',
    columns: {
      status: record.status,
      readAt: at,
      ...(changed ? { changedAt: at } : {}),
      ...(ended ? { endedAt: stored.endedAt ?? at } : {}),
      ...(letter.length + deliver.length > 0 ? { unwritten: true } : {}),
    },
    head: { problem: problemOfOthers(head.others ?? [], head.problem, at) },
    record,
    says: changed ? [{ type: 'status', facts: { status: record.status }, by: 'bridge' }] : [],
    jobs: [...letter, ...deliver, ...follow],
  };
}

function reportedAfterEnd({ stored, head }: Current, { status }: ServiceRecord, at: string): CaseChange {
  return {
    columns: { readAt: at },
    head: { problem: problemOfOthers(head.others ?? [], head.problem, at) },
    says: saidOnce(stored, { type: 'reported_after_end', facts: { status }, by: 'bridge' }),
  };
}

/**
 * The followed request was canceled while another request of ours continues: the case follows the other request
 * instead.
 */
function otherFollowed(current: Current, other: string, at: string): CaseChange {
  const { stored, head, one } = current;
  const { site, id, serviceId = '' } = stored;
  const others = (head.others ?? []).filter((each) => each !== other);
  const attempt = stored.submissions.find((each) => each.serviceId === other)?.attempt ?? stored.attempt;
  return withLeft(current, attempt, {
    state: 'open',
    columns: { serviceId: other, status: firstStatusOf(one.kind), changedAt: at, unwritten: true },
    record: null,
    head: { others, problem: problemOfOthers(others, undefined, at) },
    says: [{ type: 'followed_other', facts: { from: serviceId, to: other }, by: 'bridge' }],
    jobs: [job('look', site, { case: id }), job('deliver', site, { case: id }), job('follow', site, { case: id })],
  });
}

export interface FoundRecord {
  readonly record: ServiceRecord;
  readonly by: Actor;
  readonly pollSeconds: number;
}

/**
 * A record with our submission id was found. If the answer was lost, the case follows the record. If a person reported
 * that the request did not arrive, the case returns to the request as it was sent. If the case already follows another
 * record, a person must cancel one of the two requests.
 */
export function found(current: Current, { record, by, pollSeconds }: FoundRecord, at: string): Changed {
  const { stored, one } = current;
  const attempt = attemptOf(current, record);
  if (attempt === undefined) return undefined;
  // The answer to the request was stored in the meantime. The record that was just read may be older than the stored
  // one, so the record is read again later.
  if (stored.serviceId === record.id) return { jobs: [job('look', stored.site, { case: stored.id })], visible: false };
  const isDraft = one.state === 'draft' || one.state === 'refused';
  if (!isDraft && !(isWaited(one.state) && stored.attempt === attempt))
    return secondFound(current, record, attempt, at);
  // Somebody canceled the request in the service's platform in the meantime. No request is under way there, so the case
  // stays a draft.
  if (isDraft && record.status === 'cancelled')
    return withoutOther(current, record.id, {
      says: saidOnce(stored, { type: 'arrived_cancelled', facts: { service_id: record.id }, by: 'bridge' }),
      submissions: [{ attempt, state: 'accepted', serviceId: record.id, settledAt: at }],
    });
  const says = [{ type: 'found', facts: { attempt }, by }] as const;
  const taken = followed(current, { attempt, serviceId: record.id, pollSeconds, says }, at);
  const left = isDraft ? withLeft(current, attempt, taken) : taken;
  return joined(withoutOther(current, record.id, left), brought(current, record, at));
}

function isWaited(state: string): boolean {
  return state === 'sending' || state === 'unknown';
}

// Combines two changes that are stored in one step: the case starts to follow a record, and stores it.
function joined(first: CaseChange, then: CaseChange): CaseChange {
  const jobs: Job[] = [...(first.jobs ?? [])];
  for (const next of then.jobs ?? []) if (!jobs.some((each) => each.queue === next.queue)) jobs.push(next);
  return {
    ...first,
    ...then,
    columns: { ...first.columns, ...then.columns },
    head: { ...first.head },
    says: [...(first.says ?? []), ...(then.says ?? [])],
    jobs,
  };
}

function withoutOther({ head }: Current, id: string, change: CaseChange): CaseChange {
  const others = head.others?.filter((each) => each !== id);
  return others === undefined ? change : { ...change, head: { ...change.head, others } };
}

function secondFound({ stored, head }: Current, record: ServiceRecord, attempt: number, at: string): Changed {
  const { id, status } = record;
  const rest = (head.others ?? []).filter((other) => other !== id);
  const isGone = status === 'cancelled' || status === 'not_submitted';
  const others = isGone ? rest : [...rest, id];
  const says = saidOnce(stored, { type: 'second_found', facts: { service_id: id, status }, by: 'bridge' });
  if (says.length === 0 && others.length === (head.others ?? []).length) return undefined;
  return {
    head: {
      others,
      problem: isWaited(stored.state) ? head.problem : problemOfOthers(others, head.problem, at),
    },
    submissions: [{ attempt, state: 'accepted', serviceId: id, settledAt: at }],
    says,
  };
}

/** The record could not be read. The case gets the error as its problem and stays otherwise unchanged. */
export function unreadable(_: Current, { error }: { readonly error: BridgeError }, at: string): CaseChange {
  return { head: { problem: problemOf(error, at) } };
}

export function cancelAsked(_: Current, { reason, by }: { readonly reason: string; readonly by: Actor }): CaseChange {
  return { head: { cancellation: reason }, says: [{ type: 'cancel_asked', facts: {}, by }] };
}

/**
 * The attempt that a record answers. Records of benefit verifications do not carry our id: among attempts with the same
 * content, the attempt without an answer is chosen.
 */
function attemptOf({ stored, one }: Current, record: ServiceRecord): number | undefined {
  const known = stored.submissions.find((each) => each.serviceId === record.id);
  if (known !== undefined) return known.attempt;
  const read = kindRecord(one.kind, record);
  const candidates = stored.submissions.filter((each) =>
    answersRequest(read, { id: stored.id, attempt: each.attempt, body: contentOf(each).body }),
  );
  const unanswered = candidates.filter((each) => each.serviceId === undefined);
  return (unanswered.at(0) ?? candidates.at(-1))?.attempt;
}

function bodyLeft({ stored }: Current): unknown {
  const submission = submissionOf(stored);
  return submission === undefined ? undefined : contentOf(submission).body;
}

function saidOnce({ events }: Current['stored'], said: NewEvent): NewEvent[] {
  const isSaid = events.some(
    (event) => event.type === said.type && JSON.stringify(sorted(event.facts)) === JSON.stringify(sorted(said.facts)),
  );
  return isSaid ? [] : [said];
}

function sorted(facts: object): unknown {
  return Object.entries(facts).sort(([one], [other]) => (one < other ? -1 : 1));
}
