import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isBlank, linesFrom } from '../base/lines.ts';
import { addressOf, baseOf } from '../core/fhir/address.ts';
import type { PlacedEntry } from '../core/fhir/bundle.ts';
import type { Deletion } from '../core/fhir/deletion.ts';
import { isObject } from '../core/fhir/is-object.ts';
import { ownerOf } from '../core/fhir/references/owner.ts';
import type { RefusalByStatus } from '../core/roles/refusal-by-status.ts';
import { increase, noCounts } from './counts.ts';
import { damagedIn, type ParsedDocument, parseDocument } from './document.ts';
import type { ByteRange } from './files.ts';
import { isJson } from './is-json.ts';
import type { SourceFile, SourcePiece } from './open-sources.ts';
import { practitionerOf } from './pool.ts';
import { largestDocument, largestFile, notUtf8, readJsonBytes, tooLarge } from './read-json.ts';
import type { InputProblem } from './report/order-outcome.ts';
import { type FoundResource, type FoundRow, type Name, rowOf } from './resource-store.ts';
import type { ReadOptions } from './slim-bundle.ts';
import { ownerText, type Slot, slotOf, tailOf } from './slot.ts';

/** The place of a document with whole charts. Its patients are mapped from this document alone. */
export interface ChartPlace extends ByteRange {
  readonly source: number;
  /** Counted from 1; 0 if the source is one document. */
  readonly line: number;
}

/** The result of scanning a piece. Lines are counted from the piece's first line. */
export type PieceFacts = ReturnType<typeof nothingFound>;

function nothingFound(source: number) {
  return {
    source,
    lines: 0,
    resources: {} as Record<string, number>,
    problems: [] as InputProblem[],
    /** Why the whole piece is not FHIR and not meant to be. */
    ignored: undefined as string | undefined,
    counts: noCounts(),
    charts: [] as ChartPlace[],
    found: [] as FoundRow[],
    bases: new Set<string>(),
    /** Some resource refers to its patient without an id. So ids do not show which resources belong together. */
    isUnmarked: false,
  };
}

export interface ScanOptions extends ReadOptions {
  readonly refusalOf: RefusalByStatus;
  /** Receives a parsed chart, to keep it for mapping. */
  readonly keep: (place: ChartPlace, document: ParsedDocument, bytes: number) => void;
}

/** Scans every resource of a piece. If the file can no longer be read, that is reported as a problem. */
export function scanPiece(piece: SourcePiece, source: SourceFile | undefined, options: ScanOptions): PieceFacts {
  if (source === undefined) throw new RangeError('a piece has a source');
  const scan = new Scan(piece, options);
  try {
    if (piece.kind === 'lines') scan.lines(piece, source);
    else scan.document(source);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    scan.facts.problems.push({ reason: 'it stopped while it was read' });
  }
  return scan.facts;
}

class Scan {
  readonly facts: PieceFacts;

  constructor(
    { source }: SourcePiece,
    private readonly options: ScanOptions,
  ) {
    this.facts = nothingFound(source);
  }

  /** Scans the lines that begin in a range. The byte before the range shows whether a line begins with it. */
  lines({ start, end }: ByteRange, { path }: SourceFile): void {
    const { facts } = this;
    const before = Math.max(0, start - 1);
    for (const { number, bytes, start: at } of linesFrom(path, before)) {
      if (before + at >= end) return;
      if (number === 1 && start > 0) continue;
      facts.lines += 1;
      if (!isUtf8(bytes)) facts.problems.push({ line: facts.lines, reason: notUtf8 });
      const span = { start: before + at, end: before + at + bytes.length };
      if (!isBlank(bytes)) this.line(bytes, { source: facts.source, line: facts.lines, ...span });
    }
  }

  document({ path, size }: SourceFile): void {
    const { facts, options } = this;
    if (size >= (options.isFast ? largestFile : largestDocument)) {
      facts.problems.push({ reason: tooLarge });
      return;
    }
    const bytes = readFileSync(path);
    this.value(bytes, { source: facts.source, line: 0, start: 0, end: bytes.length });
  }

  private line(bytes: Buffer, at: ChartPlace): void {
    const { isFast, unread } = this.options;
    const type = plainType(bytes);
    if (type === undefined || !unread.has(type) || !(isFast || isJson(bytes))) this.value(bytes, at);
    else increase(this.facts.resources, type, 1);
  }

  private value(bytes: Buffer, at: ChartPlace): void {
    const { facts, options } = this;
    const line = at.line === 0 ? {} : { line: at.line };
    const read = readJsonBytes(bytes, options);
    if ('reason' in read) {
      facts.problems.push({ ...line, reason: read.reason });
      return;
    }
    const document = parseDocument(read.value);
    if (at.line === 0 && !isUtf8(bytes)) facts.problems.push(...damagedIn(document));
    if ('ignored' in document) {
      if (at.line === 0) facts.ignored = document.ignored;
      else facts.counts.skipped += 1;
      facts.counts.deletionFiles += document.deletionFiles ?? 0;
      return;
    }
    for (const { resource } of document.entries) increase(facts.resources, resource.resourceType, 1);
    for (const [type, count] of Object.entries(read.unread)) increase(facts.resources, type, count);
    for (const { path, message } of document.issues)
      facts.problems.push({ ...line, ...(path === '' ? {} : { path }), reason: message });
    facts.counts.deletions += document.deletions.length;
    facts.counts.messages += document.messages;
    if (document.isChart) {
      this.servers(document);
      facts.charts.push(at);
      options.keep(at, document, read.parsed);
      return;
    }
    for (const deletion of document.deletions) this.deletion(deletion, at);
    for (const entry of document.entries) {
      const isLine = at.line > 0 && document.entries.length === 1 && entry.path === '';
      if (!options.unread.has(entry.resource.resourceType)) this.entry(entry, at, isLine);
    }
  }

