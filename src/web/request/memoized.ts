const longestMs = 60_000;

const known = new WeakMap<object, Map<string, { readonly by: string; readonly at: number; readonly value: unknown }>>();

/**
 * What `make` gives, or gave less than a minute ago of the same reading: it depends on `source` and on what `by` says
 * alone, and on the time no more than by the minute. One of each name is kept, as long as `source` is.
 */
export function workedOut<T>(
  source: object,
  { name, by = '', now }: { readonly name: string; readonly by?: string; readonly now: Date },
  make: () => T,
): T {
  const ofSource = known.get(source) ?? new Map();
  known.set(source, ofSource);
  const before = ofSource.get(name);
  const age = before === undefined ? Number.NaN : now.getTime() - before.at;
  if (before?.by === by && age >= 0 && age < longestMs) return before.value; // made under this name, by the same caller
  const value = make();
  ofSource.set(name, { by, at: now.getTime(), value });
  return value;
}
