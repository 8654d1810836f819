const longestMs = 60_000;

const known = new WeakMap<object, Map<string, { readonly by: string; readonly at: number; readonly value: unknown }>>();

/**
 * The value that `make` returns, or returned for the same source less than a minute ago. It may depend on `source`, on
 * the content of `by`, and on the time to the minute. One value per name is cached, as long as its source exists.
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
  if (before?.by === by && age >= 0 && age < longestMs) return before.value; // made under this name, by the same caller
  const value = make();
  ofSource.set(name, { by, at: now.getTime(), value });
  return value;
}
