import { isObject } from '../../../../core/fhir/is-object.ts';
import { isFhirCode } from '../../../../core/fhir/model/codes.ts';
import { hasOwnForm, isPublicCodeSystem, isPublicUri } from '../public-systems.ts';
import { isAmountWord, publicCodes, publicUnitWords, publicWords } from '../public-words.ts';
import { isNoName, isNoPhone } from '../says-nothing.ts';
import { splitWords } from '../split-words.ts';
import { keptMimeType } from '../stand-in-files.ts';
import { type TextLeaf, textLeaves } from './leaves.ts';

export type PrivateKind = 'an identifier' | 'a telephone number' | 'an address line' | 'an e-mail address' | 'a URL';

/** Input values that must not be found in the output. */
export interface PrivateValues {
  /** Values lowercased and stripped to letters and digits, if four or more characters remain. */
  readonly values: ReadonlyMap<string, PrivateKind>;
  /** The kinds of shorter values, by the places where the values occur. */
  readonly short: ReadonlyMap<string, PrivateKind>;
  /** Ids that are plain words. They are searched only where ids occur. */
  readonly ids: ReadonlySet<string>;
  readonly nameWords: ReadonlySet<string>;
  /** Example: `2026-10-05`, `2026-10`. */
  readonly dates: ReadonlySet<string>;
  /** Four consecutive words of free text, joined by single spaces. */
  readonly rows: ReadonlySet<string>;
  /** Words from known drug names and from displays of public codes. */
  readonly drugWords: ReadonlySet<string>;
  /** Words of the displays of public codes. */
  readonly displayWords: ReadonlySet<string>;
  /** Pieces of files in base64, of `pieceLength` characters. */
  readonly pieces: ReadonlySet<string>;
}

export const pieceLength = 32;
// Longer values are identified by their first characters.
const longest = 64;

/**
 * Collects the private values of a chart. `isKept` matches values that a person kept, and texts of the mapping itself.
 */
export function privateValuesOf(
  resources: readonly unknown[],
  isKept: (leaf: TextLeaf, resource: number) => boolean,
  drugNames: readonly string[],
): PrivateValues {
  const found = {
    values: new Map<string, PrivateKind>(),
    short: new Map<string, PrivateKind>(),
    ids: new Set<string>(),
    nameWords: new Set<string>(),
    dates: new Set<string>(),
    rows: new Set<string>(),
    pieces: new Set<string>(),
    displayWords: new Set<string>(),
    drugWords: new Set(drugNames.flatMap(splitWords)),
  };
  const codes = new Set<string>();
  for (const [index, resource] of resources.entries()) {
    for (const leaf of textLeaves(resource)) {
      if (leaf.key === 'code' && isPublicText(leaf) && !isOpenCode(leaf)) codes.add(condensed(leaf.value));
      if (isPublicDisplay(leaf)) for (const word of splitWords(leaf.value)) addDisplayWord(word, found);
      else if (!isKept(leaf, index)) collect(leaf, `${index} ${leaf.path}`, found);
    }
  }
  for (const code of codes) found.values.delete(code);
  for (const word of found.displayWords) found.nameWords.delete(word);
  for (const row of found.rows)
    if (row.split(' ').every((word) => found.displayWords.has(word))) found.rows.delete(row);
  return found;
}

function addDisplayWord(word: string, { displayWords, drugWords }: Found): void {
  displayWords.add(word);
  drugWords.add(word);
}

type Found = {
  -readonly [Key in keyof PrivateValues]: PrivateValues[Key] extends ReadonlyMap<infer K, infer V>
    ? Map<K, V>
    : Set<string>;
};

function collect(leaf: TextLeaf, place: string, found: Found): void {
  const { value, isNumber } = leaf;
  if (isNumber || isNoName(value) || isPublicText(leaf)) return;
  for (const date of datesIn(value)) found.dates.add(date);
  if (isDateOrTime(value)) return;
  if (isFile(leaf)) addPieces(value, found);
  else if (isId(leaf)) addId(idOf(value), place, found);
  else collectText(leaf, place, found);
}

