/** Where a value begins in a JSON text. Line and column count from 1. */
export interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

export interface JsonPlaces {
  /** The place of the value at a path of keys and indexes, or of the nearest enclosing value that the text has. */
  readonly at: (path: readonly PropertyKey[]) => JsonPlace;
  /** Paths of keys that an object has twice. */
  readonly repeated: readonly (readonly PropertyKey[])[];
  /** Paths of keys named `__proto__`, which object readers drop. */
  readonly prototypes: readonly (readonly PropertyKey[])[];
}

/** The text is not JSON. `place` is the first error. */
export class JsonMistake extends Error {
  override readonly name = 'JsonMistake';
  constructor(
    readonly place: JsonPlace,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * The places of all values of a JSON text (RFC 8259). Throws JsonMistake for any other text.
 * @example placesOf('{\n  "a": [1, 2]\n}').at(['a', 1]) // { line: 2, column: 12 }
 */
export function placesOf(text: string): JsonPlaces {
  const reader = new Reader(text);
  reader.whole();
  const { offsets, repeated, prototypes } = reader;
  const offsetOf = (path: readonly PropertyKey[]): number =>
    offsets.get(keyOf(path)) ?? (path.length === 0 ? 0 : offsetOf(path.slice(0, -1)));
  return { repeated, prototypes, at: (path) => placeAt(text, offsetOf(path)) };
}

function placeAt(text: string, offset: number): JsonPlace {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

function keyOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path);
}

// No valid file is nested deeper.
const deepest = 40;

class Reader {
  readonly offsets = new Map<string, number>();
  readonly repeated: (readonly PropertyKey[])[] = [];
  readonly prototypes: (readonly PropertyKey[])[] = [];
  private at = 0;

  constructor(private readonly text: string) {}

  whole(): void {
    this.value([]);
    if (this.at < this.text.length) this.fail('the end of the file is expected');
  }

  private value(path: readonly PropertyKey[]): void {
    if (path.length > deepest) this.fail('it is nested too deeply');
    this.blanks();
    this.offsets.set(keyOf(path), this.at);
    const first = this.text[this.at];
    if (first === '{') this.list('}', () => this.member(path));
    else if (first === '[') this.list(']', (index) => this.value([...path, index]));
    else if (first === '"') this.string();
    else this.word();
    this.blanks();
  }

  private list(end: string, item: (index: number) => void): void {
    this.at += 1;
    this.blanks();
    for (let index = 0; this.text[this.at] !== end; index += 1) {
      if (index > 0) this.expect(',');
      item(index);
      if (this.text[this.at] !== ',' && this.text[this.at] !== end) this.fail(`a comma or ${end} is expected`);
    }
    this.at += 1;
  }

  private member(path: readonly PropertyKey[]): void {
    this.blanks();
    const start = this.at;
    if (this.text[start] !== '"') this.fail('a key in quotes is expected');
    const inner = [...path, this.string()];
    if (this.offsets.has(keyOf(inner))) this.repeated.push(inner);
    if (inner.at(-1) === '__proto__') this.prototypes.push(inner);
    this.blanks();
    this.expect(':');
    this.value(inner);
    // An object or list has the place of its key, because a reader of the file looks for the key.
    const begins = this.text[this.offsets.get(keyOf(inner)) ?? start];
    if (begins === '{' || begins === '[') this.offsets.set(keyOf(inner), start);
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at += 1;
    try {
      return String(JSON.parse(this.text.slice(start, this.at)));
    } catch {
      this.at = start;
      return this.fail('this text does not end, or has a character that must be escaped');
    }
  }

  private word(): void {
    const start = this.at;
    while (/[\w+.-]/.test(this.text[this.at] ?? '')) this.at += 1;
    if (/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(this.text.slice(start, this.at)))
      return;
    this.at = start;
    this.fail(start >= this.text.length ? 'the file ends too early' : 'a value is expected');
  }

  private expect(sign: string): void {
    if (this.text[this.at] !== sign) this.fail(`${sign} is expected`);
    this.at += 1;
    this.blanks();
  }

  private blanks(): void {
    while (/[ \t\r\n]/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private fail(reason: string): never {
    throw new JsonMistake(placeAt(this.text, this.at), reason);
  }
}
