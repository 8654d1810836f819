import type { Address, CodeableConcept, Duration, Medication, Quantity, Ratio } from 'fhir/r4.js';
import { normaliseIcd10 } from '../src/fhir/icd10.ts';
import { isObject } from '../src/fhir/is-object.ts';
import { isOnlyZeros, meaningful } from '../src/fhir/placeholder.ts';
import { ingredientsOf, parseRxNormName, type RxNormName, strengthOf } from '../src/fhir/rxnorm-name.ts';
import { systems } from '../src/fhir/systems.ts';
import type { Transform, Transformed } from '../src/mapping/words/rules.ts';

/** Transforms from FHIR values to the service's; each refuses what it is not sure of, and never repairs a value. */

function transform<Out>(name: string, apply: (value: unknown) => Transformed<Out>): Transform<Out> {
  return Object.freeze({ name, apply });
}

function textTransform(name: string, check: (text: string) => Transformed<string>): Transform<string> {
  return transform(name, (value) => {
    const clean = meaningful(value);
    return clean === undefined
      ? { refused: typeof value === 'string' ? 'a placeholder, not a value' : 'not a text' }
      : check(clean);
  });
}

/** A text without surrounding blanks; placeholders ("NA", ":None:None", "000-00") are refused. */
export const text = textTransform('text', (clean) => ({ value: clean }));

/** A text of which zeros alone are no value: postal codes, member numbers, record numbers. Leading zeros stay. */
export const identifier = textTransform('identifier', (clean) =>
  isOnlyZeros(clean) ? { refused: 'nothing but zeros' } : { value: clean },
);

export const phone = textTransform('phone', (clean) => {
  if (isOnlyZeros(clean)) return { refused: 'not a number that can be called' };
  return clean.replace(/\D/g, '').length < 7 ? { refused: 'fewer than seven digits' } : { value: clean };
});

export const email = textTransform('email', (clean) =>
  /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(clean) ? { value: clean } : { refused: 'not an e-mail address' },
);

/** A positive number. */
export const quantity = transform<number>('quantity', (value) =>
  typeof value === 'number' && value > 0 ? { value } : { refused: 'not a positive number' },
);

/** A whole birth date; FHIR allows a year or a month alone, the service does not. */
export const fullDate = textTransform('full date', (clean) =>
  /^\d{4}-\d{2}-\d{2}$/.test(clean) ? { value: clean } : { refused: 'not a full date' },
);

/** A FHIR dateTime as the service writes them: a date alone becomes local midnight with six fractional digits; a time keeps its zone. */
export const datetime = textTransform('datetime', (clean) => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(clean))
    return {
      value: `${clean}T00:00:00.000000`,
      derived: true,
      note: 'a date without a time, written as local midnight',
    };
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(clean) ? { value: clean } : { refused: 'not a full date' };
});

/** Ten digits; blanks and padding are taken off. The check digit is only warned about. */
export const npi = textTransform('npi', (clean) =>
  /^\d{10}$/.test(clean) ? { value: clean } : { refused: 'an NPI has ten digits' },
);

export const icd10 = textTransform('icd10', (clean) => {
  const code = normaliseIcd10(clean);
  return code === undefined ? { refused: 'not an ICD-10-CM code' } : { value: code };
});

/** Base64 without line breaks. */
export const base64 = transform<string>('base64', (value) => {
  const bare = typeof value === 'string' ? value.replace(/\s+/g, '') : '';
  return bare === '' ? { refused: 'no data' } : { value: bare };
});

/** NDC in 11 digits with dashes (5-4-2); ten digits without dashes are refused, they can mean three products. FDA, 21 CFR 207.33. */
export const ndc11 = textTransform('ndc11', (clean) => {
  if (/^\d{11}$/.test(clean)) return { value: `${clean.slice(0, 5)}-${clean.slice(5, 9)}-${clean.slice(9)}` };
  const parts = /^(\d{4,5})-(\d{3,4})-(\d{1,2})$/.exec(clean);
  const [, labeler = '', product = '', pack = ''] = parts ?? [];
  const digits = labeler.length + product.length + pack.length;
  if (parts === null || digits < 10) return { refused: 'not an NDC of 10 or 11 digits with dashes' };
  return { value: `${labeler.padStart(5, '0')}-${product.padStart(4, '0')}-${pack.padStart(2, '0')}` };
});

/** The RxNorm code of a concept that has exactly one; several are ingredients and products mixed. */
export const singleRxNorm = transform<string>('single RxNorm code', (value) => {
  const codings = isObject(value)
    ? ((value as CodeableConcept).coding ?? []).filter(
        (coding) => coding.system === systems.rxnorm && meaningful(coding.code) !== undefined,
      )
    : [];
  const chosen = codings.filter((coding) => coding.userSelected === true);
  const codes = [...new Set((chosen.length > 0 ? chosen : codings).map((coding) => coding.code ?? ''))];
  return codes.length === 1 && codes[0] !== undefined
    ? { value: codes[0] }
    : { refused: codes.length === 0 ? 'no RxNorm code' : 'several RxNorm codes' };
});

const asRxNorm = (name: string, read: (parsed: RxNormName) => Transformed<string>): Transform<string> =>
  textTransform(name, (clean) => {
    const parsed = parseRxNormName(clean);
    return parsed === undefined ? { refused: 'not an RxNorm name' } : read(parsed);
  });

