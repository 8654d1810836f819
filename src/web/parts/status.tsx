import type { VNode } from 'preact';
import { type Case, type CaseState, isSent, recordOf, type User } from '../../cases/case.ts';
import { statusRow, visibleOutcome } from '../../service/status.ts';

interface Standing {
  readonly label: string;
  readonly meaning: string;
  readonly tone: 'calm' | 'act' | 'good' | 'bad' | 'off';
}

const states: Readonly<Record<CaseState, Standing>> = {
  draft: { label: 'Draft', meaning: 'Not sent yet.', tone: 'off' },
  sending: { label: 'Sending', meaning: 'The request is on its way to the service.', tone: 'calm' },
  unknown: {
    label: 'Not known whether it arrived',
    meaning:
      'The request was sent, but no clear answer came back. Look in the platform whether it is there, then ' +
      'answer “Did the request arrive?” on this page. Until then it is not sent again, so that nothing is ' +
      'requested twice.',
    tone: 'act',
  },
  refused: {
    label: 'Refused by the service',
    meaning: 'The service did not take the request. Correct what it names and send again.',
    tone: 'act',
  },
  open: { label: 'Sent', meaning: 'The service has the request.', tone: 'calm' },
  ended: { label: 'Finished', meaning: 'Nothing more happens.', tone: 'off' },
};

/**
 * Where a case stands, in the words of the service's status once there is one. Says nothing about an outcome before it
 * is final.
 */
export function standingOf(one: Case): Standing {
  const record = one.state === 'open' || one.state === 'ended' ? recordOf(one) : undefined;
  if (record === undefined)
    return (one.kind === 'enrollment' ? enrollmentStates[one.state] : undefined) ?? states[one.state];
  const row = statusRow(record.status);
  const outcome = visibleOutcome(record);
  const tones = { approved: 'good', denied: 'bad', other: 'act', not_submitted: 'act', needs_person: 'act' } as const;
  if (outcome === undefined) {
    const tone = row.terminal ? 'off' : 'calm';
    return { label: row.label, meaning: row.meaning, tone: row.needsAction ? 'act' : tone };
  }
  return { label: outcome.label, meaning: outcome.next, tone: tones[outcome.kind] };
}

/**
 * Whom a case waits for: who sent the request, else who worked on it last. undefined while nobody has to do anything,
 * and when no person is known.
 */
export function waitsFor(one: Case): User | undefined {
  const isToSendAgain = one.state === 'draft' && one.requests.length > 0;
  const isUnwritten = one.writes.some(({ state }) => state === 'failed');
  if (!isToSendAgain && !isUnwritten && standingOf(one).tone !== 'act') return undefined;
  const people = [...one.history.map(({ by }) => by), ...(isSent(one) ? [one.sentBy] : [])];
  return people.findLast((by) => by !== 'bridge');
}

// The platform shows no enrollments: only the program itself knows.
const enrollmentStates: Partial<Record<CaseState, Standing>> = {
  unknown: {
    ...states.unknown,
    meaning:
      'The enrollment was sent, but no clear answer came back. Ask the support program whether it has the ' +
      'enrollment, then answer “Did the request arrive?” on this page. Until then it is not sent again.',
  },
  ended: {
    label: 'Submitted to the program',
    meaning: 'The program has the enrollment and contacts the patient or the practice.',
    tone: 'good',
  },
};

export function caseBadge(one: Case): VNode {
  const { label, tone } = standingOf(one);
  return <span class={`badge tone-${tone}`}>{label}</span>;
}
