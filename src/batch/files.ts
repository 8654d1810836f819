import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LRUCache } from 'lru-cache';
import { BridgeError } from '../core/errors.ts';

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Writes all of the bytes at the end of an open file: one call may write a part of them, as where the disk is full. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** A longer text would stay in memory until all of it is collected. */
const writtenAtOnce = 1 << 16;

/** Writes a file of texts as they come, which only its owner can read. */
export function writeAll(path: string, texts: Iterable<string>): void {
  const file = openSync(path, 'w', 0o600);
  let [held, length]: [string[], number] = [[], 0];
  const write = () => {
    writeWhole(file, Buffer.from(held.join('')));
    [held, length] = [[], 0];
  };
  try {
    for (const text of texts) {
      held.push(text);
      length += text.length;
      if (length >= writtenAtOnce) write();
    }
    write();
  } finally {
    closeSync(file);
  }
}

/** Whether an error says that there is no space to write. Of one that a thread told, only the message is left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /^(ENOSPC|EDQUOT):|^database or disk is full$/.test(error.message);
}

export function readHead(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(64 * 1024);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a folder and those above it, as far as they are missing, with these rights; rejects with the file system's
 * error.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  // Step by step: Node's own recursive mkdir never ends where a system has a folder in which nothing can be made
  // (/proc).
  if (dirname(folder) !== folder) await makeFolder(dirname(folder), mode);
  await mkdir(folder, { mode });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Keeps files open that are read from again and again: opening one for every part takes longer than reading it. */
export class OpenFiles {
  // A folder may hold more files than a process may open.
  private readonly files = new LRUCache<string, number>({ max: 32, dispose: (file) => closeSync(file) });

  /** The bytes of a part; throws `input_unreadable` when the file does not hold it any more. */
  read(path: string, { start, end }: ByteRange): Buffer {
    const file = this.files.get(path) ?? openSync(path, 'r');
    this.files.set(path, file);
    const bytes = Buffer.allocUnsafe(end - start);
    if (readSync(file, bytes, 0, bytes.length, start) === bytes.length) return bytes;
    throw new BridgeError('input_unreadable', { file: path, reason: 'it changed while it was read' });
  }

  close(): void {
    this.files.clear();
  }
}
