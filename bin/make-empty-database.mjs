// dist/empty-database: the files of an embedded database in which nothing stands yet. To make one takes PostgreSQL's
// initdb seconds of processor time and a gigabyte of memory; the first start of a store only has to write the files
// (src/store/empty-database.ts). Skipped while it is of the PGlite that is installed.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { serialize } from 'node:v8';
import { constants, zstdCompressSync } from 'node:zlib';

/** Makes it for the checkout in `root` in the build `out`. */
export async function makeEmptyDatabase(root, out) {
  const stampFile = join(out, '.empty-database');
  const target = join(out, 'empty-database');
  const manifest = readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  const stamp = `PGlite ${JSON.parse(manifest).version}\n`;
  if (existsSync(target) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const folder = mkdtempSync(join(tmpdir(), 'empty-database-'));
  try {
    const { PGlite } = await import('@electric-sql/pglite');
    await (await PGlite.create(folder)).close();
    const level = { params: { [constants.ZSTD_c_compressionLevel]: 9 } };
    writeFileSync(target, zstdCompressSync(serialize(membersOf(folder)), level));
  } finally {
    rmSync(folder, { recursive: true });
  }
  writeFileSync(stampFile, stamp);
}

/** Folders, which have no bytes, and files, each after the folder that it is in. */
function membersOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ entry, file }) => ({
      path: relative(folder, file).replaceAll('\\', '/'),
      ...(entry.isFile() ? { bytes: readFileSync(file) } : {}),
    }));
}
