import type { Outcome, PriorAuthorization } from '../core/contract/prior-authorization.ts';
import { statusRule } from './statuses.ts';

/**
 * What an outcome means for staff. `needs_person`: it could not be read with certainty, or the case failed; it is never
 * an approval. `not_submitted`: the payer never saw the request.
 */
export type OutcomeKind =
  | 'approved'
  | 'denied'
  | 'other'
  | 'not_submitted'
  | 'needs_person'
  /** Outcomes of a benefit verification. */
  | 'covered'
  | 'not_covered';

export interface OutcomeView {
  readonly kind: OutcomeKind;
  /** `Approved`, or `Denied: step therapy criteria not met`. Also `Task.businessStatus` of a completed Task. */
  readonly label: string;
  readonly next: string;
  /** The pharmacy can fill the prescription, whatever the result is called. */
  readonly isGood?: true;
  /** The plan covers the drug only by exception, which the prior authorization requests. */
  readonly isByException?: true;
  /** The record's own text, unchanged; absent if it has none. */
  readonly result?: string;
  readonly detail?: string;
  readonly detailCode?: string;
  /** `YYYY-MM-DD`, only for `approved`. */
  readonly authorizationStart?: string;
  readonly authorizationExpiration?: string;
}

/**
 * Returns the outcome that may be shown and written; undefined before the status `completed` or `failed`, whatever the
 * record contains. For `not_submitted`, returns the reason.
 */
export function visibleOutcome(record: Pick<PriorAuthorization, 'status' | 'outcome'>): OutcomeView | undefined {
  const { shows } = statusRule('prior-auth', record.status);
  if (shows === 'none' || shows === 'asked') return undefined;
  const outcome = record.outcome ?? {};
  const view = classifyOutcome(outcome);
  if (shows === 'reason') return view.kind === 'not_submitted' ? view : { ...texts(outcome), ...notSubmitted };
  if (record.status === 'failed') return { ...texts(outcome), ...failed };
  return view.kind === 'not_submitted' ? { ...texts(outcome), ...unreadable } : view;
}

/**
 * Classifies an outcome by its pair of result and detail_code, because some codes belong to two results. Only
 * `visibleOutcome` checks whether an outcome may be shown.
 */
export function classifyOutcome(outcome: Outcome): OutcomeView {
  const result = canonicalResult(outcome.result);
  const row = result === undefined ? undefined : outcomeTable[result];
  if (row === undefined) return { ...texts(outcome), ...unreadable };
  const code = codeWord(outcome.detail_code);
  const known = code !== undefined && Object.hasOwn(row.codes, code) ? row.codes[code] : undefined;
  if (known !== undefined)
    return { ...texts(outcome), ...(row.kind === 'approved' ? dates(outcome) : {}), kind: row.kind, ...known };
  return { ...texts(outcome), ...row.otherwise };
}

/**
 * Returns the service's current spelling of a result such as `Approved`, `APPROVED` or `not_submitted`; undefined for
 * an unknown result.
 */
export function canonicalResult(result: string | undefined): KnownResult | undefined {
  return result === undefined
    ? undefined
    : resultSpellings[
        result
          .trim()
          .toLowerCase()
          .replaceAll(/[\s_-]+/g, ' ')
      ];
}

type KnownResult = 'Approved' | 'Denied' | 'Other' | 'Pending' | 'Not Submitted';

const resultSpellings: Readonly<Record<string, KnownResult>> = Object.assign(Object.create(null), {
  approved: 'Approved',
  denied: 'Denied',
  other: 'Other',
  pending: 'Pending',
  'not submitted': 'Not Submitted',
});

type Words = Pick<OutcomeView, 'label' | 'next' | 'isGood'>;

interface ResultRow {
  readonly kind: OutcomeKind;
  readonly codes: Readonly<Record<string, Words>>;
  /** Used if detail_code is missing or unknown. */
  readonly otherwise: Pick<OutcomeView, 'kind'> & Words;
}

const unreadable = {
  kind: 'needs_person',
  label: 'Needs your review: the payer’s answer is unclear',
  next: 'Open the service and read the payer’s answer there.',
} as const;
const failed = {
  kind: 'needs_person',
  label: 'Could not be completed: the payer’s answer could not be read',
  next: 'Open the service or call the payer.',
} as const;
const notSubmitted = {
  kind: 'not_submitted',
  label: 'Not submitted',
  next: 'Open the service for the reason.',
} as const;
/** A code that may come with any result. */
const notNeeded = {
  label: 'No prior authorization needed',
  next: 'The pharmacy can fill it now.',
  isGood: true,
} as const;

const fill = 'The pharmacy can fill it.';
const directly = 'Submit this request to the plan directly (fax, phone or portal).';
const appeal = 'Read the payer’s reasons; appeal, send a new request with what was missing, or choose another drug.';
const eligibility =
  'Check the patient’s insurance with the patient or the payer, correct it in the chart, and send a new request.';

