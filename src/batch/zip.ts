import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { BridgeError } from '../core/errors.ts';

/** A file in a zip archive, where its bytes stand and how they are packed. */
export interface ZipEntry {
  readonly name: string;
  readonly start: number;
  readonly length: number;
  readonly isDeflated: boolean;
}

const reason = 'it is not a whole zip file';
const [endMark, end64Mark, locator64Mark, entryMark, localMark] = [
  0x06054b50, 0x06064b50, 0x07064b50, 0x02014b50, 0x04034b50,
];

/**
 * The files that the directory of a zip archive lists (APPNOTE 6.3.10, zip64 too), without folders. Throws
 * `input_unreadable` for what is cut off, encrypted, or packed otherwise than by deflate.
 */
export function listZip(path: string): ZipEntry[] {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const read = (start: number, length: number): Buffer => {
      const bytes = Buffer.alloc(length);
      if (start < 0 || readSync(file, bytes, 0, length, start) !== length) throw unreadable(path);
      return bytes;
    };
    const directory = directoryOf(read, size);
    if (directory === undefined || directory.start + directory.length > size) throw unreadable(path);
    return entriesOf(read(directory.start, directory.length), path)
      .filter(({ name }) => !name.endsWith('/'))
      .map(({ local, ...entry }) => {
        const head = read(local, 30);
        if (head.readUInt32LE(0) !== localMark) throw unreadable(path);
        return { ...entry, start: local + 30 + head.readUInt16LE(26) + head.readUInt16LE(28) };
      });
  } finally {
    closeSync(file);
  }
}

type Read = (start: number, length: number) => Buffer;

function directoryOf(read: Read, size: number): { start: number; length: number } | undefined {
  const length = Math.min(size, 22 + 0xffff);
  const tail = read(size - length, length);
  for (let at = tail.length - 22; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== endMark) continue;
    const found = { length: tail.readUInt32LE(at + 12), start: tail.readUInt32LE(at + 16) };
    if (found.start !== 0xffffffff && found.length !== 0xffffffff) return found;
    if (at < 20 || tail.readUInt32LE(at - 20) !== locator64Mark) return undefined;
    const end64 = read(Number(tail.readBigUInt64LE(at - 12)), 56);
    if (end64.readUInt32LE(0) !== end64Mark) return undefined;
    return { length: Number(end64.readBigUInt64LE(40)), start: Number(end64.readBigUInt64LE(48)) };
  }
  return undefined;
}

function entriesOf(directory: Buffer, path: string): (Omit<ZipEntry, 'start'> & { readonly local: number })[] {
  const found: (Omit<ZipEntry, 'start'> & { readonly local: number })[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === entryMark; ) {
    const [flags, method] = [directory.readUInt16LE(at + 8), directory.readUInt16LE(at + 10)];
    const [nameLength, extraLength] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30)];
    const nameEnd = at + 46 + nameLength;
    const name = directory.toString('utf8', at + 46, nameEnd);
    if ((flags & 1) === 1 || (method !== 0 && method !== 8)) throw unreadable(path);
    const long = longSizes(directory.subarray(nameEnd, nameEnd + extraLength));
    const packed = directory.readUInt32LE(at + 20);
    const plain = directory.readUInt32LE(at + 24);
    const local = directory.readUInt32LE(at + 42);
    if (plain === 0xffffffff) long();
    found.push({
      name,
      isDeflated: method === 8,
      length: packed === 0xffffffff ? long() : packed,
      local: local === 0xffffffff ? long() : local,
    });
    at = nameEnd + extraLength + directory.readUInt16LE(at + 32);
  }
  return found;
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
  return new BridgeError('input_unreadable', { file, reason });
}
