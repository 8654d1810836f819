/** Keeps what was made last, up to so many bytes of what it was made from. */
export class LastRead<Value> {
  private readonly values = new Map<number, { readonly value: Value; readonly bytes: number }>();
  private held = 0;

  constructor(private readonly most: number) {}

  /** What was made under the key, or `make` now; `bytes` says how large that is. */
  get(key: number, bytes: number, make: () => Value): Value {
    const known = this.values.get(key);
    if (known !== undefined) {
      this.values.delete(key);
      this.values.set(key, known);
      return known.value;
    }
    const value = make();
    this.values.set(key, { value, bytes });
    this.held += bytes;
    for (const [oldest, { bytes: freed }] of this.values) {
      if (this.held <= this.most) break;
      this.values.delete(oldest);
      this.held -= freed;
    }
    return value;
  }
}
