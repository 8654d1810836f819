import { z } from 'zod';

/**
 * The requests that the sandbox accepts, stated independently of the bridge, so that a mistake in the bridge's own
 * contract is detected. Unknown fields are refused, although the live service may accept them: a field of the other
 * profile is a mistake.
 */

export const text = z.string().min(1);
export const optional = z.string().nullish();
export const date = z.iso.date();
export const datetime = z.iso.datetime({ local: true, offset: true });
export const object = z.record(z.string(), z.unknown());

export const Address = z.strictObject({
  street: text,
  street_line_2: optional,
  city: text,
  state_province: text,
  zip_postal_code: text,
  country: text,
});
export const PartialAddress = z.strictObject({
  street: optional,
  street_line_2: optional,
  city: optional,
  state_province: optional,
  zip_postal_code: optional,
  country: optional,
});

export const MockResult = z.discriminatedUnion('result', [
  z.strictObject({ result: z.literal('Approved'), detail_code: text.optional() }),
  z.strictObject({ result: z.literal('Denied'), detail_code: text.optional() }),
  z.strictObject({
    result: z.literal('Other'),
    detail_code: text.optional(),
    trigger_message: z.boolean().optional(),
  }),
  z.strictObject({ result: z.literal('Not Submitted'), detail_code: text.optional() }),
]);
export type MockResult = z.infer<typeof MockResult>;

/** `patient`, without the fields of only one profile. */
export const patient = {
  first_name: text,
  last_name: text,
  internal_id: text,
  date_of_birth: date,
  email: z.email().optional(),
  phone: optional,
  gender: z.enum(['male', 'female', 'other', 'not_specified']),
  address: Address,
};

/** `provider`, without its address. */
export const provider = {
  first_name: text,
  last_name: text,
  npi: text,
  internal_id: optional,
  phone: optional,
  fax: optional,
};

export const shared = {
  diagnoses: z.array(z.strictObject({ code: text })),
  insurance: z.array(z.strictObject({ file_content: z.base64().min(1) })).optional(),
  insurance_content: z
    .strictObject({
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
  pharmacy: z.strictObject({ name: text, address: PartialAddress.optional() }).optional(),
  priority: z.int().min(0).max(3).optional(),
  mock_result: MockResult.nullish(),
};
