import { isElementKey, isResourceType } from '../../../../core/fhir/model/model.ts';
import { isNoPhone } from '../says-nothing.ts';
import { splitWords } from '../split-words.ts';
import { standInFiles } from '../stand-in-files.ts';
import { type TextLeaf, textLeaves } from './leaves.ts';
import {
  condensed,
  datesIn,
  isDateOrTime,
  isDrugRow,
  isDrugText,
  isOpenCode,
  isPublicDisplay,
  isPublicText,
  type PrivateKind,
  type PrivateValues,
  pieceLength,
  privateValuesOf,
} from './private-values.ts';

export interface LeakCheck {
  /** The resources before and after, in the same order. */
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
  /** The outputs that are not resources, by name. */
  readonly others: Readonly<Record<string, unknown>>;
  /** What `others` was made from, in addition to the resources. Its dates, after moving, are not reported as leaks. */
  readonly othersBefore?: unknown;
  readonly shiftDays: number;
  /**
   * Directions that a person has reviewed and kept. `order`: their order, with its reference in the input
   * (`MedicationRequest/9`).
   */
  readonly kept?: { readonly order: string; readonly sigs: readonly string[] };
  /** Texts in the mapping's expressions, such as the URL of an extension. */
  readonly named?: readonly string[];
  readonly drugNames?: readonly string[];
}

/**
 * Returns the places in the output that still have identifying input, as `Patient/patient-1 name[0].family: a word of a
 * name`, never with the value. It checks all texts by their properties and their form, whatever the replacement did
 * with them.
 */
export function findLeaks(check: LeakCheck): string[] {
  const { before, after, others, othersBefore = [], shiftDays, kept, named = [], drugNames = [] } = check;
  const sigs = new Set(kept?.sigs ?? []);
  const isKeptSig = (leaf: TextLeaf, index: number) =>
    isSig(leaf) && sigs.has(leaf.value) && nameOf(before[index]) === kept?.order;
  const isKept = (leaf: TextLeaf, index: number) => named.includes(leaf.value) || isKeptSig(leaf, index);
  const values = privateValuesOf(before, isKept, drugNames);
  const drugRows = drugRowsOf(after, values);
  const isOfDrugs = (row: string) => drugRows.has(row);
  const moved = new Set([...values.dates, ...[...textLeaves(othersBefore)].flatMap(({ value }) => datesIn(value))]);
  const against = { values, search: searchOf(values), isOfDrugs, moved, shiftDays };
  const inRequest = { ...against, isOfDrugs: (row: string) => isDrugRow(row.split(' '), values.drugWords) };
  const inResources = after.flatMap((resource, index) => {
    const was = new Map([...textLeaves(before[index])].map((leaf) => [leaf.path, leaf.value]));
    return [...textLeaves(resource)]
      .filter((leaf) => !isKept(leaf, index))
      .flatMap((leaf) => hits(leaf, { was: was.get(leaf.path), place: `${index} ${leaf.path}` }, against))
      .map((hit) => `${nameOf(resource)} ${hit}`);
  });
  const inOthers = Object.entries(others).flatMap(([name, document]) =>
    [...textLeaves(document)]
      .filter(({ value }) => ![...sigs].some((sig) => value.includes(sig)))
      .flatMap((leaf) => hits(leaf, { was: undefined, place: '' }, inRequest))
      .map((hit) => `${name} ${hit}`),
  );
  return [...inResources, ...keyLeaks(after, values), ...inOthers];
}

function isSig({ path }: TextLeaf): boolean {
  return /(?:^|\.)dosageInstruction\[\d+\]\.(?:text|patientInstruction)$/.test(path);
}

function nameOf(resource: unknown): string {
  const { resourceType, id } = resource as { resourceType?: unknown; id?: unknown };
  return `${String(resourceType)}/${String(id)}`;
}

interface Against {
  readonly values: PrivateValues;
  readonly search: Search;
  /** Whether four consecutive words are part of the name or strength of a drug that is kept. */
  readonly isOfDrugs: (row: string) => boolean;
  /** Dates of the input after moving, which the output may contain. */
  readonly moved: ReadonlySet<string>;
  readonly shiftDays: number;
}

interface Was {
  readonly was: string | undefined;
  readonly place: string;
}

function hits(leaf: TextLeaf, { was, place }: Was, against: Against): string[] {
  const { values, search, moved, shiftDays } = against;
  const { value, path } = leaf;
  if (leaf.isNumber || standInFiles.has(value) || isNoPhone(value)) return [];
  if (isPublicText(leaf)) return isOpenCode(leaf) ? codeHits(leaf, against) : [];
  const leaks: string[] = [...search(condensed(value), splitWords(value))];
  const short = values.short.get(place);
  if (short !== undefined && was === value) leaks.push(short);
  if (!isPublicDisplay(leaf) && !isDateOrTime(value) && !madeUpUrl.test(value)) leaks.push(...wordHits(leaf, against));
  if (hasPiece(value, values.pieces)) leaks.push('a part of a file');
  const isOfInput = (date: string) => values.dates.has(date) && !isShifted(date, was, moved, shiftDays);
  if (datesIn(value).some(isOfInput)) leaks.push('a date');
  return [...new Set(leaks)].map((kind) => `${path}: ${kind}`);
}

