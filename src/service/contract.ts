import { z } from 'zod';
import { isObject } from '../fhir/is-object.ts';
import { isNpi } from '../fhir/npi.ts';
import { isStateCode } from '../fhir/us-states.ts';
import type { DeepPartial } from '../mapping/words/rules.ts';

/**
 * The contract of the prior-authorization service, once: every request and response shape in zod.
 *
 * Strict for what the bridge sends (an unknown key is a mistake of ours), tolerant for what it reads (unknown fields,
 * statuses, codes and activity types survive; absent and null are the same). Datetimes keep their original string: the
 * service writes them without a zone and with six fractional digits, which `Date` would change.
 * Section numbers are those of the service's interface document.
 */

// ---------------------------------------------------------------- words

/** Statuses the service is known to use (section 3). Anything else is kept and treated as not finished. */
export const statuses = [
  'processing',
  'not_submitted',
  'awaiting_review',
  'awaiting_outcome',
  'awaiting_provider_response',
  'validating_outcome',
  'completed',
  'failed',
  'cancelled',
] as const;
export type KnownStatus = (typeof statuses)[number];
export type Open<T extends string> = T | (string & {});
export type Status = Open<KnownStatus>;

export const genders = ['male', 'female', 'other', 'not_specified'] as const;
export const outcomeResults = ['Approved', 'Denied', 'Other', 'Pending', 'Not Submitted'] as const;

// ---------------------------------------------------------------- leaves

const text = z.string().trim().min(1);
/** `YYYY-MM-DD`, a day that exists. */
const date = z.iso.date();
/** Local or zoned, any number of fractional digits; kept as the string it is. */
const datetime = z.iso.datetime({ local: true, offset: true });
/** ICD-10-CM with its dot: letter, digit, letter or digit, then up to four more after the dot. */
export const icd10cm = z.string().regex(/^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/, 'an ICD-10-CM code such as M06.9');
/**
 * Six digits, zeros in front kept (NCPDP). One of another length is not sent: a person corrects it or leaves it out.
 */
const rxBin = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'six digits, or clear the field to leave it out');
const tenDigits = /^\d{10}$/;
/** Ten digits of which the last is the check digit of the others. */
const npi = z
  .string()
  .regex(tenDigits, 'ten digits')
  // Nothing aborts: an issue that does would keep zod from asking the checks of the whole body.
  .refine((text) => !tenDigits.test(text) || isNpi(text), 'the right NPI; the check digit of this one is wrong');
