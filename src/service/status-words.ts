import type { Kind } from '../core/contract/kinds.ts';
import { type ByStatus, statusRow } from './statuses.ts';

/** The texts that staff see for a status. */
export interface StatusWords {
  /** A few words, for lists and badges. */
  readonly label: string;
  readonly meaning: string;
}

export const statusWordTable: ByStatus<StatusWords> = {
  'prior-auth': {
    processing: {
      label: 'Received',
      meaning: 'The request is being prepared; this takes a few minutes. Nothing to do now.',
    },
    not_submitted: {
      label: 'Not submitted',
      meaning:
        'The service did not send the request to the payer. Read the reason; correct it and send a new request, or ' +
        'submit to the plan directly (fax, phone or portal).',
    },
    awaiting_review: {
      label: 'Your review is needed',
      meaning: 'Open the service, check the answers and submit them to the payer.',
    },
    awaiting_outcome: {
      label: 'With the payer',
      meaning: 'The payer (or PBM) is reviewing the request. Nothing to do now. Decisions usually take a few days.',
    },
    awaiting_provider_response: {
      label: 'The payer needs information',
      meaning: 'The payer needs information from the prescriber. Open the service to answer.',
    },
    validating_outcome: {
      label: 'Checking the payer’s answer',
      meaning: 'Please wait before telling the patient. This takes up to a few hours.',
    },
    completed: {
      label: 'Completed',
      meaning: 'The request is finished; see the outcome.',
    },
    failed: {
      label: 'Failed',
      meaning: 'The request ended with an error or an unexpected answer. Open the service or call the payer.',
    },
    cancelled: {
      label: 'Canceled',
      meaning: 'The request was canceled. Nothing more happens.',
    },
  },
  'benefit-verification': {
    pending: {
      label: 'Benefits being verified',
      meaning: 'The service is asking the plan what it covers. Nothing to do now. This usually takes a business day.',
    },
    completed: {
      label: 'Verified',
      meaning: 'The plan has answered; see what it covers.',
    },
    failed: {
      label: 'Not verified',
      meaning: 'The benefits could not be verified. Read the reason, or call the plan.',
    },
    cancelled: {
      label: 'Canceled',
      meaning: 'The verification was canceled. Nothing more happens.',
    },
  },
};

/**
 * Returns the texts for a status. For an unknown status, `label` first says that it is unknown: a status `approved` or
 * `covered` alone would look like an outcome.
 */
export function statusWords(kind: Kind, status: string): StatusWords {
  return statusRow(statusWordTable, kind, status) ?? { label: unknownLabel(status), meaning: ofUnknown };
}

const ofUnknown =
  'The service reports a status that this app does not know. It keeps following; open the service to see more.';

function unknownLabel(status: string): string {
  const words = status.replaceAll(/[_-]+/g, ' ').trim();
  return words === '' ? 'Unknown status' : `Unknown status: “${words}”`;
}
