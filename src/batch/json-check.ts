import { jsonCheckModule } from './json-check.generated.ts';

/** What a range may have; with it, few entries of a Bundle are looked at one by one. */
export const checkedAtOnce = 1 << 20;

/**
 * Whether a range of bytes is JSON as `JSON.parse` takes it: one value, or several with commas between them. Nothing is
 * made of it, which takes a sixth of the time. Ranges that have more than `checkedAtOnce` bytes are parsed.
 */
export function isJson(bytes: Buffer, start: number, end: number): boolean {
  const length = end - start;
  if (length > checkedAtOnce) return isParsed(bytes.toString('utf8', start, end));
  checker ??= new Checker();
  return checker.check(bytes, start, end);
}

function isParsed(text: string): boolean {
  try {
    return JSON.parse(`[${text}]`).length > 0;
  } catch {
    return false;
  }
}

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly check: (start: number, length: number) => number;
}

/** The first page is for the brackets that are open. */
const textStart = 1 << 16;

class Checker {
  private readonly memory: Uint8Array;
  private readonly exports: Exports;

  constructor() {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(jsonCheckModule, 'base64')));
    this.exports = exports as unknown as Exports;
    this.memory = new Uint8Array(this.exports.memory.buffer);
  }

  check(bytes: Buffer, start: number, end: number): boolean {
    const { memory } = this;
    const length = end - start;
    memory.set(bytes.subarray(start, end), textStart);
    memory[textStart + length] = 0; // ends whatever does not end by itself
    return this.exports.check(textStart, length) === 1;
  }
}

let checker: Checker | undefined;
