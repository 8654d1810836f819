import { dayText } from '../core/fhir/time/day-text.ts';
import { statusWords } from '../service/status-words.ts';
import type { StoredEvent } from '../store/types.ts';
import type { Actor, CaseKind, HistoryEntry } from './case.ts';
import type { ApprovedTerms } from './letter-terms.ts';
import type { CaseHead } from './sealed-parts.ts';

/**
 * The events of a case as the store keeps them: a type, and facts without names or clinical values. The text for people
 * is generated when an event is read.
 */
export interface EventFacts {
  draft_opened: Record<string, never>;
  /**
   * `beside`: cases for the same drug that the person had seen. The other facts count the values of the request: taken
   * from the chart, typed where the chart had none, or changed from the chart's value.
   */
  sent: {
    readonly attempt: number;
    readonly beside?: string;
    readonly chart?: number;
    readonly typed?: number;
    readonly changed?: number;
  };
  accepted: { readonly attempt: number };
  refused: { readonly attempt: number; readonly code: string };
  not_sent: { readonly attempt: number; readonly code: string };
  unclear: { readonly attempt: number };
  found: { readonly attempt: number };
  not_arrived: { readonly attempt: number };
  status: { readonly status: string };
  cancel_asked: Record<string, never>;
  writeback_asked: Record<string, never>;
  second_found: { readonly service_id: string; readonly status: string };
  followed_other: { readonly from: string; readonly to: string };
  reported_after_end: { readonly status: string };
  arrived_cancelled: { readonly service_id: string };
  /** `letter`: id of the entry in the service's activity log. */
  letter_kept: { readonly letter: string };
  /** `reference`: reference of the letter in the chart. */
  retract_asked: { readonly reference: string };
  letter_missing: { readonly letter: string; readonly code: string };
  /** `code`: the code of the last answer. */
  letter_given_up: { readonly letter: string; readonly code: string };
  letter_asked: { readonly letter: string };
  /** `to`: `Practitioner/12`; absent when the assignment was removed. */
  assigned: { readonly to?: string };
  taken_over: { readonly from?: string };
  note_added: Record<string, never>;
  /** `round`: the payer's question whose reply is signed; absent for the request itself. */
  sign_asked: { readonly round?: number };
  signed: { readonly round?: number };
  sign_returned: { readonly round?: number };
  marked_done: Record<string, never>;
  /** `case`: the newer request; absent after the newer request was canceled. */
  followed: { readonly case?: string };
  /** `on`: the day until which a denial may be appealed, as a person read it (YYYY-MM-DD); '' removes it. */
  appeal_noted: { readonly on: string };
  /** The terms in the letter of an approval; '' for terms that were approved as requested. */
  approved_noted: ApprovedTerms;
  /** `round`: the number of the round in the case. */
  asked: { readonly round: number };
  replied: { readonly round: number };
  /** A reply that somebody has to send by hand, and the report that it was sent. */
  reply_made: { readonly round: number };
  reply_sent: { readonly round: number };
  reply_accepted: { readonly round: number };
  reply_unclear: { readonly round: number };
  reply_refused: { readonly round: number; readonly code: string };
  reply_not_sent: { readonly round: number; readonly code: string };
  reply_not_arrived: { readonly round: number };
  round_ended: { readonly round: number; readonly how: string };
}

export type EventType = keyof EventFacts;

export type NewEvent = {
  [Type in EventType]: { readonly type: Type; readonly facts: EventFacts[Type]; readonly by: Actor };
}[EventType];

interface About {
  readonly kind: CaseKind;
  readonly cancellation: string | undefined;
  /** Names of the users that the facts mention, by actor key. */
  readonly users?: CaseHead['users'];
}

