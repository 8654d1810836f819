import type { BenefitDrug, BenefitError, BenefitVerification } from '../core/contract/benefit-verification.ts';
import type { OutcomeView } from './outcome-words.ts';
import { statusRule } from './statuses.ts';

/**
 * Returns the plan's answer as it may be shown and written; undefined before `completed` or `failed`. It counts as
 * covered only if the patient is covered, every drug is covered, and every code is known.
 */
export function benefitOutcome(record: BenefitVerification): OutcomeView | undefined {
  if (statusRule('benefit-verification', record.status).shows !== 'payer') return undefined;
  if (record.status === 'failed') return failure(record.error, record.status_description);
  const patient = record.patient_coverage_status;
  if (patient !== 'covered') return ofPatient(patient);
  const drugs = record.drugs ?? [];
  if (drugs.length === 0) return unclear;
  return drugs.map(ofDrug).toSorted((one, other) => rank(one) - rank(other))[0] ?? unclear;
}

type Words = Pick<OutcomeView, 'kind' | 'label' | 'next' | 'isGood' | 'isByException'>;

const callPlan = 'Open the service or call the plan.';
const eligibility =
  'Check the patient’s insurance with the patient or the plan, correct it in the chart, and verify again.';

const unclear: Words = {
  kind: 'needs_person',
  label: 'Needs your review: what the plan covers is unclear',
  next: callPlan,
};

/** By `patient_coverage_status`. For `covered`, the drugs decide, so it has no row. */
const patientTable: Readonly<Record<string, Words>> = {
  coverage_expired: { kind: 'not_covered', label: 'Coverage has ended', next: eligibility },
  coverage_not_started: { kind: 'not_covered', label: 'Coverage has not started yet', next: eligibility },
  patient_not_found: { kind: 'not_covered', label: 'Member not found by the plan', next: eligibility },
  patient_not_covered_unspecified: { kind: 'not_covered', label: 'The patient is not covered', next: eligibility },
  human_unable_to_answer: unclear,
  missing_from_transcript: unclear,
  unknown: unclear,
};

function ofPatient(status: string | undefined): OutcomeView {
  const row = status !== undefined && isKnown(patientTable, status) ? patientTable[status] : undefined;
  return { ...(row ?? unclear), ...(status === undefined ? {} : { detailCode: status }) };
}

const startPa = 'Start the prior authorization.';
const covered = 'Covered';

/** Of a covered drug, by whether the plan requires a prior authorization. */
const coveredTable: Readonly<Record<string, Words>> = {
  no: {
    kind: 'covered',
    label: `${covered}: no prior authorization needed`,
    next: 'The pharmacy can fill it.',
    isGood: true,
  },
  yes: { kind: 'covered', label: `${covered}: prior authorization required`, next: startPa },
};

const active: Words = {
  kind: 'covered',
  label: `${covered}: the required prior authorization is active`,
  next: 'The pharmacy can fill it.',
  isGood: true,
};
const forQuantity: Words = {
  kind: 'covered',
  label: `${covered}: prior authorization required for this quantity`,
  next: 'Start the prior authorization, or order less if that suits the patient.',
};
const unclearPa: Words = {
  kind: 'needs_person',
  label: 'Needs your review: whether prior authorization is required is unclear',
  next: callPlan,
};

const otherDrug = 'Choose another drug, or ask the plan about an exception.';

function ofDrug(drug: BenefitDrug): OutcomeView {
  const code = drug.coverage_detail_code;
  const detail = code === undefined || code === 'insurer_reported_value' ? {} : { detailCode: code };
  return { ...wordsOf(drug), ...detail };
}

// The service would report a new condition with a new code, so an answer with an unknown code is unclear.
function wordsOf(drug: BenefitDrug): Words {
  const { coverage, coverage_detail_code: code, prior_authorization_required: required } = drug;
  if (coverage === 'not_covered') return notCovered(drug);
  if (coverage !== 'covered') return unclear;
  if (code === 'quantity_limit_pa_required') return required === 'yes' ? forQuantity : unclearPa;
  if (code !== undefined && code !== 'insurer_reported_value') return unclear;
  if (required === 'yes' && drug.has_active_prior_auth === true) return active;
  return (required !== undefined && isKnown(coveredTable, required) ? coveredTable[required] : undefined) ?? unclearPa;
}

