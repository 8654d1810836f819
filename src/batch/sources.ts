import { closeSync, createReadStream, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { BridgeError } from '../core/errors.ts';
import { isDiskFull } from './disk-full.ts';
import { reasonOf } from './input.ts';
import { isUtf16, parseJson } from './json.ts';
import type { Temporary } from './temporary.ts';
import { writeWhole } from './write-whole.ts';
import { listZip } from './zip.ts';

/** Plain FHIR JSON in a file that can be read again by its places: the input itself, or what was unpacked of it. */
export interface Source {
  /** As people call it: the path that was named, `export.zip/Patient.ndjson` inside of an archive. */
  readonly file: string;
  /** Where its bytes stand. */
  readonly path: string;
  readonly kind: 'lines' | 'document';
  readonly size: number;
  /** Why it does not hold all that it should. */
  readonly broken?: string;
}

export type Opened = Source | NoSource;

export interface NoSource {
  readonly file: string;
  readonly kind: 'ignored' | 'unreadable';
  readonly reason: string;
}

export function isSource(opened: Opened): opened is Source {
  return opened.kind === 'lines' || opened.kind === 'document';
}

export interface Opening {
  readonly stdin: AsyncIterable<Buffer>;
  readonly temporary: Temporary;
}

/**
 * What a file holds, told by its bytes and not by its name alone: gzip, zip, NDJSON or one JSON document. What is
 * packed, standard input and the chart that a `change.json` makes are written to temporary files first, in bounded
 * memory. A file that cannot be read says why; nothing is thrown but that the disk is full.
 */
export async function openSources(file: string, opening: Opening): Promise<Opened[]> {
  try {
    if (file === '-') return await openPacked({ file, name: 'standard input', chunks: opening.stdin }, opening);
    const changed = basename(file) === 'change.json' ? await changedChart(file) : undefined;
    if (changed !== undefined) return [sourceOf(file, file, written(JSON.stringify(changed), opening.temporary))];
    return await openFile({ file, name: file, path: file }, opening);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    const isChange = error instanceof BridgeError;
    return [{ file, kind: 'unreadable', reason: isChange ? noBase : reasonOf(error) }];
  }
}

const noBase = 'the chart that it changes is not there, or does not have what it changes';

/** `name` is the file's as far as it tells what is in it: `Patient.ndjson` for `Patient.ndjson.gz`. */
async function openFile(
  { file, name, path }: { readonly file: string; readonly name: string; readonly path: string },
  opening: Opening,
): Promise<Opened[]> {
  const head = readHead(path);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const chunks = createReadStream(path).pipe(createGunzip());
    return openPacked({ file, name: name.replace(/\.gz$/i, ''), chunks, isGzip: true }, opening);
  }
  if (head.length > 4 && head.readUInt32LE(0) === 0x04034b50) return openZip(file, path, opening);
  return [sourceOf(file, name, path)];
}

async function openZip(file: string, path: string, opening: Opening): Promise<Opened[]> {
  const found: Opened[] = [];
  try {
    for (const { name, start, length, isDeflated } of listZip(path)) {
      if (/(^|\/)(\.|__MACOSX\/)/.test(name)) continue;
      const bytes = length === 0 ? empty() : createReadStream(path, { start, end: start + length - 1 });
      const chunks = isDeflated && !Array.isArray(bytes) && 'pipe' in bytes ? bytes.pipe(createInflateRaw()) : bytes;
      found.push(...(await openPacked({ file: `${file}/${name}`, name, chunks }, opening)));
    }
    return found;
  } catch (error) {
    if (error instanceof BridgeError) return [{ file, kind: 'unreadable', reason: 'it is not a whole zip file' }];
    throw error;
  }
}

async function* empty(): AsyncGenerator<Buffer> {}

async function openPacked(
  packed: {
    readonly file: string;
    readonly name: string;
    readonly chunks: AsyncIterable<Buffer>;
    readonly isGzip?: boolean;
  },
  opening: Opening,
): Promise<Opened[]> {
  const { file, name, chunks } = packed;
  const path = opening.temporary.path();
  const isWhole = await writeAll(path, chunks);
  if (isWhole) return openFile({ file, name, path }, opening);
  const what = `it is not a whole ${packed.isGzip === true ? 'gzip' : 'packed'} file`;
  const source = sourceOf(file, name, path);
  if (!isSource(source) || source.kind !== 'lines') return [{ file, kind: 'unreadable', reason: what }];
  return [{ ...source, broken: `${what}: what came before the break was read` }];
}

/** Whether all of it came. */
async function writeAll(path: string, chunks: AsyncIterable<Buffer>): Promise<boolean> {
  const file = openSync(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) writeWhole(file, chunk);
    return true;
  } catch (error) {
    // A full disk is another matter than a file that breaks off.
    if (error instanceof Error && 'syscall' in error) throw error;
    return false;
  } finally {
    closeSync(file);
  }
}

function written(text: string, temporary: Temporary): string {
  const path = temporary.path();
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const sniffed = 64 * 1024;

function sourceOf(file: string, name: string, path: string): Opened {
  const kind = kindOf(readHead(path), name);
  if (typeof kind !== 'string') return { file, ...kind };
  return { file, path, kind, size: statSync(path).size };
}

/** NDJSON is told by its name or by a first line that is a whole JSON object with another line after it. */
function kindOf(
  head: Buffer,
  name: string,
): Source['kind'] | { readonly kind: 'ignored' | 'unreadable'; readonly reason: string } {
  if (isTwoByte(head) && (/\.(ndjson|jsonl|json)$/i.test(name) || isOpened(head)))
    return { kind: 'unreadable', reason: isUtf16 };
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

/** Whether text of bytes is UTF-16, by its byte order mark or its first two characters. */
function isTwoByte(head: Buffer): boolean {
  const start = head.toString('hex', 0, 4);
  return /^(?:fffe|feff|(?:7b|5b)00..00$|00(?:7b|5b)00)/.test(start);
}

// Brackets and letters of JSON have a byte of zeros beside them.
function isOpened(head: Buffer): boolean {
  return [0x7b, 0x5b].some((bracket) => head.subarray(0, 4).includes(bracket));
}

/** Whether a file is one JSON document as it stands, told as `openSources` tells it; not where it cannot be read. */
export function isDocument(path: string): boolean {
  try {
    return path !== '-' && kindOf(readHead(path), path) === 'document';
  } catch {
    return false;
  }
}

async function changedChart(file: string): Promise<unknown> {
  // Loaded where it is needed: a large export is read by a process that maps nothing itself.
  const { readChangedChart } = await import('../base/fixture-chart.ts');
  return readChangedChart(file);
}

function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(sniffed);
    return bytes.subarray(0, readSync(file, bytes, 0, sniffed, 0));
  } finally {
    closeSync(file);
  }
}
