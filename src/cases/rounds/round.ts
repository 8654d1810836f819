import type { Open } from '../../core/contract/open-contract.ts';
import type { SentField } from '../../core/contract/outreach.ts';
import type { Actor } from '../actor.ts';

/**
 * What a payer asks after a request was sent, and what the practice replied. Sealed with the case. Words of the service
 * and states of a later version survive being read and written again.
 */
export interface Round {
  /** 1, 2, 3 ... in the order in which they came; names it in addresses and events. */
  readonly number: number;
  /**
   * `service`: an outreach of the service; `status`: the record alone says that the practice is asked; `person`:
   * somebody was asked by phone, fax or mail; `fax`: a fax in the service's activity log.
   */
  readonly from: Open<'service' | 'status' | 'person' | 'fax'>;
  /** The service's id of the outreach. */
  readonly sequence?: string;
  readonly openedAt: string;
  readonly openedBy: Actor;
  /** Until when the payer waits: a day or an instant, as it was stated. */
  readonly until?: string;
  /** Each attempt to reach the practice, or what a person noted. */
  readonly asked: readonly Asking[];
  readonly replies: readonly Reply[];
  readonly ended?: RoundEnd;
}

export interface RoundEnd {
  readonly at: string;
  readonly by: Actor;
  /**
   * `all`: a person replied and said that this is all; `closed`: a person closed it without a reply; `service`: the
   * service ended it; `decided`: the request has ended.
   */
  readonly how: Open<'all' | 'closed' | 'service' | 'decided'>;
}

/** What was asked on one channel. */
export interface Asking {
  /** The service's id of the attempt; `person` or the id of a fax. */
  readonly id: string;
  /** Words of the service. */
  readonly state?: string;
  readonly channel?: string;
  readonly purpose?: string;
  /** When it happened, as the service says; when it was first seen here. */
  readonly at?: string;
  readonly seenAt: string;
  readonly fields: readonly SentField[];
  readonly files: readonly QuestionFile[];
  /** false where only the sender was proved, not what was sent. */
  readonly isSigned?: boolean;
}

export interface QuestionFile {
  /** Names its bytes in the store. */
  readonly id: string;
  /** As it was called. */
  readonly name: string;
  /** `due`: still to be fetched; `kept`: sealed with the case; `gone`: it could not be had. */
  readonly state: Open<'due' | 'kept' | 'gone'>;
  /** Where it is fetched; removed once it was. Never shown. */
  readonly url?: string;
  /** The entry of the activity log whose link leads to it. */
  readonly activity?: string;
  readonly tries?: number;
  /** Not tried before. */
  readonly after?: string;
  /** Of the bytes. */
  readonly type?: string;
  /** Why it could not be had. */
  readonly code?: string;
}

export interface Reply {
  /** Of case, round and what it says: the same reply has the same key. */
  readonly key: string;
  /**
   * `queued`: stored, not left; `leaving`: under way; `accepted`: the service has it; `unclear`: its answer was lost;
   * `not_arrived`: a person looked it up; `refused`: the service or the bridge said no; `not_sent`: it could not be
   * sent; `printed`: to be sent by hand; `sent`: somebody sent it by hand; `unsigned`: waits for a signature;
   * `returned`: who was to sign it wants something changed.
   */
  readonly state: Open<
    | ('queued' | 'leaving' | 'accepted' | 'unclear' | 'not_arrived' | 'refused' | 'not_sent' | 'printed' | 'sent')
    | ('unsigned' | 'returned')
  >;
  readonly at: string;
  readonly by: Actor;
  readonly text: string;
  /** Titles of what goes with it; the content is kept with the case. */
  readonly documents: readonly string[];
  /** How the service shows it again. */
  readonly title: string;
  readonly date: string;
  /** The person said that this is all. */
  readonly completes: boolean;
  readonly tries?: number;
  readonly leftAt?: string;
  readonly settledAt?: string;
  readonly settledBy?: Actor;
  readonly signedAt?: string;
  readonly signedBy?: Actor;
  /** Of who returned it. */
  readonly note?: string;
  /** Why it was not taken. */
  readonly code?: string;
  readonly fields?: readonly string[];
  /** By hand: the day, and how. */
  readonly on?: string;
  readonly how?: string;
}

/** `open`: somebody has to answer; `unknown`: of a later version, and nothing is offered. */
export type RoundStanding = 'open' | 'unsigned' | 'printed' | 'sending' | 'unclear' | 'answered' | 'ended' | 'unknown';

const standings: Readonly<Record<string, RoundStanding>> = {
  queued: 'sending',
  leaving: 'sending',
  unclear: 'unclear',
  printed: 'printed',
  unsigned: 'unsigned',
  returned: 'open',
  accepted: 'answered',
  sent: 'answered',
  not_arrived: 'open',
  refused: 'open',
  not_sent: 'open',
};

/** Where a round stands, by its last reply and what was asked since. */
export function roundStanding(round: Round): RoundStanding {
  if (round.ended !== undefined) return 'ended';
  const last = round.replies.at(-1);
  if (last === undefined) return 'open';
  const standing = Object.hasOwn(standings, last.state) ? standings[last.state] : undefined;
  if (standing === undefined) return 'unknown';
  return standing === 'answered' && isAskedSince(round, last) ? 'open' : standing;
}

// The same text on another channel, or sent once more, is no new question.
function isAskedSince({ asked }: Round, { at, settledAt = at }: Reply): boolean {
  const known = new Set(asked.filter(({ seenAt }) => seenAt <= settledAt).map(textOfAsking));
  return asked.some((one) => one.seenAt > settledAt && textOfAsking(one) !== '' && !known.has(textOfAsking(one)));
}

/** All text of one attempt, to compare. */
export function textOfAsking({ fields, files }: Pick<Asking, 'fields' | 'files'>): string {
  return [...fields.map(({ text }) => text), ...files.map(({ name }) => name)].join('\n');
}

/** Names what a page shows of a round: who replies says which one they saw. */
export function roundSeen({ number, asked, replies, ended }: Round): string {
  const last = replies.at(-1);
  return [number, asked.length, replies.length, last?.state ?? '', ended === undefined ? '' : 'ended'].join('.');
}

export function isUnanswered(round: Round): boolean {
  const standing = roundStanding(round);
  return standing === 'open' || standing === 'unsigned' || standing === 'printed' || standing === 'unclear';
}

/** How many files are left to fetch, and replies to send. */
export function roundWork(rounds: readonly Round[]): number {
  const files = rounds.flatMap(({ asked }) => asked.flatMap((one) => one.files)).filter(({ state }) => state === 'due');
  const replies = rounds.flatMap((one) => one.replies).filter(({ state }) => state === 'queued' || state === 'leaving');
  return files.length + replies.length;
}

/** The names under which bytes of a round are kept with the case. */
export function questionFileName(file: string): string {
  return `question/${file}`;
}
export function replyFileName(key: string): string {
  return `reply/${key}`;
}
