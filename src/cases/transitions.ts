import { BridgeError, type ErrorCode } from '../core/errors.ts';
import type { CaseWrite, StoredCase } from '../store/types.ts';
import { type Current, currentOf } from './assemble.ts';
import type { CaseState } from './case.ts';
import { type CaseChange, type Changed, writeOf } from './change.ts';
import type { EventType } from './events.ts';
import type { QueueName } from './jobs.ts';
import { cancelAsked, found, recordRead, unreadable } from './transitions/follow.ts';
import {
  appealNoted,
  approvedNoted,
  edited,
  letterAsked,
  letterKept,
  letterMissing,
  orderNoted,
  retractAsked,
  writeAsked,
  written,
} from './transitions/keep.ts';
import {
  assigned,
  doneMarked,
  followedByNewer,
  noteAdded,
  restricted,
  takenOver,
  takeOverSeen,
} from './transitions/people.ts';
import {
  askedByService,
  questionFileKept,
  replied,
  replyLeaves,
  replyReturned,
  replySentByHand,
  replySettled,
  replySigned,
  roundClosed,
  roundOpened,
} from './transitions/rounds.ts';
import { accepted, arrived, lost, notArrived, notSent, refused, sending } from './transitions/send.ts';
import { signatureAsked, signatureGiven, signatureReturned } from './transitions/sign-off.ts';

/** One row of the table: how an event changes a case, state by state. */
export interface Row<Facts> {
  /** Text for the table in docs/develop/cases.md. */
  readonly what: string;
  /** The states in which the event applies, each with the possible next states. */
  readonly from: Partial<Record<CaseState, readonly CaseState[]>>;
  /** The result in every other state. */
  readonly otherwise: 'ignored' | ErrorCode;
  /** The jobs that the event may queue. They are committed together with the change. */
  readonly jobs: readonly QueueName[];
  /** The entries that the event may add to the history. */
  readonly says: readonly EventType[];
  /** Pure; returns undefined when nothing changes. */
  readonly apply: (current: Current, facts: Facts, at: string) => Changed;
}

const all = { draft: ['draft'], refused: ['refused'], sending: ['sending'], unknown: ['unknown'] } as const;
const everywhere = { ...all, open: ['open'], ended: ['ended'] } as const;

