import { elementWords } from '../fhir/element-words.ts';
import { type Refusal, refusals } from '../fhir/references/refusals.ts';
import { cleanText } from '../fhir/text/text.ts';
import { type Item, itemPlace } from '../fhirpath/item.ts';
import type { Unread } from './input.ts';
import type { Look, RefusedValue } from './result.ts';

export function refusedItem(why: Refusal, item: Item, words?: string): RefusedValue {
  const [value, source] = [elementWords(item.value), itemPlace(item)];
  return {
    why,
    ...(value === undefined ? {} : { value }),
    ...(source === undefined ? {} : { source }),
    ...(words === undefined ? {} : { words }),
  };
}

/** All values that the lookups found and refused, without duplicates and blank texts. */
export function refusedIn(looks: readonly Look[]): RefusedValue[] {
  const all = looks.flatMap(({ refused = [] }) => refused).filter(({ why }) => why !== 'blank');
  const keys = all.map(({ why, value, source, words }) => JSON.stringify([why, value, source?.resource, words]));
  return all.filter((_, at) => keys.indexOf(keys[at] ?? '') === at);
}

/**
 * The refusal in words for engineers: the role table's own words if it has any, otherwise the standard text for the
 * refusal.
 */
export function engineerWords({ why, words }: RefusedValue): string {
  return words ?? refusals[why].engineer;
}

/** An element that could not be read, with its texts, so that a person recognizes it. */
export function unreadRefused({ value, source }: Unread): RefusedValue {
  const words = unreadWords(value);
  return { why: 'not_read', source, ...(words === undefined ? {} : { value: words }) };
}

/** The texts of an element of unknown form; undefined if it has none. */
export function unreadWords(value: unknown): string | undefined {
  const words = [...new Set(textsIn(value))].join(', ').slice(0, longest);
  return words === '' ? undefined : words;
}

// The keys whose texts are shown; codes and systems are left out.
const shownKeys: ReadonlySet<string> = new Set('text display value unit family given line city reference'.split(' '));
const [longest, deepest] = [200, 6];

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [cleanText(String(value))];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => textsIn(item, depth + 1));
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'object' || shownKeys.has(key) ? textsIn(inner, depth + 1) : [],
  );
}
