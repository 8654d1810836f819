import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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

/**
 * Makes a folder and those above it, as far as they are missing, with these rights; rejects with the file system's
 * error.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  // One level at a time: Node's recursive mkdir hangs where nothing can be created (/proc).
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
