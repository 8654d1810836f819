import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Blocks that wait to be written together. */
const bytesTogether = 1 << 20;

/** A new file of blocks of one size, numbered as they come. Only its owner can read it. */
export class BlockFile {
  private readonly file: number;
  private readonly waiting: Buffer;
  private length = 0;
  private count = 0;

  constructor(
    readonly path: string,
    private readonly blockSize: number,
  ) {
    this.file = openSync(path, 'wx', 0o600);
    this.waiting = Buffer.allocUnsafeSlow(Math.max(1, Math.floor(bytesTogether / blockSize)) * blockSize);
  }

  /** The number of the block in the file. */
  add(block: Buffer): number {
    block.copy(this.waiting, this.length, 0, this.blockSize);
    this.length += this.blockSize;
    if (this.length === this.waiting.length) this.write();
    this.count += 1;
    return this.count - 1;
  }

  /** What was added can be read afterwards. */
  end(): void {
    this.write();
    closeSync(this.file);
  }

  private write(): void {
    for (let at = 0; at < this.length; ) at += writeSync(this.file, this.waiting, at, this.length - at);
    this.length = 0;
  }
}

/** Bytes in blocks of a file, of the last of which the end means nothing. */
export interface Blocks {
  readonly path: string;
  readonly blockSize: number;
  /** The numbers of the blocks, in the order of their bytes. */
  readonly blocks: readonly number[];
  readonly length: number;
}

/** Reads all of them into memory that is as long as they are. */
export function readBlocks({ path, blockSize, blocks }: Blocks, into: Buffer): void {
  const file = openSync(path, 'r');
  try {
    for (const [index, block] of blocks.entries()) {
      const start = index * blockSize;
      const length = Math.min(blockSize, into.length - start);
      if (readSync(file, into, start, length, block * blockSize) < length) throw new RangeError('a block is whole');
    }
  } finally {
    closeSync(file);
  }
}
