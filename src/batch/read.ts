import { closeSync, createReadStream, openSync, readFileSync, readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, gunzip, gunzipSync } from 'node:zlib';
import { BridgeError } from '../errors.ts';
import { reasonOf } from './input.ts';
import { parseJson } from './json.ts';
import { type Line, splitLines } from './lines.ts';

/** What a file turned out to hold. `bytes` is a whole document; `lines` are NDJSON lines, each of which can be loaded again. */
export type Content =
  | { readonly kind: 'document'; readonly bytes: Buffer }
  | {
      readonly kind: 'lines';
      readonly lines: AsyncIterable<Line>;
      readonly again: (line: Line) => () => Buffer;
      readonly close: () => void;
    }
  | { readonly kind: 'ignored'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** V8 cannot hold a longer string. */
const largestDocument = 512 * 1024 * 1024;
const sniffed = 64 * 1024;

/** Opens a file by what it holds, not by its name alone: gzip, NDJSON, or one JSON document. Standard input is read to its end. */
export async function readContent(path: string, stdin: AsyncIterable<Buffer>): Promise<Content> {
  if (path === '-') return contentOf(Buffer.concat(await collect(stdin)), 'standard input');
  try {
    const head = await readHead(path);
    if (isGzip(head)) return await readGzip(path);
    const kind = kindOf(head, path);
    if (kind === 'lines')
      return {
        kind: 'lines',
        lines: splitLines(createReadStream(path, { highWaterMark: 1 << 20 })),
        ...rereader(path),
      };
    if (kind !== 'document') return kind;
    if ((await stat(path)).size >= largestDocument) return tooLarge;
    return { kind: 'document', bytes: await readWhole(path) };
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) };
  }
}

/** The bytes of a document that was read before. */
export function rereadDocument(path: string): Buffer {
  try {
    const bytes = readFileSync(path);
    return isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: largestDocument }) : bytes;
  } catch (cause) {
    throw new BridgeError('input_unreadable', { file: path, reason: 'it changed while it was read' }, { cause });
  }
}

const tooLarge: Content = { kind: 'unreadable', reason: 'it is larger than 512 MiB: export it as NDJSON' };

async function readGzip(path: string): Promise<Content> {
  if (/\.(ndjson|jsonl)\.gz$/i.test(path)) {
    // Lines of a compressed file cannot be read again by their place, so their bytes stay in memory.
    return { kind: 'lines', lines: gunzipLines(path), again: keep, close: () => {} };
  }
  const bytes = await readWhole(path);
  return new Promise((resolve) => {
    gunzip(bytes, { maxOutputLength: largestDocument }, (error, plain) => {
      if (error === null) resolve(contentOf(plain, path.replace(/\.gz$/i, '')));
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

function contentOf(bytes: Buffer, name: string): Content {
  const kind = kindOf(bytes.subarray(0, sniffed), name);
  if (kind === 'document') return { kind, bytes };
  return kind === 'lines' ? { kind, lines: splitLines([bytes]), again: keep, close: () => {} } : kind;
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

function keep(line: Line): () => Buffer {
  const bytes = Buffer.from(line.bytes);
  return () => bytes;
}

/** Reads single lines of a file by their place. The file is opened once: opening it for every line would take longer than reading them. */
function rereader(path: string): Pick<Extract<Content, { kind: 'lines' }>, 'again' | 'close'> {
  let file: number | undefined;
  return {
    again:
      ({ offset, bytes: { length } }) =>
      () => {
        file ??= openSync(path, 'r');
        const bytes = Buffer.allocUnsafe(length);
        if (readSync(file, bytes, 0, length, offset) === length) return bytes;
        throw new BridgeError('input_unreadable', { file: path, reason: 'it changed while it was read' });
      },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
