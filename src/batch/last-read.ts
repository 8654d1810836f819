/** Keeps what was made last, up to so many bytes of what it was made from. */
export class LastRead<Value extends object> {
  private recent = new Map<number, Value>();
  private before = new Map<number, Value>();
  private held = 0;

  constructor(private readonly most: number) {}

  /** What was made under the key, or `make` now; `bytes` says how large that is. */
  get(key: number, bytes: number, make: () => Value): Value {
    const known = this.recent.get(key);
    if (known !== undefined) return known;
    const value = this.before.get(key) ?? make();
    this.recent.set(key, value);
    this.held += bytes;
    // Half of what may be kept is let go at once: to keep the order of all, each look would have to write.
    if (this.held > this.most / 2) [this.before, this.recent, this.held] = [this.recent, new Map(), 0];
    return value;
  }
}