function notCovered({ coverage_detail_code: code, determination_details: details }: BenefitDrug): Words {
  if (details?.is_explicit_plan_exclusion === true)
    return { kind: 'not_covered', label: 'Not covered: the plan excludes this drug', next: otherDrug };
  if (details?.is_prior_auth_acting_as_exception_request === true)
    return {
      kind: 'not_covered',
      label: 'Covered only with an exception',
      next: 'Start a prior authorization to ask for one, or choose another drug.',
      isByException: true,
    };
  if (code === 'diagnoses_not_covered')
    return {
      kind: 'not_covered',
      label: 'Not covered for these diagnoses',
      next: 'Check the diagnoses in the chart, or choose another drug.',
    };
  return { kind: 'not_covered', label: 'Not covered', next: otherDrug };
}

// Of several drugs, the answer with the most requirements is shown.
function rank({ kind, isGood }: Words): number {
  if (kind === 'needs_person') return 0;
  if (kind === 'not_covered') return 1;
  return isGood === true ? 3 : 2;
}

/** What staff can do about the errors of a verification. An unknown error is shown as it is. */
export const benefitErrors: Readonly<Record<string, string>> = {
  'Patient Not Found': eligibility,
  'Insurance Card OCR Failure': 'The card’s image cannot be read: enter the member number, then verify again.',
  'Insurance Unable to Provide Information': 'The plan gave no answer. Call the plan, or verify again later.',
  'Document Quality Error': 'A document cannot be read: attach a better image of the card, then verify again.',
  'Document Info Missing or Incorrect': 'Correct what the document says or lacks, then verify again.',
  'Unable to Route Call': 'The plan could not be reached. Check the payer and the member number, then verify again.',
  'Unable to Gather Benefits': 'The benefits could not be gathered. Call the plan, or verify again later.',
  'Internal Error': 'The service failed. Verify again; if it keeps failing, tell the service.',
  'Provider Not Authorized':
    'The prescriber is not enrolled with the service. Ask the operator to enroll the NPI, then verify again.',
  'Patient Consent Required': 'Ask the patient for consent, then verify again.',
};

function failure(error: BenefitError | undefined, description: string | undefined): OutcomeView {
  const reason = error?.code ?? error?.title;
  const known = reason !== undefined && isKnown(benefitErrors, reason) ? benefitErrors[reason] : undefined;
  const detail = error?.detail_message ?? error?.message ?? description;
  const detailCode = error?.detail_code ?? error?.code;
  return {
    kind: 'needs_person',
    label: reason === undefined ? 'Benefits not verified' : `Benefits not verified: ${reason}`,
    next: known ?? callPlan,
    ...(error?.code === undefined ? {} : { result: error.code }),
    ...(detail === undefined ? {} : { detail }),
    ...(detailCode === undefined ? {} : { detailCode }),
  };
}

export type BenefitFact = readonly [label: string, value: string];

/**
 * Returns the plan's answer line by line, with amounts in dollars and unknown codes as they are. Empty before the
 * verification has ended.
 */
export function benefitFacts(record: BenefitVerification): BenefitFact[] {
  if (statusRule('benefit-verification', record.status).shows !== 'payer') return [];
  const drugs = record.drugs ?? [];
  const named = drugs.length > 1;
  return present([
    ['Patient’s coverage', said(patientWords, record.patient_coverage_status)],
    ...drugs.flatMap((drug, index) => drugFacts(drug, named ? (drug.name ?? `Drug ${index + 1}`) : undefined)),
    ['Pharmacy benefit manager', record.pharmacy_benefit_manager_name],
    ['Plan paid by', said(fundSources, record.patient_plan_fund_source)],
    ['Type of coverage', said(coverageTypes, record.patient_coverage_type)],
    ['Checked by a person at the service', said(reviewWords, record.review_status)],
    ['Verified by', methodsOf(record)],
  ]);
}

