import { mockAnswers, type PlanAnswer, ruleNamed } from './benefit-rules.ts';
import type { BenefitBody } from './request.ts';

export const benefitStatuses = {
  pending: { label: 'Pending', meaning: 'The plan is being asked.', terminal: false },
  completed: { label: 'Completed', meaning: 'The plan has answered.', terminal: true },
  failed: { label: 'Failed', meaning: 'Nothing could be learned.', terminal: true },
  cancelled: { label: 'Cancelled', meaning: 'Cancelled; nothing more happens.', terminal: true },
} as const;
export type BenefitStatus = keyof typeof benefitStatuses;

/** One benefit verification as the sandbox stores it. `toBenefitRecord` returns it in the service's form. */
export interface StoredBenefit {
  readonly id: string;
  readonly site: string;
  readonly createdAt: string;
  readonly request: BenefitBody;
  readonly status: BenefitStatus;
  /** What a switch shows in place of the status. */
  readonly shownAs?: string;
  /** Milliseconds since 1970 when the verification ends by itself; absent if it waits for a person, or has ended. */
  readonly dueAt?: number;
  /** Name of a row of `benefitRules`. */
  readonly rule: string;
  /** Id of the verification that replaces this canceled one. */
  readonly replacedBy?: string;
  /** The plan's answer as a switch changed it. */
  readonly misread?: { readonly result?: string; readonly detail_code?: string };
}

export function answerOf({ request, rule }: StoredBenefit): PlanAnswer {
  return request.mock_result ? mockAnswers[request.mock_result.case] : ruleNamed(rule).answer;
}

/** Returns a signed link to a file of a record. */
export type FileLink = (id: string, name: string) => string;

/**
 * Returns `data` of the retrieve response. The plan's answer is null until the end. Cards have links if there is a
 * `fileLink`.
 */
export function toBenefitRecord(stored: StoredBenefit, fileLink?: FileLink): Record<string, unknown> {
  const { id, request, status } = stored;
  const { error, patient, isGovernment } = answerOf(stored);
  const isCompleted = status === 'completed';
  return {
    id,
    object: 'benefit_verification',
    status: stored.shownAs ?? status,
    status_description: benefitStatuses[status].meaning,
    error:
      status === 'failed' && error !== undefined
        ? { title: error.code, code: error.code, detail_code: null, message: error.message, detail_message: null }
        : null,
    review_status: isCompleted ? 'reviewed' : 'not_reviewed',
    drugs: request.drugs.map((drug) => drugOf(drug, stored)),
    drug_history: request.drug_history ?? null,
    diagnoses: request.diagnoses ?? [],
    patient: { phone: null, ...request.patient },
    provider: { phone: null, ...request.provider },
    entity: request.entity ?? null,
    insurance: insuranceOf(stored, fileLink),
    pharmacy_benefit_manager_name: isCompleted ? 'Sandbox Benefit Managers' : null,
    patient_coverage_status: isCompleted ? (patient ?? 'covered') : null,
    verification_methods: isCompleted
      ? [{ id: `bva_${id}`, type: 'phone_call', transcript: null, recording_url: null }]
      : [],
    mock_result: request.mock_result ?? null,
    patient_plan_fund_source: fundSourceOf(request, isCompleted, isGovernment === true),
    patient_coverage_type: isCompleted ? (isGovernment === true ? 'medicare' : 'other') : 'question_not_asked',
    priority: request.priority ?? 3,
    replaced_by: stored.replacedBy ?? null,
    replaces: request.replaces ?? null,
    triggered_by_pa_id: null,
  };
}

function fundSourceOf(
  { use_patient_plan_fund_source_check: isAsked }: BenefitBody,
  isCompleted: boolean,
  isGovernment: boolean,
): string {
  if (!isAsked || !isCompleted) return 'question_not_asked';
  return isGovernment ? 'government' : 'commercial';
}

function drugOf(asked: BenefitBody['drugs'][number], stored: StoredBenefit): Record<string, unknown> {
  const { drug } = answerOf(stored);
  const isReported = stored.status === 'completed' && drug !== undefined;
  const { result, detail_code } = stored.misread ?? {};
  return {
    name: null,
    dosage: null,
    ndc: null,
    ...asked,
    coverage: isReported ? (result ?? drug.coverage) : null,
    coverage_detail_code: isReported ? (detail_code ?? drug.coverage_detail_code) : null,
    prior_authorization_required: isReported ? drug.prior_authorization_required : null,
    copay: null,
    copay_options: isReported
      ? (drug.copays ?? []).map(([amount_cents, supply_duration_days]) => ({ amount_cents, supply_duration_days }))
      : null,
    determination_details: isReported
      ? {
          is_on_formulary: drug.onFormulary ?? null,
          is_explicit_plan_exclusion: drug.isExcluded ?? false,
          is_prior_auth_acting_as_exception_request: drug.isByException ?? false,
        }
      : null,
    has_active_prior_auth: isReported ? (drug.hasActive ?? false) : null,
  };
}

function insuranceOf({ id, request }: StoredBenefit, fileLink: FileLink | undefined): Record<string, unknown>[] {
  const { insurance: cards = [], insurance_content: plan } = request;
  const discrete_content = plan ?? {};
  if (cards.length === 0) return plan === undefined ? [] : [{ scanned_content: {}, discrete_content, url: null }];
  const scanned_content = { error: 'The sandbox does not read card images' };
  return cards.map((_, index) => ({
    scanned_content,
    discrete_content: index === 0 ? discrete_content : {},
    url: fileLink?.(id, `card-${index}`) ?? null,
  }));
}
