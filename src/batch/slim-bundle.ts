import { isObject } from '../core/fhir/is-object.ts';
import { isJson } from './json-check.ts';
import type { Reading } from './reading.ts';
import type { Span } from './spans.ts';
import { markKinds, Structure } from './structure.ts';

/** A Bundle of which only some entries were parsed. */
export interface SlimBundle {
  /** The Bundle; an entry that was not parsed is `unreadEntry`. */
  readonly value: unknown;
  /** Where the resources of parsed entries stand, by path: `entry[3].resource`. */
  readonly spans: ReadonlyMap<string, Span>;
  /** How many entries of each type were not parsed. */
  readonly unread: Readonly<Record<string, number>>;
  /** How many bytes were parsed. */
  readonly parsed: number;
}

/** What stands for each entry that was not parsed, since there may be millions: an entry that holds no resource. */
export const unreadEntry = { response: {} } as const;

/**
 * Reads a Bundle without parsing entries of types that nobody reads. Every byte is looked at, so that an entry ends
 * where JSON ends it; whether it is JSON inside is not seen with `isFast`. Undefined for whatever is not plainly a
 * Bundle with one list of entries, for what is cut off or otherwise malformed, and for what spells letters with escapes
 * (`\\u0054`), since keys may be among them: the caller parses the whole then.
 */
