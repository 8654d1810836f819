// Writes dist/empty-database: the files of a new embedded database without tables. PostgreSQL's initdb takes seconds of
// CPU time and a gigabyte of memory, so the first start of a store writes these files instead
// (src/store/empty-database.ts). Does nothing if the installed PGlite made them.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { serialize } from 'node:v8';
import { constants, zstdCompressSync } from 'node:zlib';

/** `root`: the checkout. `out`: the build to write to. */
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

/** Returns folders (without bytes) and files, each after its parent folder. */
function membersOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ entry, file }) => ({
      path: relative(folder, file).replaceAll('\\', '/'),
      ...(entry.isFile() ? { bytes: readFileSync(file) } : {}),
    }));
}
