import { BridgeError, type ErrorCode } from '../../core/errors.ts';
import type { Job } from '../../store/types.ts';
import { type Current, roundsIn } from '../assemble.ts';
import type { Actor, User } from '../case.ts';
import type { CaseChange, Changed } from '../change.ts';
import type { NewEvent } from '../events.ts';
import { job } from '../jobs.ts';
import { askedForChart, askedUntil } from '../rounds/case-asked.ts';
import { answeredSince, askedStillAfter, nextNumber, type ReceivedOutreach, withOutreach } from '../rounds/merge.ts';
import {
  type Asking,
  type QuestionFile,
  type Reply,
  type Round,
  type RoundEnd,
  roundSeen,
  roundWork,
} from '../rounds/round.ts';

/**
 * Transitions for the payer's questions and the practice's replies. A reply is stored before it is sent, and is sent
 * only once.
 */

/** The change that stores these rounds, with their events and jobs, including the update of the Task. */
export function roundsChange(current: Current, rounds: readonly Round[], said: readonly NewEvent[] = []): CaseChange {
  const { stored } = current;
  const before = roundsIn(stored);
  const { status = '' } = stored;
  const isAnswered = answeredSince(before) === undefined && answeredSince(rounds) !== undefined;
  const isForChart = askedIn(before, status) !== askedIn(rounds, status);
  // Work that was open before already has its job, and a failed job queues its own retry.
  const jobs: Job[] = [
    ...(roundWork(rounds) > roundWork(before) ? [job('round', stored.site, { case: stored.id })] : []),
    ...(isForChart ? [job('deliver', stored.site, { case: stored.id })] : []),
    ...(isAnswered ? [job('round', stored.site, { case: stored.id }, askedStillAfter)] : []),
  ];
  return {
    rounds,
    ...(isForChart ? { columns: { unwritten: true } } : {}),
    says: [...said, ...openedAndEnded(before, rounds)],
    jobs,
  };
}

/** What the Task in the chart states about the rounds. */
function askedIn(rounds: readonly Round[], status: string): string {
  return `${askedForChart(rounds, status)} ${askedUntil(rounds)}`;
}

function openedAndEnded(before: readonly Round[], rounds: readonly Round[]): NewEvent[] {
  return rounds.flatMap((round): NewEvent[] => {
    const known = before.find(({ number }) => number === round.number);
    const facts = { round: round.number };
    const { ended } = round;
    return [
      ...(known === undefined ? [{ type: 'asked', facts, by: round.openedBy } as const] : []),
      ...(ended !== undefined && known?.ended === undefined
        ? [{ type: 'round_ended', facts: { ...facts, how: ended.how }, by: ended.by } as const]
        : []),
    ];
  });
}

/** Merges the service's outreach events, which are ordered from oldest to newest. */
export function askedByService(
  current: Current,
  { outreach }: { readonly outreach: readonly ReceivedOutreach[] },
  at: string,
): Changed {
  const before = roundsIn(current.stored);
  const merged = outreach.reduce((rounds, one) => withOutreach(rounds, one, at), before);
  const end: RoundEnd = { at, by: 'bridge', how: 'decided' };
  const rounds =
    current.one.state === 'ended'
      ? merged.map((round) => (round.ended === undefined ? { ...round, ended: end } : round))
      : merged;
  return rounds.every((round, index) => round === before[index]) && rounds.length === before.length
    ? undefined
    : roundsChange(current, rounds);
}

export interface OpenRound {
  readonly by: User;
  /** The question as the person typed it. */
  readonly text: string;
  readonly until?: string;
  /** A scan that is stored already, or a fax of the activity log to fetch. */
  readonly file?: QuestionFile;
  readonly channel?: string;
}

/** A person records a question of the payer. A fax opens only one round. */
export function roundOpened(current: Current, { by, text, until, file, channel }: OpenRound, at: string): Changed {
  const before = roundsIn(current.stored);
  const fax = file?.activity;
  if (fax !== undefined && before.some(({ asked }) => asked.some(({ id }) => id === fax))) return undefined;
  const fields = text.trim() === '' ? [] : [{ name: 'text', text: text.trim() }];
  if (fields.length === 0 && file === undefined) throw new BridgeError('bad_request', { case: current.stored.id });
  const asking: Asking = {
    id: fax ?? 'person',
    ...(channel === undefined ? {} : { channel }),
    seenAt: at,
    fields,
    files: file === undefined ? [] : [file],
  };
  const round: Round = {
    number: nextNumber(before),
    from: fax === undefined ? 'person' : 'fax',
    openedAt: at,
    openedBy: by,
    ...(until === undefined ? {} : { until }),
    asked: [asking],
    replies: [],
  };
  return roundsChange(current, [...before, round]);
}

export interface FileAnswer {
  readonly round: number;
  readonly file: string;
  readonly got: Partial<QuestionFile> & Pick<QuestionFile, 'state'>;
}

/** The result of fetching a file of a question. */
export function questionFileKept(current: Current, { round: number, file, got }: FileAnswer): Changed {
  const rounds = roundsIn(current.stored).map((round) =>
    round.number === number ? { ...round, asked: round.asked.map((one) => withFile(one, file, got)) } : round,
  );
  return { rounds, visible: got.state !== 'due' };
}

