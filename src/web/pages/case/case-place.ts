import { type Case, isEditable, type ListedCase, roundsOf } from '../../../cases/case.ts';
import { roundStanding } from '../../../cases/rounds/round.ts';
import { isAsked, maySign } from '../../../cases/signature.ts';
import type { Identity, Launch } from '../../../ehr/smart/types.ts';
import { userOf } from '../../http/user.ts';
import { kindPages } from '../../request/kind-pages.ts';

/**
 * The page where people work on a case, below `/app/<launch>`: the review until the request is sent, then the case
 * page.
 */
export function placeOf(one: Pick<Case, 'id' | 'kind' | 'order' | 'state'>): string {
  return one.state === 'draft' || one.state === 'refused' ? reviewPlace(one) : `cases/${one.id}`;
}

/** `placeOf` for a certain user: signers go to the signing page, and a signed draft opens the page that sends it. */
export function placeFor(one: ListedCase, { site, ...user }: Identity & Pick<Launch, 'site'>): string {
  const isToSign = isEditable(one) ? isAsked(one.signature) : replyWaits(one);
  if (isToSign && maySign(site, one, userOf(user))) return `sign/${one.id}`;
  return isSignedDraft(one) ? `${reviewPlace(one)}/confirm` : placeOf(one);
}

// If an answer is missing by now, the confirmation page leads to the review.
function isSignedDraft({ state, signature }: ListedCase): boolean {
  return state === 'draft' && signature?.state === 'signed' && !signature.isChanged;
}

function replyWaits(one: ListedCase): boolean {
  return one.state === 'open' && roundsOf(one).some((round) => roundStanding(round) === 'unsigned');
}

/** The review page of a case's order, below `/app/<launch>`. */
export function reviewPlace({ kind, order }: Pick<Case, 'kind' | 'order'>): string {
  const page = `orders/${order.replace('MedicationRequest/', '')}`;
  return `${page}${kindPages[kind].path}`;
}
