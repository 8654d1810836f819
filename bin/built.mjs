// Records what dist/ was built from. A build without changes then needs no compiler, and a command can tell that dist/
// is older than its sources.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const folders = ['src', 'mappings'];
const settings = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'node_modules/.package-lock.json',
  ...['compile', 'copy-assets', 'make-empty-database'].map((step) => `bin/${step}.mjs`),
];
const record = '.built';

/** Whether dist/ is complete and was built from the current sources. */
export function isBuilt(root) {
  const built = readBuilt(root);
  return (
    built !== undefined &&
    JSON.stringify(built.sources) === JSON.stringify(sourcesOf(root)) &&
    built.files.every((file) => existsSync(join(root, 'dist', file)))
  );
}

/** Records which sources the build `out` was made from. */
export function noteBuilt(out, sources) {
  writeFileSync(join(out, record), JSON.stringify({ sources, files: filesUnder(out, '.').sort() }));
}

/** Returns the first source that changed after dist/ was built; undefined if none did, or if no build is recorded. */
export function newerSource(root) {
  const built = readBuilt(root);
  if (built === undefined) return undefined;
  const { mtimeMs } = statSync(join(root, 'dist', record));
  const isNewer = (file) => statSync(join(root, file)).mtimeMs > mtimeMs;
  // A copied checkout may have other file times than the recorded ones. So a source is reported only if it is also
  // newer than the build.
  return Object.entries(sourcesOf(root)).find(
    ([file, state]) => /^(?:src|mappings)\//.test(file) && built.sources[file] !== state && isNewer(file),
  )?.[0];
}

/** Returns the size and modification time of each file that a build uses, by path. */
export function sourcesOf(root) {
  const files = [...folders.flatMap((folder) => filesUnder(root, folder)), ...settings].sort();
  return Object.fromEntries(
    files.map((file) => {
      const { size, mtimeMs } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
      return [file, `${size} ${mtimeMs}`];
    }),
  );
}

/** Returns the paths of a folder's files, relative to `root`. */
export function filesUnder(root, folder) {
  const top = join(root, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function readBuilt(root) {
  const file = join(root, 'dist', record);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
