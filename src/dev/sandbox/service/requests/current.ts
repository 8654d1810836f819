import { z } from 'zod';
import { endField } from '../profile.ts';
import { datetime, object, PartialAddress, patient, provider, shared, text } from './body-parts.ts';
import { doseForms, routes } from './closed-lists.ts';

/** `POST /prior-authorization` in the profile `current`, the service's present API. */

const ndc = text.regex(/^(\d{5}-?\d{4}-?\d{2}|\d{4,5}-\d{3,4}-\d{1,2}|\d{5}-?\d{4}|\d{4,5}-\d{3,4})$/, 'Invalid NDC');

const pdf = z.strictObject({
  file_content: z
    .base64()
    .refine((content) => atob(content.slice(0, 8)).startsWith('%PDF-'), 'Only PDF files are supported')
    .optional(),
  file_url: z.url().max(2083).optional(),
});
const Asset = pdf.refine(({ file_content, file_url }) => (file_content === undefined) !== (file_url === undefined), {
  message: 'Exactly one of file_content and file_url is required',
});

const dispensed = {
  directions: text,
  quantity: z.int().positive(),
  days_supply: z.int().positive(),
  expected_length_of_therapy: text.optional(),
  extra: object.optional(),
  prescription_date: datetime,
};

const Named = z.strictObject({
  ...dispensed,
  drug_name: text,
  strength: text,
  dose_form: z.enum(doseForms),
  route_of_administration: z.enum(routes),
});
const Coded = z.strictObject({ ...dispensed, ndc, quantity_unit_of_measure: text.optional() });

const evidence = z.array(
  z
    .strictObject({
      title: text,
      date_created: datetime,
      content: z.union([object, text]).optional(),
      asset: Asset.optional(),
    })
    .refine(({ content, asset }) => (content === undefined) !== (asset === undefined), {
      message: 'Exactly one of content and asset is required',
    }),
);

/** `PATCH /prior-authorization/{id}`: evidence, the end of an outreach, or both. */
export const CurrentAmendBody = z
  .strictObject({ evidence: evidence.min(1).optional(), [endField]: z.literal(true).optional() })
  .refine((body) => body.evidence !== undefined || body[endField] !== undefined, { message: 'Nothing to change' });

const common = {
  ...shared,
  evidence: evidence.optional(),
  patient: z.strictObject({ ...patient, mrn: text.optional() }),
  provider: z.strictObject({ ...provider, address: PartialAddress }),
  questionnaires: z
    .array(
      z.strictObject({
        questions: z.array(
          z
            .strictObject({ question: text, answer: text, choices: z.array(text).optional() })
            .refine(({ answer, choices }) => choices?.includes(answer) !== false, 'The answer is not one of choices'),
        ),
        date_created: datetime,
      }),
    )
    .optional(),
  visit_notes: z.array(z.strictObject({ content: text, date_created: datetime, title: text.optional() })).optional(),
  resubmission_info: z
    .strictObject({
      previous_prior_auth_request_id: text,
      note: text.optional(),
      quantity_limit_exception_reason: text.optional(),
    })
    .optional(),
  appeal_details: z
    .strictObject({
      appeal_letter: z.strictObject({ title: text, date_created: datetime, asset: Asset }),
      is_urgent: z.boolean().optional(),
    })
    .optional(),
  ndp_submission: z.strictObject({ prescription_message_id: text }).optional(),
  trigger_benefit_verification: z
    .strictObject({
      enabled: z.boolean(),
      additional_medications: z.array(z.strictObject({ ndc, quantity: z.int().positive() })).optional(),
    })
    .optional(),
};

const NamedCreateBody = z.strictObject({ ...common, prescription: Named });
const CodedCreateBody = z.strictObject({ ...common, prescription: Coded });
export type CurrentCreateBody = z.infer<typeof NamedCreateBody> | z.infer<typeof CodedCreateBody>;

/** Returns the schema for the way in which the body states the drug, so that errors have the right path. */
export function currentCreateBody(body: unknown): z.ZodType<CurrentCreateBody> {
  return HasNdc.safeParse(body).success ? CodedCreateBody : NamedCreateBody;
}

const HasNdc = z.object({ prescription: z.object({ ndc: z.unknown().refine((value) => value !== undefined) }) });

export const CurrentCancelBody = z.strictObject({ cancellation_reason: text });
