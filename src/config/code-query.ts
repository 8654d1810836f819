/** The text that a person typed to find a code. */
export interface CodeQuery {
  /** The beginning of a code, with its dot; absent when the text cannot be a code. */
  readonly code?: string;
  /** Each word must begin a word of the title; in lower case. Empty if the text is too short to search for. */
  readonly words: readonly string[];
}

const mostWords = 8;

/**
 * Reads a typed text as words, of which at least one must have two letters. `m057` and `M05.7` are also read as the
 * beginning of a code.
 * @example codeQuery('seropos rheum') // { words: ['seropos', 'rheum'] }
 */
export function codeQuery(text: string): CodeQuery {
  const words = text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, mostWords);
  const code = codeBeginning(text);
  const usable = words.some((word) => word.length > 1) ? words : [];
  return code === undefined ? { words: usable } : { code, words: usable };
}

// A code needs at least a letter and a digit, since thousands of codes begin with the same letter.
function codeBeginning(text: string): string | undefined {
  const bare = text.trim().toUpperCase().replaceAll('.', '');
  if (!/^[A-Z]\d[0-9A-Z]{0,5}$/.test(bare)) return undefined;
  return bare.length <= 3 ? bare : `${bare.slice(0, 3)}.${bare.slice(3)}`;
}

/** Whether a code or its title matches the query. The rules are the same as in the store's search. */
export function matches({ code, title }: { readonly code: string; readonly title: string }, query: CodeQuery): boolean {
  if (query.code !== undefined && code.startsWith(query.code)) return true;
  if (query.words.length === 0) return false;
  const own = `${title} ${title.replaceAll(/['’]/g, '')}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return query.words.every((word) => own.some((one) => one.startsWith(word)));
}
