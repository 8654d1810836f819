import { structureModule } from './structure.generated.ts';

/** What stands at a mark. */
export const markKinds = { open: 0, close: 1, type: 2, none: 3 } as const;

/** Bytes that are looked at in one go; with their marks they fit into a core's own cache. */
const blockLength = 1 << 16;
/** Bytes before and after a block that are seen with it: `resourceType` may stand across its border. */
const around = 64;
const marksStart = blockLength + 2 * around;

/**
 * Walks the brackets of the four outermost levels of a JSON text, and the places on the fourth where a string ends in
 * `resourceType"`, in their order. Strings are respected; whether the rest is JSON is not seen. One text at a time: the
 * next one takes the place of the last.
 */
export class Structure {
  /** Where the mark stands; of a type, where its letter T does. The end of the text after the last one. */
  at = 0;
  /** One of `markKinds`; none after the last mark. */
  kind: number = markKinds.none;
  /** 1 for the outermost brackets; 0 after the last mark. */
  level = 0;

  private readonly scanner = theScanner();
  private base = 0;
  private scanned = 0;
  private next = 0;
  private count = 0;

  constructor(private readonly bytes: Buffer) {
    this.scanner.reset();
    this.advance();
  }

  /** Goes to the next mark. */
  advance(): void {
    while (this.next === this.count) {
      if (this.scanned >= this.bytes.length) {
        this.at = this.bytes.length;
        this.kind = markKinds.none;
        this.level = 0;
        return;
      }
      this.base = this.scanned;
      this.scanned = Math.min(this.base + blockLength, this.bytes.length);
      this.count = this.scanner.scan(this.bytes, this.base, this.scanned);
      this.next = 0;
    }
    const mark = this.scanner.marks[this.next] ?? 0;
    this.next += 1;
    this.at = this.base + (mark & 0xfffff);
    this.kind = mark >> 24;
    this.level = (mark >> 20) & 0xf;
  }

  /** Whether some string so far spells an ASCII letter with an escape: it may be a key that reads otherwise. */
  get isSpelled(): boolean {
    return this.scanner.isSpelled;
  }
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly depth: WebAssembly.Global<'i32'>;
  readonly string: WebAssembly.Global<'i64'>;
  readonly escaped: WebAssembly.Global<'i64'>;
  readonly spelled: WebAssembly.Global<'i32'>;
  readonly scan: (start: number, length: number, marks: number) => number;
}

class Scanner {
  readonly marks: Int32Array;
  private readonly block: Uint8Array;
  private readonly exports: Exports;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(structureModule, 'base64')));
    this.exports = exports as unknown as Exports;
    const { buffer } = this.exports.memory;
    this.block = new Uint8Array(buffer, 0, marksStart);
    this.marks = new Int32Array(buffer, marksStart);
  }

  get isSpelled(): boolean {
    return this.exports.spelled.value !== 0;
  }

  reset(): void {
    this.exports.depth.value = 0;
    this.exports.string.value = 0n;
    this.exports.escaped.value = 0n;
    this.exports.spelled.value = 0;
  }

  /** How many marks stand between two places. */
  scan(bytes: Buffer, start: number, end: number): number {
    const from = Math.max(0, start - around);
    const to = Math.min(bytes.length, end + around);
    this.block.set(bytes.subarray(from, to), around - (start - from));
    // What an earlier block left there is no part of this one.
    if (from === start) this.block.fill(0, 0, around);
    if (to < end + around) this.block.fill(0, around + (to - start));
    return this.exports.scan(around, end - start, marksStart);
  }
}

let scanner: Scanner | undefined;

function theScanner(): Scanner {
  scanner ??= new Scanner();
  return scanner;
}
