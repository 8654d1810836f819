import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/** A buffer of this size is kept for the next document; a larger one is not. */
const keptBytes = 32 << 20;

/** Reads documents into memory of its own: what `read` gives holds until it is called again. */
export class DocumentReader {
  private buffer = Buffer.alloc(0);

  /** All of a file. Of a large one the memory is the caller's own. */
  read(path: string): Buffer {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size > keptBytes) return readFileSync(file);
      if (size > this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(Math.min(keptBytes, size * 2));
      let length = 0;
      for (let more = -1; more !== 0 && length < size; length += more)
        more = readSync(file, this.buffer, length, size - length, length);
      return this.buffer.subarray(0, length);
    } finally {
      closeSync(file);
    }
  }
}