/** A number with its unit, as text: `50 MG/ML`, `0.05 %`, `100 units`. */
const strength = text.regex(/\d[\d.,]*\s*[\p{L}%[{]/u, 'a number with its unit, such as 10 mg');
const base64 = z.base64().min(1);
const json: z.ZodType<Readonly<Record<string, unknown>>> = z.record(z.string(), z.unknown());

// ---------------------------------------------------------------- what we send: prior authorization (4.1)

const addressParts = {
  street: text,
  street_line_2: text.optional(),
  city: text,
  state_province: text,
  zip_postal_code: text,
  country: text,
};

/**
 * Where the country is the US as mappings write it: a ZIP code of five digits, or nine with or without the dash, and
 * the letters of a state or territory.
 */
function asUsAddress<Schema extends z.ZodType>(address: Schema): Schema {
  // Asked of incomplete addresses too, so that one look names everything that is wrong.
  const when = () => true;
  return address
    .refine((one) => isInUs(one, 'zip_postal_code', (code) => /^\d{5}(-?\d{4})?$/.test(code)), {
      path: ['zip_postal_code'],
      message: 'a ZIP code of five digits, such as 62701',
      when,
    })
    .refine((one) => isInUs(one, 'state_province', isStateCode), {
      path: ['state_province'],
      message: 'a US state or territory by its two letters, such as IL',
      when,
    });
}

/** false for a part of a US address that is there and is none. */
function isInUs(address: unknown, part: string, isPart: (text: string) => boolean): boolean {
  if (!isObject(address) || address.country !== 'USA') return true;
  const text = address[part];
  return typeof text !== 'string' || isPart(text.trim());
}

export const Address = asUsAddress(z.strictObject(addressParts));

export const RequestPatient = z.strictObject({
  first_name: text,
  last_name: text,
  internal_id: text,
  date_of_birth: date,
  email: z.email().optional(),
  phone: text.optional(),
  gender: z.enum(genders),
  address: Address,
});

export const RequestPrescription = z.strictObject({
  drug_name: text,
  strength,
  dose_form: text,
  route_of_administration: text,
  quantity: z.number().positive(),
  days_supply: z.int().positive().optional(),
  directions: text,
  dispense_unit: text,
  extra: json.optional(),
  prescription_date: datetime.optional(),
});

/** Every inner field may be missing: a practice's address is sent as far as it is known. */
export const ProviderAddress = asUsAddress(z.strictObject(addressParts).partial());

export const RequestProvider = z.strictObject({
  first_name: text,
  last_name: text,
  npi,
  internal_id: text.optional(),
  phone: text.optional(),
  fax: text.optional(),
  address: ProviderAddress.optional(),
});

export const RequestPharmacy = z.strictObject({ name: text, address: ProviderAddress.optional() });

export const RequestEvidence = z.strictObject({ title: text, date_created: datetime, content: json });

export const InsuranceContent = z.strictObject({
  client_name: text.optional(),
  group_number: text.optional(),
  member_name: text.optional(),
  member_number: text.optional(),
  payer_name: text.optional(),
  plan_name: text.optional(),
  rx_bin: rxBin.optional(),
  rx_group: text.optional(),
  rx_pcn: text.optional(),
});

export const CreatePriorAuthRequest = z
  .strictObject({
    is_training_data: z.boolean().optional(),
    diagnoses: z.array(z.strictObject({ code: icd10cm })).min(1),
    evidence: z.array(RequestEvidence).optional(),
    patient: RequestPatient,
    insurance: z.array(z.strictObject({ file_content: base64 })).optional(),
    insurance_content: InsuranceContent.optional(),
    prescription: RequestPrescription,
    provider: RequestProvider,
    pharmacy: RequestPharmacy.optional(),
    /** Integer 0 (critical) to 3 (low); only when a person chose it. */
    priority: z.int().min(0).max(3).optional(),
    mock_result: z.unknown().optional(),
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
export type CreatePriorAuthRequest = z.infer<typeof CreatePriorAuthRequest>;

// ---------------------------------------------------------------- what we send: enrollment (4.4)

export const EnrollmentAsset = z.strictObject({ name: text.optional(), type: text, url: z.url() });

export const CreateEnrollmentRequest = z.strictObject({
  programId: text,
  patient: z.strictObject({
    first_name: text,
    last_name: text,
    date_of_birth: date,
    address: Address,
    email: z.email().optional(),
    phone: text.optional(),
    insurance_details: z
      .strictObject({
        data: z
          .strictObject({
            group_number: text.optional(),
            payer: text.optional(),
            membership_number: text.optional(),
            rx_bin: rxBin.optional(),
            rx_group: text.optional(),
          })
          .optional(),
        assets: z.array(EnrollmentAsset).optional(),
      })
      .optional(),
    metadata: z.strictObject({ patient_id: text }).optional(),
  }),
  prescription: z
    .strictObject({ drug_name: text, dosage: strength, directions: text, extra: json.optional() })
    .optional(),
  evidence: z
    .array(
      z.strictObject({
        type: text,
        date_created: datetime,
        content: json,
        assets: z.array(EnrollmentAsset).optional(),
      }),
    )
    .optional(),
  metadata: z.strictObject({ enrollment_id: text }).optional(),
});
export type CreateEnrollmentRequest = z.infer<typeof CreateEnrollmentRequest>;

/** What the service's sandbox can be told to answer at once (`mock_result`); refused in production. */
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

export const CancelRequest = z.strictObject({ cancellation_reason: text });
export type CancelRequest = z.infer<typeof CancelRequest>;

// ---------------------------------------------------------------- what we read

const open = <T extends string>(): z.ZodType<Open<T>> => z.string();
const loose = z.looseObject;

/**
 * A field that is taken when it has the expected form and is as good as absent when not: one odd field must not hide a
 * whole record.
 */
const read = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const readText = read(z.string());
const readJson = read(json);
/** Items of another form are left out. */
const readList = <Schema extends z.ZodType>(item: Schema) =>
  read(
    z.array(z.unknown()).transform((items): z.infer<Schema>[] =>
      items.flatMap((one) => {
        const parsed = item.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    ),
  );

const ReadAddress = loose({
  street: readText,
  street_line_2: readText,
  city: readText,
  state_province: readText,
  zip_postal_code: readText,
  country: readText,
});

const Person = loose({ first_name: readText, last_name: readText, email: readText });

/** `details.url` is signed and short-lived: fetch it at once, never store it in a chart (2.6). */
export const ActivityEntry = loose({
  id: z.string(),
  created_at: z.string(),
  type: read(open<'sent_fax' | 'received_fax' | 'follow_up_call'>()),
  details: read(loose({ url: readText, notes: readText, recording_url: readText, transcript: readText })),
});
export type ActivityEntry = z.infer<typeof ActivityEntry>;

/**
 * Section 2.1; `authorization_expiration` counts only with the result Approved. What it means is decided in status.ts.
 */
export const Outcome = loose({
  result: read(open<(typeof outcomeResults)[number]>()),
  detail: readText,
  detail_code: readText,
  client_code: readText,
  authorization_start_date: readText,
  authorization_expiration: readText,
});
export type Outcome = z.infer<typeof Outcome>;

export const DenialReasonAnalysis = loose({
  categories: readList(z.string()),
  explanation: readText,
  next_steps: readText,
  next_steps_explanation: readText,
});

/** The record of `GET /prior-authorization/{id}` (2.1). Only id and status are sure. */
export const PriorAuthorization = loose({
  id: z.string().min(1),
  object: readText,
  url: readText,
  status: open<KnownStatus>(),
  diagnoses: readList(loose({ code: readText })),
  evidence: readList(loose({ title: readText, date_created: readText, content: z.unknown().optional() })),
  patient: read(
    loose({
      first_name: readText,
      last_name: readText,
      internal_id: readText,
      date_of_birth: readText,
      email: readText,
      phone: readText,
      gender: read(open<(typeof genders)[number]>()),
      address: read(ReadAddress),
    }),
  ),
  insurance: readList(loose({ scanned_content: readJson, discrete_content: readJson, url: readText })),
  prescription: read(
    loose({
      drug_name: readText,
      strength: readText,
      dose_form: readText,
      route_of_administration: readText,
      quantity: read(z.number()),
      days_supply: read(z.number()),
      directions: readText,
      dispense_unit: readText,
      extra: readJson,
      prescription_date: readText,
    }),
  ),
  provider: read(
    loose({
      first_name: readText,
      last_name: readText,
      npi: readText,
      internal_id: readText,
      phone: readText,
      fax: readText,
      address: read(ReadAddress),
    }),
  ),
  pharmacy: read(loose({ name: readText, address: read(ReadAddress) })),
  questionnaires: readList(
    loose({ questions: readList(loose({ question: readText, answer: readText })), date_created: readText }),
  ),
  visit_notes: readList(loose({ content: readText, date_created: readText })),
  activity_log: readList(ActivityEntry),
  submitted_by: read(Person),
  reviewed_by: read(Person),
  denial_reason_analysis: read(DenialReasonAnalysis),
  outcome: read(Outcome),
});
export type PriorAuthorization = z.infer<typeof PriorAuthorization>;

/** `data` of create: only `id` is sure (the live service sends nothing else). */
export const CreatedPriorAuthorization = loose({ id: z.string().min(1) });
export type CreatedPriorAuthorization = z.infer<typeof CreatedPriorAuthorization>;

/** Enrollment's confirmation: its shape is not published; an id is kept when there is one. */
export const EnrollmentConfirmation = loose({ id: readText }).optional();
export type EnrollmentConfirmation = z.infer<typeof EnrollmentConfirmation>;

/** Every answer's envelope (section 2), with the error object the live service adds. */
export const Envelope = loose({
  status: open<'success' | 'error'>().default('success'),
  data: z.unknown().optional(),
  error: read(loose({ code: readText, title: readText, description: readText })),
});

/** The two error bodies without an envelope: a text, or a validation list. */
export const DetailError = loose({
  detail: z.union([
    z.string(),
    z.array(
      loose({
        loc: z.array(z.union([z.string(), z.number()])).optional(),
        msg: z.string().optional(),
        type: z.string().optional(),
      }),
    ),
  ]),
});

/** A webhook's body (section 6): a hint to GET the record of `data.id`; only that record is believed. */
export const WebhookEvent = loose({
  title: readText,
  description: readText,
  event_type: z.string(),
  data: read(loose({ id: readText })),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** The same JSON without any null: for the reader absent and null are the same. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}
