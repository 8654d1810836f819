import { z } from 'zod';
import type { DeepPartial } from '../mapping/words/rules.ts';
import {
  loose,
  looseText,
  type Open,
  openUnion,
  ReadAddress,
  readJson,
  readList,
  readLoosely,
} from './open-contract.ts';
import {
  Address,
  base64,
  type genders,
  InsuranceContent,
  icd10cm,
  RequestPatient,
  RequestProvider,
  text,
} from './parts.ts';

/**
 * A benefit verification; profile `current` only. The service's interface document lists the endpoints without their
 * shapes; these shapes are the ones that the service publishes today.
 */

export const verifiedDrug = { name: text, dosage: text };

/** A drug by name. A request may list up to seven drugs, all by name or all by code; the bridge asks about one. */
const NamedDrug = z.strictObject({ ...verifiedDrug, quantity: z.number().positive() });

/** `POST /benefit-verification` */
export const CreateBenefitVerificationRequest = z
  .strictObject({
    /** Integer 0 (critical) to 3 (low, the service's default); only when a person chose it. */
    priority: z.int().min(0).max(3).optional(),
    /** Id of the cancelled verification that this one replaces. */
    replaces: text.optional(),
    drugs: z.array(NamedDrug).min(1).max(7),
    drug_history: z
      .strictObject({
        currently_taking_drugs: z.array(z.strictObject({ name: text })).optional(),
        previously_taken_drugs: z.array(z.strictObject({ name: text })).optional(),
      })
      .optional(),
    diagnoses: z.array(z.strictObject({ code: icd10cm })).optional(),
    patient: RequestPatient,
    /** The address is required in full, unlike in a prior authorization. */
    provider: RequestProvider.extend({ address: Address }),
    insurance: z.array(z.strictObject({ file_content: base64 })).optional(),
    insurance_content: InsuranceContent.optional(),
    entity: z.strictObject({ legal_name: text.optional(), tax_id: text.optional() }).optional(),
    mock_result: z.unknown().optional(),
    /** Asks for the plan's fund source (`patient_plan_fund_source`); only when a person chose it. */
    use_patient_plan_fund_source_check: z.boolean().optional(),
  })
  .refine(
    (body: DeepPartial<{ insurance: unknown[]; insurance_content: { member_number: string } }>) =>
      (body.insurance?.length ?? 0) > 0 || body.insurance_content?.member_number !== undefined,
    {
      path: ['insurance_content', 'member_number'],
      message: 'a member number or an image of the insurance card',
      // Incomplete bodies are checked too, so that one validation reports everything that is missing.
      when: () => true,
    },
  );
export type CreateBenefitVerificationRequest = z.infer<typeof CreateBenefitVerificationRequest>;

/** Any other status is kept and treated as not finished. */
export const benefitStatuses = ['pending', 'completed', 'failed', 'cancelled'] as const;
export type KnownBenefitStatus = (typeof benefitStatuses)[number];
export type BenefitStatus = Open<KnownBenefitStatus>;

/** Why a verification failed; fields of any other name are kept. */
export const BenefitError = loose({
  title: looseText,
  code: looseText,
  detail_code: looseText,
  message: looseText,
  detail_message: looseText,
});
export type BenefitError = z.infer<typeof BenefitError>;

/** The plan's answer about one drug. It does not count before the verification has ended. */
export const BenefitDrug = loose({
  name: looseText,
  dosage: looseText,
  quantity: readLoosely(z.number()),
  ndc: looseText,
  coverage: readLoosely(openUnion<'covered' | 'not_covered'>()),
  coverage_detail_code: readLoosely(
    openUnion<'insurer_reported_value' | 'diagnoses_not_covered' | 'quantity_limit_pa_required'>(),
  ),
  prior_authorization_required: readLoosely(openUnion<'yes' | 'no' | 'not_applicable'>()),
  /** Kept in whatever form the service sends. */
  copay: z.unknown().optional(),
  copay_options: readList(
    loose({ amount_cents: readLoosely(z.number()), supply_duration_days: readLoosely(z.number()) }),
  ),
  determination_details: readLoosely(
    loose({
      is_on_formulary: readLoosely(z.boolean()),
      is_explicit_plan_exclusion: readLoosely(z.boolean()),
      is_prior_auth_acting_as_exception_request: readLoosely(z.boolean()),
    }),
  ),
  has_active_prior_auth: readLoosely(z.boolean()),
});
export type BenefitDrug = z.infer<typeof BenefitDrug>;

/** The record of `GET /benefit-verification/{id}`. Only id and status are certain. */
export const BenefitVerification = loose({
  id: z.string().min(1),
  object: looseText,
  status: openUnion<KnownBenefitStatus>(),
  status_description: looseText,
  error: readLoosely(BenefitError),
  review_status: readLoosely(openUnion<'reviewed' | 'not_reviewed'>()),
  drugs: readList(BenefitDrug),
  drug_history: readJson,
  diagnoses: readList(loose({ code: looseText })),
  patient: readLoosely(
    loose({
      first_name: looseText,
      last_name: looseText,
      internal_id: looseText,
      date_of_birth: looseText,
      gender: readLoosely(openUnion<(typeof genders)[number]>()),
      address: readLoosely(ReadAddress),
    }),
  ),
  provider: readLoosely(
    loose({ first_name: looseText, last_name: looseText, npi: looseText, internal_id: looseText, fax: looseText }),
  ),
  entity: readJson,
  insurance: readList(loose({ scanned_content: readJson, discrete_content: readJson, url: looseText })),
  pharmacy_benefit_manager_name: looseText,
  patient_coverage_status: readLoosely(
    openUnion<
      | 'covered'
      | 'coverage_expired'
      | 'coverage_not_started'
      | 'patient_not_found'
      | 'patient_not_covered_unspecified'
      | 'human_unable_to_answer'
      | 'missing_from_transcript'
      | 'unknown'
    >(),
  ),
  verification_methods: readList(
    loose({ id: looseText, type: looseText, transcript: looseText, recording_url: looseText }),
  ),
  patient_plan_fund_source: readLoosely(
    openUnion<'commercial' | 'government' | 'question_not_asked' | 'unable_to_determine'>(),
  ),
  patient_coverage_type: readLoosely(
    openUnion<
      | 'medicare'
      | 'medicare_advantage'
      | 'tricare'
      | 'medicaid'
      | 'other'
      | 'question_not_asked'
      | 'unable_to_determine'
    >(),
  ),
  priority: readLoosely(z.number()),
  replaced_by: looseText,
  replaces: looseText,
  triggered_by_pa_id: looseText,
});
export type BenefitVerification = z.infer<typeof BenefitVerification>;

/** `data` of the create response: only `id` is certain. */
export const CreatedBenefitVerification = loose({ id: z.string().min(1) });
export type CreatedBenefitVerification = z.infer<typeof CreatedBenefitVerification>;
