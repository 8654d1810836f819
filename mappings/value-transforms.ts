import type { Address, CodeableConcept, Identifier } from 'fhir/r4.js';
import { normaliseIcd10 } from '../src/core/fhir/codes/icd10.ts';
import { isNpi } from '../src/core/fhir/codes/npi.ts';
import { canonicalSystem, systems } from '../src/core/fhir/codes/systems.ts';
import { stateCode } from '../src/core/fhir/codes/us-states.ts';
import { plainBase64 } from '../src/core/fhir/documents/bytes.ts';
import { isObject } from '../src/core/fhir/is-object.ts';
import { hasRecordMark } from '../src/core/fhir/references/record-mark.ts';
import { isRefusal } from '../src/core/fhir/references/refusals.ts';
import { isNoCity, saysNoMail } from '../src/core/fhir/text/no-mail.ts';
import { isOnlyZeros, meaningful } from '../src/core/fhir/text/placeholder.ts';
import { cleanText } from '../src/core/fhir/text/text.ts';
import { readDateTime, wholeDate } from '../src/core/fhir/time/date-time.ts';
import { wholeDays } from '../src/core/fhir/time/duration.ts';
import type { Transform, Transformed } from '../src/core/mapping/words/rules.ts';

/** Transforms from FHIR values to the service's values. Each refuses uncertain values, and none repairs them. */

function transform<Out>(name: string, apply: (value: unknown) => Transformed<Out>): Transform<Out> {
  return Object.freeze({ name, apply });
}

function textTransform(name: string, check: (text: string) => Transformed<string>): Transform<string> {
  return transform(name, (value) => {
    const clean = meaningful(value);
    return clean === undefined ? { refused: typeof value === 'string' ? 'placeholder' : 'not_a_text' } : check(clean);
  });
}

/**
 * A text without surrounding spaces; placeholders ("NA", ":None:None", "000-00") are refused.
 * @example text.apply(' Humira ') // { value: 'Humira' }
 */
export const text = textTransform('text', (clean) => ({ value: clean }));

// Real family names that look like placeholders. EHRs write placeholders all in lowercase or all in capitals.
const placeholderNames = new Set(['Na', 'Nil', 'Null']);

/**
 * A person's name. A name with words that mark the record (`DUPLICATE`) is refused.
 *
 * @example personName.apply('DUPLICATE Smith') // { refused: 'record_mark' }
 */
export const personName = textTransform('personName', (clean) =>
  hasRecordMark(clean) ? { refused: 'record_mark' } : { value: clean },
);

/**
 * A family name. "Null", "Nil" and "Na" in this spelling are real names.
 * @example familyName.apply('Null') // { value: 'Null' }
 */
export const familyName = transform<string>('familyName', (value) => {
  const clean = typeof value === 'string' ? cleanText(value) : '';
  return placeholderNames.has(clean) ? { value: clean } : personName.apply(value);
});

/**
 * A city; words that are not a city are refused (`HOMELESS`).
 * @example city.apply('HOMELESS') // { refused: 'placeholder' }
 */
export const city = textTransform('city', (clean) => (isNoCity(clean) ? { refused: 'placeholder' } : { value: clean }));

/**
 * A text that must not be only zeros: member numbers, record numbers. Leading zeros are kept.
 * @example identifier.apply('0000') // { refused: 'nothing_but_zeros' }
 */
export const identifier = textTransform('identifier', (clean) =>
  isOnlyZeros(clean) ? { refused: 'nothing_but_zeros' } : { value: clean },
);

/**
 * A postal code. A ZIP code without its leading zero (`7099` for `07099`) is refused.
 * @example postalCode.apply('7099') // { refused: 'zip_digits' }
 */
export const postalCode = textTransform('postalCode', (clean) => {
  if (isOnlyZeros(clean)) return { refused: 'nothing_but_zeros' };
  return /^\d{1,4}(?:-\d*)?$/.test(clean) ? { refused: 'zip_digits' } : { value: clean };
});

// Numbers typed only to fill a required field: one repeated digit, or consecutive digits.
const noPhone = /^1?(?:(\d)\1{9}|1234567890|0123456789)$/;

/**
 * A phone or fax number without the `tel:` of a URL.
 * @example phone.apply('tel:555-010-0102') // { value: '555-010-0102' }
 */
export const phone = textTransform('phone', (clean) => {
  const number = clean.replace(/^(?:tel|fax):\s*/i, '');
  const digits = number.replace(/\D/g, '');
  if (isOnlyZeros(number) || noPhone.test(digits)) return { refused: 'not_callable' };
  return digits.length < 7 ? { refused: 'phone_digits' } : { value: number };
});

