import { BlockFile, type Blocks, readBlocks } from './block-file.ts';
import type { DocumentReader } from './document-reader.ts';
import type { Temporary } from './temporary.ts';

/** Bytes that were put aside: in memory, or in a file once there are many. */
export type Spilled = { readonly bytes: Uint8Array } | Blocks;

interface Growing {
  /** The numbers of its blocks in the file. */
  readonly blocks: number[];
  bytes: Buffer;
  length: number;
}

/**
 * Several growing lists of bytes of which only the ends stay in memory. They share a file: an export has thousands of
 * lists, and creating a file takes as long as writing 100 KB.
 */
export class Spills {
  private readonly parts: Growing[];
  private readonly blockSize: number;
  private file: BlockFile | undefined;

  constructor(
    count: number,
    private readonly temporary: Temporary,
    memory = 8 << 20,
  ) {
    this.parts = Array.from({ length: count }, () => ({ blocks: [], bytes: Buffer.alloc(0), length: 0 }));
    this.blockSize = Math.max(1, Math.floor(memory / count));
  }

  /** Adds the bytes from `start` to `end`. */
  add(index: number, bytes: Uint8Array, start = 0, end = bytes.length): void {
    const part = this.parts[index];
    if (part === undefined) throw new RangeError('there is no such spill');
    for (let at = start; at < end; ) {
      const added = Math.min(end - at, this.blockSize - part.length);
      if (part.length + added > part.bytes.length) this.grow(part, part.length + added);
      copy(bytes, { start: at, end: at + added }, part.bytes, part.length);
      part.length += added;
      at += added;
      if (part.length === this.blockSize) this.write(part);
    }
  }

  /** Ends the adding. */
  end(): Spilled[] {
    const { blockSize } = this;
    const spilled = this.parts.map((part): Spilled => {
      const { blocks, length } = part;
      if (blocks.length === 0) return { bytes: new Uint8Array(part.bytes.subarray(0, length)) };
      const all = blocks.length * blockSize + length;
      return { path: this.write(part), blockSize, blocks, length: all };
    });
    this.close();
    return spilled;
  }

  /** Ends the adding to what is not read. */
  close(): void {
    this.file?.end();
  }

  /** Writes what is in memory, if anything is; the path of the file. */
  private write(part: Growing): string {
    this.file ??= new BlockFile(this.temporary.path(), this.blockSize);
    if (part.length > 0) part.blocks.push(this.file.add(part.bytes.subarray(0, this.blockSize)));
    part.length = 0;
    return this.file.path;
  }

  private grow(part: Growing, needed: number): void {
    const larger = Buffer.allocUnsafe(Math.min(this.blockSize, Math.max(1024, part.bytes.length * 2, needed)));
    part.bytes.copy(larger, 0, 0, part.length);
    part.bytes = larger;
  }
}

/** Most of what is added is shorter than what a call of `set` costs. */
const fewBytes = 100;

function copy(
  from: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  to: Uint8Array,
  place: number,
): void {
  if (end - start > fewBytes) to.set(from.subarray(start, end), place);
  else for (let at = start; at < end; at += 1) to[place + at - start] = from[at] ?? 0;
}

/** What was put aside, in memory of its own or, where a reader is given, in that of the reader. */
export function readSpilled(spilled: Spilled, reader?: DocumentReader): Buffer {
  if ('bytes' in spilled) return Buffer.from(spilled.bytes.buffer, spilled.bytes.byteOffset, spilled.bytes.byteLength);
  const bytes = reader?.room(spilled.length) ?? Buffer.allocUnsafeSlow(spilled.length);
  readBlocks(spilled, bytes);
  return bytes;
}
