import { type Decision, decide, decisionNamed } from './decisions.ts';
import type { MockResult } from './requests/body-parts.ts';
import { type CreateBody, isTraining, requestedDrug } from './requests.ts';
import { isTerminal, type Status } from './statuses.ts';
import {
  type Activity,
  type Asks,
  naive,
  type SandboxOutcome,
  type StatusPath,
  type StoredPriorAuthorization,
} from './stored-record.ts';

/** Milliseconds in each status at speed 1. */
const stays: Readonly<Partial<Record<Status, number>>> = {
  processing: 4000,
  awaiting_review: 6000,
  awaiting_provider_response: 6000,
  awaiting_outcome: 7000,
  validating_outcome: 5000,
};

/**
 * `speed`: 1 for the times above, 10 for ten times as fast, 0 for no automatic steps. `review`: whether awaiting_review
 * ends by itself. `replies`: whether a payer that asks continues without a reply.
 */
export interface Pace {
  readonly speed: number;
  readonly review: 'auto' | 'wait';
  readonly replies?: 'auto' | 'wait';
}

const pending: SandboxOutcome = { result: 'Pending', detail: null, detail_code: null };

/** Returns a new prior authorization in `processing`. With a mock result it is completed at once. */
export function begin(
  {
    id,
    site,
    request,
    asks,
  }: { readonly id: string; readonly site: string; readonly request: CreateBody; readonly asks?: Asks | undefined },
  now: Date,
  pace: Pace,
): StoredPriorAuthorization {
  const decision = decide(request);
  const fresh: StoredPriorAuthorization = {
    id,
    site,
    createdAt: naive(now),
    request,
    status: 'processing',
    statusSince: naive(now),
    decision: decision.name,
    path: asks === undefined ? decision.path : askedOnce(decision.path),
    ...(asks === undefined ? {} : { asks }),
    reached: 0,
    activity: [],
    outcome: pending,
  };
  if (isTraining(request)) return fresh;
  if (request.mock_result) return finishMocked(fresh, request.mock_result);
  return withDue(fresh, now.getTime(), pace);
}

// The payer asks before it has accepted the request.
function askedOnce(path: StatusPath): StatusPath {
  if (path.includes('awaiting_provider_response') || !path.includes('awaiting_outcome')) return path;
  const place = path.indexOf('awaiting_outcome');
  return [...path.slice(0, place), 'awaiting_provider_response', ...path.slice(place)];
}

/**
 * Returns the record in the next state of its path, entered at `at`. Undefined if there is none: it has ended, or it is
 * training data, which is never processed.
 */
export function advance(stored: StoredPriorAuthorization, at: Date, pace: Pace): StoredPriorAuthorization | undefined {
  const status = stored.path[stored.reached];
  if (status === undefined || isTerminal(stored.status) || isTraining(stored.request)) return undefined;
  const { dueAt: _, shownAs: __, ...rest } = stored;
  const moved: StoredPriorAuthorization = { ...rest, status, statusSince: naive(at), reached: stored.reached + 1 };
  return withDue({ ...moved, ...enter(moved, decisionNamed(stored.decision), naive(at)) }, at.getTime(), pace);
}

/** Returns the canceled record; undefined if the status is already terminal. */
export function cancel(
  stored: StoredPriorAuthorization,
  reason: string | undefined,
  now: Date,
): StoredPriorAuthorization | undefined {
  if (isTerminal(stored.status)) return undefined;
  const { dueAt: _, analysis: __, shownAs: ___, ...rest } = stored;
  return {
    ...rest,
    status: 'cancelled',
    statusSince: naive(now),
    outcome: pending,
    ...(reason === undefined ? {} : { cancellationReason: reason }),
  };
}

/**
 * Returns a completed record after validation rejected it: open again with the payer, or completed with another
 * outcome.
 */
export function turnedBack(stored: StoredPriorAuthorization, at: Date, pace: Pace): StoredPriorAuthorization {
  const { dueAt: _, turnBack, analysis: __, shownAs: ___, ...rest } = stored;
  const since = { statusSince: naive(at), wasTurnedBack: true as const };
  if (turnBack === 'open' || turnBack === undefined) {
    const reopened: StoredPriorAuthorization = {
      ...rest,
      ...since,
      status: 'awaiting_outcome',
      path: [...stored.path.slice(0, stored.reached), 'awaiting_outcome', 'validating_outcome', 'completed'],
      reached: stored.reached + 1,
      outcome: pending,
      activity: [...stored.activity, call(stored, naive(at), 'The payer looks at the request once more.')],
    };
    return withDue(reopened, at.getTime(), pace);
  }
  const outcome: SandboxOutcome = {
    result: turnBack,
    detail: 'The payer changed its decision',
    detail_code: mockCodes[turnBack],
  };
  const letter = { id: `rec_fax__${stored.id}_back`, createdAt: naive(at), type: 'received_fax' as const, outcome };
  return { ...rest, ...since, outcome, activity: [...stored.activity, letter] };
}