// Addresses typed for a patient without e-mail.
const noEmail =
  /^(?:none|no|na|n\/a|nomail|noemail|no-?email|unknown|declined|refused)@|@(?:none|noemail|nomail|no-email)\.[a-z]+$/i;

/**
 * An e-mail address without the `mailto:` of a URL.
 * @example email.apply('mailto:anna@example.org') // { value: 'anna@example.org' }
 */
export const email = textTransform('email', (clean) => {
  const address = clean.replace(/^mailto:/i, '');
  if (noEmail.test(address)) return { refused: 'placeholder' };
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(address) ? { value: address } : { refused: 'not_an_email' };
});

/**
 * A positive number.
 * @example quantity.apply(0) // { refused: 'not_positive' }
 */
export const quantity = transform<number>('quantity', (value) =>
  typeof value === 'number' && value > 0 ? { value } : { refused: 'not_positive' },
);

/**
 * A positive whole number. A fraction is refused, because rounding would change the order.
 * @example wholeQuantity.apply(1.5) // { refused: 'whole_number' }
 */
export const wholeQuantity = transform<number>('whole quantity', (value) => {
  if (typeof value !== 'number' || value <= 0) return { refused: 'not_positive' };
  return Number.isInteger(value) ? { value } : { refused: 'whole_number' };
});

/**
 * A complete birth date; FHIR allows only a year or a month, the service does not.
 * @example fullDate.apply('1975-04') // { refused: 'not_a_full_date' }
 */
export const fullDate = textTransform('full date', (clean) =>
  readDateTime(clean)?.precision === 'day' && clean.length === 10 ? { value: clean } : { refused: 'not_a_full_date' },
);

/**
 * A FHIR dateTime in the service's format: a date becomes local midnight with six fractional digits; a time keeps its
 * zone.
 * @example datetimeValue.apply('2026-11-20') // { value: '2026-11-20T00:00:00.000000', derived: true, ... }
 */
export const datetimeValue = textTransform('datetime', (clean) => {
  const read = readDateTime(clean);
  if (read?.precision === 'day' && clean === read.date)
    return {
      value: `${clean}T00:00:00.000000`,
      derived: true,
      note: 'a date without a time, written as local midnight',
    };
  return wholeDate(clean) === undefined ? { refused: 'not_a_full_date' } : { value: clean };
});

/**
 * Ten digits with a valid check digit; spaces and padding are removed.
 * @example npiValue.apply('1234567890') // { refused: 'check_digit' }
 */
export const npiValue = textTransform('npi', (clean) => {
  if (!/^\d{10}$/.test(clean)) return { refused: 'npi_digits' };
  return isNpi(clean) ? { value: clean } : { refused: 'check_digit' };
});

/** An identifier marked as an NPI by its system or type, because a license number may also have ten digits. */
export const markedNpi = transform<Identifier>('marked as an NPI', (value) => {
  if (!isObject(value)) return { refused: 'nothing_to_say' };
  const { system, type } = value as Identifier;
  const isMarked =
    (system !== undefined && canonicalSystem(system) === systems.npi) ||
    type?.coding?.some(({ code }) => code === 'NPI') === true ||
    /^\s*NPI\s*$/i.test(type?.text ?? '');
  return isMarked ? { value } : { refused: 'not_marked_npi' };
});

/**
 * An ICD-10-CM code in its usual spelling.
 * @example icd10.apply('L400') // { value: 'L40.0' }
 */
export const icd10 = textTransform('icd10', (clean) => {
  const code = normaliseIcd10(clean);
  return code === undefined ? { refused: 'not_icd10' } : { value: code };
});

/**
 * Base64 in the form that the service accepts.
 * @example base64Value.apply('aGVsbG8=') // { value: 'aGVsbG8=' }
 */
export const base64Value = transform<string>('base64', (value) => {
  const data = typeof value === 'string' ? plainBase64(value) : undefined;
  return data === undefined ? { refused: 'no_data' } : { value: data };
});

/**
 * An NDC in 11 digits with dashes (5-4-2). Ten digits without dashes are refused because they may mean three products.
 * FDA, 21 CFR 207.33.
 * @example ndc11.apply('0074-0554-02') // { value: '00074-0554-02' }
 */
export const ndc11 = textTransform('ndc11', (clean) => {
  if (/^\d{11}$/.test(clean)) return { value: `${clean.slice(0, 5)}-${clean.slice(5, 9)}-${clean.slice(9)}` };
  const parts = /^(\d{4,5})-(\d{3,4})-(\d{1,2})$/.exec(clean);
  const [, labeler = '', product = '', pack = ''] = parts ?? [];
  const digits = labeler.length + product.length + pack.length;
  if (parts === null || digits < 10) return { refused: 'ndc_digits' };
  return { value: `${labeler.padStart(5, '0')}-${product.padStart(4, '0')}-${pack.padStart(2, '0')}` };
});

