import { z } from 'zod';
import { isNpi } from '../fhir/codes/npi.ts';
import { isStateCode } from '../fhir/codes/us-states.ts';
import { isObject } from '../fhir/is-object.ts';

/**
 * The parts that requests of both profiles share. They are strict: an unknown key is a bug in the bridge. Datetimes
 * keep their original string, because the service writes them without a zone and with six fractional digits, which
 * `Date` would change.
 */

export const genders = ['male', 'female', 'other', 'not_specified'] as const;

export const text = z.string().trim().min(1);
/** `YYYY-MM-DD`, an existing day. */
export const date = z.iso.date();
/** Local or zoned, with any number of fractional digits; the string is kept unchanged. */
export const datetime = z.iso.datetime({ local: true, offset: true });
/** ICD-10-CM with its dot: letter, digit, letter or digit, then up to four more after the dot. */
export const icd10cm = z.string().regex(/^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/, 'an ICD-10-CM code such as M06.9');
/** Six digits with leading zeros (NCPDP). A BIN of another length is not sent: a person corrects or clears it. */
export const rxBin = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'six digits, or clear the field to leave it out');
const tenDigits = /^\d{10}$/;
export const npi = z
  .string()
  .regex(tenDigits, 'ten digits')
  // None of these checks aborts: after an aborting issue, zod would skip the checks of the whole body.
  .refine((text) => !tenDigits.test(text) || isNpi(text), 'a valid NPI; check this one for a typo');
/** A number with its unit, as text: `50 MG/ML`, `0.05 %`, `100 units`. */
export const strength = text.regex(/\d[\d.,]*\s*[\p{L}%[{]/u, 'a number with its unit, such as 10 mg');
export const base64 = z.base64().min(1);
export const json: z.ZodType<Readonly<Record<string, unknown>>> = z.record(z.string(), z.unknown());

const addressParts = {
  street: text,
  street_line_2: text.optional(),
  city: text,
  state_province: text,
  zip_postal_code: text,
  country: text,
};

/** A ZIP code of five digits, or nine with or without the dash; and the letters of a state or territory. */
const usParts: Readonly<Record<string, (text: string) => boolean>> = {
  zip_postal_code: (code) => /^\d{5}(-?\d{4})?$/.test(code),
  state_province: isStateCode,
};

/**
 * Checks that a US address has the US form. If the country is required but missing, a valid state or ZIP code marks the
 * address as US, so the other of the two is checked without waiting for the country.
 */
function asUsAddress<Schema extends z.ZodType>(address: Schema, needsCountry: boolean): Schema {
  // Incomplete addresses are checked too, so that one validation reports everything that is wrong.
  const when = () => true;
  return address
    .refine((one) => isRight(one, 'zip_postal_code', needsCountry), {
      path: ['zip_postal_code'],
      message: 'a ZIP code of five digits, such as 62701',
      when,
    })
    .refine((one) => isRight(one, 'state_province', needsCountry), {
      path: ['state_province'],
      message: 'a US state or territory by its two letters, such as IL',
      when,
    });
}

/** false only for a part of a US address that does not have the US form. */
function isRight(address: unknown, part: string, needsCountry: boolean): boolean {
  if (!isObject(address) || !isInUs(address, needsCountry)) return true;
  return typeof address[part] !== 'string' || isUsPart(address, part);
}

function isInUs(address: Readonly<Record<string, unknown>>, needsCountry: boolean): boolean {
  if (address.country !== undefined || !needsCountry) return address.country === 'USA';
  return Object.keys(usParts).some((part) => isUsPart(address, part));
}

function isUsPart(address: Readonly<Record<string, unknown>>, part: string): boolean {
  const text = address[part];
  return typeof text === 'string' && usParts[part]?.(text.trim()) === true;
}

export const Address = asUsAddress(z.strictObject(addressParts), true);

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

/** Every field may be missing: a practice's address is sent as far as it is known. */
export const ProviderAddress = asUsAddress(z.strictObject(addressParts).partial(), false);

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

interface Insured {
  readonly insurance?: readonly unknown[] | undefined;
  readonly insurance_content?: { readonly member_number?: string | undefined } | undefined;
}

/** Requires that the request identifies the patient's membership, by a member number or by an image of the card. */
export function withInsurance<Schema extends z.ZodType>(request: Schema): Schema {
  return request.refine(
    (body) => {
      const { insurance = [], insurance_content } = body as Insured; // every request has these two fields
      return insurance.length > 0 || insurance_content?.member_number !== undefined;
    },
    {
      path: ['insurance_content', 'member_number'],
      message: 'a member number or an image of the insurance card',
      // Incomplete bodies are checked too, so that one validation reports everything that is missing.
      when: () => true,
    },
  );
}

/**
 * `POST /prior-authorization/{id}/cancel`: the reason is optional in one profile and required in the other, so the
 * bridge always sends it.
 */
export const CancelRequest = z.strictObject({ cancellation_reason: text });
export type CancelRequest = z.infer<typeof CancelRequest>;
