import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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
