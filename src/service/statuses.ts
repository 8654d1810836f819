import type { KnownBenefitStatus } from '../core/contract/benefit-verification.ts';
import type { Kind } from '../core/contract/kinds.ts';
import type { KnownStatus } from '../core/contract/prior-authorization.ts';

/** A row for every status that the service has for the records of a kind (section 3 of the service's interface). */
export interface ByStatus<Row> {
  readonly 'prior-auth': Readonly<Record<KnownStatus, Row>>;
  readonly 'benefit-verification': Readonly<Record<KnownBenefitStatus, Row>>;
}

/** How a status affects the case that is followed. */
export interface StatusRule {
  /** No further status follows; polling ends. */
  readonly terminal: boolean;
  /**
   * `payer`: the outcome of the record may be shown; `reason`: only why it was not sent to the payer; `asked`: no
   * outcome, only the questions to the practice; `none`: neither, whatever the record contains.
   */
  readonly shows: 'payer' | 'reason' | 'asked' | 'none';
  /** Somebody in the practice has to act before it continues. */
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

/** The rule of a status for this kind. */
export function statusRule(kind: Kind, status: string): StatusRule {
  return statusRow(statusRules, kind, status) ?? ofUnknown;
}

/** Whether any table has this status. */
export function isKnownStatus(kind: Kind, status: string): boolean {
  return statusRow(statusRules, kind, status) !== undefined;
}

/** The row of a status; undefined for an unknown one. An enrollment has no record, so it has no status of its own. */
export function statusRow<Row>(tables: ByStatus<Row>, kind: Kind, status: string): Row | undefined {
  const table: Readonly<Record<string, Row>> = tables[kind === 'benefit-verification' ? kind : 'prior-auth'];
  return Object.hasOwn(table, status) ? table[status] : undefined;
}
