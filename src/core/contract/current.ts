import { z } from 'zod';
import { doseForms, routes } from './lists.ts';
import {
  base64,
  datetime,
  InsuranceContent,
  icd10cm,
  json,
  ProviderAddress,
  RequestPatient,
  RequestPharmacy,
  RequestProvider,
  strength,
  text,
  withInsurance,
} from './parts.ts';

/**
 * What the profile `current` sends: the service as it is today, as far as public material shows it. parts.ts has the
 * parts that both profiles share.
 */

/** The answer that the service's sandbox returns at once (`mock_result`). In production it is refused. */
export const MockResult = z.discriminatedUnion('result', [
  z.strictObject({
    result: z.literal('Approved'),
    detail_code: text.optional(),
    prescription_transfer_error_code: text.optional(),
  }),
  z.strictObject({ result: z.literal('Denied'), detail_code: text.optional(), client_code: text.optional() }),
  z.strictObject({ result: z.literal('Other'), detail_code: text.optional(), trigger_message: z.boolean().optional() }),
  z.strictObject({ result: z.literal('Not Submitted'), detail_code: text.optional() }),
]);
export type MockResult = z.infer<typeof MockResult>;

/** A PDF in base64. The service also accepts a URL to fetch a PDF from; the bridge does not publish patient files. */
const PdfAsset = z.strictObject({ file_content: base64.regex(/^JVBERi0/, 'a PDF') });

/** One item of evidence: either content from the chart or a PDF, never both. */
export const RequestEvidence = z
  .strictObject({ title: text, date_created: datetime, content: json.optional(), asset: PdfAsset.optional() })
  .refine(({ content, asset }) => (content === undefined) !== (asset === undefined), {
    path: ['content'],
    message: 'what it says, or a PDF',
  });

const dispensed = {
  directions: text,
  quantity: z.int().positive(),
  days_supply: z.int().positive(),
  expected_length_of_therapy: text.optional(),
  extra: json.optional(),
  prescription_date: datetime,
};

export const currentDrug = { drug_name: text, strength, dose_form: z.enum(doseForms) };

/** A drug identified by name; forms and routes are closed lists. */
export const NamedPrescription = z.strictObject({
  ...currentDrug,
  route_of_administration: z.enum(routes),
  ...dispensed,
});

/** The formats that the service accepts: 11 digits with or without dashes, 10 only with dashes, 9 for a product. */
const ndc = text.regex(
  /^(\d{5}-?\d{4}-?\d{2}|\d{4,5}-\d{3,4}-\d{1,2}|\d{5}-?\d{4}|\d{4,5}-\d{3,4})$/,
  'an NDC of 11 digits, or of 10 with its dashes',
);

export const codedDrug = { ndc };

export const CodedPrescription = z.strictObject({
  ...codedDrug,
  /** An NCIt code of the subset C89510, or its name; unspecified when absent. */
  quantity_unit_of_measure: text.optional(),
  ...dispensed,
});

/** A request that follows an earlier request of this practice. */
const ResubmissionInfo = z.strictObject({
  previous_prior_auth_request_id: text,
  note: text.optional(),
  quantity_limit_exception_reason: text.optional(),
});

const AppealDetails = z.strictObject({
  appeal_letter: z.strictObject({ title: text, date_created: datetime, asset: PdfAsset }),
  is_urgent: z.boolean().optional(),
});

const Questionnaire = z.strictObject({
  questions: z.array(z.strictObject({ question: text, answer: text, choices: z.array(text).optional() })).min(1),
  date_created: datetime,
});

const BenefitVerificationTrigger = z.strictObject({
  enabled: z.boolean(),
  additional_medications: z.array(z.strictObject({ ndc, quantity: z.int().positive() })).optional(),
});

// The fields are in the order of the interface document.
function requestWith<Prescription extends z.ZodType>(prescription: Prescription) {
  return withInsurance(
    z.strictObject({
      diagnoses: z.array(z.strictObject({ code: icd10cm })).min(1),
      evidence: z.array(RequestEvidence).optional(),
      patient: RequestPatient.extend({ mrn: text.optional() }),
      insurance: z.array(z.strictObject({ file_content: base64 })).optional(),
      insurance_content: InsuranceContent.optional(),
      prescription,
      // Any part of the address may be missing, but not all of them.
      provider: RequestProvider.extend({ address: ProviderAddress }),
      pharmacy: RequestPharmacy.optional(),
      /** 0 (critical) to 3 (low); only when a person chose it. */
      priority: z.int().min(0).max(3).optional(),
      questionnaires: z.array(Questionnaire).optional(),
      visit_notes: z
        .array(z.strictObject({ title: text.optional(), content: text, date_created: datetime }))
        .optional(),
      resubmission_info: ResubmissionInfo.optional(),
      appeal_details: AppealDetails.optional(),
      ndp_submission: z.strictObject({ prescription_message_id: text }).optional(),
      trigger_benefit_verification: BenefitVerificationTrigger.optional(),
      mock_result: MockResult.optional(),
    }),
  );
}

/** `POST /prior-authorization` with the drug by name. */
export const CreatePriorAuthRequest = requestWith(NamedPrescription);
export type CreatePriorAuthRequest = z.infer<typeof CreatePriorAuthRequest>;

/** `POST /prior-authorization` with the drug by NDC. */
export const CreateCodedPriorAuthRequest = requestWith(CodedPrescription);
export type CreateCodedPriorAuthRequest = z.infer<typeof CreateCodedPriorAuthRequest>;
