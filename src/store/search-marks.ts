import type { Seals } from './seals.ts';

/**
 * How a patient or a drug is found without a plain name in the database: each word has keyed marks of its beginnings.
 * The key is the one that never rotates, so rekey leaves them, and they go with their row when a patient is erased.
 * Marks begin at three letters and are bound to the site: who has the database without the key sees that some rows
 * share a beginning, not which, and cannot compare two sites. A mark is cut to 96 bits, which tells words apart.
 */
const shortest = 3;
const longest = 12;
const mostWords = 64;
const mostAsked = 32;

/** The marks under which a line is found. */
export function marksOf({ mark }: Pick<Seals, 'mark'>, site: string, texts: readonly string[]): string[] {
  const words = [...new Set(texts.flatMap(wordsOf))];
  const beginnings = words.slice(0, mostWords).flatMap(beginningsOf);
  return [...new Set(beginnings)].map((each) => markOf(mark, site, each));
}

/**
 * The marks that a line must have to fit the search; undefined when it has no word of at least three letters, or a
 * whole one.
 */
export function searchMarks({ mark }: Pick<Seals, 'mark'>, site: string, search: string): string[] | undefined {
  const words = wordsOf(search).slice(0, mostAsked);
  return words.length === 0 ? undefined : words.map((word) => markOf(mark, site, word.slice(0, longest)));
}

// Letters and digits as a keyboard without accents writes them.
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
