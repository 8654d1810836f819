import { closeSync, openSync, readSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { BridgeError } from '../core/errors.ts';

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(64 * 1024);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Keeps files open that are read repeatedly: opening a file for every part takes longer than reading the part. */
export class OpenFiles {
  // A folder may have more files than a process can have open.
  private readonly files = new LRUCache<string, number>({ max: 32, dispose: (file) => closeSync(file) });

  /** Returns the bytes of a range. Throws `input_unreadable` if the file no longer has them. */
  read(path: string, { start, end }: ByteRange): Buffer {
    const file = this.files.get(path) ?? openSync(path, 'r');
    this.files.set(path, file);
    const bytes = Buffer.allocUnsafe(end - start);
    if (readSync(file, bytes, 0, bytes.length, start) === bytes.length) return bytes;
    throw new BridgeError('input_unreadable', { file: path, reason: 'it changed while it was read' });
  }

  close(): void {
    this.files.clear();
  }
}
