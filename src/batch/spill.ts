import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { DocumentReader } from './document-reader.ts';
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

  /** Adds the bytes from `start` to `end`. */
  add(index: number, bytes: Uint8Array, start = 0, end = bytes.length): void {
    const part = this.parts[index];
    if (part === undefined) throw new RangeError('there is no such spill');
    const added = end - start;
    if (part.length + added > this.most) this.write(part);
    if (part.length + added > part.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(1024, part.bytes.length * 2, part.length + added));
      part.bytes.copy(larger, 0, 0, part.length);
      part.bytes = larger;
    }
    copy(bytes, { start, end }, part.bytes, part.length);
    part.length += added;
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
  if ('path' in spilled) return reader === undefined ? readFileSync(spilled.path) : reader.read(spilled.path);
  return Buffer.from(spilled.bytes.buffer, spilled.bytes.byteOffset, spilled.bytes.byteLength);
}
