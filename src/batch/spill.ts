import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Temporary } from './temporary.ts';

/** Bytes that were put aside: in memory, or in a file once there are many. */
export type Spilled = { readonly bytes: Uint8Array } | { readonly path: string };

interface Growing {
  file?: number;
  path?: string;
  bytes: Buffer;
  length: number;
}

/** Several growing lists of bytes of which only the ends stay in memory. */
export class Spills {
  private readonly parts: Growing[];
  private readonly most: number;

  constructor(
    count: number,
    private readonly temporary: Temporary,
    memory = 8 << 20,
  ) {
    this.parts = Array.from({ length: count }, () => ({ bytes: Buffer.alloc(0), length: 0 }));
    this.most = memory / count;
  }

  add(index: number, bytes: Uint8Array): void {
    const part = this.parts[index];
    if (part === undefined) throw new RangeError('there is no such spill');
    if (part.length + bytes.length > this.most) this.write(part);
    if (part.length + bytes.length > part.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(1024, part.bytes.length * 2, part.length + bytes.length));
      part.bytes.copy(larger, 0, 0, part.length);
      part.bytes = larger;
    }
    part.bytes.set(bytes, part.length);
    part.length += bytes.length;
  }

  /** Ends the adding. */
  end(): Spilled[] {
    return this.parts.map((part) => {
      if (part.file === undefined) return { bytes: new Uint8Array(part.bytes.subarray(0, part.length)) };
      this.write(part);
      closeSync(part.file);
      return { path: part.path ?? '' };
    });
  }

  private write(part: Growing): void {
    if (part.length === 0) return;
    if (part.file === undefined) {
      part.path = this.temporary.path();
      part.file = openSync(part.path, 'wx', 0o600);
    }
    writeSync(part.file, part.bytes, 0, part.length);
    part.length = 0;
  }
}

export function readSpilled(spilled: Spilled): Buffer {
  if ('path' in spilled) return readFileSync(spilled.path);
  return Buffer.from(spilled.bytes.buffer, spilled.bytes.byteOffset, spilled.bytes.byteLength);
}
