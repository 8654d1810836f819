import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** A buffer of this size is kept for the next document; a larger one is not. */
const keptBytes = 32 << 20;

/** Reads documents into memory of its own: what `read` or `room` gave holds until one of them is called again. */
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

  /** So many bytes to read into. Where they are many, they are the caller's own. */
  room(size: number): Buffer {
    if (size > keptBytes) return Buffer.allocUnsafeSlow(size);
    if (size > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(Math.min(keptBytes, size * 2));
    return this.buffer.subarray(0, size);
  }
}
