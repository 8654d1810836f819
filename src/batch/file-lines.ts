import { closeSync, openSync, readSync } from 'node:fs';

const newline = 0x0a;
/** Read at once, into the same memory again and again: a report of millions of lines would leave it full of pieces. */
const step = 1 << 18;

/** The lines of a file of ours, up to so many bytes, without ever holding more than a part of it. */
export function* fileLines(path: string, length = Number.POSITIVE_INFINITY): Generator<string> {
  const file = openSync(path, 'r');
  try {
    let bytes = Buffer.allocUnsafe(step);
    let held = 0;
    for (let at = 0; at < length; ) {
      if (held === bytes.length) bytes = Buffer.concat([bytes], 2 * held);
      const read = readSync(file, bytes, held, Math.min(bytes.length - held, length - at), at);
      if (read === 0) break;
      at += read;
      const chunk = bytes.subarray(0, held + read);
      let start = 0;
      for (let end = chunk.indexOf(newline, held); end !== -1; end = chunk.indexOf(newline, start)) {
        yield chunk.toString('utf8', start, end);
        start = end + 1;
      }
      held = chunk.copy(bytes, 0, start);
    }
  } finally {
    closeSync(file);
  }
}

/** The line that begins at a place of a file of ours. */
export function lineAt(path: string, offset: number): string {
  const file = openSync(path, 'r');
  try {
    for (let size = 1 << 12; ; size *= 4) {
      const bytes = Buffer.allocUnsafe(size);
      const read = readSync(file, bytes, 0, size, offset);
      const end = bytes.subarray(0, read).indexOf(newline);
      if (end !== -1) return bytes.toString('utf8', 0, end);
      if (read < size) throw new RangeError('no line begins there');
    }
  } finally {
    closeSync(file);
  }
}
