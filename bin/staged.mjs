// A build is made in a copy beside dist/ and takes its place when it is whole: a build that fails or is killed leaves
// the last one as it was.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt, noteBuilt, sourcesOf } from './built.mjs';

/** Lets `make(out)` bring a copy of dist/ up to date; answers with its exit code. Nothing is done when none is due. */
export async function build(root, make) {
  if (isBuilt(root)) return 0;
  const [dist, next, last] = ['dist', 'dist.next', 'dist.last'].map((name) => join(root, name));
  for (const folder of [next, last]) rmSync(folder, { recursive: true, force: true });
  if (existsSync(dist)) cpSync(dist, next, { recursive: true, preserveTimestamps: true });
  else mkdirSync(next);
  try {
    const sources = sourcesOf(root);
    const code = await make(next);
    if (code !== 0) return code;
    noteBuilt(next, sources);
    if (existsSync(dist)) renameSync(dist, last);
    renameSync(next, dist);
    return 0;
  } finally {
    for (const folder of [next, last]) rmSync(folder, { recursive: true, force: true });
  }
}
