/**
 * A function that works its value out when it is first called, and keeps it.
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
