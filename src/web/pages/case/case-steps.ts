import { type Case, isSent, kindRecordOf, recordOf, type Sent } from '../../../cases/case.ts';
import { durationText, steps as words } from './words.ts';

/** A step shown at the top of the case page. */
export interface Step {
  readonly label: string;
  /** `skipped`: the request ended without it. */
  readonly state: 'done' | 'now' | 'later' | 'skipped';
  /** When the first or last step happened, or since when the current step lasts. */
  readonly at?: string;
  /** How long the step lasted, once it is over: `4 minutes`. */
  readonly took?: string;
}

/** The steps of a sent request: Sent, Prepared, With the payer, Decided. Empty before it is sent. */
export function stepsOf(one: Case): readonly Step[] {
  if (!isSent(one)) return [];
  if (one.kind === 'enrollment') return enrollmentSteps(one);
  if (one.kind === 'benefit-verification') return benefitSteps(one);
  const isAway = one.state === 'sending' || one.state === 'unknown';
  const sent: Step = { label: words.sent, state: isAway ? 'now' : 'done', at: one.sentAt };
  if (isAway) return [sent, ...[words.prepared, words.payer, words.decided].map(later)];
  const statuses = statusesOf(one);
  const submitted = statuses.find(({ status }) => !preparing.has(status));
  const endedAt = 'endedAt' in one ? one.endedAt : undefined;
  const end = endOf(one, endedAt);
  const neverSubmitted = submitted === undefined || neverThere.has(submitted.status);
  const prepared = part(words.prepared, one.sentAt, neverSubmitted ? endedAt : submitted.at);
  if (neverSubmitted) return [sent, prepared, { ...later(words.payer), ...(endedAt && { state: 'skipped' }) }, end];
  return [sent, prepared, part(words.payer, submitted.at, endedAt), end];
}

/** Statuses before the request reached the payer. */
const preparing: ReadonlySet<string> = new Set(['processing', 'awaiting_review']);
/** Final statuses of requests that never reached the payer. */
const neverThere: ReadonlySet<string> = new Set(['not_submitted', 'cancelled']);

interface StatusSince {
  readonly status: string;
  readonly at: string;
}

/** The service's status reports since the current request was sent, oldest first. */
export function statusesOf(one: Case): readonly StatusSince[] {
  const left = one.events.findLastIndex(({ type }) => type === 'sent');
  return one.events
    .slice(left + 1)
    .filter(({ type, facts }) => type === 'status' && typeof facts.status === 'string')
    .map(({ at, facts }) => ({ status: String(facts.status), at }));
}

function endOf(one: Case, endedAt: string | undefined): Step {
  if (endedAt === undefined) return later(words.decided);
  const status = recordOf(one)?.status;
  return { label: endLabels[status ?? ''] ?? words.decided, state: 'done', at: endedAt };
}

const endLabels: Readonly<Record<string, string>> = {
  cancelled: words.canceled,
  not_submitted: words.notSubmitted,
  failed: words.stopped,
};

function benefitSteps(one: Sent): readonly Step[] {
  const isAway = one.state === 'sending' || one.state === 'unknown';
  const sent: Step = { label: words.sent, state: isAway ? 'now' : 'done', at: one.sentAt };
  if (isAway) return [sent, later(words.plan), later(words.answered)];
  const endedAt = 'endedAt' in one ? one.endedAt : undefined;
  const plan = part(words.plan, one.sentAt, endedAt);
  if (endedAt === undefined) return [sent, plan, later(words.answered)];
  const label = endLabels[kindRecordOf(one)?.record.status ?? ''] ?? words.answered;
  return [sent, plan, { label, state: 'done', at: endedAt }];
}

function enrollmentSteps(one: Case): readonly Step[] {
  const isDone = one.state === 'ended';
  const sentAt = isSent(one) ? one.sentAt : one.createdAt;
  return [
    { label: words.sent, state: isDone ? 'done' : 'now', at: sentAt },
    isDone ? { label: words.program, state: 'done', at: one.endedAt } : later(words.program),
  ];
}

function part(label: string, from: string, to: string | undefined): Step {
  if (to === undefined) return { label, state: 'now', at: from };
  return { label, state: 'done', took: durationText(Date.parse(to) - Date.parse(from)) };
}

function later(label: string): Step {
  return { label, state: 'later' };
}