function codeHits({ path, value }: TextLeaf, { values, search }: Against): string[] {
  const words = splitWords(value);
  const isName = words.some((word) => values.nameWords.has(word));
  const kinds = [...search(condensed(value), words), ...(isName ? ['a word of a name'] : [])];
  return [...new Set(kinds)].map((kind) => `${path}: ${kind}`);
}

const madeUpUrl = /^https:\/\/ehr\.example\.org\/[a-z]+\/\w{1,9}$/;

function wordHits(leaf: TextLeaf, { values, isOfDrugs }: Against): string[] {
  const { ids, nameWords, rows } = values;
  const value = leaf.value.replace(/@example\.org$/, '');
  if (isOfIds(leaf))
    return value.split(/[/#]/).some((part) => ids.has(part) && !isResourceType(part)) ? ['an identifier'] : [];
  const leaks = splitWords(value).some((word) => nameWords.has(word)) ? ['a word of a name'] : [];
  return rowsOf(value).some((row) => rows.has(row) && !isOfDrugs(row)) ? [...leaks, 'four words in a row'] : leaks;
}

// Drug names also occur in notes and in the request.
function drugRowsOf(after: readonly unknown[], { drugWords }: PrivateValues): ReadonlySet<string> {
  const texts = after.flatMap((resource) => [...textLeaves(resource)].filter(isDrugText).map(({ value }) => value));
  return new Set(texts.flatMap(rowsOf).filter((row) => isDrugRow(row.split(' '), drugWords)));
}

function isOfIds({ key }: TextLeaf): boolean {
  return key === 'id' || key === 'reference' || key === 'fullUrl' || key === 'order';
}

function rowsOf(text: string): string[] {
  const words = splitWords(text.replace(/<[^<>]{0,500}>/g, ' '));
  return words.slice(3).map((_, at) => words.slice(at, at + 4).join(' '));
}

function hasPiece(text: string, pieces: ReadonlySet<string>): boolean {
  if (pieces.size === 0) return false;
  for (let at = 0; at + pieceLength <= text.length; at++) if (pieces.has(text.slice(at, at + pieceLength))) return true;
  return false;
}

// The output may have the original date of the same place, moved. In `others` it may have any date of the input, moved.
function isShifted(date: string, was: string | undefined, dates: ReadonlySet<string>, shiftDays: number): boolean {
  if (date.length < 10) return was !== undefined && datesIn(was)[0] !== date;
  const origin = new Date(Date.parse(`${date}T12:00:00Z`) - shiftDays * 86_400_000).toISOString().slice(0, 10);
  return was === undefined ? dates.has(origin) : datesIn(was).includes(origin);
}

type Search = (bare: string, words: readonly string[]) => PrivateKind[];

const start = 6;

// Finds long values inside a text by their first characters. Finds short values only as one or more whole words.
function searchOf({ values }: PrivateValues): Search {
  const lengths = new Map<string, Set<number>>();
  for (const value of values.keys()) {
    const known = lengths.get(value.slice(0, start)) ?? new Set();
    if (value.length >= start) lengths.set(value.slice(0, start), known.add(value.length));
  }
  return (bare, words) =>
    [...longIn(bare, lengths, values), ...shortIn(words, values)].flatMap((value) => values.get(value) ?? []);
}

function longIn(
  bare: string,
  lengths: ReadonlyMap<string, ReadonlySet<number>>,
  values: ReadonlyMap<string, PrivateKind>,
): string[] {
  const found: string[] = [];
  for (let at = 0; at + start <= bare.length && found.length < 5; at++)
    for (const length of lengths.get(bare.slice(at, at + start)) ?? []) {
      const value = bare.slice(at, at + length);
      if (values.has(value)) found.push(value);
    }
  return found;
}

function shortIn(words: readonly string[], values: ReadonlyMap<string, PrivateKind>): string[] {
  return words.flatMap((word, at) => {
    const joined = [word, word + (words[at + 1] ?? ''), word + (words[at + 1] ?? '') + (words[at + 2] ?? '')];
    return joined.filter((one) => one.length < start && values.has(one));
  });
}

// If FHIR has no element of this name, even the name may come from the chart.
function keyLeaks(after: readonly unknown[], { nameWords, values }: PrivateValues): string[] {
  const keys = new Set<string>();
  const pending: unknown[] = [...after];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) keys.add(key);
      pending.push(inner);
    }
  }
  const isLeak = (key: string) =>
    !isElementKey(key) && (splitWords(key).some((word) => nameWords.has(word)) || values.has(condensed(key)));
  return [...keys].some(isLeak) ? ['bundle.json: the name of a property'] : [];
}
