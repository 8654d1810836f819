import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** A buffer of this size is kept for the next document; a larger one is not. */
const keptBytes = 32 << 20;

/** Reads documents into memory of its own, which `read` and `room` use again each time they are called. */
export class DocumentReader {
  private buffer = Buffer.alloc(0);

  /** All of a file. Of a large one the memory is the caller's own. */
  read(path: string): Buffer {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size > keptBytes) return readFileSync(file);
      const buffer = this.room(size);
      let length = 0;
      for (let more = -1; more !== 0 && length < buffer.length; length += more)
        more = readSync(file, buffer, length, buffer.length - length, length);
      return buffer.subarray(0, length);
    } finally {
      closeSync(file);
    }
  }

  /** A buffer of so many bytes to read into. Up to 32 MiB it is used again; a larger one is the caller's own. */
  room(size: number): Buffer {
    if (size > keptBytes) return Buffer.allocUnsafeSlow(size);
    if (size > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(Math.min(keptBytes, size * 2));
    return this.buffer.subarray(0, size);
  }
}
