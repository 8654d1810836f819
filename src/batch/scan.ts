import { isUtf8 } from 'node:buffer';
import { closeSync, openSync } from 'node:fs';
import { addressOf, baseOf } from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import type { Deletion } from '../core/fhir/deletion.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { ownerOf } from '../core/fhir/owner.ts';
import { damagedIn } from './damaged-in.ts';
import { deletionText } from './deletions.ts';
import { type Document, readDocument } from './document.ts';
import type { DocumentReader } from './document-reader.ts';
import { notUtf8 } from './json.ts';
import type { LineScan } from './line-scan.ts';
import { markOfText } from './mark.ts';
import type { Problem } from './outcome.ts';
import type { Piece } from './pieces.ts';
import { largestDocument, largestFile, readJson, tooLarge } from './read-part.ts';
import type { Reading } from './reading.ts';
import { kindOf, type RecordKind, RecordWriter, recordKinds } from './records.ts';
import { type Slot, slotOf } from './slot.ts';
import type { Source } from './sources.ts';
import { type Span, spansOf } from './spans.ts';

/** Where a document that holds whole charts stands: its patients are mapped from it alone. */
export interface ChartPlace extends Span {
  readonly piece: number;
  /** In its piece, from 1; 0 for a document of its own. */
  readonly line: number;
}

/** What the first look at a piece found; lines count from the piece's first. */
export interface PieceFacts {
  readonly piece: number;
  readonly lines: number;
  readonly resources: Readonly<Record<string, number>>;
  readonly problems: readonly Problem[];
  /** Why the whole of it is not FHIR and not meant to be. */
  readonly ignored?: string;
  /** Lines of JSON without a resource. */
  readonly skipped: number;
  /** Entries that say that a resource was deleted. */
  readonly deletions: number;
  /** OperationOutcomes that say something that is no error. */
  readonly messages: number;
  /** How many files of deletions a manifest lists. */
  readonly deletionFiles: number;
  readonly charts: readonly ChartPlace[];
}

/** What the first look at a task's pieces found. */
export interface TaskFacts {
  readonly pieces: readonly PieceFacts[];
  readonly records: Uint8Array<ArrayBuffer>;
  /** Base URLs that addresses name. */
  readonly bases: readonly string[];
  /** Something names its patient otherwise than by an id: marks do not tell what belongs together. */
  readonly isUnmarked: boolean;
}

export interface ScanOptions extends Reading {
  readonly lines: LineScan;
  readonly documents: DocumentReader;
  /** Handed a chart that was parsed, to keep it for its mapping. */
  readonly keep: (place: ChartPlace, document: Document, bytes: number) => void;
}

/** Looks at every resource of some pieces once. Files that cannot be read any more are problems. */
export function scanTask(pieces: readonly Piece[], sources: readonly Source[], options: ScanOptions): TaskFacts {
  const scan = new Scan(options);
  const facts = pieces.map((piece) => {
    const source = sources[piece.source];
    if (source === undefined) throw new RangeError('a piece has a source');
    return scan.piece(piece, source);
  });
  return { pieces: facts, ...scan.found() };
}

class Scan {
  private readonly writer = new RecordWriter();
  private readonly bases = new Set<string>();
  private isUnmarked = false;
  private resources: Record<string, number> = {};
  private problems: Problem[] = [];
  private charts: ChartPlace[] = [];
  private skipped = 0;
  private deletions = 0;
  private messages = 0;
  private deletionFiles = 0;
  private ignored: string | undefined;

  constructor(private readonly options: ScanOptions) {}

  found(): Omit<TaskFacts, 'pieces'> {
    const { isUnmarked } = this;
    return { records: this.writer.take(), bases: [...this.bases], isUnmarked };
  }

  piece(piece: Piece, source: Source): PieceFacts {
    this.resources = {};
    this.problems = [];
    this.charts = [];
    this.skipped = 0;
    this.deletions = 0;
    this.messages = 0;
    this.deletionFiles = 0;
    this.ignored = undefined;
    let lines = 0;
    try {
      if (piece.kind === 'lines') lines = this.lines(piece, source);
      else this.document(piece, source);
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      this.problems.push({ reason: 'it stopped while it was read' });
    }
    const { resources, problems, charts, skipped, ignored, deletions, messages, deletionFiles } = this;
    const facts = {
      piece: piece.id,
      lines,
      resources,
      problems,
      skipped,
      charts,
      deletions,
      messages,
      deletionFiles,
    };
    return ignored === undefined ? facts : { ...facts, ignored };
  }

  private lines(piece: Piece, { path }: Source): number {
    const file = openSync(path, 'r');
    try {
      const { lines, counts } = this.options.lines.lines(file, piece, {
        records: (records) => this.writer.addAll(records),
        address: (reference) => this.reference(reference),
        damaged: (line) => this.problems.push({ line, reason: notUtf8 }),
        left: (line, bytes, start) => this.value(bytes, { piece: piece.id, line, start, end: start + bytes.length }),
      });
      for (const [type, count] of counts) this.count(type, count);
      return lines;
    } finally {
      closeSync(file);
    }
  }

