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
  let rest: Buffer[] = [];
  let [number, start, held] = [1, 0, 0];
  const line = (end: Buffer): InputLine => ({ number, bytes: held === 0 ? end : Buffer.concat([...rest, end]), start });
  const begin = (at: number) => {
    [rest, held, start] = [[], 0, at];
    number += 1;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      const found = line(chunk.subarray(from, end));
      yield found;
      begin(start + found.bytes.length + 1);
      from = end + 1;
    }
    // A copy: the stream may reuse the chunk's memory.
    if (from < chunk.length) rest.push(Buffer.from(chunk.subarray(from)));
    held += chunk.length - from;
    if (held < longest) continue;
    yield line(Buffer.alloc(0));
    begin(start + held);
  }
  if (held > 0) yield line(Buffer.alloc(0));
}

/** Whether a line is empty or has only a byte order mark. */
export function isBlank(bytes: Buffer): boolean {
  const text = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
