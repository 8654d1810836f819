import { closeSync, openSync, readSync } from 'node:fs';
import { writeWhole } from './write-whole.ts';

/** Bytes that are collected before they are written. */
const bytesTogether = 1 << 20;

/** A new file of blocks of equal size, numbered from 0 as they are added; only its owner can read it. */
export class BlockFile {
  private readonly file: number;
  private readonly waiting: Buffer;
  private length = 0;
  private count = 0;

  constructor(
    readonly path: string,
    private readonly blockSize: number,
  ) {
    this.waiting = Buffer.allocUnsafeSlow(Math.max(1, Math.floor(bytesTogether / blockSize)) * blockSize);
    this.file = openSync(path, 'wx', 0o600);
  }

  /** Copies a block, and tells its number. */
  add(block: Buffer): number {
    if (block.length !== this.blockSize) throw new RangeError('blocks are of equal size');
    block.copy(this.waiting, this.length);
    this.length += this.blockSize;
    if (this.length === this.waiting.length) this.write();
    this.count += 1;
    return this.count - 1;
  }

  /** Writes what is left and closes the file. Only then can it be read. */
  end(): void {
    try {
      this.write();
    } finally {
      closeSync(this.file);
    }
  }

  private write(): void {
    writeWhole(this.file, this.waiting.subarray(0, this.length));
    this.length = 0;
  }
}

/** Bytes that stand in blocks of a file; what stands behind them in the last one is none of them. */
export interface Blocks {
  readonly path: string;
  readonly blockSize: number;
  /** Numbers of blocks, in the order of the bytes. */
  readonly blocks: readonly number[];
  readonly length: number;
}

/** Reads all of the bytes into a buffer of exactly their length. */
export function readBlocks({ path, blockSize, blocks }: Blocks, into: Buffer): void {
  const file = openSync(path, 'r');
  try {
    for (const [index, block] of blocks.entries()) {
      const start = index * blockSize;
      readWhole(file, into.subarray(start, start + blockSize), block * blockSize);
    }
  } finally {
    closeSync(file);
  }
}

function readWhole(file: number, into: Buffer, position: number): void {
  for (let at = 0; at < into.length; ) {
    const read = readSync(file, into, at, into.length - at, position + at);
    if (read === 0) throw new RangeError('a temporary file is shorter than what was written');
    at += read;
  }
}
