import type { Kind } from '../core/contract/kinds.ts';
import { type ByStatus, statusRow } from './statuses.ts';

/** Multiples of the polling interval. 0: the status is not polled. */
export const pollFactors: ByStatus<number> = {
  'prior-auth': {
    processing: 1,
    not_submitted: 0,
    awaiting_review: 2,
    awaiting_outcome: 4,
    awaiting_provider_response: 2,
    validating_outcome: 2,
    completed: 0,
    failed: 0,
    cancelled: 0,
  },
  'benefit-verification': {
    pending: 2,
    completed: 0,
    failed: 0,
    cancelled: 0,
  },
};

export function pollFactor(kind: Kind, status: string): number {
  return statusRow(pollFactors, kind, status) ?? 4;
}
