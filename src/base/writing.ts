import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Appends all of the bytes to an open file. A single write may be partial, e.g. when the disk is full. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** Limits the text that is collected in memory before it is written. */
const writtenAtOnce = 1 << 16;

/** Writes texts to a file as they arrive; only its owner can read the file. */
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

/** Whether an error reports a full disk. An error that comes from a worker thread has only its message left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && /^(ENOSPC|EDQUOT):|^database or disk is full$/.test(error.message);
}

/** Creates a folder and its missing parents with these rights; rejects with the file system's error. */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const folder = resolve(path);
  if (await isFolder(folder)) return;
  // One level at a time, because Node's recursive mkdir hangs where nothing can be created (/proc).
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
