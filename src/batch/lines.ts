/** One line of a stream, without its line end. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer;
}

const newline = 0x0a;

/** Splits chunks into lines at the byte level, as they come. Blank lines are counted and left out. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
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
