import type { KnownBenefitStatus } from '../core/contract/benefit-verification.ts';
import type { Kind } from '../core/contract/kinds.ts';
import type { KnownStatus } from '../core/contract/prior-authorization.ts';

export interface ByStatus<Row> {
  readonly 'prior-auth': Readonly<Record<KnownStatus, Row>>;
  readonly 'benefit-verification': Readonly<Record<KnownBenefitStatus, Row>>;
}

/** What a status means for the case. */
export interface StatusRule {
  /** No other status follows, so polling ends. */
  readonly terminal: boolean;
  /**
   * `payer`: the record's outcome may be shown. `reason`: only why the request was not sent to the payer. `asked`: no
   * outcome, only the questions to the practice. `none`: neither, whatever the record contains.
   */
  readonly shows: 'payer' | 'reason' | 'asked' | 'none';
  /** The practice must act before the payer continues. */
  readonly needsAction: boolean;
}

export const statusRules: ByStatus<StatusRule> = {
  'prior-auth': {
    processing: { terminal: false, shows: 'none', needsAction: false },
    not_submitted: { terminal: true, shows: 'reason', needsAction: true },
    awaiting_review: { terminal: false, shows: 'asked', needsAction: true },
    awaiting_outcome: { terminal: false, shows: 'none', needsAction: false },
    awaiting_provider_response: { terminal: false, shows: 'asked', needsAction: true },
    validating_outcome: { terminal: false, shows: 'none', needsAction: false },
    completed: { terminal: true, shows: 'payer', needsAction: false },
    failed: { terminal: true, shows: 'payer', needsAction: true },
    cancelled: { terminal: true, shows: 'none', needsAction: false },
  },
  'benefit-verification': {
    pending: { terminal: false, shows: 'none', needsAction: false },
    completed: { terminal: true, shows: 'payer', needsAction: false },
    failed: { terminal: true, shows: 'payer', needsAction: true },
    cancelled: { terminal: true, shows: 'none', needsAction: false },
  },
};

// An unknown status counts as unfinished and shows no outcome.
const ofUnknown: StatusRule = { terminal: false, shows: 'none', needsAction: false };

/** The rule for a status; an unknown status shows nothing and does not end. */
export function statusRule(kind: Kind, status: string): StatusRule {
  return statusRow(statusRules, kind, status) ?? ofUnknown;
}

export function isKnownStatus(kind: Kind, status: string): boolean {
  return statusRow(statusRules, kind, status) !== undefined;
}

/**
 * Returns the row of a status; undefined for an unknown status. An enrollment has no record, so it has no statuses of
 * its own.
 */
export function statusRow<Row>(tables: ByStatus<Row>, kind: Kind, status: string): Row | undefined {
  const table: Readonly<Record<string, Row>> = tables[kind === 'benefit-verification' ? kind : 'prior-auth'];
  return Object.hasOwn(table, status) ? table[status] : undefined;
}
