import { spellOutForms } from '../../../core/drug/form-words.ts';
import { canonicalSystem } from '../../../core/fhir/codes/systems.ts';
import { type AuditAmount, amountsIn, amountsInText, sameAmount } from './amounts.ts';
import { comparedWords, hasPhrase, plain, textsIn } from './compare-texts.ts';
import { auditDaysOfDuration, lastsDays } from './days.ts';
import { formsIn, routesOfFormsIn } from './forms-in.ts';
import { at } from './read-cited.ts';

/**
 * Rows of the closed lists as plain data. For each table and value: the keys of the value (`system|code`, or words in
 * lower case).
 */
export type AuditTables = Readonly<Record<ClosedListName, Readonly<Record<string, readonly string[]>>>>;
export type ClosedListName =
  | 'gender'
  | 'dose_form'
  | 'form_kind'
  | 'route_of_administration'
  | 'dispense_unit'
  | 'quantity_unit';

/** What a value is compared with: the cited items and their context. */
export interface AuditPlace {
  readonly items: readonly unknown[];
  /** The resource that contains the items. */
  readonly resource: object;
  readonly path: string;
  /** Texts that name the ordered drug. The strength in them converts milligrams to tablets. */
  readonly drugTexts: readonly string[];
  readonly tables: AuditTables;
}

/** Whether a value follows from the data at its cited place. */
export type Derivation = (value: unknown, place: AuditPlace) => boolean;

/** Returns the check for a field. A field without one must be the text of its element. */
export function derivationOf(field: string): Derivation {
  return derivations.find(([fields]) => fields.test(field))?.[1] ?? sameText;
}

const sameText: Derivation = (value, { items }) =>
  items.some((item) => typeof item === 'string' && plain(item) === plain(String(value)));

const sameNumber: Derivation = (value, { items }) =>
  items.some((item) => (typeof item === 'number' ? item : at(item, 'value')) === value);

// A date without a time is sent as local midnight.
const date: Derivation = (value, place) =>
  sameText(value, place) || place.items.some((item) => `${String(item)}T00:00:00.000000` === value);

const phone: Derivation = (value, { items }) =>
  items.some((item) => typeof item === 'string' && plain(item).replace(/^(tel|fax):\s*/i, '') === value);

const identifier: Derivation = (value, place) =>
  sameText(value, place) || place.items.some((item) => at(item, 'value') === value);

/**
 * Every word of the name must be in the drug's texts or in the words of its form's code. A kind of release may be
 * abbreviated or written in full.
 */
const drugName: Derivation = (value, { items, tables }) => {
  const coded = new Set(items.flatMap(codesIn));
  const ofCodes = Object.entries(tables.form_kind).flatMap(([words, keys]) =>
    keys.some((key) => coded.has(key)) ? words : [],
  );
  const texts = [...items.flatMap(textsIn), ...ofCodes];
  const known = new Set([...texts, ...texts.map(spellOutForms)].flatMap(comparedWords));
  const isRelease = (word: string) =>
    releases.some((words) => words.includes(word) && words.some((one) => known.has(one)));
  return comparedWords(String(value)).every((word) => known.has(word) || isRelease(word));
};

const releases: readonly (readonly string[])[] = [
  'er xr xl sr la cr extended release sustained controlled prolonged 24 12 hr hour'.split(' '),
  'dr ec delayed release enteric coated gastro resistant'.split(' '),
  'odt orally disintegrating'.split(' '),
];

/** Each amount of the strength is stated, or is the product of a stated concentration and volume. */
const strength: Derivation = (value, { items }) => {
  const stated = items.flatMap(amountsIn);
  const sent = amountsInText(String(value));
  return (
    sent.length > 0 && sent.every((amount) => stated.some((one) => sameAmount(one, amount)) && holds(stated, amount))
  );
};

function holds(stated: readonly AuditAmount[], { per }: AuditAmount): boolean {
  if (per === undefined || per.value === 1) return true;
  return stated.some(({ value, unit, per: inside }) =>
    [{ value, unit }, inside].some((one) => one !== undefined && sameAmount(one, per)),
  );
}

