import { spawnSync } from 'node:child_process';
import fs, { cpSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/types.ts';
import { putDatabase } from '../support/embedded.ts';
import { tempFolder } from '../support/temp.ts';
import { queues } from './backends.ts';
import { newKeys, openDraft } from './requests.ts';

const folder = tempFolder('files');
const copy = tempFolder('backup');
const compiled = tempFolder('compiled');
const key = newKey();
let store: Store;
let synced = 0;
const fsyncSync = fs.fsyncSync;

const open = (dataDir: string) => openStore({ config: { keys: [key], dataDir }, log: silentLog, queues });

beforeAll(async () => {
  fs.fsyncSync = (file) => {
    synced += 1;
    fsyncSync(file);
  };
  syncBuiltinESMExports();
  store = await open(folder.path);
});

afterAll(async () => {
  fs.fsyncSync = fsyncSync;
  syncBuiltinESMExports();
  await store?.close();
  folder.remove();
  copy.remove();
  compiled.remove();
});

test('a stored case has reached the disk, not only the system’s memory', async () => {
  const before = synced;
  await openDraft(store.cases, newKeys());
  expect(synced).toBeGreaterThan(before);
});

test('files are for the user of the bridge alone, also those of a copy with other permissions [S32]', async () => {
  const others = () => membersOf(folder.path).filter((path) => (lstatSync(path).mode & 0o077) !== 0);
  expect(membersOf(folder.path).length).toBeGreaterThan(100);
  expect(others()).toEqual([]);
  await store.close();
  fs.chmodSync(join(folder.path, 'pg', 'PG_VERSION'), 0o666);
  fs.chmodSync(join(folder.path, 'pg', 'base'), 0o777);
  store = await open(folder.path);
  expect(others()).toEqual([]);
});

test('a second process is refused the folder', async () => {
  await expect(open(folder.path)).rejects.toMatchObject({ code: 'store_locked' });
});

test('[E10] a second process that is patient has the folder once the first lets go of it, or is refused', async () => {
  const patient = (patienceMs: number) =>
    openStore({ config: { keys: [key], dataDir: folder.path }, log: silentLog, queues, patienceMs });
  await expect(patient(300)).rejects.toMatchObject({ code: 'store_locked' });
  const second = patient(60_000);
  await store.close();
  store = await second;
  await expect(store.cases.counts()).resolves.toBeDefined();
});

test('a copy of the folder, made while the bridge was stopped, has everything', async () => {
  const keys = newKeys();
  const { id } = await openDraft(store.cases, keys);
  await store.cases.putFile(id, 'letter.pdf', Uint8Array.of(1, 2, 3));
  await store.enqueue([{ queue: 'look', site: 'clinic', key: id, data: { case: id } }]);
  await store.close();
  cpSync(folder.path, copy.path, { recursive: true });
  const restored = await open(copy.path);
  try {
    const found = await restored.cases.find(id);
    expect(found?.head.value()).toMatchObject({ title: 'Adalimumab' });
    expect(await restored.cases.file(id, 'letter.pdf')).toEqual(Buffer.from([1, 2, 3]));
    expect(await restored.boss.findJobs('look', { key: id })).toHaveLength(1);
    expect((await restored.audit.verify()).flatMap(({ faults }) => faults)).toEqual([]);
  } finally {
    await restored.close();
  }
});

// https://github.com/nodejs/node/issues/64500
test('V8 gives no code of the database back: it loses count of it now and then and ends the process', async () => {
  const store = join(import.meta.dirname, '../../src/store/pglite.ts');
  const opened = `
    import { startPglite } from ${JSON.stringify(store)};
    for (let times = 0; times < 3; times += 1) {
      const pglite = await startPglite(${JSON.stringify(compiled.path)});
      await pglite.query('select count(*) from pg_class');
      await pglite.close();
    }
    console.log('opened');`;
  await putDatabase(compiled.path);
  const flags = ['--trace-wasm-code-gc', '--experimental-transform-types', '--input-type=module'];
  const { stdout } = spawnSync(process.execPath, [...flags, '--eval', opened], { encoding: 'utf8' });
  expect(stdout).toBe('opened\n');
});

function membersOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((member) => join(path, member));
}

test('a database that does not start is told as a store that is not available, not as a defect', async () => {
  const broken = tempFolder('broken');
  try {
    writeFileSync(join(broken.path, 'release'), '0.1.0\n');
    mkdirSync(join(broken.path, 'pg'));
    writeFileSync(join(broken.path, 'pg', 'PG_VERSION'), 'none\n');
    await expect(open(broken.path)).rejects.toMatchObject({
      code: 'store_unavailable',
      facts: { folder: broken.path },
    });
  } finally {
    broken.remove();
  }
});
