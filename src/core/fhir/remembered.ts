/**
 * A pure reading of texts that is worked out once for each: charts hold the same few drugs, units, directions and dates
 * again and again. It keeps 2,000 readings at most; a text of more than 200 characters is read each time.
 *
 * @example const formOf = remembered((words) => readForm(words)); // the second formOf('Oral Tablet') looks it up
 */
export function remembered<Out>(read: (text: string) => Out): (text: string) => Out {
  const known = new Map<string, { readonly out: Out }>();
  return (text) => {
    if (text.length > longest) return read(text);
    const found = known.get(text);
    if (found !== undefined) return found.out;
    if (known.size >= most) known.clear();
    const out = read(text);
    known.set(text, { out });
    return out;
  };
}

const [most, longest] = [2000, 200];