const days: Derivation = (value, { items, resource, drugTexts }) =>
  items.some((item) => item === value || auditDaysOfDuration(item) === value) ||
  lastsDays(Number(value), resource, drugTexts);

/** The value must contain all instructions, with only punctuation between them. */
const directions: Derivation = (value, { items }) => {
  const texts = [...new Set(items.flatMap(instructionTexts).map(plain))].sort(
    (one, other) => other.length - one.length,
  );
  const rest = texts.reduce((whole, text) => (text === '' ? whole : whole.split(text).join('')), plain(String(value)));
  return /^[\s.;,]*$/.test(rest);
};

function instructionTexts(item: unknown): string[] {
  if (typeof item === 'string') return [item];
  return [at(item, 'patientInstruction'), at(item, 'text')].filter((text) => typeof text === 'string');
}

function byTable(table: ClosedListName, hasOther: (text: string) => boolean = () => false): Derivation {
  return (value, { items, tables }) => {
    const rows = tables[table][String(value)] ?? [];
    const coded = new Set(items.flatMap(codesIn));
    const texts = items.flatMap(textsIn).map((text) => text.replace(/[{}]/g, ''));
    return rows.some((row) =>
      row.includes('|')
        ? coded.has(row)
        : texts.some((text) => text.toLowerCase().trim() === row || (!hasOther(text) && hasPhrase(text, row))),
    );
  };
}

/**
 * The form is the table's value for the element, or is stated in the drug's text. "Subcutaneous Solution Pen-injector"
 * is not a solution.
 */
const doseForm: Derivation = (value, place) =>
  byTable('dose_form', (text) => formsIn(text).length > 0)(value, place) || isSaid(value, place, 'dose_form', formsIn);

const route: Derivation = (value, place) =>
  byTable('route_of_administration')(value, place) || isSaid(value, place, 'route_of_administration', routesOfFormsIn);

function isSaid(
  value: unknown,
  place: AuditPlace,
  table: ClosedListName,
  termsIn: (text: string) => readonly string[],
): boolean {
  const rows = place.tables[table][String(value)] ?? [];
  return place.items.flatMap(textsIn).some((text) => termsIn(text).some((term) => rows.includes(term)));
}

function codesIn(element: unknown): string[] {
  if (Array.isArray(element)) return element.flatMap(codesIn);
  if (typeof element !== 'object' || element === null) return [];
  const [system, code] = [at(element, 'system'), at(element, 'code')];
  const own = typeof code === 'string' ? [`${canonicalSystem(String(system ?? ''))}|${code}`.toLowerCase()] : [];
  return [...own, ...Object.values(element).flatMap(codesIn)];
}

const state: Derivation = (value, { items }) =>
  items.some((item) => {
    const text = plain(String(item));
    const whole = text
      .toLowerCase()
      .replace(/^([nsw])\. ?(?=[a-z]{3})/, (_, point: keyof typeof points) => points[point]);
    // "S.D." and "US-SD" are the state code SD
    const letters = text.toUpperCase().replace(/^US-|\. ?/g, '');
    return text === value || letters === value || stateCodes.get(whole) === value;
  });
const points = { n: 'north ', s: 'south ', w: 'west ' } as const;

const states =
  'al alabama|ak alaska|az arizona|ar arkansas|ca california|co colorado|ct connecticut|de delaware|' +
  'dc district of columbia|fl florida|ga georgia|hi hawaii|id idaho|il illinois|in indiana|ia iowa|ks kansas|' +
  'ky kentucky|la louisiana|me maine|md maryland|ma massachusetts|mi michigan|mn minnesota|ms mississippi|' +
  'mo missouri|mt montana|ne nebraska|nv nevada|nh new hampshire|nj new jersey|nm new mexico|ny new york|' +
  'nc north carolina|nd north dakota|oh ohio|ok oklahoma|or oregon|pa pennsylvania|ri rhode island|' +
  'sc south carolina|sd south dakota|tn tennessee|tx texas|ut utah|vt vermont|va virginia|wa washington|' +
  'wv west virginia|wi wisconsin|wy wyoming|pr puerto rico|gu guam|as american samoa|vi virgin islands|' +
  'mp northern mariana islands';
