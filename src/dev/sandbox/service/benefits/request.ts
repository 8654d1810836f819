import { z } from 'zod';

/**
 * The benefit verification that the sandbox accepts, stated independently of the bridge, so that a mistake in the
 * bridge's own contract is detected. Unknown fields are kept and ignored, as by the live service.
 */

const text = z.string().min(1);
const optional = z.string().nullish();

const Address = z.looseObject({
  street: text,
  street_line_2: optional,
  city: text,
  state_province: text,
  zip_postal_code: text,
  country: text,
});

const NamedDrug = z.looseObject({ name: text, dosage: text, quantity: z.number().positive() });
const CodedDrug = z.looseObject({
  ndc: z.string().regex(/^(\d{5}-?\d{4}-?\d{2}|\d{4,5}-\d{3,4}-\d{1,2}|\d{5}-?\d{4}|\d{4,5}-\d{3,4})$/, 'Invalid NDC'),
  quantity: z.int().positive(),
});

export const mockCases = [
  'drugs_covered__prior_auth_required__has_copay',
  'drugs_covered__prior_auth_required__no_copay',
  'drugs_covered__prior_auth_not_required__has_copay',
  'drugs_covered__prior_auth_not_required__no_copay',
  'drugs_not_covered__prior_auth_na__no_copay',
  'patient_consent_required',
  'reverification__existing_pa',
  'reverification__no_existing_pa',
] as const;

const names = z.array(z.looseObject({ name: text })).optional();

export const BenefitBody = z.looseObject({
  priority: z.int().min(0).max(3).optional(),
  replaces: optional,
  drugs: z.union([z.array(NamedDrug).min(1).max(7), z.array(CodedDrug).min(1).max(7)]),
  drug_history: z.looseObject({ currently_taking_drugs: names, previously_taken_drugs: names }).optional(),
  diagnoses: z.array(z.looseObject({ code: text })).optional(),
  patient: z.looseObject({
    first_name: text,
    last_name: text,
    internal_id: text,
    date_of_birth: z.iso.date(),
    email: z.email().optional(),
    phone: optional,
    gender: z.enum(['male', 'female', 'other', 'not_specified']),
    address: Address,
  }),
  provider: z.looseObject({
    first_name: text,
    last_name: text,
    npi: text,
    internal_id: optional,
    phone: optional,
    fax: optional,
    address: Address,
  }),
  insurance: z.array(z.looseObject({ file_content: z.base64().min(1) })).optional(),
  insurance_content: z
    .looseObject({ payer_name: optional, plan_name: optional, member_number: optional, rx_bin: optional })
    .optional(),
  entity: z.looseObject({ legal_name: optional, tax_id: optional }).optional(),
  mock_result: z.looseObject({ status: z.enum(['completed', 'failed']), case: z.enum(mockCases) }).nullish(),
  use_patient_plan_fund_source_check: z.boolean().default(false),
});
export type BenefitBody = z.infer<typeof BenefitBody>;
