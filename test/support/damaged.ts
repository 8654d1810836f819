const odd: readonly unknown[] = [
  undefined,
  null,
  '',
  ' x',
  'x',
  '1234567890',
  0,
  -1,
  1.5,
  2 ** 60,
  Number.NaN,
  true,
  [],
  {},
];

/** The value with one of its parts taken away, replaced, or written last. */
export function* damaged(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const rest = Array.isArray(value) ? [...value] : { ...value };
    const inner: unknown = Reflect.get(value, key);
    const beside = (other: unknown) =>
      Array.isArray(rest) ? rest.with(Number(key), other) : { ...rest, [key]: other };
    for (const one of odd) yield beside(one);
    for (const one of damaged(inner)) yield beside(one);
    if (Array.isArray(rest)) continue;
    const { [key]: _, ...others } = rest as Record<string, unknown>;
    yield others;
    yield { ...others, [key]: inner };
  }
  if (!Array.isArray(value)) yield { ...value, added: 1 };
}
