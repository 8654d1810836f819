import { closeSync, createReadStream, openSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { Temporary } from '../base/temporary.ts';
import { isDiskFull, writeWhole } from '../base/writing.ts';
import { BridgeError } from '../core/errors.ts';
import { type ByteRange, readHead } from './files.ts';
import { reasonOf } from './list-inputs.ts';
import { isUtf16, parseJson } from './read-json.ts';

/** A file of plain FHIR JSON that can be read at any position: the input itself, or its unpacked content. */
export interface SourceFile {
  /** The name to show: the given path, or `export.zip/Patient.ndjson` for a file in an archive. */
  readonly file: string;
  readonly path: string;
  readonly kind: 'lines' | 'document';
  readonly size: number;
  readonly broken?: string;
}

export interface NoSource {
  readonly file: string;
  readonly kind: 'ignored' | 'unreadable';
  readonly reason: string;
}

export type Opened = SourceFile | NoSource;

export function isSource(opened: Opened): opened is SourceFile {
  return opened.kind === 'lines' || opened.kind === 'document';
}

export interface Opening {
  readonly stdin: AsyncIterable<Buffer>;
  readonly temporary: Temporary;
}

/**
 * Detects a file's format by its bytes and its name: gzip, zip, NDJSON or one JSON document. Packed files, standard
 * input and the chart of a `change.json` are written to temporary files first, in bounded memory. An unreadable file
 * gives a reason; only a full disk throws.
 */
export async function openSources(file: string, opening: Opening): Promise<Opened[]> {
  const unreadable = (reason: string): NoSource[] => [{ file, kind: 'unreadable', reason }];
  try {
    if (file === '-') return await openPacked({ file, name: 'standard input', chunks: opening.stdin }, opening);
    // Loaded on demand: for a large export, the process that reads the input maps nothing.
    const fixtures = basename(file) === 'change.json' ? await import('../base/fixture-chart.ts') : undefined;
    const changed = fixtures?.readChangedChart(file);
    if (changed === undefined) return await openFile({ file, name: file, path: file }, opening);
    const path = opening.temporary.path();
    writeFileSync(path, JSON.stringify(changed), { mode: 0o600 });
    return [sourceOf({ file, name: file, path })];
  } catch (error) {
    if (isDiskFull(error)) throw error;
    if (!(error instanceof BridgeError)) return unreadable(reasonOf(error));
    return unreadable('the chart that it changes is not there, or does not have what it changes');
  }
}

interface NamedFile {
  readonly file: string;
  /** The file's name without the packing: `Patient.ndjson` for `Patient.ndjson.gz`. */
  readonly name: string;
  readonly path: string;
}

async function openFile({ file, name, path }: NamedFile, opening: Opening): Promise<Opened[]> {
  const head = readHead(path);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const chunks = createReadStream(path).pipe(createGunzip());
    return openPacked({ file, name: name.replace(/\.gz$/i, ''), chunks, what: 'gzip' }, opening);
  }
  if (head.length > 4 && head.readUInt32LE(0) === 0x04034b50) return openZip(file, path, opening);
  return [sourceOf({ file, name, path })];
}

async function openZip(file: string, path: string, opening: Opening): Promise<Opened[]> {
  const isNotWhole = (): Opened[] => [{ file, kind: 'unreadable', reason: 'it is not a whole zip file' }];
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { decodeStrings: false, autoClose: false });
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    if (!entries.every((entry) => entry.canDecodeFileData())) return isNotWhole();
    const found: Opened[] = [];
    for (const entry of entries) {
      const name = entry.fileNameRaw.toString();
      if (/\/$|(^|\/)(\.|__MACOSX\/)/.test(name)) continue;
      const chunks = await zip.openReadStreamPromise(entry);
      found.push(...(await openPacked({ file: `${file}/${name}`, name, chunks }, opening)));
    }
    return found;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    return isNotWhole();
  } finally {
    zip?.close();
  }
}

interface Packed extends Pick<NamedFile, 'file' | 'name'> {
  readonly chunks: AsyncIterable<Buffer>;
  readonly what?: string;
}

async function openPacked({ file, name, chunks, what = 'packed' }: Packed, opening: Opening): Promise<Opened[]> {
  const path = opening.temporary.path();
  const isWhole = await writeAll(path, chunks);
  if (isWhole) return openFile({ file, name, path }, opening);
  const reason = `it is not a whole ${what} file`;
  const source = sourceOf({ file, name, path });
  if (!isSource(source) || source.kind !== 'lines') return [{ file, kind: 'unreadable', reason }];
  return [{ ...source, broken: `${reason}: what came before the break was read` }];
}

