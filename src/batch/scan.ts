import { BridgeError } from '../errors.ts';
import type { PlacedEntry } from '../fhir/bundle.ts';
import { type Document, readDocument } from './document.ts';
import type { InputFile } from './input.ts';
import { parseJson } from './json.ts';
import { type FileLedger, openLedger } from './ledger.ts';
import { createOpenFiles, type OpenFiles } from './open-files.ts';
import { createPool, type Pool } from './pool.ts';
import { type RawDocument, readContent } from './read.ts';
import { spansOf } from './spans.ts';

/** A document that holds whole charts: its patients are mapped from it alone. */
export interface ChartDocument {
  readonly ledger: FileLedger;
  readonly line?: number;
  readonly drafts: ReadonlySet<string>;
  readonly entries: () => readonly PlacedEntry[];
}

/** What one folder holds: charts in documents of their own, and the pool of everything else. */
export interface ScannedFolder {
  readonly charts: readonly ChartDocument[];
  readonly pool: Pool;
  readonly ledgers: readonly FileLedger[];
  /** Closes the files that parts were read from. */
  readonly close: () => void;
}

/**
 * Reads every file of one folder once and tells where each resource belongs: charts stand alone, all else is one pool.
 */
export async function scanFolder(
  inputs: readonly InputFile[],
  stdin: AsyncIterable<Buffer>,
  onFile: (file: string) => void,
): Promise<ScannedFolder> {
  const files = createOpenFiles();
  const found: Found = { pool: createPool(), charts: [], memory: { left: 64 * 1024 * 1024 } };
  const ledgers: FileLedger[] = [];
  for (const { path } of inputs) {
    onFile(path);
    const ledger = openLedger(path);
    ledgers.push(ledger);
    await scanFile(ledger, { stdin, files }, found);
  }
  return { charts: found.charts, pool: found.pool, ledgers, close: files.close };
}

interface Found {
  readonly pool: Pool;
  readonly charts: ChartDocument[];
  /** Bytes of charts that may still be kept parsed, so that they need not be parsed twice. */
  readonly memory: { left: number };
}

async function scanFile(
  ledger: FileLedger,
  { stdin, files }: { readonly stdin: AsyncIterable<Buffer>; readonly files: OpenFiles },
  found: Found,
): Promise<void> {
  const content = await readContent(ledger.file, stdin, files);
  if (content.kind === 'ignored') return ledger.ignore(content.reason);
  if (content.kind === 'unreadable') return ledger.unreadable({ reason: content.reason });
  try {
    for await (const document of content.documents) scanDocument(document, ledger, found);
  } catch (error) {
    const isGzip = error instanceof BridgeError;
    const reason = isGzip
      ? 'it is not a whole gzip file: what came before the break was read'
      : 'it stopped while it was read';
    ledger.unreadable({ reason });
  }
}

function scanDocument(raw: RawDocument, ledger: FileLedger, found: Found): void {
  const at = raw.line === undefined ? {} : { line: raw.line };
  const parsed = parseJson(raw.bytes);
  if ('reason' in parsed) {
    ledger.unreadable({ ...at, reason: parsed.reason });
    return;
  }
  const document = readDocument(parsed.value);
  if ('ignored' in document) {
    if (raw.line === undefined) ledger.ignore(document.ignored);
    else ledger.skip();
    return;
  }
  ledger.read(document, raw.line);
  if (document.isChart) found.charts.push({ ledger, ...at, ...chartOf(document, raw, found) });
  else addToPool(document, raw, { ledger, pool: found.pool });
}

function chartOf(
  { entries, drafts }: Document,
  { bytes, again }: RawDocument,
  { memory }: Found,
): Pick<ChartDocument, 'drafts' | 'entries'> {
  if (memory.left < bytes.length) return { drafts, entries: entriesAgain(again()) };
  memory.left -= bytes.length;
  return { drafts, entries: () => entries };
}

/** Each resource remembers where it stands, so that it costs what it holds however large its document is. */
function addToPool(
  { entries }: Document,
  { bytes, again, line }: RawDocument,
  { ledger, pool }: { readonly ledger: FileLedger; readonly pool: Pool },
): void {
  const isWhole = entries.length === 1 && entries[0]?.path === '';
  const spans = isWhole ? undefined : spansOf(bytes, new Set(entries.map(({ path }) => path)));
  for (const entry of entries) {
    const place = { file: ledger.file, ...(line === undefined ? {} : { line }) };
    const part = again(spans?.get(entry.path));
    pool.add(entry, isWhole ? place : { ...place, path: entry.path }, entryAgain(part, entry.path, entry.fullUrl));
  }
}

// These two are functions of their own so that what they return holds on to nothing of the first reading.
function entriesAgain(again: () => Buffer): () => readonly PlacedEntry[] {
  return () => {
    const parsed = parseJson(again());
    const document = 'value' in parsed ? readDocument(parsed.value) : { ignored: '' };
    return 'ignored' in document ? [] : document.entries;
  };
}

function entryAgain(again: () => Buffer, path: string, fullUrl: string | undefined): () => PlacedEntry {
  return () => {
    const [entry] = entriesAgain(again)();
    if (entry === undefined)
      throw new BridgeError('input_unreadable', { reason: 'the input changed while it was read' });
    return fullUrl === undefined ? { ...entry, path } : { ...entry, path, fullUrl };
  };
}
