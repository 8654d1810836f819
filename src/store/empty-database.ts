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

// What bin/make-empty-database.mjs writes: folders come without bytes, each before what is in it.
const Members = z.array(z.object({ path: z.string(), bytes: z.instanceof(Uint8Array).optional() }));

/**
 * Puts the empty database that the build made into `path`, where none is yet: to make one takes seconds and a gigabyte
 * of memory. It is there whole and on the disk, or not at all. Without a build nothing is put, and PGlite makes one.
 */
export function putEmptyDatabase(path: string, made: string = join(packageRoot, 'dist/empty-database')): void {
  if (!existsSync(made) || (existsSync(path) && readdirSync(path).length > 0)) return;
  const members = Members.parse(deserialize(zstdDecompressSync(readFileSync(made))));
  // Left over where a process was killed meanwhile.
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

/** Writes the names in a folder to the disk; Windows does so itself and opens no folder. */
export function toDisk(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
