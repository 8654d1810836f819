/** Bytes of a document: from `start` up to but not including `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the values at these paths stand in the bytes of a JSON document, so that each can be read again alone. Paths
 * are those of `readBundle`: `entry[3].resource`; none of them leads into another one. The bytes must be valid JSON; of
 * a key that stands twice the last one counts, as for JSON.parse.
 */
export function spansOf(bytes: Buffer, paths: ReadonlySet<string>): ReadonlyMap<string, Span> {
  const scanner = new Scanner(bytes, paths);
  scanner.value('', 0);
  return scanner.spans;
}

const byteOrderMark = Buffer.from('\uFEFF');
/** No wanted path leads deeper; what is nested without end would end the stack. */
const deepest = 64;
const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const [listStart, listEnd, objectStart, objectEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

class Scanner {
  readonly spans = new Map<string, Span>();
  private at: number;

  constructor(
    private readonly bytes: Buffer,
    private readonly paths: ReadonlySet<string>,
  ) {
    this.at = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  }

  value(path: string, depth: number): void {
    this.skipBlanks();
    const start = this.at;
    const first = this.bytes[start];
    const isWhole = this.paths.has(path) || depth > deepest;
    if (!isWhole && first === objectStart) this.object(path, depth);
    else if (!isWhole && first === listStart) this.list(path, depth);
    else this.skipValue();
    if (this.paths.has(path)) this.spans.set(path, { start, end: this.at });
  }

  private object(path: string, depth: number): void {
    for (this.at += 1; this.skipBlanks() !== objectEnd; ) {
      const key = this.key();
      this.skipBlanks();
      this.at += 1; // the colon
      this.value(path === '' ? key : `${path}.${key}`, depth + 1);
      if (this.skipBlanks() === comma) this.at += 1;
    }
    this.at += 1;
  }

  private list(path: string, depth: number): void {
    this.at += 1;
    for (let index = 0; this.skipBlanks() !== listEnd; index += 1) {
      this.value(`${path}[${index}]`, depth + 1);
      if (this.skipBlanks() === comma) this.at += 1;
    }
    this.at += 1;
  }

  private key(): string {
    const start = this.at;
    this.skipString();
    return String(JSON.parse(this.bytes.toString('utf8', start, this.at)));
  }

  // Of what is inside only the depth counts.
  private skipValue(): void {
    let depth = 0;
    for (; this.at < this.bytes.length; this.at += 1) {
      const byte = this.bytes[this.at];
      if (byte === quote) {
        this.skipString();
        this.at -= 1;
      } else if (byte === objectStart || byte === listStart) depth += 1;
      else if (byte === objectEnd || byte === listEnd) depth -= 1;
      const ends = depth === 0 && (byte === quote || byte === objectEnd || byte === listEnd);
      if (ends) {
        this.at += 1;
        return;
      }
      if (depth < 0 || (depth === 0 && (byte === comma || isBlank(byte)))) return;
    }
  }

  private skipString(): void {
    for (this.at += 1; this.bytes[this.at] !== quote && this.at < this.bytes.length; this.at += 1)
      if (this.bytes[this.at] === backslash) this.at += 1;
    this.at += 1;
  }

  private skipBlanks(): number | undefined {
    while (isBlank(this.bytes[this.at])) this.at += 1;
    if (this.at >= this.bytes.length) throw new RangeError('the JSON ends too early');
    return this.bytes[this.at];
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
