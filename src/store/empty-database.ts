import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deserialize } from 'node:v8';
import { zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { packageRoot } from '../base/package.ts';

const Members = z.array(z.object({ path: z.string(), bytes: z.instanceof(Uint8Array).optional() }));

/**
 * Copies the empty database of the build to `path`, unless there is a database: creating one takes seconds and a
 * gigabyte of memory. A copy that is interrupted leaves nothing at `path`. Without a build, nothing is copied and
 * PGlite creates the database.
 */
export function putEmptyDatabase(path: string, made: string = join(packageRoot, 'dist/empty-database')): void {
  if (!existsSync(made) || (existsSync(path) && readdirSync(path).length > 0)) return;
  const members = Members.parse(deserialize(zstdDecompressSync(readFileSync(made))));
  // Left over from a process that was killed while copying.
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true, mode: 0o700 });
  for (const { path: member, bytes } of members) {
    if (bytes === undefined) mkdirSync(join(unfinished, member), { mode: 0o700 });
    else writeFileSync(join(unfinished, member), bytes, { mode: 0o600, flush: true });
  }
  const folders = members.flatMap(({ path: member, bytes }) => (bytes === undefined ? [join(unfinished, member)] : []));
  for (const folder of [...folders, unfinished]) toDisk(folder);
  rmSync(path, { recursive: true, force: true });
  renameSync(unfinished, path);
  toDisk(dirname(path));
}

/** Flushes a folder's entries to the disk. Windows does that by itself and cannot open a folder. */
export function toDisk(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
