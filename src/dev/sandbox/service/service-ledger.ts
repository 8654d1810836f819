import type { Ledger } from '../control/ledger.ts';

export const serviceLedger = {
  'prior_authorization.accepted': {
    meaning: 'A create was accepted, whether or not its answer arrived.',
    facts:
      '`id`, `site`, `patient` (`internal_id`), `drug`, `extra` (of the prescription: with the caller’s ' +
      'submission id), `body` (SHA-256 of the request as JSON)',
  },
  'prior_authorization.status': {
    meaning: 'A prior authorization came to a status, the first one too.',
    facts: '`id`, `status`, `result`, `detail_code`, `shownAs` (what a switch made of the status)',
  },
  'prior_authorization.amended': {
    meaning: 'A PATCH was accepted, whether or not its answer arrived.',
    facts:
      '`id`, `titles` (of the evidence that was added), `texts` (SHA-256 of the `text` of each, null for none), ' +
      '`completes` (whether it ended the payer’s question)',
  },
  'prior_authorization.outreach': {
    meaning: 'The payer asked on a channel, or an attempt to ask has ended.',
    facts:
      '`id` (of the record), `attempt`, `sequence`, `state`, `channel`, `over` (whether the question has ended), ' +
      '`text` (SHA-256 of what is asked), ' +
      '`told` (whether a webhook says so)',
  },
  'prior_authorization.cancelled': {
    meaning: 'A cancel was accepted.',
    facts: '`id`, `by` (`api`, `platform`), `reason`',
  },
  'prior_authorization.played': {
    meaning: 'A person made the payer ask or decide, by a button.',
    facts: '`id`, `play` (`asks`, `approves`, `approves-less`, `denies`)',
  },
  'enrollment.accepted': {
    meaning: 'An enrollment was accepted, whether or not its answer arrived.',
    facts:
      '`id`, `site`, `program`, `patient` (`patient_id`), `drug`, `extra` (`metadata`: with the caller’s ' +
      'submission id), `body`',
  },
  'benefit_verification.accepted': {
    meaning: 'A benefit verification was accepted, whether or not its answer arrived.',
    facts: '`id`, `site`, `patient` (`internal_id`), `drug` (the first), `body`; it carries no id of the caller',
  },
  'benefit_verification.status': {
    meaning: 'A benefit verification came to a status, the first one too.',
    facts: '`id`, `status`, `coverage` (of the first drug), `shownAs` (what a switch made of the status)',
  },
  'benefit_verification.cancelled': {
    meaning: 'A cancel of a benefit verification was accepted.',
    facts: '`id`, `by` (`api`, `platform`)',
  },
  'webhook.sent': {
    meaning: 'A webhook was sent; each attempt and each copy is an entry.',
    facts:
      '`id` (of the record), `site`, `webhook` (its id), `event`, `status` (of the record), `answered` (HTTP ' +
      'status, null for none), `copy`, `forged`',
  },
  'webhook.withheld': {
    meaning: 'A switch kept a webhook from being sent.',
    facts: '`id`, `site`, `event`, `status`',
  },
  'file.given': {
    meaning: 'A file was asked for by a valid link.',
    facts:
      '`id` (of the record), `name`, `sha256` and `bytes` of the file, `whole` (whether it was given), ' +
      '`failing` (what a switch did instead)',
  },
} as const;

export type ServiceLedger = Ledger<keyof typeof serviceLedger>;
