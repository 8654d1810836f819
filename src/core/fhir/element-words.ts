import { isObject } from './is-object.ts';
import { cleanText } from './text/text.ts';

// In characters: long enough to recognize a value.
const longest = 200;

/**
 * A value of a chart in a few words, for a person to recognize; undefined for a value without words.
 *
 * @example elementWords({ value: 4, unit: 'syringe' }) // '4 syringe'
 * @example elementWords({ line: ['1 Main St'], city: 'Springfield', state: 'IL' }) // '1 Main St, Springfield, IL'
 */
export function elementWords(value: unknown): string | undefined {
  const words = cleanText(wordsOf(value)?.slice(0, 2 * longest) ?? '');
  if (words === '') return undefined;
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}

function wordsOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  // A resource is shown by its reference, not in words.
  if (!isObject(value) || 'resourceType' in value) return undefined;
  for (const read of readers) {
    const words = read(value);
    if (words !== undefined && words !== '') return words;
  }
  return undefined;
}

type Element = Readonly<Record<string, unknown>>;

// Each reader recognizes a type by elements that only this type has; an element's own text is preferred.
const readers: readonly ((element: Element) => string | undefined)[] = [
  ({ text }) => (typeof text === 'string' ? text : undefined),
  ({ given, family }) => joined(' ', [given, family]),
  ({ line, city, state, postalCode }) => joined(', ', [line, city, state, postalCode]),
  ({ numerator, denominator }) => joined(' per ', [wordsOf(numerator), wordsOf(denominator)]),
  ({ comparator, value, unit, code }) => joined(' ', [comparator, value, unit ?? code]),
  ({ coding }) => (Array.isArray(coding) ? coding.map(wordsOf).find((words) => words !== undefined) : undefined),
  ({ display, code }) => joined('', [display ?? code]),
  ({ identifier }) => (isObject(identifier) ? wordsOf(identifier) : undefined),
];

function joined(between: string, parts: readonly unknown[]): string | undefined {
  const texts = parts.flat().filter((part) => typeof part === 'string' || typeof part === 'number');
  return texts.length === 0 ? undefined : texts.join(between);
}
