import type { PriorAuthorization } from '../../core/contract/prior-authorization.ts';
import { statusRule } from '../../service/statuses.ts';
import type { StoredCase } from '../../store/types.ts';
import { withStatus } from './merge.ts';
import type { Reply, Round } from './round.ts';

/**
 * Updates the rounds from a reading of the record: from its status, and from its evidence, which may show that a reply
 * with a lost answer arrived.
 */
export function withReading(
  rounds: readonly Round[],
  record: PriorAuthorization,
  { stored, at }: { readonly stored: Pick<StoredCase, 'status' | 'changedAt' | 'createdAt'>; readonly at: string },
): { readonly rounds: readonly Round[]; readonly accepted: readonly number[] } {
  const shown = rounds.filter(({ replies }) => replies.some((reply) => isSettledBy(reply, record)));
  const settled = shown.length === 0 ? rounds : rounds.map((round) => withShown(round, record, at));
  const read = {
    status: record.status,
    before: stored.status,
    since: stored.changedAt ?? stored.createdAt,
    hasEnded: statusRule('prior-auth', record.status).terminal,
  };
  return { rounds: withStatus(settled, read, at), accepted: shown.map(({ number }) => number) };
}

/** true when the record's evidence has an item with the title of the reply, which no other reply has. */
export function showsReply({ evidence = [] }: PriorAuthorization, { title }: Pick<Reply, 'title'>): boolean {
  return evidence.some((item) => item.title === title);
}

function isSettledBy(reply: Reply, record: PriorAuthorization): boolean {
  return reply.state === 'unclear' && showsReply(record, reply);
}

function withShown(round: Round, record: PriorAuthorization, at: string): Round {
  const replies = round.replies.map(
    (reply): Reply =>
      isSettledBy(reply, record) ? { ...reply, state: 'accepted', settledAt: at, settledBy: 'bridge' } : reply,
  );
  const last = replies.find((reply, index) => reply !== round.replies[index] && reply.completes);
  const isOver = last !== undefined && round.ended === undefined;
  return { ...round, replies, ...(isOver ? { ended: { at, by: last.by, how: 'all' } } : {}) };
}
