import { isDenied } from '../../cases/appeal.ts';
import type { Ended } from '../../cases/case.ts';
import type { Draft } from './draft.ts';
import { changesBetween, leavesOf } from './leaves.ts';
import { keptValues } from './rules-change.ts';

/** true if a request has the same content as the denied one, and no additional document. */
export function isSameAsDenied({ values }: Pick<Draft, 'values'>, earlier: Ended): boolean {
  if (!isDenied(earlier)) return false;
  return changesBetween(toCompare(leavesOf(earlier.body)), toCompare(values)).length === 0;
}

// The reference to the followed request does not count as a difference.
function toCompare(values: Draft['values']): Draft['values'] {
  const kept = Object.entries(keptValues(values));
  return new Map(kept.filter(([target]) => target !== 'resubmission_info.previous_prior_auth_request_id'));
}
