import { markOf } from '../../src/batch/mark.ts';
import { personalTypes } from '../../src/batch/slot.ts';
import { ownerProperties } from '../../src/core/fhir/owner.ts';

/** What the bytes of one line say of its resource without being parsed. */
export interface QuickFacts {
  readonly type: string;
  /** Marks as in a record. */
  readonly owner: number;
  readonly key: number;
  /** The reference to the patient where it is absolute and names its server; else empty. */
  readonly address: string;
}

/**
 * Reads type, id and patient of resources as servers write them: `{"resourceType":"X","id":"1",...`, the patient once
 * and as a literal reference. Whatever stands otherwise is undefined and has to be parsed: contained resources, escapes
 * that could spell a key, a key that stands twice, another order of keys.
 *
 * Sound because inside a JSON string a quote has a backslash before it: `"subject":` is always a key. One such key in
 * the whole line is either the resource's own or the resource has none; then the mark leads to a patient who is not
 * asked for it, and nothing is lost.
 */
export class QuickReader {
  private type = '';
  private typeBytes = Buffer.alloc(0);
  private needle: Buffer | undefined;
  private isPlain = false;
  private nextEscape = -1;
  private nextType = -1;

  constructor(private readonly bytes: Buffer) {}

  /** The type alone, where the line begins as servers write it. */
  typeOf(start: number, end: number): string | undefined {
    const { bytes } = this;
    if (bytes[start] !== 0x7b || bytes[end - 1] !== 0x7d) return undefined;
    let at = start + 1;
    if (!startsWith(bytes, at, typeKey)) return undefined;
    at += typeKey.length;
    if (bytes[at] === blank) at += 1;
    if (bytes[at] !== quote) return undefined;
    at += 1;
    const known = at + this.typeBytes.length;
    if (this.type !== '' && bytes[known] === quote && startsWith(bytes, at, this.typeBytes)) return this.type;
    const close = bytes.indexOf(quote, at);
    if (close === -1 || close >= end || close - at > 40) return undefined;
    this.learn(bytes.toString('latin1', at, close));
    return this.type;
  }

  facts(start: number, end: number): QuickFacts | undefined {
    const type = this.typeOf(start, end);
    if (type === undefined || !this.isPlain || this.hasEscape(start, end) || this.hasAnotherType(start, end))
      return undefined;
    const id = this.idOf(start, end);
    if (id === undefined) return undefined;
    const key = markOf(this.bytes, id.start, id.end, this.typeBytes.length * 31 + (this.typeBytes[0] ?? 0));
    if (type === 'Patient')
      return this.isOnlyId(id.start - 1, end) ? { type, owner: this.mark(id), key, ...noReference } : undefined;
    if (this.needle === undefined) return { type, owner: 0, key, ...noReference };
    const reference = this.ownerOf(start, end);
    if (reference === undefined) return undefined;
    const first = this.bytes[reference.start] ?? 0;
    return {
      type,
      owner: this.mark(this.tailOf(reference)),
      key,
      address: first === letterH ? this.bytes.toString('latin1', reference.start, reference.end) : '',
    };
  }

  /** What stands last in a reference. */
  private tailOf({ start, end }: Range): Range {
    let at = end;
    for (; at > start; at -= 1) {
      const before = this.bytes[at - 1];
      if (before === slash || before === colon) break;
    }
    return { start: at, end };
  }

  private mark({ start, end }: Range): number {
    return markOf(this.bytes, start, end);
  }

  private learn(type: string): void {
    const properties = type === 'Patient' ? [] : ownerProperties(type);
    this.type = type;
    this.typeBytes = Buffer.from(type);
    this.needle = properties.length === 1 ? Buffer.from(`${properties[0]}":`) : undefined;
    this.isPlain =
      /^[A-Z][A-Za-z]+$/.test(type) &&
      !listTypes.has(type) &&
      (properties.length === 1 || (properties.length === 0 && !personalTypes.has(type)) || type === 'Patient');
  }

  // `\u0073ubject` is a key too.
  private hasEscape(start: number, end: number): boolean {
    if (this.nextEscape < start) {
      const found = this.bytes.indexOf('\\u00', start);
      this.nextEscape = found === -1 ? this.bytes.length : found;
    }
    return this.nextEscape < end;
  }

  private hasAnotherType(start: number, end: number): boolean {
    if (this.nextType <= start + 2) {
      const found = this.bytes.indexOf('resourceType', start + 3);
      this.nextType = found === -1 ? this.bytes.length : found;
    }
    return this.nextType < end;
  }

  private idOf(start: number, end: number): Range | undefined {
    const { bytes } = this;
    let at = bytes.indexOf(quote, start + 1 + typeKey.length) + 1 + this.typeBytes.length + 1;
    if (bytes[at] !== 0x2c) return undefined;
    at += 1;
    if (bytes[at] === blank) at += 1;
    if (!startsWith(bytes, at, idKey)) return undefined;
    at += idKey.length;
    if (bytes[at] === blank) at += 1;
    if (bytes[at] !== quote) return undefined;
    const close = bytes.indexOf(quote, at + 1);
    if (close === -1 || close >= end || !isPlainText(bytes, at + 1, close)) return undefined;
    return { start: at + 1, end: close };
  }

  private isOnlyId(from: number, end: number): boolean {
    const next = this.bytes.indexOf('"id":', from);
    return next === -1 || next >= end;
  }

  private ownerOf(start: number, end: number): Range | undefined {
    const { bytes, needle } = this;
    if (needle === undefined) return undefined;
    const found = bytes.indexOf(needle, start);
    if (found === -1 || found >= end || bytes[found - 1] !== quote) return undefined;
    const again = bytes.indexOf(needle, found + needle.length);
    if (again !== -1 && again < end) return undefined;
    let at = found + needle.length;
    if (bytes[at] === blank) at += 1;
    if (bytes[at] !== 0x7b) return undefined;
    at += 1;
    if (!startsWith(bytes, at, referenceKey)) return undefined;
    at += referenceKey.length;
    if (bytes[at] === blank) at += 1;
    if (bytes[at] !== quote) return undefined;
    const close = bytes.indexOf(quote, at + 1);
    if (close === -1 || close >= end || !isPlainText(bytes, at + 1, close)) return undefined;
    if (bytes[close + 1] !== 0x7d) {
      const brace = bytes.indexOf(0x7d, close);
      if (brace === -1 || brace >= end) return undefined;
      if (bytes.toString('latin1', close, brace).includes('"reference"')) return undefined;
    }
    return { start: at + 1, end: close };
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const typeKey = Buffer.from('"resourceType":');
const idKey = Buffer.from('"id":');
const referenceKey = Buffer.from('"reference":');
const noReference = { address: '' };
const quote = 0x22;
const slash = 0x2f;
const colon = 0x3a;
const letterH = 0x68;
const blank = 0x20;
const listTypes = new Set(['Bundle', 'Parameters', 'OperationOutcome']);

function startsWith(bytes: Buffer, at: number, wanted: Buffer): boolean {
  for (let index = 0; index < wanted.length; index += 1) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}

/** Letters, digits and what addresses of one resource are made of: no version, no search, no `urn:`, no escape. */
function isPlainText(bytes: Buffer, start: number, end: number): boolean {
  if (start === end || bytes[end - 1] === 0x2f) return false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    const isPlain = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x2d && byte <= 0x3a);
    if (!isPlain) return false;
  }
  return true;
}
