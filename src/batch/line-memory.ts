import { isUtf8 } from 'node:buffer';
import { readSync } from 'node:fs';
import { lineScanModule } from './line-scan.generated.ts';
import type { RecordKind } from './records.ts';

/** What `run` stops for: the end of the lines, and what has to be told of the last one. */
export const tells = { end: 0, left: 1, address: 2, unread: 3, type: 4, full: 5 } as const;

/** What is done with a line of a type. */
export const todos = { leave: 0, count: 1, tell: 2, patient: 3, owned: 4, plain: 5 } as const;

export interface KnownType {
  /** Of at most 40 bytes. */
  readonly name: string;
  /** The property that holds the patient; empty for none. */
  readonly property: string;
  /** One of `todos`. */
  readonly todo: number;
  readonly kind: RecordKind;
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly types: WebAssembly.Global<'i32'>;
  readonly start: WebAssembly.Global<'i32'>;
  readonly end: WebAssembly.Global<'i32'>;
  readonly line: WebAssembly.Global<'i32'>;
  readonly next: WebAssembly.Global<'i32'>;
  readonly textStart: WebAssembly.Global<'i32'>;
  readonly textEnd: WebAssembly.Global<'i32'>;
  readonly record: WebAssembly.Global<'i32'>;
  readonly piece: WebAssembly.Global<'i32'>;
  readonly base: WebAssembly.Global<'f64'>;
  readonly run: (to: number) => number;
  readonly leave: () => void;
  readonly count: () => void;
}

const none: readonly number[] = [];
const newline = 0x0a;
/** As line-scan.wat divides its memory. */
const [typeSize, recordsStart, textStart] = [128, 0x4000, 0x20000];
/** Bytes behind the text that may be looked at with it. */
const around = 64;
/** Stays in a core's own cache. */
const readAtOnce = 256 << 10;
/** The end of the last line of a range is seldom far behind it. */
const readBehind = 16 << 10;
const largeMemory = 32 << 20;

