/** Where a value of a JSON text begins: lines and columns from 1. */
export interface JsonPlace {
  readonly line: number;
  readonly column: number;
}

export interface JsonPlaces {
  /** The place of the value at a path of keys and indexes; of the nearest one around it where the text has none. */
  readonly at: (path: readonly PropertyKey[]) => JsonPlace;
  /** Paths of keys that an object has twice. */
  readonly repeated: readonly (readonly PropertyKey[])[];
}

/**
 * The places of all values of a JSON text. The text must be one that `JSON.parse` takes.
 * @example placesOf('{\n  "a": [1, 2]\n}').at(['a', 1]) // { line: 2, column: 12 }
 */
export function placesOf(text: string): JsonPlaces {
  const offsets = new Map<string, number>();
  const repeated: (readonly PropertyKey[])[] = [];
  const reader = new Reader(text, offsets, repeated);
  reader.value([]);
  return {
    repeated,
    at: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const offset = offsets.get(keyOf(path.slice(0, length)));
        if (offset !== undefined) return placeAt(text, offset);
      }
      return { line: 1, column: 1 };
    },
  };
}

/** Line and column of an offset. */
export function placeAt(text: string, offset: number): JsonPlace {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

function keyOf(path: readonly PropertyKey[]): string {
  return JSON.stringify(path);
}

// Only as much of a parser as finds places: JSON.parse has refused everything else.
class Reader {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly offsets: Map<string, number>,
    private readonly repeated: (readonly PropertyKey[])[],
  ) {}

  value(path: readonly PropertyKey[]): void {
    this.blanks();
    this.offsets.set(keyOf(path), this.at);
    const first = this.text[this.at];
    if (first === '{') this.object(path);
    else if (first === '[') this.array(path);
    else if (first === '"') this.string();
    else this.word();
  }

  private object(path: readonly PropertyKey[]): void {
    const seen = new Set<string>();
    this.at += 1;
    this.blanks();
    while (this.text[this.at] !== '}') {
      const start = this.at;
      const key = JSON.parse(this.string()) as string; // a key of an object is a string
      if (seen.has(key)) this.repeated.push([...path, key]);
      seen.add(key);
      this.separator();
      this.value([...path, key]);
      // Of a part, the key is what a person looks for.
      const isPart = /[[{]/.test(this.text[this.offsets.get(keyOf([...path, key])) ?? start] ?? '');
      if (isPart) this.offsets.set(keyOf([...path, key]), start);
      this.separator();
    }
    this.at += 1;
  }

  private array(path: readonly PropertyKey[]): void {
    this.at += 1;
    this.blanks();
    for (let index = 0; this.text[this.at] !== ']'; index += 1) {
      this.value([...path, index]);
      this.separator();
    }
    this.at += 1;
  }

  private string(): string {
    const start = this.at;
    this.at += 1;
    while (this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at += 1;
    return this.text.slice(start, this.at);
  }

  private word(): void {
    while (this.at < this.text.length && !/[\s,\]}]/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private separator(): void {
    this.blanks();
    if (this.text[this.at] === ',' || this.text[this.at] === ':') this.at += 1;
    this.blanks();
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }
}
