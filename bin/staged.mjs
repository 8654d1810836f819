// A build is made in a copy beside dist/ and takes its place when it is whole: a build that fails or is killed leaves
// the last one as it was. Copies are named by process, so that two builds at a time keep out of each other's way.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt, noteBuilt, sourcesOf } from './built.mjs';

/** Lets `make(out)` bring a copy of dist/ up to date; answers with its exit code. Nothing is done when none is due. */
export async function build(root, make) {
  if (isBuilt(root)) return 0;
  removeLeftovers(root);
  const [dist, next, last] = ['dist', `dist.${process.pid}`, `dist.${process.pid}.last`].map((name) =>
    join(root, name),
  );
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

/** Copies of builds that were killed. */
function removeLeftovers(root) {
  for (const name of readdirSync(root)) {
    const pid = /^dist\.(\d+)/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
