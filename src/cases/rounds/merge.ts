import type { Outreach } from '../../core/contract/outreach.ts';
import { type Asking, type QuestionFile, type Round, type RoundEnd, textOfAsking } from './round.ts';

/**
 * Merges the service's outreach events into the rounds of a case. Events arrive twice, late and in any order: a known
 * event changes nothing, and a round that has ended is not reopened.
 */

/** An outreach attempt as its event describes it. */
export interface ReceivedOutreach extends Outreach {
  readonly isSigned: boolean;
}

/** Adds an attempt to the rounds, or updates it; returns the same list when nothing is new. */
export function withOutreach(rounds: readonly Round[], outreach: ReceivedOutreach, at: string): readonly Round[] {
  const known = rounds.find(({ asked }) => asked.some(({ id }) => id === outreach.id));
  const asking = askingOf(outreach, at);
  if (known !== undefined) return replaced(rounds, ended(withKnown(known, asking), outreach, at), known);
  const ofSequence = rounds.findLast(({ sequence }) => sequence === outreach.sequence);
  if (ofSequence !== undefined && !isAskedAnew(ofSequence, asking))
    return replaced(rounds, ended({ ...ofSequence, asked: [...ofSequence.asked, asking] }, outreach, at), ofSequence);
  // Until now only the record's status showed that the payer asks something; this event has the text.
  const bare = rounds.findLast((round) => isWithoutText(round, outreach));
  if (bare !== undefined) {
    const round = {
      ...bare,
      from: 'service',
      sequence: outreach.sequence,
      asked: [asking],
      ...untilOf(bare, outreach),
    } as const;
    return replaced(rounds, ended(round, outreach, at), bare);
  }
  if (announcesOutcome(outreach)) return rounds;
  return [...rounds, ended(newRound(rounds, outreach, asking, at), outreach, at)];
}

// Rounds that have ended count too, because the event may come late.
function isWithoutText(round: Round, outreach: ReceivedOutreach): boolean {
  if (round.from !== 'status' || round.sequence !== undefined) return false;
  const until = askedUntilOf(round);
  // The event of a closed question may state the time at which the question was closed.
  const isOverQuestion = outreach.over && !announcesOutcome(outreach);
  const { at } = outreach;
  return until === undefined || isOverQuestion || (at !== undefined && Date.parse(at) <= Date.parse(until));
}

/**
 * The time until which an outreach belongs to a round. For a round that ended with a complete reply, this is the time
 * at which the reply was sent: the service may ask again before the bridge has recorded that it accepted the reply.
 */
function askedUntilOf({ ended: end, replies }: Round): string | undefined {
  const last = end?.how === 'all' ? replies.findLast(({ completes }) => completes) : undefined;
  return last?.leftAt ?? end?.at;
}

function newRound(rounds: readonly Round[], outreach: ReceivedOutreach, asking: Asking, at: string): Round {
  return {
    number: nextNumber(rounds),
    from: 'service',
    sequence: outreach.sequence,
    openedAt: at,
    openedBy: 'bridge',
    ...(outreach.until === undefined ? {} : { until: outreach.until }),
    asked: [asking],
    replies: [],
  };
}

export function nextNumber(rounds: readonly Round[]): number {
  return Math.max(0, ...rounds.map(({ number }) => number)) + 1;
}

/** true for an attempt whose purpose is to announce the decision; it is not a question. */
export function announcesOutcome({ purpose = '' }: Pick<Outreach, 'purpose'>): boolean {
  return /outcome|determin|decision|result|approv|den(y|ied|ial)/i.test(purpose);
}

function askingOf(
  { id, state, channel, purpose, at, fields, files, isSigned }: ReceivedOutreach,
  seenAt: string,
): Asking {
  return {
    id,
    ...(state === undefined ? {} : { state }),
    ...(channel === undefined ? {} : { channel }),
    ...(purpose === undefined ? {} : { purpose }),
    ...(at === undefined ? {} : { at }),
    seenAt,
    fields,
    files: files.map(({ name, url }, index): QuestionFile => ({ id: fileId(id, index), name, url, state: 'due' })),
    isSigned,
  };
}

function fileId(attempt: string, index: number): string {
  return `${attempt.replaceAll(/[^\w-]/g, '_').slice(0, 80)}-${index}`;
}

/** Updates a known attempt: the content stays, the state of the later event applies. */
function withKnown(round: Round, now: Asking): Round {
  const asked = round.asked.map((before) => (before.id === now.id ? later(before, now) : before));
  return asked.every((one, index) => one === round.asked[index]) ? round : { ...round, asked };
}

const over = /expired|failed|ended|cancel|completed|closed|undeliver/i;

function later(before: Asking, now: Asking): Asking {
  const isOlder = isBefore(now, before);
  const isSaid = before.fields.length + before.files.length > 0;
  const next: Asking = {
    ...before,
    ...(isOlder ? {} : defined({ state: now.state, channel: now.channel, purpose: now.purpose, at: now.at })),
    ...(isSaid || now.fields.length + now.files.length === 0
      ? {}
      : { fields: now.fields, isSigned: now.isSigned === true }),
    files: filesOf(before.files, now.files),
  };
  return JSON.stringify(next) === JSON.stringify(before) ? before : next;
}

