import { BridgeError, errors } from '../errors.ts';
import type { PriorAuthorization } from '../service/contract.ts';
import { isTerminal, statusRow } from '../service/status.ts';
import type { Actor, Case, NotArrived, Problem } from './case.ts';
import { believable, visible } from './record.ts';
import type { DraftEdits, DraftRequest, Submission } from './requests.ts';
import type { Change } from './rows.ts';

/**
 * The transitions of a case: pure functions from a case to the case that follows and the jobs that go with it.
 * What is not allowed throws; what changes nothing is undefined.
 */

export function draft(request: DraftRequest, id: string, at: string): Case {
  return {
    ...request,
    id,
    state: 'draft',
    edits: {},
    answers: {},
    history: [{ at, what: 'Draft opened', by: 'bridge' }],
    writes: [],
    createdAt: at,
    updatedAt: at,
  };
}

export function edited(current: Case, draft: DraftEdits, at: string): Change {
  assertEditable(current);
  return {
    case: {
      ...(draft.consent === undefined && draft.consentEntry === undefined ? current : withoutConsent(current)),
      ...draft,
      updatedAt: at,
    },
  };
}

// A consent that was typed anew stands instead of the earlier one, also while it is not complete.
function withoutConsent({ consent: _, consentEntry: __, ...rest }: Case): Case {
  return rest;
}

/** The request is about to leave: stored first, so that a lost answer is noticed even after a power cut. */
export function sending(
  current: Case,
  submission: Submission,
  body: unknown,
  settleSeconds: number,
  at: string,
): Change {
  assertEditable(current);
  const { provenance, gaps, mappedBy, by, launch = current.launch } = submission;
  // The body says from here on what was seen.
  const { problem: _, shown: __, ...rest } = current;
  const made = { body, provenance, gaps, mappedBy };
  const next: Case = { ...rest, state: 'sending', ...made, launch, sentAt: at, sentBy: by };
  return {
    case: noted(next, 'Sent', by, at),
    jobs: [{ queue: 'settle', data: { case: current.id }, afterSeconds: settleSeconds }],
  };
}

/** The service has it: tracked from here on; an enrollment is complete with its confirmation. */
export function accepted(
  current: Case,
  serviceId: string | undefined,
  pollSeconds: number,
  at: string,
): Change | undefined {
  if (current.state !== 'sending' && current.state !== 'unknown') return undefined;
  const { problem: _, ...rest } = current;
  const known = { ...rest, ...(serviceId === undefined ? {} : { serviceId }), changedAt: at };
  const deliver = { queue: 'deliver', data: { case: current.id } } as const;
  if (current.kind === 'enrollment') {
    return {
      case: noted({ ...known, state: 'ended', endedAt: at }, 'Accepted by the support program', 'bridge', at),
      jobs: [deliver],
    };
  }
  const open: Case = { ...known, state: 'open', status: 'processing' };
  return {
    case: noted(open, 'Accepted by the service', 'bridge', at),
    jobs: [deliver, { queue: 'poll', data: { case: current.id }, afterSeconds: pollSeconds }],
  };
}

/** Nothing was sent, or the service said no: the draft may be corrected and sent again. */
export function notAccepted(current: Case, error: BridgeError, at: string): Change | undefined {
  if (current.state !== 'sending') return undefined;
  const refused = error.code === 'service_refused';
  const { sentAt: _, sentBy: __, ...rest } = current;
  const next: Case = { ...rest, state: refused ? 'refused' : 'draft', problem: problemOf(error, at) };
  return { case: noted(next, refused ? 'Refused by the service' : 'Not sent', 'bridge', at) };
}

/** The request left and nobody knows whether it arrived. */
export function lost(current: Case, at: string): Change | undefined {
  if (current.state !== 'sending') return undefined;
  const next: Case = {
    ...current,
    state: 'unknown',
    changedAt: at,
    problem: problemOf(new BridgeError('service_unclear'), at),
  };
  return {
    case: noted(next, 'Sent; no certain answer came back', 'bridge', at),
    jobs: [{ queue: 'deliver', data: { case: current.id } }],
  };
}

/** A person looked it up: a draft again. What had left is kept, since a late webhook may prove the person wrong. */
export function notArrived(current: Case, by: Actor, at: string): Change {
  if (current.state !== 'unknown') throw new BridgeError('case_already_sent', { case: current.id });
  const { history, writes, problem: _, notArrived: __, others, ...left } = current;
  const { sentAt: ___, sentBy: ____, ...rest } = left;
  // A Task that was never tried is not wanted any more; one that may stand in the chart is brought up to date.
  const tried = writes.filter((row) => row.attempts > 0);
  const next: Case = {
    ...rest,
    state: 'draft',
    changedAt: at,
    notArrived: { at, left },
    ...(others === undefined ? {} : { others }),
    history,
    writes: tried,
  };
  return {
    case: noted(next, 'Looked up: it did not arrive', by, at),
    jobs: [{ queue: 'deliver', data: { case: current.id } }],
  };
}

/**
 * What a record with our submission id makes of its case: a lost request is found; one that was said not to have
 * arrived did,
 * and the draft is taken back as it had left; where another record is followed already, a person must cancel one of the
 * two.
 */
