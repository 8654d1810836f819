import type { Seals } from './seals.ts';

/**
 * Finds a patient or a drug without a plain name in the database: each word has keyed marks of its prefixes. The key
 * never rotates, so rekey does not change the marks. They are deleted with their row when a patient is erased. Prefixes
 * have at least three letters, and marks depend on the site. So someone with the database and without the key sees that
 * some rows share a prefix, but not which one, and cannot compare sites. A mark has 96 bits, enough to tell words
 * apart.
 */
const shortest = 3;
const longest = 12;
const mostWords = 64;
const mostAsked = 32;

/** Returns the marks by which searches find a line. */
export function marksOf({ mark }: Pick<Seals, 'mark'>, site: string, texts: readonly string[]): string[] {
  const words = [...new Set(texts.flatMap(wordsOf))];
  const beginnings = words.slice(0, mostWords).flatMap(beginningsOf);
  return [...new Set(beginnings)].map((each) => markOf(mark, site, each));
}

/**
 * Returns the marks that a line must have to match the search; undefined if the search has no word. A word of fewer
 * than three letters matches only as a whole word.
 */
export function searchMarks({ mark }: Pick<Seals, 'mark'>, site: string, search: string): string[] | undefined {
  const words = wordsOf(search).slice(0, mostAsked);
  return words.length === 0 ? undefined : words.map((word) => markOf(mark, site, word.slice(0, longest)));
}

// Accents are removed from names and searches alike, since many people type none.
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
