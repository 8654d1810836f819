import { isDenied } from '../../cases/appeal.ts';
import type { Ended } from '../../cases/case.ts';
import type { Draft } from './draft.ts';
import { changesBetween, leavesOf } from './leaves.ts';
import { keptValues } from './rules-change.ts';

/** true where a request says nothing that the denied one did not say, and brings no other document. */
export function isSameAsDenied({ values }: Pick<Draft, 'values'>, earlier: Ended): boolean {
  if (!isDenied(earlier)) return false;
  return changesBetween(toCompare(leavesOf(earlier.body)), toCompare(values)).length === 0;
}

// Which request it follows is no news.
function toCompare(values: Draft['values']): Draft['values'] {
  const kept = Object.entries(keptValues(values));
  return new Map(kept.filter(([target]) => target !== 'resubmission_info.previous_prior_auth_request_id'));
}