const stateCodes = new Map(states.split('|').map((row) => [row.slice(3), row.slice(0, 2).toUpperCase()]));

const country: Derivation = (value, place) =>
  sameText(value, place) ||
  (value === 'USA' &&
    place.items.some((item) => /^(us|usa|u\.s\.(a\.)?|united states( of america)?)$/i.test(plain(String(item)))));

const furtherLines: Derivation = (value, { items }) => {
  const lines = items.flatMap((item) => (typeof item === 'string' ? [item] : textsIn(at(item, 'line')).slice(1)));
  return String(value)
    .split(', ')
    .every((line) => lines.some((one) => plain(one).includes(line)));
};

/** An ICD-10-CM code with its dot and in capitals, however the chart writes it. */
const diagnosis: Derivation = (value, { items }) =>
  items.some(
    (item) =>
      dotless(String(item)) === dotless(String(value)) && /^[A-Z]\d[0-9A-Z](\.[0-9A-Z]{1,4})?$/.test(String(value)),
  );

function dotless(code: string): string {
  return plain(code).replace('.', '').toUpperCase();
}

const rxnorm: Derivation = (value, { items }) =>
  items.some(
    (item) =>
      plain(String(item)) === value ||
      codesIn(item).some((code) => rxcui(code.slice(code.lastIndexOf('|') + 1)) === String(value).toLowerCase()),
  );

// Some interfaces write "RXCUI:" before the number.
function rxcui(code: string): string {
  return plain(code).replace(/^(?:rxcui\s*:\s*)+/, '');
}

/** FDA, 21 CFR 207.33: a segment that is one digit short gets a leading zero. */
const ndc: Derivation = (value, { items }) =>
  [...items, ...items.flatMap(codesIn).map((code) => code.slice(code.lastIndexOf('|') + 1))].some((item) => {
    const parts = plain(String(item)).split('-');
    const [labeler = '', product = '', pack = ''] = parts;
    const padded = [labeler.padStart(5, '0'), product.padStart(4, '0'), pack.padStart(2, '0')].join('-');
    return parts.length === 3 ? padded === value : parts.length === 1 && labeler === String(value).replaceAll('-', '');
  });

/** The value must have the same bytes; the base64 spelling may differ. */
const image: Derivation = (value, { items }) =>
  items.some((item) => typeof item === 'string' && bytesOf(item).equals(Buffer.from(String(value), 'base64')));

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replace(/^data:[^,]*,/, '').replace(/\s+/g, ''), 'base64');
}

const gender: Derivation = (value, place) => sameText(value, place) || byTable('gender')(value, place);

const derivations: readonly (readonly [RegExp, Derivation])[] = [
  [/(^|\.)gender$/, gender],
  [/address\.state_province$/, state],
  [/address\.country$/, country],
  [/address\.street_line_2$/, furtherLines],
  [/\.(phone|fax)$/, phone],
  [/\.(internal_id|mrn|patient_id|npi|member_number|membership_number)$/, identifier],
  [/^prescription\.(extra\.)?drug_name$/, drugName],
  [/^prescription\.(strength|dosage|extra\.strength)$/, strength],
  [/^prescription\.dose_form$/, doseForm],
  [/^prescription\.route_of_administration$/, route],
  [/^prescription\.dispense_unit$/, byTable('dispense_unit')],
  [/^prescription\.quantity_unit_of_measure$/, byTable('quantity_unit')],
  [/^prescription\.quantity$/, sameNumber],
  [/^prescription\.days_supply$/, days],
  [/^prescription\.directions$/, directions],
  [/^prescription\.extra\.rxnorm$/, rxnorm],
  [/^prescription\.(extra\.)?ndc$/, ndc],
  [/(_date|date_created)$/, date],
  [/^diagnoses\[\]\.code$/, diagnosis],
  [/^insurance\[\]\.file_content$/, image],
];
