import { ownerProperties } from '../core/fhir/owner.ts';
import { isJson } from './json-check.ts';
import { LineMemory, tells, todos } from './line-memory.ts';
import { isBlank } from './lines.ts';
import type { Reading } from './reading.ts';
import { kindOf } from './records.ts';
import { personalTypes } from './slot.ts';
import type { Span } from './spans.ts';

/** What the first look at some lines finds. */
export interface LinesFound {
  readonly lines: number;
  /** How many resources of a type were told from their lines, or are read by nobody. */
  readonly counts: readonly (readonly [type: string, count: number])[];
}

/** Who is told of lines, in their order; what is handed over holds until the call returns. */
export interface LinesSeen {
  /** Records of resources whose lines told all that is needed. */
  readonly records: (records: Uint8Array) => void;
  /** The reference to a patient that names a server. */
  readonly address: (reference: string) => void;
  /** A line that has to be parsed, its number from 1, and where it begins in the file. */
  readonly left: (line: number, bytes: Buffer, start: number) => void;
  /** A line that is not UTF-8, by its number from 1, before anything else is told of it. */
  readonly damaged: (line: number) => void;
}

/**
 * Finds the resources of an export's lines without parsing them: reads type, id and patient of resources as servers
 * write them, `{"resourceType":"X","id":"1",...`, the patient once and as a literal reference. Whatever stands
 * otherwise is left: contained resources, escapes that could spell a key, a key that stands twice, another order of
 * keys.
 *
 * Sound because inside a JSON string a quote has a backslash before it: `"subject":` is always a key. One such key in
 * the whole line is either the resource's own or the resource has none; then the mark leads to a patient who is not
 * asked for it, and nothing is lost.
 */
export class LineScan {
  private memory = new LineMemory();
  /** In the order in which the memory knows them. */
  private readonly types: string[] = [];

  constructor(private readonly reading: Reading) {}

  /** The lines that begin in a range of a file: each line begins in exactly one of the ranges of its file. */
  lines(file: number, piece: Span & { readonly id: number }, seen: LinesSeen): LinesFound {
    const { memory } = this;
    memory.begin(piece.id);
    this.read(file, piece, seen);
    const { lines } = memory;
    const counts = memory
      .takeCounts()
      .flatMap((count, at) => (count === 0 ? [] : [[this.types[at] ?? '', count] as const]));
    if (memory.isLarge) this.renew();
    return { lines, counts };
  }

  private read(file: number, { start, end }: Span, seen: LinesSeen): void {
    const { memory } = this;
    // Whether the range begins with a line is told by the byte before it.
    let offset = Math.max(0, start - 1);
    let isBegun = start === 0;
    let length = 0;
    while (offset < end) {
      const more = memory.fill(file, { at: length, offset: offset + length, end });
      const whole = memory.lastLineEnd(length, length + more);
      length += more;
      const isLast = more === 0 || length >= longest;
      if (whole === 0 && !isLast) {
        // What a line of an earlier range goes on with is not kept.
        if (!isBegun) [offset, length] = [offset + length, 0];
        continue;
      }
      const known = whole === 0 ? length : whole;
      const first = isBegun ? 0 : memory.firstLineEnd(known);
      isBegun = true;
      if (isLast) memory.endLine(known);
      memory.place(first, offset);
      const to = Math.min(known, end - offset);
      for (const line of memory.linesNotUtf8(first, to)) seen.damaged(memory.lines + line);
      this.look(to, offset, seen);
      if (isLast) return;
      memory.keep(known, length);
      offset += known;
      length -= known;
    }
  }

  /** Looks at lines that are in memory, those that begin before `to`. */
  private look(to: number, offset: number, seen: LinesSeen): void {
    const { memory } = this;
    for (;;) {
      const told = memory.run(to);
      const records = memory.takeRecords();
      if (records.length > 0) seen.records(records);
      if (told === tells.end) return;
      if (told === tells.left) this.leave(offset, seen);
      else if (told === tells.address) seen.address(memory.text());
      else if (told === tells.unread) this.unread(offset, seen);
      else if (told === tells.type) this.type(offset, seen);
    }
  }

  private leave(offset: number, { left }: LinesSeen): void {
    const { memory } = this;
    const bytes = memory.line();
    if (!isBlank(bytes)) left(memory.lines, bytes, offset + memory.start);
  }

  private unread(offset: number, seen: LinesSeen): void {
    const { memory } = this;
    const bytes = memory.line();
    if (isJson(bytes, 0, bytes.length)) memory.count();
    else this.leave(offset, seen);
  }

  private type(offset: number, seen: LinesSeen): void {
    const { memory, types } = this;
    const name = memory.name();
    if (name !== undefined && types.length < mostTypes) {
      types.push(name);
      this.know(name);
      return;
    }
    memory.leave();
    this.leave(offset, seen);
  }

  private know(name: string): void {
    const properties = name === 'Patient' ? [] : ownerProperties(name);
    const todo = todoOf(name, properties, this.reading);
    this.memory.know({ name, property: properties[0] ?? '', todo, kind: kindOf(name, properties.length > 0) });
  }

  private renew(): void {
    this.memory = new LineMemory();
    for (const name of this.types) this.know(name);
  }
}

function todoOf(name: string, properties: readonly string[], { isFast, unread }: Reading): number {
  if (unread.has(name)) return isFast ? todos.count : todos.tell;
  if (name === 'Patient') return todos.patient;
  if (!/^[A-Z][A-Za-z]+$/.test(name) || listTypes.has(name) || properties.length > 1) return todos.leave;
  if (properties.length === 1) return todos.owned;
  return personalTypes.has(name) ? todos.leave : todos.plain;
}

/** A line longer than this is not a resource; it is cut, so that memory stays bounded, and then fails to parse. */
const longest = 256 << 20;
/** Names of types that are kept; FHIR has 150, an export some 30. */
const mostTypes = 120;
const listTypes = new Set(['Bundle', 'Parameters', 'OperationOutcome']);