/** The meaning of each result and detail code. */
export const outcomeTable: Readonly<Record<KnownResult, ResultRow | undefined>> = {
  Approved: {
    kind: 'approved',
    codes: {
      approval: { label: 'Approved', next: fill },
      existing_approval: { label: 'Approved: an approval already exists', next: fill },
      prior_auth_not_required: notNeeded,
    },
    // The service would report an approval with conditions with a new code, so only known codes count as approvals.
    otherwise: {
      kind: 'needs_person',
      label: 'Needs your review: an approval with an unknown reason',
      next: unreadable.next,
    },
  },
  Denied: {
    kind: 'denied',
    codes: {
      formulary_alternative_preferred: {
        label: 'Denied: non-formulary, preferred alternative available',
        next: appeal,
      },
      medical_necessity_criteria_not_met: { label: 'Denied: medical necessity criteria not met', next: appeal },
      plan_exclusion: {
        label: 'Denied: the plan excludes this drug',
        next: 'Ask the plan about an exception, or choose another drug.',
      },
      step_therapy_criteria_not_met: { label: 'Denied: step therapy criteria not met', next: appeal },
      existing_denial: {
        label: 'Denied: a denial already exists',
        next: 'Find the earlier denial; appeal it or send what is new.',
      },
      coverage_limits_exceeded: {
        label: 'Denied: coverage limits exceeded',
        next: 'Check quantity and days supply, or ask the plan about an exception.',
      },
      prior_weight_loss_program_required: { label: 'Denied: a weight-loss program is required first', next: appeal },
    },
    // The code `unknown` is a denial too: the payer's text or letter may give a reason that no code has.
    otherwise: { kind: 'denied', label: 'Denied', next: appeal },
  },
  Other: {
    kind: 'other',
    codes: {
      coverage_inactive: { label: 'Coverage is inactive', next: eligibility },
      coverage_not_yet_started: { label: 'Coverage has not started yet', next: eligibility },
      no_pharmacy_benefits: { label: 'No pharmacy benefits', next: eligibility },
      payer_unable_to_locate_member: { label: 'Member not found by the payer', next: eligibility },
      npi_taxonomy_ineligible: {
        label: 'The prescriber’s specialty is not eligible',
        next: 'Ask the payer which specialty may request this drug.',
      },
      payer_reported_invalid_patient_info: {
        label: 'The payer reports invalid patient information',
        next: 'Correct the patient’s data in the chart and send a new request.',
      },
      duplicate_request: {
        label: 'The payer already has a request',
        next: 'The payer has a request for this already: follow the earlier one.',
      },
      prior_auth_not_required: notNeeded,
      patient_consent_required: {
        label: 'The patient’s consent is required',
        next: 'Ask the patient for consent, then send a new request.',
      },
      more_information_required: {
        label: 'The payer needs more information',
        next: 'Open the service, see what is asked, and send a new request with it.',
      },
      other: { label: 'Needs your review: no approval and no denial', next: unreadable.next },
    },
    otherwise: { kind: 'needs_person', label: unreadable.label, next: unreadable.next },
  },
  'Not Submitted': {
    kind: 'not_submitted',
    codes: {
      eligibility_check_error: { label: 'Not submitted: the eligibility check failed', next: eligibility },
      eligibility_check_government_plan: {
        label: 'Not submitted: government plan',
        next: directly,
      },
      prescription_message_not_found: {
        label: 'Not submitted: the prescription was not found',
        next: 'Send the prescription, then a new request.',
      },
      more_information_required: {
        label: 'Not submitted: more information is required',
        next: 'See what is asked, and send a new request with it.',
      },
      formulary_alternative_required: {
        label: 'Not submitted: another drug must be tried first',
        next: 'Choose the plan’s alternative, or ask the plan about an exception.',
      },
      benefit_verification_no_medication_coverage: {
        label: 'Not submitted: the plan does not cover the drug',
        next: 'Choose another drug, or ask the plan about an exception.',
      },
      benefit_verification_only_alternative_medication_covered: {
        label: 'Not submitted: only another drug is covered',
        next: 'Choose the covered drug, or ask the plan about an exception.',
      },
      benefit_verification_pa_not_required: notNeeded,
      pbm_excluded: {
        label: 'Not submitted: this benefit manager is excluded',
        next: directly,
      },
      payer_not_supported: {
        label: 'Not submitted: this payer is not supported',
        next: directly,
      },
    },
    otherwise: notSubmitted,
  },
  // A placeholder in unfinished records, without a meaning when the case has ended.
  Pending: undefined,
};

function texts(outcome: Outcome): Pick<OutcomeView, 'result' | 'detail' | 'detailCode'> {
  return {
    ...(outcome.result === undefined ? {} : { result: outcome.result }),
    ...(outcome.detail === undefined ? {} : { detail: outcome.detail }),
    ...(outcome.detail_code === undefined ? {} : { detailCode: outcome.detail_code }),
  };
}

function dates(outcome: Outcome): Pick<OutcomeView, 'authorizationStart' | 'authorizationExpiration'> {
  return {
    ...(outcome.authorization_start_date === undefined ? {} : { authorizationStart: outcome.authorization_start_date }),
    ...(outcome.authorization_expiration === undefined
      ? {}
      : { authorizationExpiration: outcome.authorization_expiration }),
  };
}

function codeWord(code: string | undefined): string | undefined {
  return code
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}