export function recordFound(
  current: Case,
  record: PriorAuthorization,
  by: Actor,
  pollSeconds: number,
  at: string,
): Change | undefined {
  const isDraft = current.state === 'draft' || current.state === 'refused';
  // Cancelled meanwhile, by somebody in the platform: nothing is under way there, and the draft goes on.
  if (isDraft && record.status === 'cancelled')
    return { case: notedOnce(current, `The request had arrived (${record.id}) and was cancelled there`, at) };
  const lostCase = isDraft && current.notArrived !== undefined ? asLeft(current, current.notArrived) : current;
  const taken = accepted(lostCase, record.id, pollSeconds, at);
  if (taken !== undefined) {
    const read = recordRead(noted(taken.case, 'Found at the service', by, at), record, at);
    return { case: read.case, jobs: [...(taken.jobs ?? []), ...(read.jobs ?? [])] };
  }
  return current.serviceId === undefined || current.serviceId === record.id
    ? undefined
    : secondFound(current, record, at);
}

function asLeft({ history, writes, others = [] }: Case, notArrived: NotArrived): Case {
  return { ...notArrived.left, state: 'unknown', history, writes, notArrived, others };
}

function secondFound(current: Case, { id, status }: PriorAuthorization, at: string): Change {
  const rest = (current.others ?? []).filter((other) => other !== id);
  const isGone = status === 'cancelled' || status === 'not_submitted';
  const next = withOthers({ ...current, others: isGone ? rest : [...rest, id] }, at);
  return {
    case: notedOnce(next, `A second request of ours exists at the service (${id}): ${statusRow(status).label}`, at),
  };
}

/** The case without a problem but the one that its further records are. */
function withOthers({ problem, others = [], ...rest }: Case, at: string): Case {
  if (others.length === 0) return rest;
  const code = 'service_second_request';
  const { title, next } = errors[code];
  const text = `${title.replace(/\.$/, '')} (${others.join(', ')}). ${next}`;
  return {
    ...rest,
    others,
    problem: problem?.text === text ? problem : { code, text, facts: { service_ids: others }, at },
  };
}

/** The followed request was cancelled while another of ours goes on: that one is followed instead. */
function otherFollowed(current: Case, other: string, at: string): Change {
  const { record: _, cancellation: __, others = [], serviceId = '', ...rest } = current;
  const left = rest.notArrived === undefined ? rest : asLeft(rest, rest.notArrived);
  const next: Case = {
    ...left,
    state: 'open',
    status: 'processing',
    serviceId: other,
    others: others.filter((id) => id !== other),
    changedAt: at,
  };
  const what = `Cancelled (${serviceId}); the other request (${other}) is followed from here on`;
  const data = { case: current.id };
  return {
    case: noted(withOthers(next, at), what, 'bridge', at),
    jobs: [
      { queue: 'look', data },
      { queue: 'deliver', data },
    ],
  };
}

/**
 * What a record read from the service makes of its case. A finished case never goes back to an unfinished status; what
 * the
 * record then says is noted. Throws `service_contract` when the record is not about this case.
 */
export function recordRead(current: Case, answer: PriorAuthorization, at: string): Change {
  believable(current, answer);
  const [other] = current.others ?? [];
  if (current.state === 'open' && answer.status === 'cancelled' && other !== undefined)
    return otherFollowed(current, other, at);
  const rest = withOthers(current, at);
  const record = visible(answer);
  const changed =
    current.record?.status !== record.status ||
    JSON.stringify(current.record.outcome) !== JSON.stringify(record.outcome);
  const ended = isTerminal(record.status);
  if (current.state === 'ended' && !ended)
    return {
      case: notedOnce({ ...rest, readAt: at }, `The service reports ${record.status} for a finished request`, at),
    };
  const next: Case = {
    ...rest,
    state: ended ? 'ended' : 'open',
    serviceId: answer.id,
    status: record.status,
    record,
    readAt: at,
    updatedAt: at,
    ...(changed ? { changedAt: at } : {}),
    ...(ended ? { endedAt: current.endedAt ?? at } : {}),
  };
  if (!changed) return { case: next };
  return {
    case: noted(next, statusRow(record.status).label, 'bridge', at),
    jobs: [{ queue: 'deliver', data: { case: current.id } }],
  };
}

/** The record could not be read; the case stays as it is and says why. */
export function unreadable(current: Case, error: BridgeError, at: string): Change {
  return { case: { ...current, problem: problemOf(error, at), updatedAt: at } };
}

export function noted(current: Case, what: string, by: Actor, at: string): Case {
  return { ...current, updatedAt: at, history: [...current.history, { at, what, by }] };
}

export function problemOf(error: BridgeError, at: string): Problem {
  const { fields } = error.facts;
  return {
    code: error.code,
    text: `${errors[error.code].title} ${error.next}`,
    facts: error.facts,
    ...(Array.isArray(fields) ? { fields } : {}),
    at,
  };
}

function notedOnce(current: Case, what: string, at: string): Case {
  return current.history.some((entry) => entry.what === what) ? current : noted(current, what, 'bridge', at);
}

function assertEditable(current: Case): void {
  if (current.state !== 'draft' && current.state !== 'refused')
    throw new BridgeError('case_already_sent', { case: current.id });
}
