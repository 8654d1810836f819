import type { Seals } from './seals.ts';

/**
 * How a patient or a drug is found without a plain name in the database: each word has keyed marks of its prefixes. The
 * key never rotates, so rekey leaves the marks unchanged, and they are removed with their row when a patient is erased.
 * Prefixes have at least three letters, and marks are bound to the site: someone who has the database without the key
 * sees that some rows share a prefix, but not which prefix, and cannot compare two sites. A mark is cut to 96 bits,
 * which is enough to distinguish words.
 */
const shortest = 3;
const longest = 12;
const mostWords = 64;
const mostAsked = 32;

/** The marks that a search can match for a line. */
export function marksOf({ mark }: Pick<Seals, 'mark'>, site: string, texts: readonly string[]): string[] {
  const words = [...new Set(texts.flatMap(wordsOf))];
  const beginnings = words.slice(0, mostWords).flatMap(beginningsOf);
  return [...new Set(beginnings)].map((each) => markOf(mark, site, each));
}

/**
 * The marks that a line must have to match the search; undefined if the search has no word. A word of fewer than three
 * letters matches only the same whole word.
 */
export function searchMarks({ mark }: Pick<Seals, 'mark'>, site: string, search: string): string[] | undefined {
  const words = wordsOf(search).slice(0, mostAsked);
  return words.length === 0 ? undefined : words.map((word) => markOf(mark, site, word.slice(0, longest)));
}

// Letters and digits as typed on a keyboard without accents.
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function beginningsOf(word: string): string[] {
  if (word.length <= shortest) return [word];
  const end = Math.min(word.length, longest);
  return Array.from({ length: end - shortest + 1 }, (_, index) => word.slice(0, shortest + index));
}

function markOf(mark: Seals['mark'], site: string, beginning: string): string {
  return mark(`word|${site}|${beginning}`).slice(0, 16);
}