function withDue(stored: StoredPriorAuthorization, from: number, pace: Pace): StoredPriorAuthorization {
  const stay = stays[stored.status];
  // A payer that asks waits for an answer, at most until its deadline.
  if (stored.status === 'awaiting_provider_response' && stored.asks !== undefined) {
    const { closesAfter } = stored.asks;
    return closesAfter === undefined ? stored : { ...stored, dueAt: from + closesAfter * 1000 };
  }
  const waits =
    pace.speed <= 0 ||
    stay === undefined ||
    (stored.status === 'awaiting_review' && pace.review === 'wait') ||
    (stored.status === 'awaiting_provider_response' && pace.replies === 'wait');
  return waits ? stored : { ...stored, dueAt: from + stay / pace.speed };
}

/** What else changes when a record enters a status. */
function enter(stored: StoredPriorAuthorization, decision: Decision, at: string): Partial<StoredPriorAuthorization> {
  const note = (activity: Activity) => ({ activity: [...stored.activity, activity] });
  const visit = stored.path.slice(0, stored.reached).filter((status) => status === stored.status).length;
  switch (stored.status) {
    case 'awaiting_review':
      return { answers: answersTo(stored.request), answeredAt: at };
    case 'awaiting_provider_response':
      return {
        submitted: true,
        ...note(call(stored, at, 'The payer asks for the date of the last visit; the prescriber was asked.')),
      };
    case 'awaiting_outcome':
      if (visit > 1)
        return {
          outcome: pending,
          ...note(call(stored, at, 'The payer was called: the first answer belonged to another request.')),
        };
      return { submitted: true, ...note({ id: `sent_fax__${stored.id}`, createdAt: at, type: 'sent_fax' }) };
    case 'validating_outcome': {
      const outcome = visit === 1 && decision.mistaken !== undefined ? decision.mistaken : decision.outcome;
      return {
        outcome,
        ...note({ id: `rec_fax__${stored.id}_${visit}`, createdAt: at, type: 'received_fax', outcome }),
      };
    }
    case 'not_submitted':
      return { outcome: decision.outcome, governmentPlan: true };
    case 'completed':
    case 'failed':
      return { outcome: decision.outcome, ...(decision.analysis === undefined ? {} : { analysis: decision.analysis }) };
    default:
      return {};
  }
}

function finishMocked(stored: StoredPriorAuthorization, mock: MockResult): StoredPriorAuthorization {
  const detail_code = mock.detail_code ?? mockCodes[mock.result];
  const words = detail_code.replaceAll('_', ' ');
  const status = mock.result === 'Not Submitted' ? 'not_submitted' : 'completed';
  return {
    ...stored,
    status,
    path: [],
    mock,
    outcome: { result: mock.result, detail: words.charAt(0).toUpperCase() + words.slice(1), detail_code },
  };
}

const mockCodes: Readonly<Record<MockResult['result'], string>> = {
  Approved: 'approval',
  Denied: 'medical_necessity_criteria_not_met',
  Other: 'other',
  'Not Submitted': 'eligibility_check_error',
};

function call(stored: StoredPriorAuthorization, at: string, notes: string): Activity {
  return {
    id: `pa_follow_up_call__${stored.id}_${stored.activity.length}`,
    createdAt: at,
    type: 'follow_up_call',
    notes,
    transcript: `Sandbox: ${notes}`,
  };
}

function answersTo(request: CreateBody): readonly { question: string; answer: string }[] {
  const { prescription, diagnoses, evidence } = request;
  const { name, strength, form, amount } = requestedDrug(request);
  return [
    {
      question: 'Which diagnoses is the drug prescribed for?',
      answer: diagnoses.map(({ code }) => code).join(', ') || 'Not stated',
    },
    {
      question: 'Which drug, strength and dose form?',
      answer: [name, strength, form].filter((part) => part !== undefined).join(', '),
    },
    { question: 'What are the directions?', answer: prescription.directions },
    { question: 'How much is dispensed?', answer: amount },
    {
      question: 'Which documents support the request?',
      answer: (evidence ?? []).map(({ title }) => title).join(', ') || 'None',
    },
  ];
}