  private document(piece: Piece, { path, size }: Source): void {
    if (size >= (this.options.isFast ? largestFile : largestDocument)) {
      this.problems.push({ reason: tooLarge });
      return;
    }
    const bytes = this.options.documents.read(path);
    this.value(bytes, { piece: piece.id, line: 0, start: 0, end: bytes.length });
  }

  /** Of a line or a document that has to be parsed to know what it is. */
  private value(bytes: Buffer, at: ChartPlace): void {
    const line = at.line === 0 ? {} : { line: at.line };
    const parsed = readJson(bytes, this.options);
    if ('reason' in parsed) {
      this.problems.push({ ...line, reason: parsed.reason });
      return;
    }
    const document = readDocument(parsed.value);
    if (at.line === 0 && !isUtf8(bytes)) this.problems.push(...damagedIn(document));
    if ('ignored' in document) {
      if (at.line === 0) this.ignored = document.ignored;
      else this.skipped += 1;
      this.deletionFiles += document.deletionFiles ?? 0;
      return;
    }
    for (const { resource } of document.entries) this.count(resource.resourceType);
    for (const [type, count] of Object.entries(parsed.unread ?? {})) this.count(type, count);
    for (const { path, message } of document.issues)
      this.problems.push({ ...line, ...(path === '' ? {} : { path }), reason: message });
    this.deletions += document.deletions.length;
    this.messages += document.messages;
    if (!document.isChart) for (const deletion of document.deletions) this.deletion(deletion, at);
    if (document.isChart) {
      this.servers(document);
      this.charts.push(at);
      this.options.keep(at, document, parsed.parsed);
    } else this.entries(document.entries, bytes, at, parsed.spans);
  }

  private entries(
    entries: readonly PlacedEntry[],
    bytes: Buffer,
    at: ChartPlace,
    known?: ReadonlyMap<string, Span>,
  ): void {
    const isWhole = entries.length === 1 && entries[0]?.path === '';
    const spans = isWhole ? undefined : (known ?? spansOf(bytes, new Set(entries.map(({ path }) => path))));
    for (const entry of entries) {
      const span = spans?.get(entry.path) ?? { start: 0, end: bytes.length };
      this.entry(entry, { ...at, start: at.start + span.start, end: at.start + span.end });
    }
  }

  private entry(entry: PlacedEntry, at: ChartPlace): void {
    const { path, fullUrl = '' } = entry;
    const slot = slotOf(entry, { file: '' }, () => entry);
    if (this.options.unread.has(slot.type)) return;
    const text = isObject(slot.owner) ? slot.owner.reference : slot.owner;
    const reference = typeof text === 'string' ? text : '';
    if (slot.base !== undefined) this.bases.add(slot.base);
    this.reference(reference);
    const id = slot.type === 'Patient' ? (slot.id ?? tailOf(fullUrl)) : tailOf(reference);
    const isNamed = slot.type === 'Patient' ? fullUrl === '' || tailOf(fullUrl) === id : isById(slot, reference);
    if (slot.isPersonal && !isNamed) this.isUnmarked = true;
    this.record(
      at,
      {
        kind: kindOf(slot.type, slot.isPersonal),
        owner: slot.isPersonal && id !== '' ? markOfText(id) : 0,
        key: markOfText(tailOf(slot.key), slot.type.length * 31 + slot.type.charCodeAt(0)),
      },
      { path, fullUrl },
    );
  }

  private deletion(deletion: Deletion, at: ChartPlace): void {
    const { type = '', id = '' } = addressOf(deletion.reference) ?? {};
    this.record(
      at,
      {
        kind: recordKinds.deletion,
        owner: 0,
        key: this.options.unread.has(type) ? 0 : markOfText(id, type.length * 31 + type.charCodeAt(0)),
      },
      { path: deletion.path, fullUrl: deletionText(deletion) },
    );
  }

  /** Those of a chart: what stands beside it without an address may be of any of them. */
  private servers({ entries, server }: Document): void {
    if (server !== undefined) this.bases.add(server);
    for (const { resource, fullUrl = '' } of entries) {
      this.reference(fullUrl);
      this.reference(ownerOf(resource)?.reference ?? '');
    }
  }

  private reference(text: unknown): void {
    if (typeof text !== 'string') return;
    const base = baseOf(text);
    if (base !== undefined) this.bases.add(base);
  }

  private record(
    { piece, line, start, end }: ChartPlace,
    facts: { readonly kind: RecordKind; readonly owner: number; readonly key: number },
    { path, fullUrl }: { readonly path: string; readonly fullUrl: string } = nowhere,
  ): void {
    this.writer.add({ piece, line, offset: start, length: end - start, ...facts, path, fullUrl });
  }

  private count(type: string, more = 1): void {
    this.resources[type] = (this.resources[type] ?? 0) + more;
  }
}

const nowhere = { path: '', fullUrl: '' };

/** Whether its patient is named by an address or id, or not at all. */
function isById({ owner }: Slot, reference: string): boolean {
  if (owner === undefined) return true;
  return !isObject(owner) && reference !== '' && !reference.includes('?');
}

/** The id in a reference or fullUrl: what stands last in it. */
function tailOf(reference: string): string {
  const plain = reference
    .trim()
    .replace(/\/$/, '')
    .replace(/\/_history\/[^/]*$/, '');
  return plain.slice(Math.max(plain.lastIndexOf('/'), plain.lastIndexOf(':')) + 1);
}
