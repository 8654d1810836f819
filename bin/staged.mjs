// A build is made in a copy of dist/, which replaces dist/ when it is complete. So a build that fails or is killed
// leaves dist/ unchanged. The copy's name has the process id, so that two builds do not write to the same folder.
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isBuilt, noteBuilt, sourcesOf } from './built.mjs';

/** Calls `make(out)` with a copy of dist/ to update; returns its exit code. Does nothing if dist/ is up to date. */
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

/** Deletes copies of dist/ whose build was killed. */
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