/** The memory that lines are read into and looked at in. Places in it count from the first byte of the text. */
export class LineMemory {
  private readonly exports: Exports;
  private bytes: Buffer;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(lineScanModule, 'base64')));
    this.exports = exports as unknown as Exports;
    this.bytes = Buffer.from(this.exports.memory.buffer);
  }

  /** Whether it grew for a long line. */
  get isLarge(): boolean {
    return this.bytes.length > largeMemory;
  }

  /** How many lines of the piece were looked at. */
  get lines(): number {
    return this.exports.line.value;
  }

  /** Where the line begins that was looked at last. */
  get start(): number {
    return this.exports.start.value - textStart;
  }

  begin(piece: number): void {
    const { exports } = this;
    exports.piece.value = piece;
    exports.line.value = 0;
    this.takeCounts(); // of a piece that could not be read to its end
  }

  /** Reads what comes next of a range that ends at `end`; how many bytes, 0 at the end of the file. */
  fill(file: number, { at, offset, end }: { at: number; offset: number; end: number }): number {
    const wanted = Math.min(readAtOnce, offset < end ? end - offset : readBehind);
    if (textStart + at + wanted + around > this.bytes.length) this.grow();
    return readSync(file, this.bytes, textStart + at, wanted, offset);
  }

  /** To twice its size: what stands in it is copied seldom. */
  private grow(): void {
    const { memory } = this.exports;
    memory.grow(memory.buffer.byteLength / (1 << 16));
    this.bytes = Buffer.from(memory.buffer);
  }

  /** Behind the last line end between two places; 0 where there is none. */
  lastLineEnd(from: number, to: number): number {
    const found = this.bytes.subarray(textStart + from, textStart + to).lastIndexOf(newline);
    return found === -1 ? 0 : from + found + 1;
  }

  /** Behind the first line end before a place; the place where there is none. */
  firstLineEnd(to: number): number {
    const found = this.bytes.subarray(textStart, textStart + to).indexOf(newline);
    return found === -1 ? to : found + 1;
  }

  /**
   * The lines that begin between two places and are not UTF-8, counted from 1 there. Hardly ever is there one, and all
   * are seen at once.
   */
  linesNotUtf8(from: number, to: number): readonly number[] {
    if (from >= to || this.isUtf8(from, this.lineEndAt(to - 1))) return none;
    const found: number[] = [];
    for (let [line, at] = [1, from]; at < to; line += 1) {
      const end = this.lineEndAt(at);
      if (!this.isUtf8(at, end)) found.push(line);
      at = end;
    }
    return found;
  }

  private isUtf8(from: number, to: number): boolean {
    return isUtf8(this.bytes.subarray(textStart + from, textStart + to));
  }

  /** Behind the end of the line that a place stands in. */
  private lineEndAt(at: number): number {
    return this.bytes.indexOf(newline, textStart + at) + 1 - textStart;
  }

  /** The text ends at a place, whether a line ends there or not. */
  endLine(at: number): void {
    this.bytes[textStart + at] = newline;
  }

  /** Goes to a line; the text stands at an offset of the file. */
  place(first: number, offset: number): void {
    this.exports.next.value = textStart + first;
    this.exports.base.value = offset - textStart;
  }

  /** Looks at lines that begin before a place, up to one of which something has to be told: one of `tells`. */
  run(to: number): number {
    return this.exports.run(textStart + to);
  }

  /** Records of the lines that were looked at since the last call, as `RecordWriter` writes them. */
  takeRecords(): Uint8Array {
    const { record } = this.exports;
    const records = this.bytes.subarray(recordsStart, record.value);
    record.value = recordsStart;
    return records;
  }

  /** The line that was looked at last, without its end. */
  line(): Buffer {
    return this.bytes.subarray(this.exports.start.value, this.exports.end.value);
  }

  /** The address that was told. */
  text(): string {
    return this.bytes.toString('latin1', this.exports.textStart.value, this.exports.textEnd.value);
  }

  /** The name of the type that was told; undefined where it is none. */
  name(): string | undefined {
    const at = this.exports.textStart.value;
    return /^[^"\n]{0,40}(?=")/.exec(this.bytes.toString('latin1', at, at + 41))?.[0];
  }

  /** Goes behind the line whose type was told. */
  leave(): void {
    this.exports.leave();
  }

  /** Counts the line that was told, of a type that nobody reads. */
  count(): void {
    this.exports.count();
  }

  /** What is done from now on with lines of a type. */
  know({ name, property, todo, kind }: KnownType): void {
    const { bytes } = this;
    const at = this.exports.types.value * typeSize;
    const needle = property === '' ? '' : `${property}":`;
    const last = needle.slice(-8);
    bytes.writeInt32LE(name.length, at);
    bytes.writeInt32LE(needle.length, at + 4);
    bytes.writeInt32LE(name.length * 31 + name.charCodeAt(0), at + 8);
    bytes.writeInt32LE(todo, at + 12);
    bytes.writeInt32LE(kind, at + 16);
    bytes.writeInt32LE(0, at + 20);
    bytes.write(name, at + 32, 'latin1');
    bytes.write(needle, at + 80, 'latin1');
    bytes.write(last.padStart(8, '\0'), at + 112, 'latin1');
    bytes.fill(0, at + 120, at + 128 - last.length);
    bytes.fill(0xff, at + 128 - last.length, at + 128);
    this.exports.types.value += 1;
  }

  /** How many lines of each type were counted since the last call, in the order in which types were made known. */
  takeCounts(): number[] {
    const { bytes } = this;
    return Array.from({ length: this.exports.types.value }, (_, type) => {
      const at = type * typeSize + 20;
      const count = bytes.readInt32LE(at);
      bytes.writeInt32LE(0, at);
      return count;
    });
  }

  /** Takes what stands behind a place to the beginning. */
  keep(from: number, to: number): void {
    this.bytes.copyWithin(textStart, textStart + from, textStart + to);
  }
}