const words: { readonly [Type in EventType]: (facts: EventFacts[Type], about: About) => string } = {
  draft_opened: () => 'Draft opened',
  sent: ({ attempt, beside }) =>
    [
      attempt > 1 ? `Sent (request ${attempt} of this case)` : 'Sent',
      ...(beside === undefined ? [] : ['beside another request for the same drug']),
    ].join(', '),
  accepted: (_, { kind }) => (kind === 'enrollment' ? 'Accepted by the support program' : 'Accepted by the service'),
  refused: () => 'Refused by the service',
  not_sent: () => 'Not sent',
  unclear: () => 'Sent. No confirmation received',
  found: () => 'Found at the service',
  not_arrived: () => 'Checked: it did not arrive',
  status: ({ status }, { kind }) => statusWords(kind, status).label,
  cancel_asked: (_, { cancellation }) =>
    cancellation === undefined ? 'Cancellation requested' : `Cancellation requested: ${cancellation}`,
  writeback_asked: () => 'Saving to the chart requested',
  second_found: ({ service_id, status }, { kind }) =>
    `A second request of ours exists at the service (${service_id}): ${statusWords(kind, status).label}`,
  followed_other: ({ from, to }) => `Canceled (${from}); the other request (${to}) is followed from here on`,
  reported_after_end: ({ status }) => `The service reports ${status} for a finished request`,
  arrived_cancelled: ({ service_id }) => `The request had arrived (${service_id}) and was canceled there`,
  letter_kept: () => 'The payer’s letter was fetched',
  letter_missing: () => 'The payer’s letter could not be fetched yet; this app keeps trying',
  letter_given_up: () => 'The payer’s letter could not be fetched; this app has stopped trying',
  letter_asked: () => 'Asked to fetch the payer’s letter again',
  appeal_noted: ({ on }) =>
    on === '' ? 'Appeal deadline removed' : `Appeal deadline entered from the letter: ${dayText(on)}`,
  approved_noted: ({ quantity, days, strength, from = '', until = '', number = '' }) => {
    const terms = namedParts({ quantity, 'days of supply': days, strength });
    const dates = { from: from && dayText(from), through: until && dayText(until), 'authorization number': number };
    const facts = namedParts(dates);
    const approved =
      terms === '' ? 'Approved as ordered, by the letter' : `Approved by the letter, not as ordered: ${terms}`;
    return facts === '' ? approved : `${approved}; ${facts}`;
  },
  retract_asked: () => 'A letter in the chart was reported as wrong',
  assigned: ({ to }, { users }) => `Assigned to ${to === undefined ? 'nobody' : (users?.[to] ?? 'a colleague')}`,
  taken_over: ({ from }, { users }) => {
    const name = from === undefined ? undefined : users?.[from];
    return name === undefined ? 'Taken over' : `Taken over from ${name}`;
  },
  note_added: () => 'Note added for colleagues',
  sign_asked: ({ round }) => (round === undefined ? 'Handed over for signature' : 'Reply handed over for signature'),
  signed: ({ round }) => (round === undefined ? 'Signed' : 'Reply signed'),
  sign_returned: ({ round }) =>
    round === undefined ? 'Returned by the signer, with a note' : 'Reply returned by the signer, with a note',
  marked_done: () => 'Marked as done',
  followed: (facts) =>
    facts.case === undefined ? 'The new request that followed was canceled' : 'Followed by a new request',
  asked: () => 'The payer asks for information',
  replied: () => 'Reply to the payer entered',
  reply_made: () => 'Reply to the payer written, to be sent by hand',
  reply_sent: () => 'Reply sent by hand',
  reply_accepted: () => 'Reply reached the service',
  reply_unclear: () => 'Reply sent. No confirmation received',
  reply_refused: () => 'Reply refused by the service',
  reply_not_sent: () => 'Reply not sent',
  reply_not_arrived: () => 'Checked: the reply did not arrive',
  round_ended: ({ how }) => roundEnds[how] ?? 'The payer’s question is closed',
};

const roundEnds: Readonly<Record<string, string>> = {
  all: 'The payer’s question is answered',
  closed: 'The payer’s question was closed without a reply',
  service: 'The service closed the payer’s question',
  decided: 'The payer’s question is closed: the request has ended',
};

/**
 * The text of one stored event. Another version that shares the store may have written types that this version does not
 * know.
 */
export function eventText({ type, facts }: Pick<StoredEvent, 'type' | 'facts'>, about: About): string {
  if (!Object.hasOwn(words, type)) return 'Noted by another version of this app';
  // The store returns the facts that were stored with this type.
  return (words[type as EventType] as (facts: StoredEvent['facts'], about: About) => string)(facts, about);
}

export function historyOf(
  events: readonly StoredEvent[],
  { users, cancellation }: Pick<CaseHead, 'users' | 'cancellation'>,
  kind: CaseKind,
): HistoryEntry[] {
  return events.map((event) => ({
    at: event.at,
    what: eventText(event, { kind, cancellation, users }),
    by: actorOf(event.actor, users),
  }));
}

/** The key of an actor in an event. A user whom the EHR did not identify gets a number within the case. */
export function actorKey(
  by: Actor,
  users: CaseHead['users'],
): { readonly key: string; readonly users: CaseHead['users'] } {
  if (by === 'bridge') return { key: 'bridge', users };
  const { fhirUser, name } = by;
  const key = fhirUser ?? unnamedKey(name, users);
  return { key, users: name === undefined ? users : { ...users, [key]: name } };
}

function unnamedKey(name: string | undefined, users: CaseHead['users']): string {
  if (name === undefined) return 'user';
  const known = Object.entries(users).find(([key, other]) => key.startsWith('user-') && other === name);
  return known?.[0] ?? `user-${Object.keys(users).filter((key) => key.startsWith('user-')).length + 1}`;
}

/** The actor of an event, with the person's name if the EHR gave one. */
export function actorOf(actor: string, users: CaseHead['users']): Actor {
  if (actor === 'bridge') return 'bridge';
  const name = users[actor];
  return {
    ...(actor === 'user' || actor.startsWith('user-') ? {} : { fhirUser: actor }),
    ...(name === undefined ? {} : { name }),
  };
}

function namedParts(named: Readonly<Record<string, string>>): string {
  const parts = Object.entries(named).flatMap(([name, text]) => (text === '' ? [] : [`${name} ${text}`]));
  return parts.join(', ');
}