  private entry(entry: PlacedEntry, at: ChartPlace, isLine: boolean): void {
    const { facts } = this;
    const refusal = this.options.refusalOf(entry.resource);
    const slot = slotOf(entry, { place: { file: '' }, load: () => entry, refusal });
    const { type, id, fullUrl = '', base, owner, isPersonal } = slot;
    const reference = ownerText(slot);
    if (base !== undefined) facts.bases.add(base);
    this.reference(reference);
    const isPatient = type === 'Patient';
    const patient = isPatient ? (id ?? tailOf(fullUrl)) : tailOf(reference);
    const isNamed = isPatient ? fullUrl === '' || tailOf(fullUrl) === patient : isById(owner, reference);
    if (isPersonal && !isNamed) facts.isUnmarked = true;
    const place = { ...at, path: entry.path, json: isLine ? null : jsonOf(entry.resource) };
    facts.found.push(rowOf(foundOf(slot, place, patient)));
  }

  private deletion(deletion: Deletion, at: ChartPlace): void {
    const { type = '', id = '' } = addressOf(deletion.reference) ?? {};
    const found = {
      ...placeOf({ ...at, path: deletion.path, json: null }),
      ...{ url: '', id: null, owner: null, refusal: null, tail: id, patient: null },
      type: this.options.unread.has(type) ? '' : type,
      names: [['deletion', tailOf(deletion.reference)] as const],
      deletion: JSON.stringify(deletion),
    };
    this.facts.found.push(rowOf(found));
  }

  /** Notes the servers of a chart. Resources without a URL may be from any of them. */
  private servers({ entries, server }: ParsedDocument): void {
    if (server !== undefined) this.facts.bases.add(server);
    for (const { resource, fullUrl = '' } of entries) {
      this.reference(fullUrl);
      this.reference(ownerOf(resource)?.reference);
    }
  }

  private reference(text: unknown): void {
    const base = typeof text === 'string' ? baseOf(text) : undefined;
    if (base !== undefined) this.facts.bases.add(base);
  }
}

/** The place of a resource, with its JSON if it has no line of its own. */
type FoundPlace = ChartPlace & Pick<FoundResource, 'path' | 'json'>;

export function foundOf(slot: Slot, at: FoundPlace, patient: string): FoundResource {
  return {
    ...placeOf(at),
    url: slot.fullUrl ?? '',
    type: slot.type,
    id: slot.id === undefined ? null : String(slot.id),
    owner: slot.owner === undefined ? null : JSON.stringify(slot.owner),
    refusal: slot.refusal ?? null,
    deletion: null,
    tail: tailOf(slot.key),
    patient: slot.isPersonal ? patient : null,
    ...(slot.isPersonal ? {} : { names: namesOf(slot) }),
  };
}

function placeOf({ source, line, start, end, path, json }: FoundPlace) {
  return { source, line, start, length: json?.length ?? end - start, path, json };
}

function namesOf(slot: Slot): readonly Name[] {
  const tails = new Set([slot.key, slot.id ?? '', slot.fullUrl ?? ''].map(tailOf));
  tails.delete('');
  const values = slot.identifiers().flatMap(({ value }) => value?.trim() ?? []);
  const asTheyAre = { spelled: (key: string) => key };
  return [
    ...[...tails].map((tail): Name => ['name', tail]),
    ...values.map((value): Name => ['identifier', value]),
    ...(slot.type === 'PractitionerRole' ? [['role', tailOf(practitionerOf(slot, asTheyAre))] satisfies Name] : []),
  ];
}

/** Returns null if the resource is nested too deeply to be serialized. Then its document is read again. */
function jsonOf(resource: object): string | null {
  try {
    return JSON.stringify(resource);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

// a search is fast if the first letter is rare
const [typeEnd, spelledKey] = [Buffer.from('Type"'), Buffer.from('\\u00')];

/** Returns the resource type of a line in the usual spelling; undefined if a parser might find another type. */
function plainType(bytes: Buffer): string | undefined {
  const type = /^\{"resourceType": ?"([A-Za-z]+)"/.exec(bytes.toString('latin1', 0, 60))?.[1];
  const isAlone = bytes.indexOf(typeEnd, 16) === -1 && bytes.indexOf(spelledKey) === -1;
  return isAlone ? type : undefined;
}

/** Whether the patient is referenced by a URL or id, or not at all. */
function isById(owner: unknown, reference: string): boolean {
  return owner === undefined || (!isObject(owner) && reference !== '' && !reference.includes('?'));
}