function collectText(leaf: TextLeaf, place: string, found: Found): void {
  const { value } = leaf;
  if (isName(leaf)) for (const word of splitWords(value)) if (word.length > 2) found.nameWords.add(word);
  const kind = kindOf(leaf);
  if (kind === 'a telephone number' && isNoPhone(value)) return;
  if (kind !== undefined) addValue(value, kind, place, found);
  for (const [, mail = ''] of value.matchAll(/(?:^|[\s<(,;:])([^\s@<>(),;:]{1,80}@[^\s@<>(),;]{1,80})/g))
    addValue(mail, 'an e-mail address', place, found);
  for (const [phone] of value.matchAll(/\d[\d ().+-]{5,30}\d/g))
    if (phone.replace(/\D/g, '').length > 6 && !isNoPhone(phone)) addValue(phone, 'a telephone number', place, found);
  if (kind === undefined || /\s/.test(value.trim())) addRows(leaf, found);
}

/** Whether the text is the display of a public code. All other words written by people are private. */
export function isPublicDisplay({ key, parent }: TextLeaf): boolean {
  return (
    key === 'display' &&
    typeof parent.code === 'string' &&
    typeof parent.system === 'string' &&
    isPublicCodeSystem(parent.system)
  );
}

/**
 * Whether the text is a FHIR code, a code or URI of a public system, a unit, or the routing number of a drug plan.
 * These do not identify a person.
 */
export function isPublicText(leaf: TextLeaf): boolean {
  const { key, value, parent, parentKey } = leaf;
  if (key === 'resourceType' || isFhirCode(value) || isPublicUri(value) || publicCodes.has(value)) return true;
  if (
    (key === 'code' || key === 'unit' || (key === 'value' && !/telecom/.test(parentKey))) &&
    typeof parent.system === 'string' &&
    isPublicCodeSystem(parent.system)
  )
    return true;
  if (key === 'contentType') return keptMimeType(value) === value;
  if (key === 'versionId') return /^\d{1,3}$/.test(value);
  if (key === 'unit' && splitWords(value).every((word) => publicUnitWords.has(word))) return true;
  if (key === 'text' && isTextOfDisplay(leaf)) return true;
  return key === 'value' && /^\d{6}$/.test(value.trim()) && /"rxbin"/i.test(JSON.stringify(parent.type ?? ''));
}

/** Whether the code is of a public system whose codes are words. A person's name or number could look the same. */
export function isOpenCode({ key, value, parent: { system } }: TextLeaf): boolean {
  const isKnown = isFhirCode(value) || publicCodes.has(value);
  return key === 'code' && !isKnown && typeof system === 'string' && isPublicCodeSystem(system) && !hasOwnForm(system);
}

function isTextOfDisplay({ value, parent }: TextLeaf): boolean {
  const codings = Array.isArray(parent.coding) ? parent.coding.filter(isObject) : [];
  return codings.some(
    ({ system, code, display }) =>
      typeof system === 'string' &&
      typeof code === 'string' &&
      isPublicCodeSystem(system) &&
      typeof display === 'string' &&
      display.trim().toLowerCase() === value.trim().toLowerCase(),
  );
}

/** Whether a text is only a FHIR date, dateTime, instant or time. */
export function isDateOrTime(value: string): boolean {
  return /^\s*(?:\d{4}(?:-\d{2}(?:-\d{2}(?:T[\d:.+ -]{0,40}Z?)?)?)?|\d{2}:\d{2}(?::\d{2})?)\s*$/i.test(value);
}

const days = /(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)|(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/g;

/** Returns the days in a text as FHIR writes them. If the text is only a month, returns the month. */
export function datesIn(text: string): string[] {
  if (/^\d{4}-\d{2}$/.test(text.trim())) return [text.trim()];
  return [...text.matchAll(days)].map(
    ([, day, month = '', date = '', year]) => day ?? `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`,
  );
}

function isFile({ key, value }: TextLeaf): boolean {
  return (
    (key === 'data' && /^[A-Za-z0-9+/=\s_-]+$/.test(value)) || (value.length > 200 && /^[A-Za-z0-9+/=_-]+$/.test(value))
  );
}

// Pieces with few different bytes occur in every file, so they are left out.
function addPieces(value: string, { pieces }: Found): void {
  const bare = value.replace(/\s/g, '');
  for (let at = 0; at + pieceLength <= bare.length; at += pieceLength) {
    const piece = bare.slice(at, at + pieceLength);
    if (new Set(piece).size > 8) pieces.add(piece);
  }
}

function isId({ key, parent }: TextLeaf): boolean {
  return key === 'reference' || (key === 'id' && typeof parent.resourceType === 'string');
}

// Returns 9 for `http://ehr/Patient/9/_history/2`.
function idOf(reference: string): string {
  return (
    reference
      .replace(/\/_history\/[^/]*$/, '')
      .split('/')
      .at(-1) ?? ''
  );
}

function addId(id: string, place: string, { ids, values, short }: Found): void {
  const bare = condensed(id);
  if (bare.length > 5 && /\d/.test(bare)) values.set(bare.slice(0, longest), 'an identifier');
  else if (bare.length > 3) ids.add(id);
  else if (bare !== '') short.set(place, 'an identifier');
}

const personReference = /(?:^|\/)(?:Patient|Practitioner|PractitionerRole|RelatedPerson|Person)(?:[/?]|$)/;

function isName({ key, parent, parentKey }: TextLeaf): boolean {
  if (parent.family !== undefined || parent.given !== undefined)
    return /^(?:family|given|text|prefix|suffix)$/.test(key);
  if (key === 'authorString') return true;
  if (key === 'text') return /^name$|HumanName$/.test(parentKey);
  if (key !== 'display') return false;
  return [parent.reference, parent.type].some((one) => typeof one === 'string' && personReference.test(one));
}

function contactKind(value: string): PrivateKind {
  return value.includes('@') ? 'an e-mail address' : 'a telephone number';
}

function kindOf({ key, value, parent, parentKey }: TextLeaf): PrivateKind | undefined {
  if (parentKey === 'telecom' || /ContactPoint$/.test(parentKey))
    return key === 'value' ? contactKind(value) : undefined;
  if (key === 'line' || (/address$/i.test(parentKey) && key === 'text')) return 'an address line';
  if (/^https?:|^urn:/.test(value)) return 'a URL';
  const isNumber = /\d/.test(value) && !/\s/.test(value.trim()) && parent.dose === undefined;
  return (/identifier$/i.test(parentKey) && key === 'value') || key === 'subscriberId' || isNumber
    ? 'an identifier'
    : undefined;
}

function addValue(value: string, kind: PrivateKind, place: string, { values, short }: Found): void {
  const bare = condensed(value).slice(0, longest);
  if (bare.length > 3) values.set(bare, kind);
  else if (bare !== '') short.set(place, kind);
}

export function condensed(text: string): string {
  return splitWords(text).join('');
}

const ofDrug =
  /(?:^|\.)(?:medication\w*|substance|item\w*|vaccineCode|route|form|code)\.(?:text|display|coding\[\d+\]\.display)$/;

/** Whether the text is at a place for a drug's name or directions. */
export function isDrugText({ path }: TextLeaf): boolean {
  return ofDrug.test(path);
}

/**
 * Whether all words are typical parts of a drug's name: its displays, ingredients, forms, units, and numbers of at most
 * four digits.
 */
export function isDrugRow(words: readonly string[], drugWords: ReadonlySet<string>): boolean {
  return words.every(
    (word) =>
      publicWords.has(word) ||
      drugWords.has(word) ||
      (isFhirCode(word) && !/\d/.test(word)) ||
      /^[a-z]$/.test(word) ||
      isAmountWord(word),
  );
}

function addRows(leaf: TextLeaf, { rows, drugWords }: Found): void {
  const words = splitWords(leaf.value.replace(/<[^<>]{0,500}>/g, ' '));
  for (let at = 0; at + 4 <= words.length; at++) {
    const row = words.slice(at, at + 4);
    if (!isDrugText(leaf) || !isDrugRow(row, drugWords)) rows.add(row.join(' '));
  }
}
