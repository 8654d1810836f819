type Known = Map<string, { readonly out: unknown }>;

let current: TextCache | undefined;

/**
 * The results of the functions of `memoized` for texts of charts, at most 2,000 for each function. It contains
 * patients' words, so the code that opens it must clear it regularly and close it at the end.
 */
class TextCache {
  private readonly known: Known[] = [];

  open(): Known {
    const results: Known = new Map();
    this.known.push(results);
    return results;
  }

  clear(): void {
    for (const results of this.known) results.clear();
  }

  /** No results are kept after this call, unless another cache was opened meanwhile. */
  close(): void {
    this.clear();
    if (current === this) current = undefined;
  }
}

export type { TextCache };

/**
 * Opens the cache that the mappings of this process (or worker thread) use from now on. Without a cache, every text is
 * read each time: the same results, but a chart takes longer.
 *
 * @example
 * const texts = openTextCache();
 * const timer = setInterval(() => texts.clear(), 60_000); // no patient's words are kept for more than a minute
 */
export function openTextCache(): TextCache {
  current = new TextCache();
  return current;
}

/**
 * Returns a pure function of a text that runs once for each text while a cache is open: charts contain the same few
 * drugs, units, directions and dates again and again. A text of more than 200 characters is read each time.
 *
 * @example const formOf = memoized((words) => readForm(words)); // the second formOf('Oral Tablet') looks it up
 */
export function memoized<Out>(read: (text: string) => Out): (text: string) => Out {
  let owner: TextCache | undefined;
  let known: Known = new Map();
  return (text) => {
    if (current === undefined || text.length > longest) return read(text);
    if (owner !== current) {
      owner = current;
      known = current.open();
    }
    const found = known.get(text);
    if (found !== undefined) return found.out as Out; // only this function writes to known
    const out = read(text);
    if (known.size >= most) known.clear();
    known.set(text, { out });
    return out;
  };
}

const [most, longest] = [2000, 200];
