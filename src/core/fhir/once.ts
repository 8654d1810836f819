/**
 * Returns a function that computes its value on the first call and keeps it.
 *
 * @example const problems = once(() => problemsOf(facts)); // problems() reads the chart at the first call only
 */
export function once<T>(work: () => T): () => T {
  let done: { readonly value: T } | undefined;
  return () => {
    done ??= { value: work() };
    return done.value;
  };
}
