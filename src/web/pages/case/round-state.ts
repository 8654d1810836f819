import { type Case, roundsOf } from '../../../cases/case.ts';
import { isUnanswered, type Round, roundSeen, roundStanding } from '../../../cases/rounds/round.ts';
import { refusalOf } from '../../http/rights.ts';
import type { CaseView } from './view.ts';

export function isWaiting(one: Case): boolean {
  return one.state === 'open' && roundsOf(one).some(isUnanswered);
}

/** The question whose reply is the next step on the page; undefined if there is none. */
export function leadingRound(one: Case): Round | undefined {
  if (one.state !== 'open') return undefined;
  const standings: readonly string[] = ['unsigned', 'printed'];
  return roundsOf(one).find((round) => {
    const standing = roundStanding(round);
    return standings.includes(standing) || (standing === 'open' && round.asked.length > 0);
  });
}

/** true for an open question without a message, which is answered in the service or on paper. */
export function isAnsweredThere({ case: one, platform }: Pick<CaseView, 'case' | 'platform'>, round: Round): boolean {
  return one.state === 'open' && platform !== undefined && roundStanding(round) === 'open' && round.asked.length === 0;
}

/** true if staff enter questions themselves, because the service does not report any. */
export function takesNotes({ case: one, launch }: Pick<CaseView, 'case' | 'launch'>): boolean {
  const { profile } = launch.site.service;
  return (
    profile === 'documented' && one.kind === 'prior-auth' && one.state === 'open' && refusalOf(launch) === undefined
  );
}

/** Identifies the state of all rounds on the page, so that polling can detect changes. */
export function roundsSeen({ case: one }: Pick<CaseView, 'case'>): string {
  return roundsOf(one).map(roundSeen).join('_');
}

/** true if the page has a form for a question, in which somebody may be typing. */
export function hasQuestionForm({ case: one, launch }: Pick<CaseView, 'case' | 'launch'>): boolean {
  const standings: readonly string[] = ['open', 'unsigned', 'answered', 'unclear', 'printed'];
  return refusalOf(launch) === undefined && roundsOf(one).some((round) => standings.includes(roundStanding(round)));
}

export function takesReply(round: Round): boolean {
  return ['open', 'answered', 'unsigned'].includes(roundStanding(round));
}
