import { z } from 'zod';

/**
 * What the sandbox takes, stated apart from what the bridge sends: so that a mistake in the bridge's own contract
 * shows.
 * Unknown fields are kept and ignored, as at the live service.
 */

const text = z.string().min(1);
const optional = z.string().nullish();
const date = z.iso.date();
const datetime = z.iso.datetime({ local: true, offset: true });
const object = z.record(z.string(), z.unknown());

const Address = z.looseObject({
  street: text,
  street_line_2: optional,
  city: text,
  state_province: text,
  zip_postal_code: text,
  country: text,
});
const PartialAddress = z.looseObject({
  street: optional,
  street_line_2: optional,
  city: optional,
  state_province: optional,
  zip_postal_code: optional,
  country: optional,
});

const MockResult = z.discriminatedUnion('result', [
  z.looseObject({ result: z.literal('Approved'), detail_code: text.optional() }),
  z.looseObject({ result: z.literal('Denied'), detail_code: text.optional() }),
  z.looseObject({
    result: z.literal('Other'),
    detail_code: text.optional(),
    trigger_message: z.boolean().optional(),
  }),
  z.looseObject({ result: z.literal('Not Submitted'), detail_code: text.optional() }),
]);
export type MockResult = z.infer<typeof MockResult>;

export const CreateBody = z.looseObject({
  is_training_data: z.boolean().optional(),
  diagnoses: z.array(z.looseObject({ code: text })),
  evidence: z
    .array(z.looseObject({ title: text, date_created: datetime, content: z.union([object, z.string()]) }))
    .optional(),
  patient: z.looseObject({
    first_name: text,
    last_name: text,
    internal_id: text,
    date_of_birth: date,
    email: z.email().optional(),
    phone: optional,
    gender: z.enum(['male', 'female', 'other', 'not_specified']),
    address: Address,
  }),
  insurance: z.array(z.looseObject({ file_content: z.base64().min(1) })).optional(),
  insurance_content: z
    .looseObject({
      client_name: optional,
      group_number: optional,
      member_name: optional,
      member_number: optional,
      payer_name: optional,
      plan_name: optional,
      rx_bin: optional,
      rx_group: optional,
      rx_pcn: optional,
    })
    .optional(),
  prescription: z.looseObject({
    drug_name: text,
    strength: text,
    dose_form: text,
    route_of_administration: text,
    quantity: z.int().positive(),
    days_supply: z.int().positive().optional(),
    directions: text,
    dispense_unit: text,
    extra: object.optional(),
    prescription_date: datetime.optional(),
  }),
  provider: z.looseObject({
    first_name: text,
    last_name: text,
    npi: text,
    internal_id: optional,
    phone: optional,
    fax: optional,
    address: PartialAddress.optional(),
  }),
  pharmacy: z.looseObject({ name: text, address: PartialAddress.optional() }).optional(),
  priority: z.int().min(0).max(3).optional(),
  mock_result: MockResult.nullish(),
});
export type CreateBody = z.infer<typeof CreateBody>;

export const CancelBody = z.looseObject({ cancellation_reason: text.optional() });

const Asset = z.looseObject({ name: optional, type: text, url: z.url() });

export const EnrollmentBody = z.looseObject({
  programId: text,
  patient: z.looseObject({
    first_name: text,
    last_name: text,
    date_of_birth: date,
    address: Address,
    email: z.email().optional(),
    phone: optional,
    insurance_details: z
      .looseObject({
        data: z
          .looseObject({
            group_number: optional,
            payer: optional,
            membership_number: optional,
            rx_bin: optional,
            rx_group: optional,
          })
          .optional(),
        assets: z.array(Asset).optional(),
      })
      .optional(),
    metadata: z.looseObject({ patient_id: optional }).optional(),
  }),
  prescription: z
    .looseObject({ drug_name: optional, dosage: optional, directions: optional, extra: object.optional() })
    .optional(),
  evidence: z
    .array(z.looseObject({ type: text, date_created: datetime, content: object, assets: z.array(Asset).optional() }))
    .optional(),
  metadata: z.looseObject({ enrollment_id: optional }).optional(),
});
export type EnrollmentBody = z.infer<typeof EnrollmentBody>;

/** The service's validation answer: `{ detail: [{ loc, msg, type }] }`. */
export interface ValidationDetail {
  readonly detail: readonly {
    readonly loc: readonly (string | number)[];
    readonly msg: string;
    readonly type: string;
  }[];
}

/** The body, or the list of what is wrong with it. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): { body: z.infer<Schema> } | { invalid: ValidationDetail } {
  const parsed = schema.safeParse(body);
  if (parsed.success) return { body: parsed.data };
  const detail = parsed.error.issues.map((issue) => ({
    loc: ['body', ...issue.path.filter((part) => typeof part !== 'symbol')],
    msg: isMissing(body, issue.path) ? 'Field required' : issue.message,
    type: isMissing(body, issue.path) ? 'missing' : issue.code,
  }));
  return { invalid: { detail } };
}

function isMissing(body: unknown, path: readonly PropertyKey[]): boolean {
  const value = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    body,
  );
  return value === undefined;
}
