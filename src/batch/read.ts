import { createReadStream, readFileSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzip, gunzipSync } from 'node:zlib';
import { BridgeError } from '../errors.ts';
import { readChangedChart } from '../proof/fixture-chart.ts';
import { reasonOf } from './input.ts';
import { parseJson } from './json.ts';
import { type Line, splitLines } from './lines.ts';
import type { OpenFiles } from './open-files.ts';
import type { Span } from './spans.ts';

/** One JSON document of a file, as bytes. */
export interface RawDocument {
  /** Of a file of lines, from 1. */
  readonly line?: number;
  readonly bytes: Buffer;
  /** How to read the document again, or only a part of it. */
  readonly again: (part?: Span) => () => Buffer;
}

/** What a file turned out to hold. `documents` rejects with `input_unreadable` where the file breaks off. */
export type Content =
  | { readonly kind: 'documents'; readonly documents: AsyncIterable<RawDocument> }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** V8 cannot hold a longer string. */
const largestDocument = 512 * 1024 * 1024;
const sniffed = 64 * 1024;

/**
 * Opens a file by what it holds, not by its name alone: gzip, NDJSON, or one JSON document. Standard input is read to
 * its end. The `change.json` of a mapping case is read as the chart that it makes of its base.
 */
export async function readContent(path: string, stdin: AsyncIterable<Buffer>, files: OpenFiles): Promise<Content> {
  if (path === '-') return contentOf(Buffer.concat(await collect(stdin)), 'standard input', inMemory);
  try {
    const changed = readChangedChart(path);
    if (changed !== undefined) return contentOf(Buffer.from(JSON.stringify(changed)), path, inMemory);
    const head = await readHead(path);
    if (isGzip(head)) return await readGzip(path);
    const kind = kindOf(head, path);
    if (kind === 'lines') return { kind: 'documents', documents: linesOf(path, files) };
    if (kind !== 'document') return kind;
    if ((await stat(path)).size >= largestDocument) return tooLarge;
    return { kind: 'documents', documents: one({ bytes: await readWhole(path), again: fromFile(path, files) }) };
  } catch (error) {
    const isChange = error instanceof BridgeError;
    return { kind: 'unreadable', reason: isChange ? noBase : reasonOf(error) };
  }
}

const noBase = 'the chart that it changes is not there, or does not have what it changes';

/** The bytes of a document that was read before. */
function rereadDocument(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    return isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: largestDocument }) : bytes;
  } catch (cause) {
    throw new BridgeError('input_unreadable', { file: path, reason: 'it changed while it was read' }, { cause });
  }
}

const tooLarge: Content = { kind: 'unreadable', reason: 'it is larger than 512 MiB: export it as NDJSON' };

async function readGzip(path: string): Promise<Content> {
  if (/\.(ndjson|jsonl)\.gz$/i.test(path)) return { kind: 'documents', documents: memoryLines(gunzipLines(path)) };
  const bytes = await readWhole(path);
  return new Promise((resolve) => {
    gunzip(bytes, { maxOutputLength: largestDocument }, (error, plain) => {
      if (error === null) resolve(contentOf(plain, path.replace(/\.gz$/i, ''), fromGzip(path)));
      else
        resolve(
          'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
            ? tooLarge
            : { kind: 'unreadable', reason: 'it is not a whole gzip file' },
        );
    });
  });
}

async function* gunzipLines(path: string): AsyncGenerator<Line> {
  const plain = createGunzip();
  const failed = pipeline(createReadStream(path), plain).then(
    () => undefined,
    () => new BridgeError('input_unreadable', { file: path, reason: 'it is not a whole gzip file' }),
  );
  try {
    yield* splitLines(plain);
  } catch {
    // The error below says it with the file's name.
  }
  const error = await failed;
  if (error !== undefined) throw error;
}

function contentOf(bytes: Buffer, name: string, again: (bytes: Buffer) => RawDocument['again']): Content {
  const kind = kindOf(bytes.subarray(0, sniffed), name);
  if (kind === 'document') return { kind: 'documents', documents: one({ bytes, again: again(bytes) }) };
  return kind === 'lines' ? { kind: 'documents', documents: memoryLines(splitLines([bytes])) } : kind;
}

async function* one(document: RawDocument): AsyncGenerator<RawDocument> {
  yield document;
}

async function* linesOf(path: string, files: OpenFiles): AsyncGenerator<RawDocument> {
  for await (const { number, offset, bytes } of splitLines(createReadStream(path, { highWaterMark: 1 << 20 })))
    yield { line: number, bytes, again: fromLine(path, files, { start: offset, end: offset + bytes.length }) };
}

async function* memoryLines(lines: AsyncIterable<Line>): AsyncGenerator<RawDocument> {
  for await (const { number, bytes } of lines) yield { line: number, bytes, again: inMemory(bytes) };
}

// Each of these is a function of its own so that what it returns holds on to nothing else of the first reading.

function fromFile(path: string, files: OpenFiles): RawDocument['again'] {
  return (part) => (part === undefined ? () => rereadDocument(path) : () => files.read(path, part));
}

function fromLine(path: string, files: OpenFiles, { start, end }: Span): RawDocument['again'] {
  return (part) => {
    const span = part === undefined ? { start, end } : { start: start + part.start, end: start + part.end };
    return () => files.read(path, span);
  };
}

/** Parts of a compressed file cannot be read again by their place, so their bytes stay in memory. */
function fromGzip(path: string): (bytes: Buffer) => RawDocument['again'] {
  return (bytes) => (part) => (part === undefined ? () => rereadDocument(path) : kept(bytes, part));
}

function inMemory(bytes: Buffer): RawDocument['again'] {
  return (part) => kept(bytes, part ?? { start: 0, end: bytes.length });
}

function kept(bytes: Buffer, { start, end }: Span): () => Buffer {
  const copy = Buffer.from(bytes.subarray(start, end));
  return () => copy;
}

/** NDJSON is told by its name or by a first line that is a whole JSON object with another line after it. */
function kindOf(
  head: Buffer,
  name: string,
): 'document' | 'lines' | Extract<Content, { kind: 'ignored' | 'unreadable' }> {
  if (/\.(ndjson|jsonl)$/i.test(name)) return 'lines';
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const json = /\.json$/i.test(name);
  if (text === '')
    return json ? { kind: 'unreadable', reason: 'it is empty' } : { kind: 'ignored', reason: 'an empty file' };
  if (text[0] === '<' && /^<(\?xml|[A-Z][A-Za-z]+ xmlns="http:\/\/hl7\.org\/fhir")/.test(text))
    return { kind: 'unreadable', reason: 'it is XML: export it as FHIR JSON' };
  if (text[0] !== '{' && text[0] !== '[')
    return json ? { kind: 'unreadable', reason: 'it is not JSON' } : { kind: 'ignored', reason: 'not JSON' };
  const end = text.indexOf('\n');
  if (end === -1 || text.slice(end).trim() === '' || text[0] === '[') return 'document';
  return 'value' in parseJson(Buffer.from(text.slice(0, end))) ? 'lines' : 'document';
}

function isGzip(head: Buffer): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffed), 0, sniffed, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readWhole(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
