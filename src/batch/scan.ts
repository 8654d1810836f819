import { BridgeError } from '../errors.ts';
import { type Document, type Located, readDocument } from './document.ts';
import type { InputFile } from './input.ts';
import { parseJson } from './json.ts';
import { type FileLedger, openLedger } from './ledger.ts';
import { createPool, type Pool } from './pool.ts';
import { readContent, rereadDocument } from './read.ts';

/** A bundle that holds whole charts: its patients are mapped from it alone. */
export interface ChartBundle {
  readonly ledger: FileLedger;
  readonly line?: number;
  readonly items: () => readonly Located[];
}

/** What one folder holds: charts in bundles of their own, and the pool of everything else. */
export interface ScannedFolder {
  readonly bundles: readonly ChartBundle[];
  readonly pool: Pool;
  readonly ledgers: readonly FileLedger[];
  /** Closes the files that single lines were read from. */
  readonly close: () => void;
}

/**
 * Reads every file of one folder once and tells where each resource belongs.
 * A bundle with a Patient and something about a patient is a chart of its own, unless it is a page of search results, which
 * mean something only together with the other pages; all else (single resources, NDJSON lines, bundles of practitioners) is one pool.
 */
export async function scanFolder(
  files: readonly InputFile[],
  stdin: AsyncIterable<Buffer>,
  onFile: (file: string) => void,
): Promise<ScannedFolder> {
  const pool = createPool();
  const bundles: ChartBundle[] = [];
  const ledgers: FileLedger[] = [];
  const memory = { left: 64 * 1024 * 1024 };
  const opened: (() => void)[] = [];
  for (const file of files) {
    onFile(file.path);
    const ledger = openLedger(file.path);
    ledgers.push(ledger);
    await scanFile(file, stdin, { pool, bundles, ledger, memory, opened });
  }
  const close = () => {
    for (const closeFile of opened) closeFile();
  };
  return { bundles, pool, ledgers, close };
}

interface Into {
  readonly pool: Pool;
  readonly bundles: ChartBundle[];
  readonly ledger: FileLedger;
  /** Bytes of chart bundles that may still be kept parsed, so that they need not be parsed twice. */
  readonly memory: { left: number };
  readonly opened: (() => void)[];
}

async function scanFile(file: InputFile, stdin: AsyncIterable<Buffer>, into: Into): Promise<void> {
  const content = await readContent(file.path, stdin);
  if (content.kind === 'ignored') return into.ledger.ignore(content.reason);
  if (content.kind === 'unreadable') return into.ledger.unreadable({ reason: content.reason });
  if (content.kind === 'document')
    return scanDocument(content.bytes, undefined, documentAgain(file.path, content.bytes), into);
  into.opened.push(content.close);
  try {
    for await (const line of content.lines) scanDocument(line.bytes, line.number, content.again(line), into);
  } catch (error) {
    into.ledger.unreadable({
      reason:
        error instanceof Error && 'facts' in error
          ? 'it is not a whole gzip file: what came before the break was read'
          : 'it stopped while it was read',
    });
  }
}

/** A file is read again when it is needed, so that a folder need not fit into memory; standard input can be read only once. */
function documentAgain(path: string, bytes: Buffer): () => Buffer {
  return path === '-' ? () => bytes : () => rereadDocument(path);
}

function scanDocument(
  bytes: Buffer,
  line: number | undefined,
  again: () => Buffer,
  { pool, bundles, ledger, memory }: Into,
): void {
  const parsed = parseJson(bytes);
  const at = line === undefined ? {} : { line };
  if ('reason' in parsed) {
    ledger.unreadable({ ...at, reason: parsed.reason });
    return;
  }
  const document = readDocument(parsed.value);
  if (document.kind === 'other') {
    if (line === undefined) ledger.ignore(document.why);
    else ledger.skip();
    return;
  }
  ledger.read(document);
  if (isChart(document)) {
    const keep = memory.left >= bytes.length;
    if (keep) memory.left -= bytes.length;
    const { items } = document;
    bundles.push({ ledger, ...at, items: keep ? () => items : itemsAgain(again) });
    return;
  }
  for (const [index, located] of document.items.entries()) {
    pool.add(
      located,
      { file: ledger.file, ...at, ...(located.path === '' ? {} : { path: located.path }) },
      itemAgain(again, index),
    );
  }
}

// These two are functions of their own so that what they return holds on to nothing of the first reading.
function itemsAgain(again: () => Buffer): () => readonly Located[] {
  return () => {
    const parsed = parseJson(again());
    const document = 'value' in parsed ? readDocument(parsed.value) : undefined;
    return document === undefined || document.kind === 'other' ? [] : document.items;
  };
}

function itemAgain(again: () => Buffer, index: number): () => Located {
  return () => {
    const located = itemsAgain(again)()[index];
    if (located === undefined)
      throw new BridgeError('input_unreadable', { reason: 'the input changed while it was read' });
    return located;
  };
}

function isChart(document: Exclude<Document, { kind: 'other' }>): boolean {
  if (document.kind === 'hook') return true;
  if (document.kind !== 'bundle' || document.type === 'searchset') return false;
  const types = new Set(document.items.map((item) => item.resource.resourceType));
  return types.has('Patient') && types.has('MedicationRequest');
}
