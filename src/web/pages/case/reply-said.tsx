import type { VNode } from 'preact';
import { roundsOf, userText } from '../../../cases/case.ts';
import { type Reply, type Round, roundStanding } from '../../../cases/rounds/round.ts';
import { Time } from '../../ui/time.tsx';
import { questionWords as words } from './question-words.ts';
import type { CaseView } from './view.ts';

/** The URL fragment of `ReplySaid`, for the redirect after a reply. */
export const replySaid = 'replied';

/** Confirms that the last reply was sent, and when; null after a further question arrived. */
export function ReplySaid({ view: { case: one, launch } }: { readonly view: CaseView }): VNode | null {
  const reply = one.state === 'open' ? lastReply(roundsOf(one)) : undefined;
  const said = reply === undefined ? undefined : words.said[reply.state];
  if (reply === undefined || said === undefined) return null;
  const { by } = reply;
  const isMine = by !== 'bridge' && by.fhirUser !== undefined && by.fhirUser === launch.fhirUser;
  return (
    <p id={replySaid} class={hasLeft(reply) ? 'notice good' : 'notice'} role="status" tabIndex={-1}>
      <strong>{said(isMine ? undefined : by === 'bridge' ? '' : userText(by))}</strong>{' '}
      <Time at={timeOf(reply)} zone={launch.site.timeZone} />
    </p>
  );
}

function lastReply(rounds: readonly Round[]): Reply | undefined {
  const replied = rounds.filter((round) => round.replies.length > 0 && roundStanding(round) !== 'open');
  const last = replied
    .flatMap(({ replies }) => replies.at(-1) ?? [])
    .toSorted(byTime)
    .at(-1);
  return rounds.some(({ openedAt }) => openedAt > (last?.at ?? '')) ? undefined : last;
}

function byTime(one: Reply, other: Reply): number {
  return Date.parse(one.at) - Date.parse(other.at);
}

function hasLeft({ state }: Reply): boolean {
  return state === 'accepted' || state === 'sent';
}

function timeOf(reply: Reply): string {
  return hasLeft(reply) ? (reply.settledAt ?? reply.leftAt ?? reply.at) : reply.at;
}
