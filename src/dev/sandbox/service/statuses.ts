/**
 * The statuses of a prior authorization as the service documents them (section 3 of its interface), stated
 * independently of the bridge, so that a mistake in the bridge's own table is detected.
 */
export const statuses = {
  processing: { label: 'Processing', meaning: 'Received and being prepared.', terminal: false },
  not_submitted: { label: 'Not submitted', meaning: 'It will not go to the payer.', terminal: true },
  awaiting_review: {
    label: 'Awaiting review',
    meaning: 'The answers are prepared; somebody of the practice has to submit them here.',
    terminal: false,
  },
  awaiting_provider_response: {
    label: 'Awaiting the prescriber',
    meaning: 'The prescriber was asked something.',
    terminal: false,
  },
  awaiting_outcome: { label: 'Submitted to payer', meaning: 'The payer has it.', terminal: false },
  validating_outcome: {
    label: 'Outcome being validated',
    meaning: 'An answer has arrived and is being checked.',
    terminal: false,
  },
  completed: { label: 'Completed', meaning: 'Finished with an outcome.', terminal: true },
  failed: { label: 'Failed', meaning: 'Ended by an error or an unexpected answer.', terminal: true },
  cancelled: { label: 'Cancelled', meaning: 'Cancelled; nothing more happens.', terminal: true },
} as const;

export type Status = keyof typeof statuses;

export function isTerminal(status: Status): boolean {
  return statuses[status].terminal;
}
