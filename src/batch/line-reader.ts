import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

const newline = 0x0a;
const carriageReturn = 0x0d;
/** A line longer than this is not a resource; it is cut, so that memory stays bounded, and then fails to parse. */
const longest = 256 * 1024 * 1024;
const step = 1 << 20;

/** The bytes of the lines that begin in a range of a file, the last of them whole, and where they stand in the file. */
export interface LineBytes {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** A buffer of this size is kept for the next range; a larger one, for a line without end, is not. */
const keptBytes = 32 << 20;

/** Reads ranges of files into memory of its own: what `read` gives holds until it is called again. */
export class LineReader {
  private buffer = Buffer.alloc(0);

  /** A line begins in exactly one of the ranges that a file is divided into. */
  read(file: number, { start, end }: { readonly start: number; readonly end: number }): LineBytes {
    const offset = Math.max(0, start - 1);
    let length = this.fill(file, 0, { offset, length: end - offset });
    const first = start === 0 ? 0 : this.buffer.subarray(0, length).indexOf(newline) + 1;
    const isEmpty = (start > 0 && first === 0) || offset + first >= end;
    if (isEmpty) return { bytes: this.buffer.subarray(0, 0), offset: end };
    // Up to the end of the line that the range ends in.
    while (this.buffer[length - 1] !== newline && length < longest) {
      const more = this.fill(file, length, { offset: offset + length, length: step });
      if (more === 0) break;
      const close = this.buffer.subarray(length, length + more).indexOf(newline);
      length += close === -1 ? more : close + 1;
    }
    const bytes = this.buffer.subarray(first, length);
    if (this.buffer.length > keptBytes) this.buffer = Buffer.alloc(0);
    return { bytes, offset: offset + first };
  }

  /** All of a file. Of a large one the memory is its own. */
  whole(path: string): Buffer {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size > keptBytes) return readFileSync(file);
      let length = 0;
      for (let more = -1; more !== 0 && length < size; length += more)
        more = this.fill(file, length, { offset: length, length: size - length });
      return this.buffer.subarray(0, length);
    } finally {
      closeSync(file);
    }
  }

  /** Reads bytes of the file to a place of the buffer; how many came. */
  private fill(file: number, at: number, wanted: { readonly offset: number; readonly length: number }): number {
    if (at + wanted.length > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(at === 0 ? wanted.length + 2 * step : Math.max(at + wanted.length, at * 2));
      this.buffer.copy(larger, 0, 0, at);
      this.buffer = larger;
    }
    return readSync(file, this.buffer, at, wanted.length, wanted.offset);
  }
}

/** Calls `see` with each line that is not blank: its number from 1, and its range without the line's end. */
export function forEachLine(bytes: Buffer, see: (number: number, start: number, end: number) => void): number {
  let number = 0;
  for (let start = 0; start < bytes.length; ) {
    const close = bytes.indexOf(newline, start);
    const next = close === -1 ? bytes.length : close;
    const end = next > start && bytes[next - 1] === carriageReturn ? next - 1 : next;
    number += 1;
    if (!isBlank(bytes, start, end)) see(number, start, end);
    start = next + 1;
  }
  return number;
}

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== carriageReturn) return false;
  }
  return true;
}
