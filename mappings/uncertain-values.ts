import type { Address, HumanName, Identifier } from 'fhir/r4.js';
import { dispenseUnits } from '../src/core/contract/lists.ts';
import { stateCode } from '../src/core/fhir/codes/us-states.ts';
import { elementWords } from '../src/core/fhir/element-words.ts';
import { isObject } from '../src/core/fhir/is-object.ts';
import { isOnlyZeros, meaningful } from '../src/core/fhir/text/placeholder.ts';
import { readDateTime } from '../src/core/fhir/time/date-time.ts';
import type { Transform } from '../src/core/mapping/words/rules.ts';

/**
 * Options for values that are too uncertain to be sent: parts of a name or address that is one text, a date in another
 * spelling. A person chooses; nothing is sent automatically.
 */

function offered<Out>(name: string, read: (value: unknown) => Out | undefined): Transform<Out> {
  return Object.freeze({
    name,
    apply: (value: unknown) => {
      const out = read(value);
      return out === undefined ? ({ refused: 'nothing_to_say' } as const) : { value: out };
    },
  });
}

interface Names {
  readonly given: string | undefined;
  readonly family: string | undefined;
}

const none: Names = { given: undefined, family: undefined };

// "Odalys J. Fenwick", "Fenwick, Odalys"; titles and degrees are removed.
function namesIn(text: unknown): Names {
  const words = meaningful(text)?.replace(titles, ' ').trim();
  if (words === undefined || words === '') return none;
  const [family, given] = words.split(/\s*,\s*/);
  if (given !== undefined && given !== '') return { given: given.split(' ')[0], family };
  const parts = words.replace(/,$/, '').split(/\s+/);
  return parts.length < 2 ? none : { given: parts[0], family: parts.at(-1) };
}

const titles = /(?:^|[\s,]+)(?:dr|mr|mrs|ms|prof|md|do|np|pa|pa-c|rn|phd|dds|aprn|fnp|pharmd)\.?(?=$|[\s,])/gi;

function nameOf(value: unknown): Names {
  if (!isObject(value)) return namesIn(value);
  const { given, family, text } = value as HumanName;
  const said = namesIn(text);
  return { given: meaningful(given?.[0]) ?? said.given, family: meaningful(family) ?? said.family };
}

export const givenOf = offered('given name in it', (value) => nameOf(value).given);

export const familyOf = offered('family name in it', (value) => nameOf(value).family);

interface Parts {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly zip?: string | undefined;
  readonly country?: string | undefined;
}

// "12 Quillback Lane, Marlow Falls, OR 97099", on one line or several.
const written =
  /^(.+?)\s*[,\n]\s*([^,\n]+?)\s*,?\s+([A-Za-z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\.?,?\s+(\d{5}(?:-\d{4})?)\b/s;

function partsOf(value: unknown): Parts {
  if (!isObject(value)) return {};
  const { line, city, state, postalCode, country, text } = value as Address;
  const [, inStreet, inCity, inState = '', inZip] = written.exec(meaningfulLines(text)) ?? [];
  return {
    street: meaningful(line?.[0]) ?? meaningful(inStreet?.replaceAll('\n', ', ')),
    city: meaningful(city) ?? meaningful(inCity),
    state: meaningful(state) ?? stateCode(inState) ?? (/^[A-Z]{2}$/.test(inState) ? inState : undefined),
    zip: meaningful(postalCode) ?? inZip,
    country: meaningful(country) ?? (inZip === undefined ? undefined : 'USA'),
  };
}

// A longer text is not an address.
function meaningfulLines(text: unknown): string {
  return typeof text === 'string' && text.length < 300 ? text.trim() : '';
}

export const streetOf = offered('street in it', (value) => partsOf(value).street);
export const cityOf = offered('city in it', (value) => partsOf(value).city);
export const stateOf = offered('state in it', (value) => partsOf(value).state);
export const countryOf = offered('country in it', (value) => partsOf(value).country);
export const zipOf = offered('ZIP code in it', (value) => partsOf(value).zip);

/** A day not spelled as in FHIR: `19840309`, `1984-3-9`, `03/09/1984` in US order, or with a time. */
export const dayOf = offered('day in it', (value) => {
  const text = meaningful(value) ?? '';
  const [, year, month, day] =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text) ?? [];
  const [, usMonth, usDay, usYear] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text) ?? [];
  return isoDay(year ?? usYear, month ?? usMonth, day ?? usDay);
});

function isoDay(year: string | undefined, month = '', day = ''): string | undefined {
  if (year === undefined) return undefined;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return readDateTime(iso)?.precision === 'day' ? iso : undefined;
}

// Types of plan identifiers that are not member numbers.
const noMember = /\b(?:bin|iin|pcn|group|grp|gr|payer|plan|policy holder|employer|rx ?bin|rx ?pcn|rx ?group)\b/i;

/** The number of a plan's Identifier, with its type, unless the type says that it is something else. */
export const planNumber: Transform<string> = Object.freeze({
  name: 'number of the plan',
  apply: (value: unknown) => {
    const { type, value: number } = isObject(value) ? (value as Identifier) : {};
    const kind = elementWords(type);
    const text = meaningful(number);
    if (text === undefined || isOnlyZeros(text) || (kind !== undefined && noMember.test(kind)))
      return { refused: 'nothing_to_say' } as const;
    return kind === undefined ? { value: text } : { value: text, note: kind };
  },
});

/** A unit exactly as in the service's list. Milligrams and micrograms measure a dose, not a dispensed quantity. */
export const listedUnit = offered('unit of the list', (value) =>
  dispenseUnits.find((unit) => unit === value && !/^m(?:illi|icro)gram$/.test(unit)),
);
