// Compiles the sources to JavaScript and declarations. `tsc --build` compares only times, so it misses a source that
// was replaced by an older file. Neither it nor `tsc` deletes the output of a deleted or renamed source.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesUnder } from './built.mjs';

const folders = ['src', 'mappings'];

/** Compiles `root` into `out`, a copy of an earlier build; returns the compiler's exit code. */
export async function compile(root, out) {
  const ends = ['.js', '.js.map', '.d.ts'];
  const wanted = new Set(
    filesIn(root)
      .filter((file) => /(?<!\.d)\.tsx?$/.test(file))
      .flatMap((file) => ends.map((end) => file.replace(/\.tsx?$/, end))),
  );
  const missing = () => [...wanted].filter((file) => !existsSync(join(out, file)));
  // If the compiler finds the record of its last build, it writes only changed files and not the missing ones.
  const memory = join(out, '.tsbuildinfo');
  if (missing().length > 0) rmSync(memory, { force: true });
  const settings = ['--project', join(root, 'tsconfig.build.json'), '--outDir', out, '--tsBuildInfoFile', memory];
  const { status, error } = spawnSync(await compiler(root), settings, { stdio: 'inherit' });
  if (error !== undefined) throw error;
  for (const file of filesIn(out)) if (!wanted.has(file)) rmSync(join(out, file));
  const [lost] = missing();
  if (status === 0 && lost !== undefined) {
    console.error(`The compiler did not write ${lost}. Next: npm run build`);
    return 1;
  }
  return status ?? 1;
}

function filesIn(root) {
  return folders.flatMap((folder) => filesUnder(root, folder));
}

// Runs the compiler's executable. The `tsc` script would start a second Node.js process for it.
async function compiler(root) {
  const manifest = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
  const { default: getExePath } = await import(pathToFileURL(join(manifest, '../lib/getExePath.js')).href);
  return getExePath();
}
