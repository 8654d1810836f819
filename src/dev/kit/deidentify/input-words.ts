import { isObject } from '../../../core/fhir/is-object.ts';
import { lettersAndDigits } from '../../../core/fhir/text/letters-and-digits.ts';
import { splitWords } from './split-words.ts';

/** Facts about the whole chart that are needed before the first value is replaced. */
export interface InputWords {
  /** Every word of every text, and every short text reduced to letters and digits. */
  readonly taken: ReadonlySet<string>;
  /** Words of people's names that are longer than two letters. */
  readonly names: ReadonlySet<string>;
  /**
   * Identifiers and subscriber numbers, reduced to letters and digits in lower case; only those of six characters or
   * more.
   */
  readonly numbers: ReadonlySet<string>;
  /** The types of the resources that have this id, by id. */
  readonly idTypes: ReadonlyMap<string, readonly string[]>;
}

interface Pending {
  readonly key: string;
  readonly value: unknown;
}

export function inputWordsOf(json: unknown): InputWords {
  const taken = new Set<string>();
  const names = new Set<string>();
  const numbers = new Set<string>();
  const idTypes = new Map<string, string[]>();
  const pending: Pending[] = [{ key: '', value: json }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { key, value } = at;
    addWords(key, taken);
    if (typeof value === 'string' || typeof value === 'number') addWords(String(value), taken);
    if (key === 'authorString') addNames([value], names);
    if (Array.isArray(value)) for (const item of value) pending.push({ key, value: item });
    else if (isObject(value)) {
      addNames(nameParts(key, value), names);
      addNumber(key === 'identifier' ? value.value : value.subscriberId, numbers);
      addId(value, idTypes);
      for (const [inner, one] of Object.entries(value)) pending.push({ key: inner, value: one });
    }
  }
  return { taken, names, numbers, idTypes };
}

function addNumber(value: unknown, numbers: Set<string>): void {
  const number = typeof value === 'string' ? lettersAndDigits(value) : '';
  if (number.length >= 6) numbers.add(number);
}

function addWords(text: string, taken: Set<string>): void {
  for (const word of splitWords(text)) taken.add(word);
  if (text.length < 200) for (const part of [text, ...text.split(/[/#|]/)]) taken.add(splitWords(part).join(''));
}

const people = /(?:^|\/)(?:Patient|Practitioner|PractitionerRole|RelatedPerson|Person)(?:[/?]|$)/;

// Returns the parts of a HumanName, or the display of a reference to a person.
function nameParts(key: string, object: Readonly<Record<string, unknown>>): unknown[] {
  const { family, given, text, reference, type, display } = object;
  if (family !== undefined || given !== undefined || /^name$|HumanName$/.test(key)) return [family, given, text].flat();
  return [reference, type].some((to) => typeof to === 'string' && people.test(to)) ? [display] : [];
}

function addNames(parts: readonly unknown[], names: Set<string>): void {
  for (const part of parts)
    if (typeof part === 'string') for (const word of splitWords(part)) if (word.length > 2) names.add(word);
}

function addId({ resourceType, id }: Readonly<Record<string, unknown>>, idTypes: Map<string, string[]>): void {
  if (typeof resourceType === 'string' && typeof id === 'string')
    idTypes.set(id, [...(idTypes.get(id) ?? []), resourceType]);
}
