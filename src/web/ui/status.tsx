import type { VNode } from 'preact';
import { approvedDifferences } from '../../cases/approved.ts';
import {
  isEditable,
  isSent,
  kindRecordOf,
  type ListedCase,
  lacksOrder,
  roundsOf,
  type User,
} from '../../cases/case.ts';
import { askedStanding } from '../../cases/rounds/case-asked.ts';
import { roundStanding } from '../../cases/rounds/round.ts';
import { dayText } from '../../core/fhir/time/day-text.ts';
import type { OutcomeKind, OutcomeView } from '../../service/outcome-words.ts';
import { outcomeIn } from '../../service/record-outcome.ts';
import { statusWords } from '../../service/status-words.ts';
import { statusRule } from '../../service/statuses.ts';
import { concernsStaff } from '../../writeback/ledger.ts';
import { approval, askedStates, enrollmentStates, follow, orderEnded, states } from '../pages/case/words.ts';
import { signatureWords } from '../pages/sign/words.ts';

export interface Standing {
  readonly label: string;
  /** One sentence: what the status means and what to do. */
  readonly meaning: string;
  readonly tone: Tone;
}

/** `calm`: nothing to do; `act`: the office must act; `off`: no more changes are expected. */
export type Tone = 'calm' | 'act' | 'good' | 'bad' | 'off';

const tones: Readonly<Record<ListedCase['state'], Tone>> = {
  draft: 'off',
  sending: 'calm',
  unknown: 'act',
  refused: 'act',
  open: 'calm',
  ended: 'off',
};

/**
 * The state of a case: the text of the service's status if there is one, else of the case's own state. An outcome
 * appears only once it is final. With `today` (YYYY-MM-DD), an approval that has ended is distinguished from a valid
 * one.
 */
export function standingOf(one: ListedCase, today?: string): Standing {
  const read = one.state === 'open' || one.state === 'ended' ? kindRecordOf(one) : undefined;
  const asked = one.state === 'open' ? askedStanding(roundsOf(one), one.status) : undefined;
  if (read === undefined) return asked === undefined ? ofState(one) : askedStates[asked];
  const { terminal, needsAction } = statusRule(read.kind, read.record.status);
  const outcome = outcomeIn(read);
  if (outcome !== undefined) {
    const standing = ofOutcome(outcome, today);
    // The newer request has the next step, so this request needs no action.
    if (one.followed !== undefined)
      return { ...standing, meaning: follow.meaning, tone: standing.tone === 'good' ? 'good' : 'off' };
    return standing.tone === 'good' && approvedDifferences(one).length > 0 ? notAsOrdered(standing) : standing;
  }
  const tone = terminal ? 'off' : 'calm';
  if (asked !== undefined) return askedStates[asked];
  return { ...statusWords(read.kind, read.record.status), tone: needsAction ? 'act' : tone };
}

function ofState(one: ListedCase): Standing {
  const { kind, state, signature, prescriberName } = one;
  if (lacksOrder(one)) return { ...orderEnded, tone: 'act' };
  if (signature !== undefined && isEditable(one)) {
    const isReady = signature.state === 'signed' && !signature.isChanged;
    return { ...signatureWords(signature, prescriberName), tone: isReady ? 'good' : 'act' };
  }
  const enrollment = kind === 'enrollment' ? enrollmentStates[state] : undefined;
  const isDone = kind === 'enrollment' && state === 'ended';
  return { ...(enrollment ?? states[state]), tone: isDone ? 'good' : tones[state] };
}

// An approval that differs from the order needs action, because the pharmacy cannot fill the order as written.
function notAsOrdered({ label }: Standing): Standing {
  return { label: approval.notAsOrdered(label), meaning: approval.otherwise, tone: 'act' };
}

const outcomeTones: Readonly<Record<OutcomeKind, Tone>> = {
  approved: 'good',
  denied: 'bad',
  other: 'act',
  not_submitted: 'act',
  needs_person: 'act',
  covered: 'act',
  not_covered: 'bad',
};

function ofOutcome(outcome: OutcomeView, today: string | undefined): Standing {
  const tone = outcome.isGood === true ? 'good' : outcomeTones[outcome.kind];
  const { label, next: meaning } = outcome;
  const until = outcome.isGood === true ? undefined : outcome.authorizationExpiration;
  if (until === undefined) return { label, meaning, tone };
  if (today !== undefined && hasPassed(until, today))
    return { label: approval.ended(dayText(until)), meaning: approval.renewNow, tone: 'act' };
  return { label: approval.through(dayText(until)), meaning, tone };
}

/** true for a full date before today. A month or a year alone does not count. */
export function hasPassed(day: string, today: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(day) && day.slice(0, 10) < today;
}

/**
 * The person for whom a case waits: the signer of a reply, or the author of a reply that must be sent by hand, else the
 * last person who worked on it. Undefined if nobody must act or no person is known.
 */
export function waitsFor(one: ListedCase, today?: string): User | undefined {
  const isToSendAgain = one.state === 'draft' && one.requests.length > 0;
  const isUnwritten = one.writes.some((row) => row.state === 'failed' && concernsStaff(row));
  if (!isToSendAgain && !isUnwritten && standingOf(one, today).tone !== 'act') return undefined;
  const replying = one.state === 'open' ? waitsWithReply(one) : undefined;
  if (replying !== undefined) return replying;
  const people = [...one.history.map(({ by }) => by), ...(isSent(one) ? [one.sentBy] : [])];
  return people.findLast((by) => by !== 'bridge');
}

function waitsWithReply(one: ListedCase & { readonly state: 'open' }): User | undefined {
  const rounds = roundsOf(one);
  const standing = askedStanding(rounds, one.status);
  if (standing === 'unsigned') {
    const { prescriber: fhirUser, prescriberName: name } = one;
    return name === undefined ? undefined : { name, ...(fhirUser === undefined ? {} : { fhirUser }) };
  }
  if (standing !== 'printed') return undefined;
  const by = rounds.findLast((round) => roundStanding(round) === 'printed')?.replies.at(-1)?.by;
  return by === 'bridge' ? undefined : by;
}

export function caseBadge(one: ListedCase): VNode {
  const { label, tone } = standingOf(one);
  return <span class={`badge tone-${tone}`}>{label}</span>;
}
