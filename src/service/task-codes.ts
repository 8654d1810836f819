import type { Kind } from '../core/contract/kinds.ts';
import { statusWords } from './status-words.ts';
import { type ByStatus, statusRow } from './statuses.ts';

/** The FHIR R4 `Task.status` codes that the bridge uses. */
export type TaskStatusInUse =
  | 'received'
  | 'rejected'
  | 'on-hold'
  | 'in-progress'
  | 'completed'
  | 'failed'
  | 'cancelled';

/**
 * Status and business status of the Task in the chart. At `completed`, the outcome's label replaces `businessStatus`.
 */
export interface TaskCodes {
  readonly status: TaskStatusInUse;
  readonly businessStatus: string;
}

export const taskCodeTable: ByStatus<TaskCodes> = {
  'prior-auth': {
    processing: { status: 'received', businessStatus: 'Processing' },
    not_submitted: { status: 'rejected', businessStatus: 'Not submitted' },
    awaiting_review: { status: 'on-hold', businessStatus: 'Awaiting review in the platform' },
    awaiting_outcome: { status: 'in-progress', businessStatus: 'Submitted to payer' },
    awaiting_provider_response: { status: 'on-hold', businessStatus: 'Awaiting information from the prescriber' },
    validating_outcome: { status: 'in-progress', businessStatus: 'Outcome being validated' },
    completed: { status: 'completed', businessStatus: 'Completed' },
    failed: { status: 'failed', businessStatus: 'Failed' },
    cancelled: { status: 'cancelled', businessStatus: 'Cancelled' },
  },
  'benefit-verification': {
    pending: { status: 'in-progress', businessStatus: 'Benefits being verified' },
    completed: { status: 'completed', businessStatus: 'Benefits verified' },
    failed: { status: 'failed', businessStatus: 'Benefits not verified' },
    cancelled: { status: 'cancelled', businessStatus: 'Cancelled' },
  },
};

export function taskCodes(kind: Kind, status: string): TaskCodes {
  const known = statusRow(taskCodeTable, kind, status);
  return known ?? { status: 'in-progress', businessStatus: statusWords(kind, status).label };
}
