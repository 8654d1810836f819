import { advance, type Pace } from './machine.ts';
import { oneQuestion } from './outreach.ts';
import { isTraining } from './requests.ts';
import type { ServiceSite } from './sites.ts';
import { isTerminal } from './statuses.ts';
import type { StoredPriorAuthorization } from './stored-record.ts';

/** What a person can make the payer do with a sent request, whatever the drug. */
export const plays = ['asks', 'approves', 'approves-less', 'denies'] as const;
export type Play = (typeof plays)[number];

/** The row of `decisions` that applies after each of these actions. */
const decisionOf = { approves: 'default', 'approves-less': 'default', denies: 'necessity' } as const;

/** Returns half of the quantity, or half of the days if there is only one piece. */
function halfOf({ request: { prescription } }: StoredPriorAuthorization): Pick<StoredPriorAuthorization, 'approved'> {
  const { quantity, days_supply: days = 1 } = prescription;
  return { approved: quantity > 1 ? { quantity: Math.floor(quantity / 2) } : { days_supply: Math.ceil(days / 2) } };
}

/** Returns the record after the payer's action; undefined if no action is possible any more. */
export function played(
  stored: StoredPriorAuthorization,
  play: Play,
  {
    at,
    pace,
    profile,
  }: { readonly at: Date; readonly pace: Pace; readonly profile: ServiceSite['profile'] | undefined },
): StoredPriorAuthorization | undefined {
  if (isTerminal(stored.status) || isTraining(stored.request)) return undefined;
  const past = stored.path.slice(0, stored.reached);
  if (play !== 'asks') {
    const path = [...past, 'validating_outcome', 'completed'] as const;
    const less = play === 'approves-less' ? halfOf(stored) : {};
    return advance({ ...stored, ...less, decision: decisionOf[play], submitted: true, path }, at, pace);
  }
  if (stored.status === 'awaiting_provider_response') return undefined;
  const path = [...past, 'awaiting_provider_response', 'awaiting_outcome', 'validating_outcome', 'completed'] as const;
  // The profile `documented` has no event for a question, so only the status shows that the payer waits.
  const asks = { ...oneQuestion, event: profile === 'current' ? 'usual' : 'never' } as const;
  return advance({ ...stored, asks, askedTimes: 0, path }, at, pace);
}