async function writeAll(path: string, chunks: AsyncIterable<Buffer>): Promise<boolean> {
  const file = openSync(path, 'wx', 0o600);
  try {
    for await (const chunk of chunks) writeWhole(file, chunk);
    return true;
  } catch (error) {
    // A full disk throws, since the file itself is not truncated.
    if (error instanceof Error && 'syscall' in error) throw error;
    return false;
  } finally {
    closeSync(file);
  }
}

function sourceOf({ file, name, path }: NamedFile): Opened {
  const kind = kindOf(readHead(path), name);
  return typeof kind === 'string' ? { file, path, kind, size: statSync(path).size } : { file, ...kind };
}

/** NDJSON is detected by its name, or by a first line that is a whole JSON object and is not the last line. */
function kindOf(head: Buffer, name: string): SourceFile['kind'] | Omit<NoSource, 'file'> {
  const [isLines, isJson] = [/\.(ndjson|jsonl)$/i.test(name), /\.json$/i.test(name)];
  const unreadable = (reason: string) => ({ kind: 'unreadable', reason }) as const;
  if (isTwoByte(head) && (isLines || isJson || isOpened(head))) return unreadable(isUtf16);
  if (isLines) return 'lines';
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text === '') return isJson ? unreadable('it is empty') : { kind: 'ignored', reason: 'an empty file' };
  if (/^<(\?xml|[A-Z][A-Za-z]+ xmlns="http:\/\/hl7\.org\/fhir")/.test(text))
    return unreadable('it is XML: export it as FHIR JSON');
  // Plain text may begin with a word in brackets.
  const isList = text[0] === '[' && (isJson || /^\[\s*(?:[{\]]|$)/.test(text));
  if (text[0] !== '{' && !isList)
    return isJson ? unreadable('it is not JSON') : { kind: 'ignored', reason: 'not JSON' };
  const end = text.indexOf('\n');
  if (end === -1 || text.slice(end).trim() === '' || text[0] === '[') return 'document';
  return 'value' in parseJson(Buffer.from(text.slice(0, end))) ? 'lines' : 'document';
}

/** Whether bytes are UTF-16 text, judged by the byte order mark or the first two characters. */
function isTwoByte(head: Buffer): boolean {
  const start = head.toString('hex', 0, 4);
  return /^(?:fffe|feff|(?:7b|5b)00..00$|00(?:7b|5b)00)/.test(start);
}

// UTF-16 has a zero byte beside each bracket and letter of JSON.
function isOpened(head: Buffer): boolean {
  return [0x7b, 0x5b].some((bracket) => head.subarray(0, 4).includes(bracket));
}

/** Whether a file is one plain JSON document, by the rules of `openSources`. False if it cannot be read. */
export function isDocument(path: string): boolean {
  try {
    return path !== '-' && kindOf(readHead(path), path) === 'document';
  } catch {
    return false;
  }
}

/** A part of a source that is scanned at once: a document, or the lines that begin in a range of bytes. */
export interface SourcePiece extends ByteRange {
  readonly source: number;
  readonly kind: SourceFile['kind'];
}

const lineBytes = 8 << 20;
const [taskDocuments, taskBytes] = [64, 8 << 20];

/**
 * Groups the pieces of all sources, in order, into tasks of similar size. The tasks depend only on the input and not on
 * the number of threads, so the output of a run does too.
 */
export function tasksOf(sources: readonly SourceFile[]): readonly (readonly SourcePiece[])[] {
  const tasks: SourcePiece[][] = [];
  let bytes = 0;
  for (const piece of sources.flatMap(piecesOf)) {
    const size = piece.end - piece.start;
    const task = tasks.at(-1);
    if (task === undefined || task.length >= taskDocuments || bytes + size > taskBytes) {
      tasks.push([piece]);
      bytes = size;
    } else {
      task.push(piece);
      bytes += size;
    }
  }
  return tasks;
}

function piecesOf({ kind, size }: SourceFile, source: number): SourcePiece[] {
  if (kind === 'document') return [{ source, kind, start: 0, end: size }];
  return Array.from({ length: Math.ceil(size / lineBytes) }, (_, at) => ({
    source,
    kind,
    start: at * lineBytes,
    end: Math.min(size, (at + 1) * lineBytes),
  }));
}