/**
 * The NDC of a concept with exactly one NDC, in any format. Two NDCs are refused, because two packages may have
 * different contents.
 */
export const singleNdc = transform<string>('single NDC', (value) => {
  const codings = isObject(value) ? ((value as CodeableConcept).coding ?? []) : [];
  const read = codings.filter(({ system }) => system === systems.ndc).map(({ code }) => ndc11.apply(code));
  const codes = [...new Set(read.flatMap((one) => ('value' in one ? [one.value] : [])))];
  const [code, ...others] = codes;
  if (code !== undefined && others.length === 0) return { value: code };
  return { refused: code === undefined ? 'ndc_digits' : 'several_codes' };
});

// Some interfaces write the label before the number, some even twice.
const namedRxcui = /^(?:RXCUI\s*:\s*)+(?=\d{1,8}$)/i;

/**
 * The RxNorm code (RXCUI, a number) of a concept with exactly one. Several codes are refused, because they may mix
 * ingredients and products.
 */
export const singleRxNorm = transform<string>('single RxNorm code', (value) => {
  const codings = isObject(value)
    ? ((value as CodeableConcept).coding ?? []).filter(
        (coding) => coding.system === systems.rxnorm && meaningful(coding.code) !== undefined,
      )
    : [];
  const chosen = codings.filter((coding) => coding.userSelected === true);
  const stated = (chosen.length > 0 ? chosen : codings).map((coding) => coding.code?.trim() ?? '');
  const codes = [...new Set(stated.map((one) => one.replace(namedRxcui, '')))];
  const [code, ...others] = codes;
  if (code === undefined || others.length > 0) return { refused: code === undefined ? 'no_code' : 'several_codes' };
  if (!/^\d{1,8}$/.test(code)) return { refused: 'not_an_rxcui' };
  const [written] = stated;
  return stated.includes(code) ? { value: code } : { value: code, derived: true, note: `written as ${written}` };
});

/**
 * The strength in one source of the drug, as written: `1 ML etanercept 50 MG/ML` gives `50 MG/ML`. Only for a container
 * of up to 2 mL, but not of 1 mL, is it computed and marked as derived: `0.8 ML adalimumab 50 MG/ML` gives `40 MG/0.8
 * ML`.
 */
export const statedStrength = transform<string>('strength', (value) => {
  const { strength, isDerived, note, refused } = isObject(value) ? value : {};
  if (typeof strength !== 'string') return { refused: isRefusal(refused) ? refused : 'no_strength' };
  if (isDerived !== true) return { value: strength };
  return { value: strength, derived: true, note: typeof note === 'string' ? note : 'computed' };
});

/**
 * Whole days of a Duration in days or weeks, or a computed number of days.
 * @example days.apply(28) // { value: 28, derived: true }
 */
export const days = transform<number>('days', (value) => {
  if (typeof value === 'number') return { value, derived: true };
  const whole = wholeDays(value);
  return 'value' in whole && whole.note !== undefined ? { ...whole, derived: true } : whole;
});

/**
 * A spelled-out US state becomes its two letters. A number, as in payers' records (`20`), is refused; any other text is
 * unchanged.
 * @example state.apply('Illinois') // { value: 'IL' }
 */
export const state = textTransform('state', (clean) => {
  if (!/\p{L}/u.test(clean)) return { refused: 'not_a_state' };
  const code = stateCode(clean);
  if (code !== undefined) return { value: code };
  return { value: /^[a-z]{2}$/i.test(clean) ? clean.toUpperCase() : clean };
});

/**
 * `USA` for every spelling of it; any other country is unchanged.
 * @example country.apply('United States') // { value: 'USA' }
 */
export const country = textTransform('country', (clean) => ({
  value: /^(us|usa|u\.s\.(a\.)?|united states( of america)?)$/i.test(clean) ? 'USA' : clean,
}));

/** An address that can receive mail; refused if its words say that it cannot (`HOMELESS`). */
export const letterBox = transform<Address>('letter box', (value) => {
  if (!isObject(value)) return { refused: 'nothing_to_say' };
  return saysNoMail(value) ? { refused: 'no_mail' } : { value };
});

/** Address lines after the first, as one text. */
export const furtherLines = transform<string>('further lines', (value) => {
  const { line = [], _line = [] } = isObject(value) ? (value as Address) : {};
  // A null without an extension is not an item in FHIRPath, so `line[0]` is the line after it.
  const all = line.filter((one, at) => typeof one === 'string' || isObject(_line[at]));
  const lines = all.length < 2 ? [] : all.slice(1).flatMap((line) => meaningful(line) ?? []);
  // "NA" in an optional line counts as a missing line, so that there is no warning.
  return lines.length === 0 ? { refused: 'blank' } : { value: lines.join(', ') };
});
