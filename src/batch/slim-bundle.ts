import { isObject } from '../core/fhir/is-object.ts';
import type { ByteRange } from './files.ts';
import { isJson } from './is-json.ts';

export interface ReadOptions {
  /** Whether entries that nothing reads may be malformed. Otherwise they are checked to be JSON. */
  readonly isFast: boolean;
  readonly unread: ReadonlySet<string>;
}

/** A Bundle of which only some entries were parsed. */
export interface SlimBundle {
  /** The Bundle, with `unreadEntry` for each entry that was not parsed. */
  readonly value: unknown;
  /** How many entries were not parsed, by type. */
  readonly unread: Readonly<Record<string, number>>;
  readonly parsed: number;
}

/**
 * Takes the place of each entry that was not parsed: an entry without a resource. All such entries share this object,
 * since there may be millions.
 */
export const unreadEntry = { response: {} } as const;

/**
 * Reads a Bundle entry by entry and drops entries whose types nothing reads. With `isFast`, these are only skipped: the
 * entry ends where its brackets close. Returns undefined for anything but a plain Bundle with one list of entries, for
 * truncated or malformed input, and for keys with escapes. The caller then parses the whole document.
 */
export function slimBundle(bytes: Buffer, reading: ReadOptions): SlimBundle | undefined {
  try {
    return new SlimReader(bytes, reading).bundle();
  } catch (error) {
    if (error instanceof Unclear || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Unclear extends Error {}

const [quote, comma, colon, backslash, newline, space] = [0x22, 0x2c, 0x3a, 0x5c, 0x0a, 0x20];
const [objectStart, objectEnd, listStart, listEnd] = [0x7b, 0x7d, 0x5b, 0x5d];
/** The bit in which the brackets of objects differ from those of lists. */
const asObject = 0x20;
const byteOrderMark = Buffer.from('\uFEFF');

class SlimReader {
  private readonly unread: Record<string, number> = {};
  private readonly read: unknown[] = [];
  private readonly words: DataView;
  private parsed = 0;
  private list: ByteRange | undefined;
  /** `hasResource`: whether the skipped entry has a resource. `type`: the resource's type. */
  private hasResource = false;
  private type: string | undefined;
  private at: number;

  constructor(
    private readonly bytes: Buffer,
    private readonly reading: ReadOptions,
  ) {
    this.words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.at = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
  }

  bundle(): SlimBundle | undefined {
    const { bytes, unread, at } = this;
    if (this.blanks() !== objectStart) return undefined;
    this.walk('entry', this.entries);
    if (this.list === undefined) return undefined;
    const around = `${this.text(at, this.list.start)}null${this.text(this.list.end, bytes.length)}`;
    const bundle: unknown = JSON.parse(around);
    if (!isObject(bundle) || bundle.resourceType !== 'Bundle') return undefined;
    return { value: { ...bundle, entry: this.read }, unread, parsed: this.parsed + around.length };
  }

  /** Skips an object. Calls `member` at the value of each member with this name. */
  private walk(name: string, member: () => void): void {
    const { bytes, words } = this;
    const { length } = bytes;
    let depth = 0;
    let at = this.at;
    while (at < length) {
      const byte = bytes[at] ?? 0;
      at += 1;
      if (byte === quote) {
        const start = at;
        at = endOfString(bytes, words, at) + 1;
        // Most keys are shorter than the name, in any spelling.
        if (depth > 1 || at - 1 - start < name.length) continue;
        this.at = at;
        if (this.blanks() === colon && this.isKey(name, start, at - 1)) {
          this.pass(colon);
          this.blanks();
          member();
        }
        at = this.at;
      } else if ((byte | asObject) === objectStart) depth += 1;
      else if ((byte | asObject) === objectEnd) {
        depth -= 1;
        if (depth > 0) continue;
        this.at = at;
        return;
      } else if (byte === newline) {
        // Most bytes of an indented Bundle are spaces.
        while (at + 4 <= length && words.getInt32(at, true) === fourBlanks) at += 4;
      }
    }
    throw new Unclear();
  }

  private readonly entries = (): void => {
    if (this.list !== undefined) throw new Unclear();
    const start = this.at;
    this.pass(listStart);
    if (this.blanks() !== listEnd) this.entry();
    while (this.blanks() === comma) {
      this.pass(comma);
      this.entry();
    }
    this.pass(listEnd);
    this.list = { start, end: this.at };
  };

  private entry(): void {
    const { read, unread, reading } = this;
    if (this.blanks() !== objectStart) throw new Unclear();
    const start = this.at;
    [this.hasResource, this.type] = [false, undefined];
    this.walk('resource', this.resource);
    const { type } = this;
    if (type === undefined || !reading.unread.has(type)) {
      this.parsed += this.at - start;
      read.push(JSON.parse(this.text(start, this.at)));
      return;
    }
    unread[type] = (unread[type] ?? 0) + 1;
    if (!reading.isFast && !isJson(this.bytes.subarray(start, this.at))) JSON.parse(this.text(start, this.at));
    read.push(unreadEntry);
  }

  private readonly resource = (): void => {
    if (this.hasResource) throw new Unclear();
    this.hasResource = true;
    if (this.bytes[this.at] === objectStart) this.walk('resourceType', this.resourceType);
  };

  private readonly resourceType = (): void => {
    if (this.type !== undefined) throw new Unclear();
    const { bytes, at } = this;
    this.type = bytes[at] === quote ? this.text(at + 1, bytes.indexOf(quote, at + 1)) : '';
  };

  private isKey(name: string, start: number, end: number): boolean {
    const { bytes } = this;
    // an escape may spell the name that is searched for
    for (let at = start; at < end; at += 1) if (bytes[at] === backslash && bytes[at + 1] === 0x75) throw new Unclear();
    return end - start === name.length && bytes.toString('latin1', start, end) === name;
  }

  /** Returns the first byte after whitespace. */
  private blanks(): number | undefined {
    while (isBlank(this.bytes[this.at])) this.at += 1;
    return this.bytes[this.at];
  }

  private pass(byte: number): void {
    if (this.bytes[this.at] !== byte) throw new Unclear();
    this.at += 1;
  }

  private text(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }
}

const [fourBlanks, fourQuotes, fourEscapes] = [0x20202020, 0x22222222, 0x5c5c5c5c];
const [ones, highest] = [0x01010101, 0x80808080 | 0];

/** Returns the end of a string. Most bytes of a Bundle are in strings, so four bytes are read at a time. */
function endOfString(bytes: Buffer, words: DataView, start: number): number {
  const { length } = bytes;
  let at = start;
  for (;;) {
    while (at + 4 <= length) {
      const word = words.getInt32(at, true);
      const quotes = word ^ fourQuotes;
      const escapes = word ^ fourEscapes;
      // The subtraction sets the highest bit of each byte that is zero.
      if ((((quotes - ones) & ~quotes) | ((escapes - ones) & ~escapes)) & highest) break;
      at += 4;
    }
    while (at < length && bytes[at] !== quote && bytes[at] !== backslash) at += 1;
    if (at >= length || bytes[at] === quote) return at;
    at += 2;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === newline || byte === 0x0d || byte === 0x09;
}
