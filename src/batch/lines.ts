import { closeSync, openSync, readSync } from 'node:fs';
import type { ByteRange } from './files.ts';

export interface InputLine {
  readonly number: number;
  readonly bytes: Buffer;
}

const newline = 0x0a;

/** Splits chunks into lines at the byte level, as they come. Blank lines are counted and left out. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputLine> {
  let rest: Buffer[] = [];
  let number = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      number += 1;
      const bytes = Buffer.concat([...rest, chunk.subarray(start, end)]);
      if (!isBlank(bytes)) yield { number, bytes };
      rest = [];
      start = end + 1;
    }
    // A copy: the stream may reuse the chunk's memory.
    if (start < chunk.length) rest.push(Buffer.from(chunk.subarray(start)));
  }
  const bytes = Buffer.concat(rest);
  if (!isBlank(bytes)) yield { number: number + 1, bytes };
}

/** Whether nothing stands in a line, or a byte order mark alone. */
export function isBlank(bytes: Buffer): boolean {
  const text = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** A line longer than this is not a resource; it is cut, so that memory stays bounded, and then fails to parse. */
const longest = 256 << 20;

/** The lines that begin in a range of a file; each holds until the next one is taken. */
export function* linesIn(
  file: number,
  { start, end }: ByteRange,
): Generator<{ readonly bytes: Buffer; readonly start: number }> {
  let buffer = Buffer.allocUnsafe(1 << 20);
  // Whether the range begins with a line is told by the byte before it.
  let offset = Math.max(0, start - 1);
  let isBegun = start === 0;
  let held = 0;
  while (offset < end) {
    if (held === buffer.length) buffer = Buffer.concat([buffer], held * 2);
    const more = readSync(file, buffer, held, buffer.length - held, offset + held);
    held += more;
    const isLast = more === 0 || held >= longest;
    let at = 0;
    while (offset + at < end) {
      const found = buffer.subarray(0, held).indexOf(newline, at);
      if (found === -1 && !isLast) break;
      const to = found === -1 ? held : found;
      if (isBegun && (to > at || found !== -1)) yield { bytes: buffer.subarray(at, to), start: offset + at };
      isBegun = true;
      at = to + 1;
      if (found === -1) break;
    }
    if (more === 0) return;
    at = Math.min(at, held);
    buffer.copyWithin(0, at, held);
    offset += at;
    held -= at;
  }
}

/** The lines of a file of ours, without ever holding more than a part of it. */
export function* fileLines(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    for (const { bytes } of linesIn(file, { start: 0, end: Number.POSITIVE_INFINITY })) yield bytes.toString();
  } finally {
    closeSync(file);
  }
}
