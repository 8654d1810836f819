/**
 * One line of a file of lines, without its line end. `offset` and `length` are bytes, so that the line can be read
 * again alone.
 */
export interface Line {
  readonly number: number;
  readonly offset: number;
  readonly bytes: Buffer;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
/** A line longer than this is not a resource; it is cut, so that memory stays bounded, and then fails to parse. */
const longest = 256 * 1024 * 1024;

/**
 * Splits chunks into lines at the byte level: decoding and readline cost more than the split itself. Blank lines are
 * counted and left out.
 */
export async function* splitLines(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Line> {
  let rest: Buffer[] = [];
  let restLength = 0;
  let number = 0;
  let offset = 0;
  const endLine = (end: Buffer): Line => {
    const whole = rest.length === 0 ? end : Buffer.concat([...rest, end]);
    rest = [];
    restLength = 0;
    number += 1;
    const bytes = whole.at(-1) === carriageReturn ? whole.subarray(0, -1) : whole;
    return { number, offset, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const size = restLength + end - start + 1;
      const line = endLine(chunk.subarray(start, end));
      if (!isBlank(line.bytes)) yield line;
      offset += size;
      start = end + 1;
    }
    if (start < chunk.length && restLength < longest) {
      // A copy: the stream may reuse the chunk's memory.
      rest.push(Buffer.from(chunk.subarray(start)));
    }
    restLength += chunk.length - start;
  }
  if (restLength > 0) {
    const line = endLine(Buffer.alloc(0));
    if (!isBlank(line.bytes)) yield line;
  }
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== carriageReturn) return false;
  return true;
}