/** `Imuran` of "azathioprine 50 MG Oral Tablet [Imuran]", else the ingredients: `azathioprine`. */
export const rxnormDrug = asRxNorm('drug of the RxNorm name', (parsed) => ({
  value: parsed.brand ?? ingredientsOf(parsed),
}));

/** `50 MG`; for a container with a concentration what it holds: `40 MG/0.4 ML`. */
export const rxnormStrength = asRxNorm('strength of the RxNorm name', (parsed) => {
  const strength = strengthOf(parsed);
  if (strength === undefined) return { refused: 'a pack has no single strength' };
  return strength.derived
    ? { value: strength.text, derived: true, note: 'concentration times what one container holds' }
    : { value: strength.text };
});

/** `Medication.ingredient.strength` as one text: `50 mg`, `40 mg/0.4 mL`, `325 mg / 7.5 mg`; refused unless every active ingredient has one. */
export const ingredientStrength = transform<string>('ingredient strength', (value) => {
  const ingredients = isObject(value)
    ? ((value as Partial<Medication>).ingredient ?? []).filter((ingredient) => ingredient.isActive !== false)
    : [];
  const strengths = ingredients.map((ingredient) => ratioText(ingredient.strength));
  const known = strengths.filter((strength) => strength !== undefined);
  if (ingredients.length === 0) return { refused: 'no ingredient' };
  return known.length === strengths.length
    ? { value: known.join(' / ') }
    : { refused: 'an ingredient has no strength' };
});

// "per one tablet" says nothing that the dose form does not say.
const perPiece = /^(1|\{?(tab|tablet|tbl|cap|capsule|each|ea|unit|dose|ortab|orcap|patch|supp)s?\}?)$/i;

function ratioText(strength: Ratio | undefined): string | undefined {
  const { numerator, denominator } = strength ?? {};
  if (numerator?.value === undefined) return undefined;
  const amount = `${numerator.value} ${unitText(numerator)}`.trim();
  const per = denominator === undefined ? '' : unitText(denominator);
  if (per === '' || (perPiece.test(per) && (denominator?.value ?? 1) === 1)) return amount;
  return (denominator?.value ?? 1) === 1 ? `${amount}/${per}` : `${amount}/${denominator?.value} ${per}`;
}

function unitText({ unit, code }: Quantity): string {
  return meaningful(unit) ?? meaningful(code) ?? '';
}

const dayUnits: Readonly<Record<string, number>> = { d: 1, day: 1, days: 1, wk: 7, week: 7, weeks: 7 };

/** Whole days of a Duration in days or weeks; months are refused, they have no fixed length. */
export const days = transform<number>('days', (value) => {
  if (typeof value === 'number') return { value, derived: true };
  const duration = isObject(value) ? (value as Duration) : {};
  const factor = dayUnits[(duration.code ?? duration.unit ?? '').toLowerCase()];
  const whole = (duration.value ?? 0) * (factor ?? 0);
  if (duration.value === undefined || factor === undefined) return { refused: 'not in days or weeks' };
  if (!Number.isInteger(whole) || whole < 1) return { refused: 'not a whole number of days' };
  return factor === 1 ? { value: whole } : { value: whole, derived: true, note: `${duration.value} weeks` };
});

const states =
  'Alabama AL|Alaska AK|Arizona AZ|Arkansas AR|California CA|Colorado CO|Connecticut CT|Delaware DE|District of Columbia DC|Florida FL|Georgia GA|Hawaii HI|Idaho ID|Illinois IL|Indiana IN|Iowa IA|Kansas KS|Kentucky KY|Louisiana LA|Maine ME|Maryland MD|Massachusetts MA|Michigan MI|Minnesota MN|Mississippi MS|Missouri MO|Montana MT|Nebraska NE|Nevada NV|New Hampshire NH|New Jersey NJ|New Mexico NM|New York NY|North Carolina NC|North Dakota ND|Ohio OH|Oklahoma OK|Oregon OR|Pennsylvania PA|Rhode Island RI|South Carolina SC|South Dakota SD|Tennessee TN|Texas TX|Utah UT|Vermont VT|Virginia VA|Washington WA|West Virginia WV|Wisconsin WI|Wyoming WY|Puerto Rico PR|Guam GU|American Samoa AS|Virgin Islands VI|Northern Mariana Islands MP';
const stateCodes = new Map(states.split('|').map((state) => [state.slice(0, -3).toLowerCase(), state.slice(-2)]));

/** A US state by its two letters when it is written out; a number, as payers' records have (`20`), is refused; anything else as it stands. */
export const state = textTransform('state', (clean) => {
  if (!/\p{L}/u.test(clean)) return { refused: 'a number, not a state' };
  const code = stateCodes.get(clean.toLowerCase());
  if (code !== undefined) return { value: code };
  return { value: /^[a-z]{2}$/i.test(clean) ? clean.toUpperCase() : clean };
});

/** `USA` for every spelling of it; any other country as it stands. */
export const country = textTransform('country', (clean) => ({
  value: /^(us|usa|u\.s\.(a\.)?|united states( of america)?)$/i.test(clean) ? 'USA' : clean,
}));

/** Address lines after the first as one text. */
export const furtherLines = transform<string>('further lines', (value) => {
  const lines = isObject(value)
    ? ((value as Address).line ?? []).slice(1).flatMap((line) => meaningful(line) ?? [])
    : [];
  // "NA" in a line that nobody needs is as good as no line: nothing to warn about
  return lines.length === 0 ? { refused: 'blank' } : { value: lines.join(', ') };
});
