// What dist/ was made of, so that a build that changes nothing costs no compiler and a command can tell that its build
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

/** Whether dist/ of the checkout is whole and made of what stands there now. */
export function isBuilt(root) {
  const built = readBuilt(root);
  return (
    built !== undefined &&
    JSON.stringify(built.sources) === JSON.stringify(sourcesOf(root)) &&
    built.files.every((file) => existsSync(join(root, 'dist', file)))
  );
}

/** Notes in the build `out` what it was made of. */
export function noteBuilt(out, sources) {
  writeFileSync(join(out, record), JSON.stringify({ sources, files: filesUnder(out, '.').sort() }));
}

/** The first source that changed since dist/ was built; none in a package without sources. */
export function newerSource(root) {
  const built = readBuilt(root);
  if (built === undefined) return undefined;
  const { mtimeMs } = statSync(join(root, 'dist', record));
  const isNewer = (file) => statSync(join(root, file)).mtimeMs > mtimeMs;
  // A copy of a checkout may have other times than the one that was built, but none after its build.
  return Object.entries(sourcesOf(root)).find(
    ([file, state]) => /^(?:src|mappings)\//.test(file) && built.sources[file] !== state && isNewer(file),
  )?.[0];
}

/** Size and time of each file that a build is made of. */
export function sourcesOf(root) {
  const files = [...folders.flatMap((folder) => filesUnder(root, folder)), ...settings].sort();
  return Object.fromEntries(
    files.map((file) => {
      const { size, mtimeMs } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
      return [file, `${size} ${mtimeMs}`];
    }),
  );
}

/** Paths below `root` of the files in one of its folders. */
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
