import { kindRecord, type ServiceRecord } from '../../core/contract/kinds.ts';
import type { BridgeError } from '../../core/errors.ts';
import { contentOfOutcome, firstStatusOf } from '../../service/record-outcome.ts';
import { statusRule } from '../../service/statuses.ts';
import type { Job } from '../../store/types.ts';
import { type Current, contentOf, recordIn, roundsIn, submissionOf } from '../assemble.ts';
import type { Actor } from '../case.ts';
import type { Change, Changed } from '../change.ts';
import type { NewEvent } from '../events.ts';
import { job } from '../jobs.ts';
import { letterIsDue } from '../letter-state.ts';
import { problemOf, problemOfOthers } from '../problem.ts';
import { withReading } from '../rounds/from-record.ts';
import { asksProvider } from '../rounds/merge.ts';
import { answers, believable, submissionIdOf, visible } from '../service-record.ts';
import { roundsChange } from './rounds.ts';
import { followed, withLeft } from './send.ts';

/** What a record of the service makes of its case. */

/**
 * The record was read. A finished case never goes back to an unfinished status; what the record then says is noted.
 * Throws `service_contract` when the record is not about the request that counts.
 */
export function read(current: Current, { record }: { readonly record: ServiceRecord }, at: string): Change {
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

/** The case with what the record says. */
function brought(current: Current, answer: ServiceRecord, at: string): Change {
  return asked(current, answer, broughtRecord(current, answer, at), at);
}

/** With what the record says of rounds: of a prior authorization alone. */
function asked(current: Current, answer: ServiceRecord, change: Change, at: string): Change {
  const read = kindRecord(current.one.kind, answer);
  if (read.kind !== 'prior-auth') return change;
  const before = roundsIn(current.stored);
  const { rounds, accepted } = withReading(before, read.record, { stored: current.stored, at });
  // What the service told of it may be kept already, from before its case was known.
  const isAsked = change.says?.some(({ type }) => type === 'status') === true && read.record.status === asksProvider;
  const ask = isAsked ? [job('round', current.stored.site, { case: current.stored.id })] : [];
  if (rounds === before) return { ...change, jobs: [...(change.jobs ?? []), ...ask] };
  const says = accepted.map((round) => ({ type: 'reply_accepted', facts: { round }, by: 'bridge' }) as const);
  return joined(change, {
    ...roundsChange(current, rounds, says),
    jobs: [...(roundsChange(current, rounds).jobs ?? []), ...ask],
  });
}

/** The case with what the record says. */
function broughtRecord({ stored, head, one: { kind } }: Current, answer: ServiceRecord, at: string): Change {
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
    jobs: [...letter, ...deliver],
  };
}

function reportedAfterEnd({ stored, head }: Current, { status }: ServiceRecord, at: string): Change {
  return {
    columns: { readAt: at },
    head: { problem: problemOfOthers(head.others ?? [], head.problem, at) },
    says: saidOnce(stored, { type: 'reported_after_end', facts: { status }, by: 'bridge' }),
  };
}

/** The followed request was cancelled while another of ours goes on: that one is followed instead. */
function otherFollowed(current: Current, other: string, at: string): Change {
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
    jobs: [job('look', site, { case: id }), job('deliver', site, { case: id })],
  });
}

export interface Found {
  readonly record: ServiceRecord;
  readonly by: Actor;
  readonly pollSeconds: number;
}

/**
 * A record with our submission id was found. A lost request is followed; one that was said not to have arrived did, and
 * the case is taken back as it had left; where another record is followed already, a person must cancel one of the two.
 */
export function found(current: Current, { record, by, pollSeconds }: Found, at: string): Changed {
  const { stored, one } = current;
  const attempt = attemptOf(current, record);
  if (attempt === undefined) return undefined;
  // Its own answer was stored meanwhile. What was read may be older than what the case has: it is read again in turn.
  if (stored.serviceId === record.id) return { jobs: [job('look', stored.site, { case: stored.id })], visible: false };
  const isDraft = one.state === 'draft' || one.state === 'refused';
  if (!isDraft && !(isWaited(one.state) && stored.attempt === attempt))
    return secondFound(current, record, attempt, at);
  // Cancelled meanwhile, by somebody in the platform: nothing is under way there, and the draft goes on.
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

// Following begins and the record is taken over in one step.
function joined(first: Change, then: Change): Change {
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

function withoutOther({ head }: Current, id: string, change: Change): Change {
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

/** The record could not be read; the case stays as it is and says why. */
export function unreadable(_: Current, { error }: { readonly error: BridgeError }, at: string): Change {
  return { head: { problem: problemOf(error, at) } };
}

/** Stored before the service is asked, and only while there is something to cancel. */
export function cancelAsked(_: Current, { reason, by }: { readonly reason: string; readonly by: Actor }): Change {
  return { head: { cancellation: reason }, says: [{ type: 'cancel_asked', facts: {}, by }] };
}

/**
 * Which request of the case a record answers. Benefit verifications carry no id of ours: of those that say the same it
 * is the one that nobody has an answer to.
 */
function attemptOf({ stored, one }: Current, record: ServiceRecord): number | undefined {
  const known = stored.submissions.find((each) => each.serviceId === record.id);
  if (known !== undefined) return known.attempt;
  const read = kindRecord(one.kind, record);
  const candidates = stored.submissions.filter((each) =>
    answers(read, { id: stored.id, attempt: each.attempt, body: contentOf(each).body }),
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