// Events without times: an event of an attempt that is under way is older than an event of an attempt that is over.
function isBefore(now: Asking, before: Asking): boolean {
  if (now.at !== undefined && before.at !== undefined) return Date.parse(now.at) < Date.parse(before.at);
  return over.test(before.state ?? '') && !over.test(now.state ?? '');
}

function filesOf(before: readonly QuestionFile[], now: readonly QuestionFile[]): readonly QuestionFile[] {
  if (before.length === 0) return now;
  return before.map((file, index) => {
    const { url } = now[index] ?? {};
    // An expired link may be replaced by a new link. Stored bytes are kept.
    return file.state === 'gone' && url !== undefined && url !== file.url
      ? { ...file, url, state: 'due', tries: 0 }
      : file;
  });
}

// The payer asks again if the service sends another text after a person declared the reply complete.
function isAskedAnew(round: Round, asking: Asking): boolean {
  const until = askedUntilOf(round);
  if (until === undefined || round.ended?.how === 'decided') return false;
  const text = textOfAsking(asking);
  if (text === '' || round.asked.some((one) => textOfAsking(one) === text)) return false;
  return asking.at === undefined || Date.parse(asking.at) > Date.parse(until);
}

function ended(round: Round, outreach: ReceivedOutreach, at: string): Round {
  if (!outreach.over || round.ended !== undefined) return round;
  return { ...round, ended: { at, by: 'bridge', how: 'service' } };
}

function untilOf(round: Round, { until }: ReceivedOutreach): { readonly until?: string } {
  return until === undefined || round.until !== undefined ? {} : { until };
}

function replaced(rounds: readonly Round[], next: Round, before: Round): readonly Round[] {
  return next === before ? rounds : rounds.map((round) => (round === before ? next : round));
}

export interface StatusRead {
  readonly status: string;
  /** The status in the previous reading. */
  readonly before: string | undefined;
  /** When the status changed last before this reading. */
  readonly since: string;
  readonly hasEnded: boolean;
}

/**
 * Updates the rounds from the status in the record: the practice is asked, it is no longer asked, or the request has
 * ended.
 */
export function withStatus(
  rounds: readonly Round[],
  { status, before, since, hasEnded }: StatusRead,
  at: string,
): readonly Round[] {
  if (hasEnded) return endedWhere(rounds, () => true, { at, by: 'bridge', how: 'decided' });
  if (status !== asksProvider)
    return endedWhere(rounds, ({ from }) => from === 'status', { at, by: 'bridge', how: 'service' });
  if (isStillAsked(rounds, at)) return [...rounds, byStatus(rounds, at)];
  // An event may already have reported the question, and an unchanged status does not reopen an answered question.
  const isKnown = (round: Round) =>
    (round.from === 'status' || round.from === 'service') && (round.ended === undefined || round.openedAt >= since);
  if (before === asksProvider || rounds.some(isKnown)) return rounds;
  return [...rounds, byStatus(rounds, at)];
}

function byStatus(rounds: readonly Round[], at: string): Round {
  return { number: nextNumber(rounds), from: 'status', openedAt: at, openedBy: 'bridge', asked: [], replies: [] };
}

/**
 * Seconds after a complete reply. If the record still asks the practice then, the event of another question was lost.
 */
export const askedStillAfter = 3600;

function isStillAsked(rounds: readonly Round[], at: string): boolean {
  const since = answeredSince(rounds);
  return since !== undefined && Date.parse(at) >= Date.parse(since) + askedStillAfter * 1000;
}

/**
 * The time since which every question is answered by a complete reply that the service accepted. Undefined if the last
 * round ended differently: a faxed reply takes time to arrive.
 */
export function answeredSince(rounds: readonly Round[]): string | undefined {
  const last = rounds.at(-1);
  if (last?.ended?.how !== 'all' || rounds.some(({ ended }) => ended === undefined)) return undefined;
  return last.replies.some(({ completes, state }) => completes && state === 'accepted') ? last.ended.at : undefined;
}

/** The status of a record while the practice has a question to answer. */
export const asksProvider = 'awaiting_provider_response';

function endedWhere(rounds: readonly Round[], ends: (round: Round) => boolean, end: RoundEnd): readonly Round[] {
  if (!rounds.some((round) => round.ended === undefined && ends(round))) return rounds;
  return rounds.map((round) =>
    round.ended === undefined && ends(round) ? { ...round, ended: end, replies: round.replies.map(unsent) } : round,
  );
}

// A queued reply is not sent after the round has ended.
function unsent(reply: Round['replies'][number]): Round['replies'][number] {
  return reply.state === 'queued' ? { ...reply, state: 'not_sent', code: 'reply_decided' } : reply;
}

function defined<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
