const longestMs = 60_000;

const known = new WeakMap<object, Map<string, { readonly by: string; readonly at: number; readonly value: unknown }>>();

/**
 * Caches the value of `make` for a minute. The value may depend only on `source`, `by` and the minute of `now`. Each
 * source has one value per name, which is released together with the source.
 */
export function cached<T>(
  source: object,
  { name, by = '', now }: { readonly name: string; readonly by?: string; readonly now: Date },
  make: () => T,
): T {
  const ofSource = known.get(source) ?? new Map();
  known.set(source, ofSource);
  const before = ofSource.get(name);
  const age = before === undefined ? Number.NaN : now.getTime() - before.at;
  if (before?.by === by && age >= 0 && age < longestMs) return before.value;
  const value = make();
  ofSource.set(name, { by, at: now.getTime(), value });
  return value;
}