export function slimBundle(bytes: Buffer, reading: Reading): SlimBundle | undefined {
  try {
    return new SlimReader(bytes, reading).bundle();
  } catch (error) {
    if (error instanceof Unclear || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Unclear extends Error {}

const [quote, comma, colon, backslash] = [0x22, 0x2c, 0x3a, 0x5c];
const [objectStart, objectEnd, listStart, listEnd] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Takes the value of a member: where the key begins and ends, where the value begins. Says where that ends. */
type Take = (keyStart: number, keyEnd: number, at: number) => number;

const [entryKey, resourceKey] = [Buffer.from('entry'), Buffer.from('resource')];

/** The resource of an entry; `start` is -1 where there is none. */
interface ReadResource {
  type: TypeName | undefined;
  start: number;
  end: number;
}

interface TypeName {
  readonly bytes: Buffer;
  readonly name: string;
  readonly isUnread: boolean;
  /** How many entries of it were not parsed. */
  unread: number;
}

/** Bytes; they stay in a core's own cache. */
const checkedTogether = 1 << 16;
/** FHIR has 150 types, a chart some 30 of them; other names are no reason to look through a longer list. */
const mostTypes = 64;

class SlimReader {
  private readonly structure: Structure;
  private readonly spans = new Map<string, Span>();
  private readonly entry: unknown[] = [];
  private readonly list = { start: -1, end: -1 };
  // One for all entries: there may be millions.
  private readonly resource: ReadResource = { type: undefined, start: -1, end: -1 };
  private readonly types: TypeName[] = [];
  private readonly furtherTypes = new Map<string, TypeName>();
  private parsed = 0;
  // Entries one after the other that are not parsed and not checked yet.
  private readonly left = { start: -1, end: -1 };

  constructor(
    private readonly bytes: Buffer,
    private readonly reading: Reading,
  ) {
    this.structure = new Structure(bytes);
  }

  bundle(): SlimBundle | undefined {
    const { bytes, list } = this;
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.object(this.blanks(start), this.bundleMember);
    if (list.start === -1 || this.structure.isSpelled) return undefined;
    const around = `${this.text(start, list.start)}null${this.text(list.end, bytes.length)}`;
    const bundle: unknown = JSON.parse(around);
    if (!isObject(bundle) || bundle.resourceType !== 'Bundle') return undefined;
    return {
      value: { ...bundle, entry: this.entry },
      spans: this.spans,
      unread: this.unread(),
      parsed: this.parsed + around.length,
    };
  }

  private unread(): Record<string, number> {
    const all = [...this.types, ...this.furtherTypes.values()];
    return Object.fromEntries(all.flatMap(({ name, unread }) => (unread === 0 ? [] : [[name, unread]])));
  }

  private readonly bundleMember: Take = (keyStart, keyEnd, at) => {
    const { list } = this;
    if (!this.isText(entryKey, keyStart, keyEnd)) return this.skip(at);
    if (list.start !== -1) throw new Unclear();
    list.start = at;
    list.end = this.readEntries(at);
    return list.end;
  };

  private readEntries(start: number): number {
    const { bytes } = this;
    if (bytes[start] !== listStart) throw new Unclear();
    this.pass(start, markKinds.open);
    let at = this.blanks(start + 1);
    if (bytes[at] === listEnd) return this.pass(at, markKinds.close);
    for (;;) {
      at = this.blanks(this.readEntry(at));
      if (bytes[at] === listEnd) break;
      if (bytes[at] !== comma) throw new Unclear();
      at = this.blanks(at + 1);
    }
    this.check();
    return this.pass(at, markKinds.close);
  }

  private readEntry(start: number): number {
    const { resource, entry } = this;
    resource.start = -1;
    resource.type = undefined;
    const end = this.bytes[start] === objectStart ? this.entryObject(start) : this.skip(start);
    const { type } = this.resource;
    if (type?.isUnread === true) {
      entry.push(unreadEntry);
      type.unread += 1;
      if (!this.reading.isFast) this.leave(start, end);
      return end;
    }
    this.check();
    if (resource.start !== -1)
      this.spans.set(`entry[${entry.length}].resource`, { start: resource.start, end: resource.end });
    this.parsed += end - start;
    entry.push(JSON.parse(this.text(start, end)));
    return end;
  }

  private leave(start: number, end: number): void {
    const { left } = this;
    if (left.start === -1) left.start = start;
    left.end = end;
    if (end - left.start > checkedTogether) this.check();
  }

  /** Of what was left; between its entries there is a comma each. */
  private check(): void {
    const { left, bytes } = this;
    if (left.start === -1) return;
    if (!isJson(bytes, left.start, left.end)) throw new Unclear();
    left.start = -1;
  }

  /**
   * Mostly the first bracket in an entry is that of its resource, and nothing follows: then what stands before is not
   * looked at.
   */
  private entryObject(start: number): number {
    const { bytes, structure, resource } = this;
    this.pass(start, markKinds.open);
    const { at } = structure;
    if (structure.kind !== markKinds.open || !this.isResource(at)) return this.members(start, this.entryMember);
    resource.start = at;
    resource.end = this.readResource(at);
    const end = this.blanks(resource.end);
    if (bytes[end] === objectEnd) return this.pass(end, markKinds.close);
    if (bytes[end] !== comma) throw new Unclear();
    return this.membersFrom(this.blanks(end + 1), this.entryMember);
  }

  /** Whether the object that begins here is the value of a member `resource`. */
  private isResource(start: number): boolean {
    const { bytes } = this;
    if (bytes[start] !== objectStart) return false;
    const separator = this.blanksBefore(start);
    if (bytes[separator] !== colon) return false;
    const keyEnd = this.blanksBefore(separator);
    const keyStart = keyEnd - resourceKey.length;
    if (bytes[keyEnd] !== quote || bytes[keyStart - 1] !== quote || !this.isText(resourceKey, keyStart, keyEnd))
      return false;
    // Behind a backslash the quote would be one inside of a longer key.
    const before = bytes[this.blanksBefore(keyStart - 1)];
    return before === comma || before === objectStart;
  }

  private readonly entryMember: Take = (keyStart, keyEnd, at) => {
    const { resource } = this;
    if (!this.isText(resourceKey, keyStart, keyEnd)) return this.skip(at);
    if (resource.start !== -1) throw new Unclear();
    resource.start = at;
    resource.end = this.bytes[at] === objectStart ? this.readResource(at) : this.skip(at);
    return resource.end;
  };

  /** Of a resource only its type is read. */
  private readResource(start: number): number {
    const { structure, resource } = this;
    this.pass(start, markKinds.open);
    let value: number | undefined;
    for (; structure.kind !== markKinds.close; structure.advance()) {
      if (structure.kind !== markKinds.type) throw new Unclear();
      const at = this.typeAt(structure.at);
      if (at === undefined) continue;
      if (value !== undefined) throw new Unclear();
      value = at;
    }
    if (value !== undefined && this.bytes[value] === quote)
      resource.type = this.typeNamed(value + 1, this.string(value) - 1);
    return this.pass(structure.at, markKinds.close);
  }

  /** Where the value of a `resourceType` begins, whose letter T is here; undefined when it is not a key. */
  private typeAt(letter: number): number | undefined {
    const { bytes } = this;
    const start = letter - resourceKey.length - 1;
    if (bytes[start] !== quote || bytes[start - 1] === backslash) return undefined;
    const at = this.blanks(letter + 'Type"'.length);
    return bytes[at] === colon ? this.blanks(at + 1) : undefined;
  }

  /** The type whose name stands here, with its escapes as they stand. Each name is made a string once. */
  private typeNamed(start: number, end: number): TypeName {
    for (const type of this.types) if (this.isText(type.bytes, start, end)) return type;
    const bytes = this.bytes.subarray(start, end);
    const name = bytes.toString('latin1');
    const known = this.furtherTypes.get(name);
    if (known !== undefined) return known;
    const type = { bytes, name, isUnread: this.reading.unread.has(name), unread: 0 };
    if (this.types.length < mostTypes) this.types.push(type);
    else this.furtherTypes.set(name, type);
    return type;
  }

  private text(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }

  /** Where an object ends, whose members are taken one after the other. */
  private object(start: number, take: Take): number {
    if (this.bytes[start] !== objectStart) throw new Unclear();
    this.pass(start, markKinds.open);
    return this.members(start, take);
  }

  /** The same of an object whose bracket was passed. */
  private members(start: number, take: Take): number {
    const at = this.blanks(start + 1);
    return this.bytes[at] === objectEnd ? this.pass(at, markKinds.close) : this.membersFrom(at, take);
  }

  private membersFrom(first: number, take: Take): number {
    const { bytes } = this;
    let at = first;
    for (;;) {
      if (bytes[at] !== quote) throw new Unclear();
      const end = this.string(at);
      const value = this.blanks(end);
      if (bytes[value] !== colon) throw new Unclear();
      at = this.blanks(take(at + 1, end - 1, this.blanks(value + 1)));
      if (bytes[at] === objectEnd) return this.pass(at, markKinds.close);
      if (bytes[at] !== comma) throw new Unclear();
      at = this.blanks(at + 1);
    }
  }

  /** Goes on behind a bracket that stands here. */
  private pass(at: number, kind: number): number {
    const { structure } = this;
    if (structure.at !== at || structure.kind !== kind) throw new Unclear();
    structure.advance();
    return at + 1;
  }

  private isText(text: Buffer, start: number, end: number): boolean {
    const { bytes } = this;
    const { length } = text;
    if (end - start !== length) return false;
    for (let at = 0; at < length; at += 1) if (bytes[start + at] !== text[at]) return false;
    return true;
  }

  /** The end of the value that begins here. */
  private skip(start: number): number {
    const first = this.bytes[start];
    if (first === quote) return this.string(start);
    return first === objectStart || first === listStart ? this.container(start) : this.plain(start);
  }

  private container(start: number): number {
    const { structure } = this;
    const { level } = structure;
    this.pass(start, markKinds.open);
    while (structure.kind !== markKinds.close || structure.level !== level) {
      if (structure.level === 0) throw new Unclear();
      structure.advance();
    }
    return this.pass(structure.at, markKinds.close);
  }

  private string(start: number): number {
    const { bytes } = this;
    const { length } = bytes;
    for (let at = start + 1; at < length; at += 1) {
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) at += 1;
    }
    throw new Unclear();
  }

  private plain(start: number): number {
    let at = start;
    while (at < this.bytes.length && !ends(this.bytes[at] ?? 0)) at += 1;
    if (at === start) throw new Unclear();
    return at;
  }

  private blanks(start: number): number {
    const { bytes } = this;
    let at = start;
    while (isBlank(bytes[at])) at += 1;
    return at;
  }

  /** The last byte before this place that is no blank. */
  private blanksBefore(end: number): number {
    const { bytes } = this;
    let at = end - 1;
    while (isBlank(bytes[at])) at -= 1;
    return at;
  }
}

function ends(byte: number): boolean {
  return byte === comma || byte === objectEnd || byte === listEnd || isBlank(byte);
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