/** Every possible change of a case. */
export const transitions = {
  edit: row({
    what: 'a person enters or chooses something',
    from: { draft: ['draft'], refused: ['refused'] },
    otherwise: 'case_already_sent',
    jobs: [],
    says: [],
    apply: edited,
  }),
  'ask-signature': row({
    what: 'a person hands the draft to who signs it',
    from: { draft: ['draft'], refused: ['refused'] },
    otherwise: 'case_already_sent',
    jobs: [],
    says: ['sign_asked'],
    apply: signatureAsked,
  }),
  sign: row({
    what: 'the prescriber, or whom the site names, signs what was handed over',
    from: { draft: ['draft'], refused: ['refused'] },
    otherwise: 'case_already_sent',
    jobs: [],
    says: ['signed'],
    apply: signatureGiven,
  }),
  'return-signature': row({
    what: 'who was to sign returns it with a note, or takes the signature back',
    from: { draft: ['draft'], refused: ['refused'] },
    otherwise: 'case_already_sent',
    jobs: [],
    says: ['sign_returned'],
    apply: signatureReturned,
  }),
  send: row({
    what: 'the intent to send is stored; the request leaves afterwards',
    from: { draft: ['sending'], refused: ['sending'] },
    otherwise: 'case_already_sent',
    jobs: ['settle'],
    says: ['signed', 'sent'],
    apply: sending,
  }),
  accept: row({
    what: 'the service confirmed the request',
    from: {
      draft: ['draft', 'ended'],
      refused: ['refused', 'ended'],
      sending: ['open', 'ended', 'sending'],
      unknown: ['open', 'ended', 'unknown'],
      open: ['open'],
      ended: ['ended'],
    },
    otherwise: 'ignored',
    jobs: ['deliver', 'follow', 'poll', 'match'],
    says: ['accepted', 'second_found'],
    apply: accepted,
  }),
  refuse: row({
    what: 'the service refused the request',
    from: { sending: ['refused'], unknown: ['refused'] },
    otherwise: 'ignored',
    jobs: ['deliver', 'match'],
    says: ['refused'],
    apply: refused,
  }),
  'not-sent': row({
    what: 'the request did not leave, or had no effect',
    from: { sending: ['draft'], unknown: ['draft'] },
    otherwise: 'ignored',
    jobs: ['deliver', 'match'],
    says: ['not_sent'],
    apply: notSent,
  }),
  lose: row({
    what: 'the answer was lost, or its time is over',
    from: { sending: ['unknown'] },
    otherwise: 'ignored',
    jobs: ['deliver'],
    says: ['unclear'],
    apply: lost,
  }),
  'not-arrived': row({
    what: 'a person looked it up: the request did not arrive',
    from: { unknown: ['draft'] },
    otherwise: 'case_already_sent',
    jobs: ['deliver', 'match'],
    says: ['not_arrived'],
    apply: notArrived,
  }),
  arrive: row({
    what: 'a person found the enrollment at the program',
    from: { unknown: ['ended'] },
    otherwise: 'case_already_sent',
    jobs: ['deliver', 'follow'],
    says: ['found'],
    apply: arrived,
  }),
  find: row({
    what: 'a record that carries our submission id was found',
    from: {
      draft: ['open', 'ended', 'draft'],
      refused: ['open', 'ended', 'refused'],
      sending: ['open', 'ended', 'sending'],
      unknown: ['open', 'ended', 'unknown'],
      open: ['open'],
      ended: ['ended'],
    },
    otherwise: 'ignored',
    jobs: ['deliver', 'follow', 'poll', 'look', 'letter', 'round'],
    says: ['found', 'status', 'second_found', 'arrived_cancelled', 'asked', 'round_ended'],
    apply: found,
  }),
  read: row({
    what: 'the record was read',
    from: { open: ['open', 'ended'], ended: ['ended'] },
    otherwise: 'ignored',
    jobs: ['deliver', 'follow', 'look', 'letter', 'round'],
    says: ['status', 'followed_other', 'reported_after_end', 'asked', 'round_ended', 'reply_accepted'],
    apply: recordRead,
  }),
  unread: row({
    what: 'the record could not be read',
    from: { open: ['open'] },
    otherwise: 'ignored',
    jobs: [],
    says: [],
    apply: unreadable,
  }),
  cancel: row({
    what: 'a person asks to cancel',
    from: { open: ['open'] },
    otherwise: 'case_not_cancellable',
    jobs: [],
    says: ['cancel_asked'],
    apply: cancelAsked,
  }),
  ask: row({
    what: 'the service told that the payer asks, on which channel, or that it does not any more',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'ignored',
    jobs: ['round', 'deliver'],
    says: ['asked', 'round_ended'],
    apply: askedByService,
  }),
  'open-round': row({
    what: 'a person says that the payer asked',
    from: { open: ['open'] },
    otherwise: 'case_not_ready',
    jobs: ['round', 'deliver'],
    says: ['asked'],
    apply: roundOpened,
  }),
  'keep-question': row({
    what: 'a file of a question was fetched, or could not be',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'ignored',
    jobs: [],
    says: [],
    apply: questionFileKept,
  }),
  reply: row({
    what: 'a person replies to the payer; it leaves afterwards, or is printed, or waits for a signature',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: ['round', 'deliver'],
    says: ['signed', 'sign_asked', 'replied', 'reply_made'],
    apply: replied,
  }),
  'sign-reply': row({
    what: 'the prescriber, or whom the site names, signs a reply; it leaves afterwards, or is printed',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: ['round', 'deliver'],
    says: ['signed', 'replied', 'reply_made'],
    apply: replySigned,
  }),
  'return-reply': row({
    what: 'who was to sign a reply returns it with a note',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: ['deliver'],
    says: ['sign_returned'],
    apply: replyReturned,
  }),
  'leave-reply': row({
    what: 'a reply that waits leaves now',
    from: { open: ['open'] },
    otherwise: 'ignored',
    jobs: [],
    says: [],
    apply: replyLeaves,
  }),
  'settle-reply': row({
    what: 'what became of a reply: the service answered, its record shows it, or a person looked it up',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'ignored',
    jobs: ['round', 'deliver'],
    says: [
      ...(['reply_accepted', 'reply_unclear', 'reply_refused', 'reply_not_sent', 'reply_not_arrived'] as const),
      'round_ended',
    ],
    apply: replySettled,
  }),
  'send-by-hand': row({
    what: 'a person has sent a printed reply, and says how',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: ['deliver'],
    says: ['reply_sent', 'round_ended'],
    apply: replySentByHand,
  }),
  'close-round': row({
    what: 'a person closes a question without a reply',
    from: { open: ['open'] },
    otherwise: 'case_not_ready',
    jobs: ['deliver'],
    says: ['round_ended'],
    apply: roundClosed,
  }),
  'keep-letter': row({
    what: 'the payer’s letter was fetched',
    from: { ended: ['ended'] },
    otherwise: 'ignored',
    jobs: ['deliver'],
    says: ['letter_kept'],
    apply: letterKept,
  }),
  'miss-letter': row({
    what: 'the payer’s letter could not be fetched yet',
    from: { ended: ['ended'] },
    otherwise: 'ignored',
    jobs: ['deliver'],
    says: ['letter_missing', 'letter_given_up'],
    apply: letterMissing,
  }),
  'ask-letter': row({
    what: 'a person asks to fetch the payer’s letter again',
    from: { ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: [],
    says: ['letter_asked'],
    apply: letterAsked,
  }),
  'note-approved': row({
    what: 'a person enters what the payer’s letter of an approval says',
    from: { ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: ['deliver'],
    says: ['approved_noted'],
    apply: approvedNoted,
  }),
  'note-appeal': row({
    what: 'a person enters the appeal deadline from the payer’s letter',
    from: { ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: [],
    says: ['appeal_noted'],
    apply: appealNoted,
  }),
  write: row({
    what: 'the ledger of write-back changed',
    from: everywhere,
    otherwise: 'ignored',
    jobs: ['deliver'],
    says: [],
    apply: written,
  }),
  'ask-write': row({
    what: 'a person asks to write to the chart again',
    from: everywhere,
    otherwise: 'ignored',
    jobs: [],
    says: ['writeback_asked'],
    apply: writeAsked,
  }),
  assign: row({
    what: 'a person gives the case to a colleague, or to nobody',
    from: everywhere,
    otherwise: 'ignored',
    jobs: [],
    says: ['assigned'],
    apply: assigned,
  }),
  'take-over': row({
    what: 'a person takes the case over; who had it is told',
    from: everywhere,
    otherwise: 'ignored',
    jobs: [],
    says: ['taken_over'],
    apply: takenOver,
  }),
  'see-take-over': row({
    what: 'who had the case has seen that it was taken over',
    from: everywhere,
    otherwise: 'ignored',
    jobs: [],
    says: [],
    apply: takeOverSeen,
  }),
  'add-note': row({
    what: 'a person leaves a note for colleagues',
    from: everywhere,
    otherwise: 'ignored',
    jobs: [],
    says: ['note_added'],
    apply: noteAdded,
  }),
  'note-order': row({
    what: 'the chart, when it was read, has ended the order of the draft, or uses it again',
    from: { draft: ['draft'], refused: ['refused'] },
    otherwise: 'ignored',
    jobs: [],
    says: [],
    apply: orderNoted,
  }),
  'mark-done': row({
    what: 'a person has done what was left to do after the end, or closes a draft whose order the chart has ended',
    from: { draft: ['draft'], refused: ['refused'], ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: [],
    says: ['marked_done'],
    apply: doneMarked,
  }),
  follow: row({
    what: 'a newer request for the same takes its place, or was canceled',
    from: { ended: ['ended'] },
    otherwise: 'ignored',
    jobs: [],
    says: ['followed'],
    apply: followedByNewer,
  }),
  restrict: row({
    what: 'the chart carries a security label out of the ordinary',
    from: everywhere,
    otherwise: 'ignored',
    jobs: [],
    says: [],
    apply: restricted,
  }),
  'ask-retract': row({
    what: 'a person says that a letter in the chart is wrong',
    from: { open: ['open'], ended: ['ended'] },
    otherwise: 'case_not_ready',
    jobs: ['deliver'],
    says: ['retract_asked'],
    apply: retractAsked,
  }),
};

export type TransitionName = keyof typeof transitions;
export type TransitionFacts<Name extends TransitionName> = Parameters<(typeof transitions)[Name]['apply']>[1];

/**
 * The changed case, ready to be stored; undefined when the event changes nothing. Throws the row's error, and
 * `internal` when the row does not list the result.
 */
export function transition<Name extends TransitionName>(
  name: Name,
  stored: StoredCase,
  facts: TransitionFacts<Name>,
  at: string,
): CaseWrite | undefined {
  const { from, otherwise, apply, jobs, says } = transitions[name] as Row<TransitionFacts<Name>>;
  const current = currentOf(stored);
  const allowed = from[current.one.state];
  if (allowed === undefined) {
    if (otherwise === 'ignored') return undefined;
    throw new BridgeError(otherwise, { case: stored.id });
  }
  const change = apply(current, facts, at);
  if (change === undefined) return undefined;
  assertInRow({ name, allowed, jobs, says }, current.one.state, change);
  return writeOf(current, change);
}

interface Allowed {
  readonly name: string;
  readonly allowed: readonly CaseState[];
  readonly jobs: readonly string[];
  readonly says: readonly string[];
}

// The docs are generated from this table, so a transition must not do anything that its row does not list.
function assertInRow({ name, allowed, jobs, says }: Allowed, from: CaseState, change: CaseChange): void {
  const to = change.state ?? from;
  const wrong = [
    ...(allowed.includes(to) ? [] : [`${from} to ${to}`]),
    ...(change.jobs ?? []).filter((each) => !jobs.includes(each.queue)).map((each) => `job ${each.queue}`),
    ...(change.says ?? []).filter((each) => !says.includes(each.type)).map((each) => `event ${each.type}`),
  ];
  if (wrong.length > 0) throw new BridgeError('internal', { transition: name, not_in_table: wrong });
}

function row<T>(one: Row<T>): Row<T> {
  return one;
}