function drugFacts(drug: BenefitDrug, name: string | undefined): (readonly [string, string | undefined])[] {
  const of = (label: string) => (name === undefined ? label : `${name}: ${label.toLowerCase()}`);
  const { determination_details: details } = drug;
  return [
    [of('Coverage'), said(coverageWords, drug.coverage)],
    [of('Coverage detail'), said(detailWords, drug.coverage_detail_code)],
    [of('Prior authorization'), said(requiredWords, drug.prior_authorization_required)],
    [of('Active prior authorization'), yesOrNo(drug.has_active_prior_auth)],
    [of('Copay'), copayText(drug)],
    [of('On the formulary'), yesOrNo(details?.is_on_formulary)],
    [of('Excluded by the plan'), yes(details?.is_explicit_plan_exclusion)],
    [of('Prior authorization counts as an exception request'), yes(details?.is_prior_auth_acting_as_exception_request)],
  ];
}

function copayText({ copay, copay_options: options = [] }: BenefitDrug): string | undefined {
  const texts = options.flatMap(({ amount_cents: cents, supply_duration_days: days }) =>
    cents === undefined ? [] : [`${dollars(cents)}${days === undefined ? '' : ` for ${days} days`}`],
  );
  // `copay_options` is complete. The form of `copay` is not documented, so it is shown only if there are no options.
  if (texts.length > 0) return texts.join(', ');
  if (typeof copay === 'string') return copay;
  return typeof copay === 'number' || typeof copay === 'boolean' ? String(copay) : undefined;
}

/** Returns `$35.00` for 3500 cents. An amount that is not a whole number of cents is shown as `… cents`. */
export function dollars(cents: number): string {
  if (!Number.isSafeInteger(cents) || cents < 0) return `${cents} cents`;
  const text = String(cents).padStart(3, '0');
  return `$${text.slice(0, -2)}.${text.slice(-2)}`;
}

const patientWords: Readonly<Record<string, string>> = {
  covered: 'Covered',
  coverage_expired: 'Coverage has ended',
  coverage_not_started: 'Coverage has not started yet',
  patient_not_found: 'Not found by the plan',
  patient_not_covered_unspecified: 'Not covered',
  human_unable_to_answer: 'The plan could not say',
  missing_from_transcript: 'Not said in the call',
  unknown: 'Not known',
};
const coverageWords: Readonly<Record<string, string>> = { covered: 'Covered', not_covered: 'Not covered' };
const detailWords: Readonly<Record<string, string>> = {
  // the usual answer, which says nothing more
  insurer_reported_value: '',
  diagnoses_not_covered: 'These diagnoses are not covered',
  quantity_limit_pa_required: 'This quantity needs a prior authorization',
};
const requiredWords: Readonly<Record<string, string>> = {
  yes: 'Required',
  no: 'Not required',
  not_applicable: 'Does not apply',
};
const fundSources: Readonly<Record<string, string>> = {
  commercial: 'Commercial',
  government: 'Government',
  question_not_asked: '',
  unable_to_determine: 'Could not be determined',
};
const coverageTypes: Readonly<Record<string, string>> = {
  medicare: 'Medicare',
  medicare_advantage: 'Medicare Advantage',
  tricare: 'TRICARE',
  medicaid: 'Medicaid',
  other: 'Other',
  question_not_asked: '',
  unable_to_determine: 'Could not be determined',
};
const reviewWords: Readonly<Record<string, string>> = { reviewed: 'Yes', not_reviewed: 'No' };

function methodsOf({ verification_methods: methods = [] }: BenefitVerification): string | undefined {
  const types = [...new Set(methods.flatMap(({ type }) => type ?? []))];
  return types.length === 0 ? undefined : types.map((type) => type.replaceAll('_', ' ')).join(', ');
}

function said(words: Readonly<Record<string, string>>, word: string | undefined): string | undefined {
  if (word === undefined) return undefined;
  return isKnown(words, word) ? words[word] : `“${word}” (not known to this app)`;
}

function yes(value: boolean | undefined): string | undefined {
  return value === true ? 'Yes' : undefined;
}

function yesOrNo(value: boolean | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value ? 'Yes' : 'No';
}

function present(facts: readonly (readonly [string, string | undefined])[]): BenefitFact[] {
  return facts.flatMap(([label, value]) => (value === undefined || value.trim() === '' ? [] : [[label, value]]));
}

function isKnown<Table extends object>(table: Table, word: string): word is Extract<keyof Table, string> {
  return Object.hasOwn(table, word);
}
