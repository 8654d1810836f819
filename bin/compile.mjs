// dist/ from the sources. The compiler is loaded only where a source, its settings or a package is not as it was after
// the last build: `tsc --build` looks at times alone, so an older file in place of another stays unseen, and neither it
// nor `tsc` takes away what a deleted or renamed source had become.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const folders = ['src', 'mappings'];
const settings = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'node_modules/.package-lock.json'];

/** Compiles the checkout in `root` where it is out of date; answers with the exit code of the compiler. */
export async function compile(root) {
  const dist = join(root, 'dist');
  const seen = join(dist, '.compiled');
  const sources = filesUnder(root).filter((file) => /(?<!\.d)\.tsx?$/.test(file));
  const ends = ['.js', '.js.map', '.d.ts'];
  const wanted = new Set(sources.flatMap((file) => ends.map((end) => file.replace(/\.tsx?$/, end))));
  const there = new Set(filesUnder(dist));
  const isWhole = [...wanted].every((file) => there.has(file));
  const state = stateOf(root, [...sources, ...settings]);
  if (isWhole && existsSync(seen) && readFileSync(seen, 'utf8') === state) return 0;
  // What the compiler remembers of the last build would let it write the changed files alone.
  if (!isWhole) rmSync(join(dist, '.tsbuildinfo'), { force: true });
  rmSync(seen, { force: true });
  const code = await runCompiler(root);
  for (const file of there) if (!wanted.has(file)) rmSync(join(dist, file));
  if (code === 0) writeFileSync(seen, state);
  return code;
}

/** Size and time of each file. */
function stateOf(root, files) {
  return files
    .map((file) => {
      const { size, mtimeMs } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
      return `${file} ${size} ${mtimeMs}\n`;
    })
    .sort()
    .join('');
}

function filesUnder(root) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

async function runCompiler(root) {
  const project = ['--project', join(root, 'tsconfig.build.json')];
  const { status, error } = spawnSync(await compiler(root), project, { stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status ?? 1;
}

// The program itself: the script that `tsc` is would start a second Node for it.
async function compiler(root) {
  const manifest = createRequire(join(root, 'package.json')).resolve('typescript/package.json');
  const { default: getExePath } = await import(pathToFileURL(join(manifest, '../lib/getExePath.js')).href);
  return getExePath();
}