function withFile(asking: Asking, id: string, got: FileAnswer['got']): Asking {
  return { ...asking, files: asking.files.map((file) => (file.id === id ? gotFile(file, got) : file)) };
}

function gotFile({ url, ...file }: QuestionFile, got: FileAnswer['got']): QuestionFile {
  return { ...file, ...(got.state === 'kept' || url === undefined ? {} : { url }), ...got };
}

export interface NewReply {
  readonly round: number;
  /** `roundSeen` of the round as the person saw it. */
  readonly seen: string;
  readonly reply: Omit<Reply, 'at'>;
}

/**
 * A person replies. Repeating the same reply changes nothing. Another reply is refused while a reply is under way or
 * unclear, or when the round has changed since the person saw it.
 */
export function replied(current: Current, { round: number, seen, reply }: NewReply, at: string): Changed {
  const { stored, one } = current;
  if (one.state === 'ended') throw new BridgeError('reply_decided', { case: stored.id });
  const rounds = roundsIn(stored);
  const round = rounds.find((each) => each.number === number);
  if (round === undefined) throw new BridgeError('bad_request', { case: stored.id });
  const same = round.replies.find(({ key }) => key === reply.key);
  if (same !== undefined && !mayBeRepeated.has(same.state)) return undefined;
  if (round.ended !== undefined) throw new BridgeError('round_over', { case: stored.id });
  const isBusy = round.replies.some(({ state }) => isUnsettled(state));
  if (isBusy || roundSeen(round) !== seen) throw new BridgeError('reply_crossed', { case: stored.id });
  // A new reply replaces a reply that nobody has signed.
  const before = round.replies.filter(({ key, state }) => key !== reply.key && state !== 'unsigned');
  const isSigned = reply.signedBy !== undefined;
  const replies = [...before, { ...reply, at, ...(isSigned ? { signedAt: at } : {}) }];
  const says: NewEvent[] = [
    ...(isSigned ? [{ type: 'signed', facts: { round: number }, by: reply.signedBy } as const] : []),
    reply.state === 'unsigned' ? { type: 'sign_asked', facts: { round: number }, by: reply.by } : made(number, reply),
  ];
  return roundsChange(current, withRound(rounds, { ...round, replies }), says);
}

function made(round: number, { state, by }: Pick<Reply, 'state' | 'by'>): NewEvent {
  return { type: state === 'printed' ? 'reply_made' : 'replied', facts: { round }, by };
}

/** States in which a reply has not reached the payer, as far as is known. */
const mayBeRepeated: ReadonlySet<string> = new Set(['refused', 'not_sent', 'not_arrived', 'returned']);

export interface ReplySigned {
  readonly key: string;
  /** The state after the signature: to be sent by the bridge, or by hand. */
  readonly state: 'queued' | 'printed';
  readonly by: User;
}

/**
 * Repeating the signature changes nothing. Throws signature_changed when another reply or a note has replaced this
 * reply.
 */
export function replySigned(current: Current, { key, state, by }: ReplySigned, at: string): Changed {
  const { round, reply } = waitingReply(current, key);
  if (reply.signedBy !== undefined) return undefined;
  if (reply.state !== 'unsigned') throw new BridgeError('signature_changed', { case: current.stored.id });
  assertOpen(current, round);
  const replies = round.replies.map((each) =>
    each === reply ? { ...reply, state, signedAt: at, signedBy: by } : each,
  );
  const says = [
    { type: 'signed', facts: { round: round.number }, by } as const,
    made(round.number, { ...reply, state }),
  ];
  return roundsChange(current, withRound(roundsIn(current.stored), { ...round, replies }), says);
}

/** Returning twice changes nothing. Throws signature_changed if the reply was replaced or is already signed. */
export function replyReturned(
  current: Current,
  { key, note, by }: { readonly key: string; readonly note: string; readonly by: User },
  at: string,
): Changed {
  const { round, reply } = waitingReply(current, key);
  if (reply.state === 'returned') return undefined;
  if (reply.state !== 'unsigned') throw new BridgeError('signature_changed', { case: current.stored.id });
  const returned: Reply = {
    ...reply,
    state: 'returned',
    settledAt: at,
    settledBy: by,
    note: note.trim().slice(0, 1000),
  };
  const replies = round.replies.map((each) => (each === reply ? returned : each));
  const says = [{ type: 'sign_returned', facts: { round: round.number }, by }] as const;
  return roundsChange(current, withRound(roundsIn(current.stored), { ...round, replies }), says);
}

function waitingReply({ stored }: Current, key: string): { readonly round: Round; readonly reply: Reply } {
  const found = roundsIn(stored)
    .flatMap((round) => round.replies.map((reply) => ({ round, reply })))
    .find(({ reply }) => reply.key === key);
  if (found === undefined) throw new BridgeError('signature_changed', { case: stored.id });
  return found;
}

