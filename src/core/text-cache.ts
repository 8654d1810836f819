type Known = Map<string, { readonly out: unknown }>;

let current: TextCache | undefined;

/**
 * What the functions of `memoized` made of texts of charts, 2,000 results at most of each. It holds patients' words, so
 * it belongs to whoever opened it, who empties it as often as they promise and closes it at the end.
 */
class TextCache {
  private readonly known: Known[] = [];

  /** Where one function keeps its results. */
  open(): Known {
    const results: Known = new Map();
    this.known.push(results);
    return results;
  }

  clear(): void {
    for (const results of this.known) results.clear();
  }

  /** Nothing is kept from here on, unless another cache was opened meanwhile. */
  close(): void {
    this.clear();
    if (current === this) current = undefined;
  }
}

export type { TextCache };

/**
 * Opens the cache that the mappings of this process (or worker thread) use from here on. Without one every text is read
 * each time: the same results, and a chart takes longer.
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
 * A pure function of a text that is worked out once for each text while a cache is open: charts hold the same few
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
    if (found !== undefined) return found.out as Out; // what this function put there
    const out = read(text);
    if (known.size >= most) known.clear();
    known.set(text, { out });
    return out;
  };
}

const [most, longest] = [2000, 200];
