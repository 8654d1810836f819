import type { Open } from '../../core/contract/open-contract.ts';
import type { SentField } from '../../core/contract/outreach.ts';
import type { Actor } from '../actor.ts';

/**
 * A payer's question about a request that was sent, and the practice's replies; sealed with the case. Unknown values
 * from the service or from a later version survive reading and writing.
 */
export interface Round {
  /** 1, 2, 3 ... in order of arrival; identifies the round in URLs and events. */
  readonly number: number;
  /**
   * `service`: an outreach of the service; `status`: only the record shows that the practice is asked; `person`:
   * somebody was asked by phone, fax or mail; `fax`: a fax in the service's activity log.
   */
  readonly from: Open<'service' | 'status' | 'person' | 'fax'>;
  /** The service's id of the outreach. */
  readonly sequence?: string;
  readonly openedAt: string;
  readonly openedBy: Actor;
  /** The payer's deadline: a day or an instant, as stated. */
  readonly until?: string;
  /** Each attempt to reach the practice, or the question that a person recorded. */
  readonly asked: readonly Asking[];
  readonly replies: readonly Reply[];
  readonly ended?: RoundEnd;
}

export interface RoundEnd {
  readonly at: string;
  readonly by: Actor;
  /**
   * `all`: a person replied and declared the reply complete; `closed`: a person closed it without a reply; `service`:
   * the service ended it; `decided`: the request has ended.
   */
  readonly how: Open<'all' | 'closed' | 'service' | 'decided'>;
}

/** A question on one channel. */
export interface Asking {
  /** The service's id of the attempt, `person`, or the id of a fax. */
  readonly id: string;
  /** A term of the service. */
  readonly state?: string;
  readonly channel?: string;
  readonly purpose?: string;
  /** `at`: when it happened, according to the service; `seenAt`: when the bridge first saw it. */
  readonly at?: string;
  readonly seenAt: string;
  readonly fields: readonly SentField[];
  readonly files: readonly QuestionFile[];
  /** false if only the sender was verified, not the content. */
  readonly isSigned?: boolean;
}

export interface QuestionFile {
  /** The id under which the bytes are stored. */
  readonly id: string;
  /** The name that the sender gave the file. */
  readonly name: string;
  /** `due`: not fetched yet; `kept`: sealed with the case; `gone`: it could not be fetched. */
  readonly state: Open<'due' | 'kept' | 'gone'>;
  /** The URL from which the file is fetched; removed after that. Never shown. */
  readonly url?: string;
  /** The id of the entry in the activity log that has the link. */
  readonly activity?: string;
  readonly tries?: number;
  /** The file is not retried before this time. */
  readonly after?: string;
  /** The media type of the bytes. */
  readonly type?: string;
  /** The error code if the file could not be fetched. */
  readonly code?: string;
}

export interface Reply {
  /** A hash of case, round and content, so that repeating a reply gives the same key. */
  readonly key: string;
  /**
   * `queued`: stored, not sent yet; `leaving`: being sent; `accepted`: the service has it; `unclear`: its answer was
   * lost; `not_arrived`: a person found that it did not arrive; `refused`: the service or the bridge refused it;
   * `not_sent`: it could not be sent; `printed`: to be sent by hand; `sent`: somebody sent it by hand; `unsigned`:
   * waits for a signature; `returned`: the signer wants something changed.
   */
  readonly state: Open<
    | ('queued' | 'leaving' | 'accepted' | 'unclear' | 'not_arrived' | 'refused' | 'not_sent' | 'printed' | 'sent')
    | ('unsigned' | 'returned')
  >;
  readonly at: string;
  readonly by: Actor;
  readonly text: string;
  /** Titles of its documents; their content is stored with the case. */
  readonly documents: readonly string[];
  /** The title under which the service's record lists the reply. */
  readonly title: string;
  readonly date: string;
  readonly completes: boolean;
  readonly tries?: number;
  readonly leftAt?: string;
  readonly settledAt?: string;
  readonly settledBy?: Actor;
  readonly signedAt?: string;
  readonly signedBy?: Actor;
  /** The signer's note to a returned reply. */
  readonly note?: string;
  /** The error code if the reply was not accepted. */
  readonly code?: string;
  readonly fields?: readonly string[];
  /** For a reply sent by hand: the day (YYYY-MM-DD), and how it was sent. */
  readonly on?: string;
  readonly how?: string;
}

/** `open`: somebody has to answer; `unknown`: written by a later version, so the pages offer no action. */
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

/** The state of a round, from its last reply and from questions that came after the reply. */
export function roundStanding(round: Round): RoundStanding {
  if (round.ended !== undefined) return 'ended';
  const last = round.replies.at(-1);
  if (last === undefined) return 'open';
  const standing = Object.hasOwn(standings, last.state) ? standings[last.state] : undefined;
  if (standing === undefined) return 'unknown';
  return standing === 'answered' && isAskedSince(round, last) ? 'open' : standing;
}

// The same text on another channel, or repeated, is not a new question.
function isAskedSince({ asked }: Round, { at, settledAt = at }: Reply): boolean {
  const known = new Set(asked.filter(({ seenAt }) => seenAt <= settledAt).map(textOfAsking));
  return asked.some((one) => one.seenAt > settledAt && textOfAsking(one) !== '' && !known.has(textOfAsking(one)));
}

/** The whole text of one attempt, for comparison. */
export function textOfAsking({ fields, files }: Pick<Asking, 'fields' | 'files'>): string {
  return [...fields.map(({ text }) => text), ...files.map(({ name }) => name)].join('\n');
}

/** A mark of the round's state. A page shows it and a reply returns it, so that a change in between is noticed. */
export function roundSeen({ number, asked, replies, ended }: Round): string {
  const last = replies.at(-1);
  return [number, asked.length, replies.length, last?.state ?? '', ended === undefined ? '' : 'ended'].join('.');
}

export function isUnanswered(round: Round): boolean {
  const standing = roundStanding(round);
  return standing === 'open' || standing === 'unsigned' || standing === 'printed' || standing === 'unclear';
}

/** The number of files still to fetch and replies still to send. */
export function roundWork(rounds: readonly Round[]): number {
  const files = rounds.flatMap(({ asked }) => asked.flatMap((one) => one.files)).filter(({ state }) => state === 'due');
  const replies = rounds.flatMap((one) => one.replies).filter(({ state }) => state === 'queued' || state === 'leaving');
  return files.length + replies.length;
}

/** The names under which the files of a round are stored with the case. */
export function questionFileName(file: string): string {
  return `question/${file}`;
}
export function replyFileName(key: string): string {
  return `reply/${key}`;
}
