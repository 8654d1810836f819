import { z } from 'zod';
import type { DeepPartial } from '../mapping/words/rules.ts';
import { loose, type Open, open, ReadAddress, read, readJson, readList, readText } from './open-contract.ts';
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
 * A benefit verification, in the profile `current` only. The service's interface document names the endpoints and not
 * their shapes: these are what the service publishes today.
 */

export const verifiedDrug = { name: text, dosage: text };

/** A drug by its name; a request states up to seven, all named or all coded, and the bridge asks about one. */
const NamedDrug = z.strictObject({ ...verifiedDrug, quantity: z.number().positive() });

/** `POST /benefit-verification` */
export const CreateBenefitVerificationRequest = z
  .strictObject({
    /** Integer 0 (critical) to 3 (low, what the service takes when none is sent); only when a person chose it. */
    priority: z.int().min(0).max(3).optional(),
    /** Id of the cancelled verification that this one stands in place of. */
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
    /** Unlike that of a prior authorization, its address is whole. */
    provider: RequestProvider.extend({ address: Address }),
    insurance: z.array(z.strictObject({ file_content: base64 })).optional(),
    insurance_content: InsuranceContent.optional(),
    entity: z.strictObject({ legal_name: text.optional(), tax_id: text.optional() }).optional(),
    mock_result: z.unknown().optional(),
    /** Asks who pays for the plan (`patient_plan_fund_source`); only when a person chose it. */
    use_patient_plan_fund_source_check: z.boolean().optional(),
  })
  .refine(
    (body: DeepPartial<{ insurance: unknown[]; insurance_content: { member_number: string } }>) =>
      (body.insurance?.length ?? 0) > 0 || body.insurance_content?.member_number !== undefined,
    {
      path: ['insurance_content', 'member_number'],
      message: 'a member number or an image of the insurance card',
      // Asked of incomplete bodies too, so that one look names everything that is missing.
      when: () => true,
    },
  );
export type CreateBenefitVerificationRequest = z.infer<typeof CreateBenefitVerificationRequest>;

/** Anything else is kept and treated as not finished. */
export const benefitStatuses = ['pending', 'completed', 'failed', 'cancelled'] as const;
export type KnownBenefitStatus = (typeof benefitStatuses)[number];
export type BenefitStatus = Open<KnownBenefitStatus>;

/** Why a verification failed; texts of any other kind are kept. */
export const BenefitError = loose({
  title: readText,
  code: readText,
  detail_code: readText,
  message: readText,
  detail_message: readText,
});
export type BenefitError = z.infer<typeof BenefitError>;

/** What the plan says of one drug; nothing of it counts before the verification has ended. */
export const BenefitDrug = loose({
  name: readText,
  dosage: readText,
  quantity: read(z.number()),
  ndc: readText,
  coverage: read(open<'covered' | 'not_covered'>()),
  coverage_detail_code: read(open<'insurer_reported_value' | 'diagnoses_not_covered' | 'quantity_limit_pa_required'>()),
  prior_authorization_required: read(open<'yes' | 'no' | 'not_applicable'>()),
  /** As the service gives it, in whatever form. */
  copay: z.unknown().optional(),
  copay_options: readList(loose({ amount_cents: read(z.number()), supply_duration_days: read(z.number()) })),
  determination_details: read(
    loose({
      is_on_formulary: read(z.boolean()),
      is_explicit_plan_exclusion: read(z.boolean()),
      is_prior_auth_acting_as_exception_request: read(z.boolean()),
    }),
  ),
  has_active_prior_auth: read(z.boolean()),
});
export type BenefitDrug = z.infer<typeof BenefitDrug>;

/** The record of `GET /benefit-verification/{id}`. Only id and status are sure. */
export const BenefitVerification = loose({
  id: z.string().min(1),
  object: readText,
  status: open<KnownBenefitStatus>(),
  status_description: readText,
  error: read(BenefitError),
  review_status: read(open<'reviewed' | 'not_reviewed'>()),
  drugs: readList(BenefitDrug),
  drug_history: readJson,
  diagnoses: readList(loose({ code: readText })),
  patient: read(
    loose({
      first_name: readText,
      last_name: readText,
      internal_id: readText,
      date_of_birth: readText,
      gender: read(open<(typeof genders)[number]>()),
      address: read(ReadAddress),
    }),
  ),
  provider: read(
    loose({ first_name: readText, last_name: readText, npi: readText, internal_id: readText, fax: readText }),
  ),
  entity: readJson,
  insurance: readList(loose({ scanned_content: readJson, discrete_content: readJson, url: readText })),
  pharmacy_benefit_manager_name: readText,
  patient_coverage_status: read(
    open<
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
    loose({ id: readText, type: readText, transcript: readText, recording_url: readText }),
  ),
  patient_plan_fund_source: read(open<'commercial' | 'government' | 'question_not_asked' | 'unable_to_determine'>()),
  patient_coverage_type: read(
    open<
      | 'medicare'
      | 'medicare_advantage'
      | 'tricare'
      | 'medicaid'
      | 'other'
      | 'question_not_asked'
      | 'unable_to_determine'
    >(),
  ),
  priority: read(z.number()),
  replaced_by: readText,
  replaces: readText,
  triggered_by_pa_id: readText,
});
export type BenefitVerification = z.infer<typeof BenefitVerification>;

/** `data` of create: only `id` is sure. */
export const CreatedBenefitVerification = loose({ id: z.string().min(1) });
export type CreatedBenefitVerification = z.infer<typeof CreatedBenefitVerification>;