function assertOpen({ one, stored }: Current, { ended }: Round): void {
  if (one.state === 'ended') throw new BridgeError('reply_decided', { case: stored.id });
  if (ended !== undefined) throw new BridgeError('round_over', { case: stored.id });
}

function isUnsettled(state: string): boolean {
  return state === 'queued' || state === 'leaving' || state === 'unclear';
}

function withRound(rounds: readonly Round[], next: Round): readonly Round[] {
  return rounds.map((round) => (round.number === next.number ? next : round));
}

/** Marks a queued reply as being sent. A reply in any other state stays unchanged. */
export function replyLeaves(current: Current, { key }: { readonly key: string }, at: string): Changed {
  return withReply(current, key, (reply) =>
    reply.state === 'queued' ? { ...reply, state: 'leaving', leftAt: at, tries: (reply.tries ?? 0) + 1 } : undefined,
  );
}

export interface ReplyAnswer {
  readonly key: string;
  /** `queued`: nothing has reached the service, so the reply is retried. */
  readonly state: 'queued' | 'accepted' | 'unclear' | 'refused' | 'not_sent' | 'not_arrived';
  readonly by: Actor;
  readonly code?: ErrorCode;
  readonly fields?: readonly string[];
}

/** Stores the result of a reply: from the service's answer, from its record, or from a person. */
export function replySettled(current: Current, answer: ReplyAnswer, at: string): Changed {
  const { key, state, by, code, fields } = answer;
  const isPerson = by !== 'bridge';
  return withReply(
    current,
    key,
    (reply) => {
      if (!(reply.state === 'unclear' || (reply.state === 'leaving' && !isPerson))) return undefined;
      // An unclear reply can only become accepted, or not arrived if a person says so. It is never sent again
      // automatically.
      if (reply.state === 'unclear' && state !== 'accepted' && !(isPerson && state === 'not_arrived')) return undefined;
      const { code: _, fields: __, ...rest } = reply;
      return {
        ...rest,
        state,
        ...(state === 'queued' ? {} : { settledAt: at, settledBy: by }),
        ...(code === undefined ? {} : { code }),
        ...(fields === undefined ? {} : { fields }),
      };
    },
    ({ number }) => settledSaid(number, answer),
    at,
  );
}

function settledSaid(round: number, { state, by, code = 'internal' }: ReplyAnswer): readonly NewEvent[] {
  switch (state) {
    case 'queued':
      return [];
    case 'accepted':
      return [{ type: 'reply_accepted', facts: { round }, by }];
    case 'unclear':
      return [{ type: 'reply_unclear', facts: { round }, by }];
    case 'not_arrived':
      return [{ type: 'reply_not_arrived', facts: { round }, by }];
    case 'refused':
      return [{ type: 'reply_refused', facts: { round, code }, by }];
    case 'not_sent':
      return [{ type: 'reply_not_sent', facts: { round, code }, by }];
  }
}

export interface HandSent {
  readonly key: string;
  /** YYYY-MM-DD */
  readonly on: string;
  readonly how: string;
  readonly completes: boolean;
  readonly by: User;
}

export function replySentByHand(current: Current, { key, on, how, completes, by }: HandSent, at: string): Changed {
  return withReply(
    current,
    key,
    (reply) =>
      reply.state === 'printed'
        ? { ...reply, state: 'sent', on, how, completes, settledAt: at, settledBy: by }
        : undefined,
    (round) => [{ type: 'reply_sent', facts: { round: round.number }, by }],
    at,
  );
}

/** A person closes a round that staff opened. Rounds of the service are ended by the service. */
export function roundClosed(
  current: Current,
  { round: number, by }: { readonly round: number; readonly by: User },
  at: string,
): Changed {
  const rounds = roundsIn(current.stored);
  const round = rounds.find((each) => each.number === number);
  if (round === undefined || round.from === 'service')
    throw new BridgeError('bad_request', { case: current.stored.id });
  if (round.ended !== undefined) return undefined;
  if (round.replies.some(({ state }) => isUnsettled(state)))
    throw new BridgeError('reply_crossed', { case: current.stored.id });
  return roundsChange(current, withRound(rounds, { ...round, ended: { at, by, how: 'closed' } }));
}

function withReply(
  current: Current,
  key: string,
  next: (reply: Reply) => Reply | undefined,
  says: (round: Round) => readonly NewEvent[] = () => [],
  at = '',
): Changed {
  const rounds = roundsIn(current.stored);
  const round = rounds.find(({ replies }) => replies.some((reply) => reply.key === key));
  const before = round?.replies.find((reply) => reply.key === key);
  const after = before === undefined ? undefined : next(before);
  if (round === undefined || after === undefined) return undefined;
  const replies = round.replies.map((reply) => (reply === before ? after : reply));
  return roundsChange(current, withRound(rounds, endedBy({ ...round, replies }, after, at)), says(round));
}

// A round ends only with a reply that a person declared complete and that has arrived.
function endedBy(round: Round, { state, completes, by }: Reply, at: string): Round {
  const isDone = completes && (state === 'accepted' || state === 'sent');
  return isDone && round.ended === undefined ? { ...round, ended: { at, by, how: 'all' } } : round;
}
