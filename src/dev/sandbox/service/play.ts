import { advance, type Pace } from './machine.ts';
import { oneQuestion } from './outreach.ts';
import { isTraining } from './requests.ts';
import type { ServiceSite } from './sites.ts';
import { isTerminal } from './statuses.ts';
import type { StoredPriorAuthorization } from './stored-record.ts';

/** What a person can make the payer do with a request that was sent, whatever the drug. */
export const plays = ['asks', 'approves', 'approves-less', 'denies'] as const;
export type Play = (typeof plays)[number];

/** The rows of the sandbox's decisions that then apply. */
const decisionOf = { approves: 'default', 'approves-less': 'default', denies: 'necessity' } as const;

/** Half of the quantity, or of the days where there is one piece only. */
function halfOf({ request: { prescription } }: StoredPriorAuthorization): Pick<StoredPriorAuthorization, 'approved'> {
  const { quantity, days_supply: days = 1 } = prescription;
  return { approved: quantity > 1 ? { quantity: Math.floor(quantity / 2) } : { days_supply: Math.ceil(days / 2) } };
}

/** The record as the payer leaves it; undefined where nothing can be played any more. */
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
  // The profile `documented` has no event for it: its status alone shows that the payer waits.
  const asks = { ...oneQuestion, event: profile === 'current' ? 'usual' : 'never' } as const;
  return advance({ ...stored, asks, askedTimes: 0, path }, at, pace);
}
