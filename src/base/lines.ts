import { closeSync, openSync, readSync } from 'node:fs';

export interface InputLine {
  readonly number: number;
  /** Valid only until the next line is read. */
  readonly bytes: Buffer;
  /** Byte offset of the line, counted from the first chunk. */
  readonly start: number;
}

const newline = 0x0a;

/** A line of this length is not a resource. It is cut to keep memory bounded, and its parts fail to parse. */
const longest = 256 << 20;

/** Splits chunks into lines at the byte level, as they arrive. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<InputLine> {
  const splitter = new Splitter();
  for await (const chunk of chunks) yield* splitter.add(chunk);
  yield* splitter.end();
}

/**
 * The lines of a file from an offset, read in this thread: for the millions of short lines of an export, waiting for
 * each costs as much as parsing it.
 */
export function* linesFrom(path: string, offset: number): Generator<InputLine> {
  const file = openSync(path, 'r');
  try {
    const splitter = new Splitter();
    const chunk = Buffer.allocUnsafe(1 << 20);
    for (let at = offset; ; ) {
      const read = readSync(file, chunk, 0, chunk.length, at);
      if (read === 0) break;
      yield* splitter.add(chunk.subarray(0, read));
      at += read;
    }
    yield* splitter.end();
  } finally {
    closeSync(file);
  }
}

class Splitter {
  private rest: Buffer[] = [];
  private number = 1;
  private start = 0;
  private held = 0;

  *add(chunk: Buffer): Generator<InputLine> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const found = this.line(chunk.subarray(from, end));
      yield found;
      this.begin(this.start + found.bytes.length + 1);
      from = end + 1;
    }
    // A copy: the next chunk may have the same memory.
    if (from < chunk.length) this.rest.push(Buffer.from(chunk.subarray(from)));
    this.held += chunk.length - from;
    if (this.held < longest) return;
    yield this.line(Buffer.alloc(0));
    this.begin(this.start + this.held);
  }

  *end(): Generator<InputLine> {
    if (this.held > 0) yield this.line(Buffer.alloc(0));
  }

  private line(end: Buffer): InputLine {
    const { rest, number, start, held } = this;
    return { number, bytes: held === 0 ? end : Buffer.concat([...rest, end]), start };
  }

  private begin(at: number): void {
    if (this.held > 0) this.rest = [];
    this.held = 0;
    this.start = at;
    this.number += 1;
  }
}

/** Whether a line is empty or has only a byte order mark. */
export function isBlank(bytes: Buffer): boolean {
  const text = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
