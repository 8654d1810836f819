/**
 * Makes the fixtures of a release with the code of that release, once, on the day it is released:
 *
 *   node --experimental-transform-types --disable-warning=ExperimentalWarning \
 *     test/store/release/make.ts fixtures/data-folder-0.1.0
 *
 * The data folder of the embedded store, and a dump of a PostgreSQL of its own; beside each stands what the release
 * itself shows of its cases.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { serialize } from 'node:v8';
import { constants, zstdCompressSync } from 'node:zlib';
import { silentLog } from '../../../src/base/log.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { worklistRules } from '../../../src/cases/worklist-entry.ts';
import { openStore } from '../../../src/store/open.ts';
import { installedPostgres, startCluster } from '../../support/postgres.ts';
import { playStory } from './story.ts';

const [, , target = ''] = process.argv;
// A key that says what it is, so that nobody takes it for one that protects something.
const key = Buffer.from('prior-auth-bridge test key only!').toString('base64');

async function played(name: string, config: { readonly dataDir: string; readonly databaseUrl?: string }) {
  const store = await openStore({
    config: { keys: [key], ...config },
    log: silentLog,
    queues,
    worklist: worklistRules,
  });
  const shown = await playStory(store);
  await store.maintenance.tidy();
  await store.close();
  writeFileSync(join(target, `${name}.json`), `${JSON.stringify({ key, shown }, undefined, 1)}\n`);
}

mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'bridge-release-'));
const cluster = await startCluster();
try {
  await played('data-folder', { dataDir: folder });
  writeFileSync(join(target, 'data-folder.zst'), packed(folder));
  await played('database', { dataDir: '', databaseUrl: cluster.url });
  const dump = join(installedPostgres() ?? '', 'pg_dump');
  const text = execFileSync(dump, ['--no-owner', '--inserts', cluster.url], { encoding: 'utf8' });
  // Without what only psql understands.
  writeFileSync(join(target, 'database.sql'), text.replaceAll(/^\\(un)?restrict .*\n/gm, ''));
} finally {
  cluster.remove();
  rmSync(folder, { recursive: true });
}

/** Its files as src/store/empty-database.ts reads them; forty megabytes, of which most are alike. */
function packed(of: string): Buffer {
  const members = readdirSync(of, { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, file: join(entry.parentPath, entry.name) }))
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .map(({ entry, file }) => ({
      path: relative(of, file).replaceAll('\\', '/'),
      ...(entry.isFile() ? { bytes: readFileSync(file) } : {}),
    }));
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  };
  return zstdCompressSync(serialize(members), { params });
}
