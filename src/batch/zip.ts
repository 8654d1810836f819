import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BridgeError } from '../core/errors.ts';

/** A file in a zip archive, where its bytes stand and how they are packed. */
export interface ZipEntry {
  readonly name: string;
  readonly start: number;
  readonly length: number;
  readonly isDeflated: boolean;
}

const [endMark, end64Mark, locator64Mark, entryMark, localMark] = [
  0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50,
];
/** Stands for a size or place that takes 64 bits. */
const long = 0xffffffff;

/**
 * The files that the directory of a zip archive lists (APPNOTE 6.3.10, zip64 too), without folders. Throws
 * `input_unreadable` for what is cut off, encrypted, or packed otherwise than by deflate.
 */
export function listZip(path: string): ZipEntry[] {
  const file = openSync(path, 'r');
  try {
    const read = (start: number, length: number): Buffer => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, size)));
      if (start < 0 || readSync(file, bytes, 0, bytes.length, start) !== length) throw unreadable(path);
      return bytes;
    };
    const { size } = fstatSync(file);
    const directory = directoryOf(read, size);
    if (directory === undefined) throw unreadable(path);
    return [...entriesOf(read(directory.start, directory.length), path)]
      .filter(({ name }) => !name.endsWith('/'))
      .map((entry) => {
        const head = read(entry.start, 30);
        if (head.readUInt32LE(0) !== localMark) throw unreadable(path);
        return { ...entry, start: entry.start + 30 + head.readUInt16LE(26) + head.readUInt16LE(28) };
      });
  } finally {
    closeSync(file);
  }
}

function directoryOf(
  read: (start: number, length: number) => Buffer,
  size: number,
): { readonly start: number; readonly length: number } | undefined {
  const length = Math.min(size, 22 + 0xffff);
  const tail = read(size - length, length);
  let at = tail.length - 22;
  while (at >= 0 && tail.readUInt32LE(at) !== endMark) at -= 1;
  if (at < 0) return undefined;
  const found = { length: tail.readUInt32LE(at + 12), start: tail.readUInt32LE(at + 16) };
  if (found.start !== long && found.length !== long) return found;
  if (at < 20 || tail.readUInt32LE(at - 20) !== locator64Mark) return undefined;
  const end64 = read(Number(tail.readBigUInt64LE(at - 12)), 56);
  if (end64.readUInt32LE(0) !== end64Mark) return undefined;
  return { length: Number(end64.readBigUInt64LE(40)), start: Number(end64.readBigUInt64LE(48)) };
}

/** `start`: of what stands before the bytes of an entry. */
function* entriesOf(directory: Buffer, path: string): Generator<ZipEntry> {
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === entryMark; ) {
    const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)];
    if ((flags & 1) === 1 || (method !== 0 && method !== 8)) throw unreadable(path);
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const end = nameEnd + directory.readUInt16LE(at + 30);
    const next64 = longSizes(directory.subarray(nameEnd, end));
    // In this order the sizes that take 64 bits stand behind the name.
    const [, length = 0, start = 0] = [24, 20, 42].map((place) => {
      const size = directory.readUInt32LE(at + place);
      return size === long ? next64() : size;
    });
    yield { name: directory.toString('utf8', at + 46, nameEnd), isDeflated: method === 8, length, start };
    at = end + directory.readUInt16LE(at + 32);
  }
}

/** The 64-bit sizes of a zip64 extra field, one after the other. */
function longSizes(extra: Buffer): () => number {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return () => {
    at += 8;
    return at <= extra.length ? Number(extra.readBigUInt64LE(at - 8)) : 0;
  };
}

function unreadable(file: string): BridgeError {
  return new BridgeError('input_unreadable', { file, reason: 'it is not a whole zip file' });
}
