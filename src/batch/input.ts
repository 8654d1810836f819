import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { exportFolders } from './export-folder.ts';

/**
 * One file to read. Files of one `pool` belong together: single resources and NDJSON lines refer to each other within
 * it.
 */
export interface InputFile {
  /** As the reader named it, or below the folder that the reader named. `-` is standard input. */
  readonly path: string;
  readonly pool: string;
}

export interface InputProblem {
  readonly path: string;
  readonly reason: string;
}

export interface Inputs {
  readonly files: readonly InputFile[];
  readonly problems: readonly InputProblem[];
}

/**
 * All files below the given files and folders, in name order. Hidden entries of a folder are left out; a path that
 * cannot be read is a problem, never an exception.
 */
export async function listInputs(paths: readonly string[]): Promise<Inputs> {
  const found: string[] = [];
  const problems: InputProblem[] = [];
  for (const path of paths) {
    if (path === '-') found.push(path);
    else await visit(path, { given: true }, found, problems);
  }
  const files = [...new Set(found)];
  const pools = exportFolders(files);
  return {
    files: files.map((path, index) => ({ path, pool: path === '-' ? path : (pools[index] ?? path) })),
    problems,
  };
}

async function visit(
  path: string,
  { given }: { given: boolean },
  files: string[],
  problems: InputProblem[],
): Promise<void> {
  try {
    const facts = await stat(path);
    if (facts.isFile()) files.push(path);
    else if (!facts.isDirectory()) problems.push({ path, reason: 'neither a file nor a folder' });
    // A linked folder may lead back up; a folder that the reader named is followed all the same.
    else if (!given && (await lstat(path)).isSymbolicLink())
      problems.push({ path, reason: 'a link to a folder, not followed: name the folder itself' });
    else for (const name of await entriesOf(path)) await visit(join(path, name), { given: false }, files, problems);
  } catch (error) {
    problems.push({ path, reason: reasonOf(error) });
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => !name.startsWith('.')).sort();
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ELOOP: 'a link that points to itself',
  EISDIR: 'a folder',
};

/** What a file system error means, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return reasons[code] ?? `it cannot be read (${code})`;
}
