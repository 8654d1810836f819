import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pollDelay } from '../../src/cases/poll-delay.ts';
import { openStore, type Store } from '../../src/cases/store.ts';
import { BridgeError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import { newKey } from '../../src/vault.ts';
import { tempFolder } from '../support/temp.ts';
import { aClinic, aRequest } from './clinic.ts';

const folder = tempFolder('store');
let store: Store;
let synced = 0;
const fsyncSync = fs.fsyncSync;

beforeAll(async () => {
  fs.fsyncSync = (file) => {
    synced += 1;
    fsyncSync(file);
  };
  syncBuiltinESMExports();
  store = await openStore({ config: { keys: [newKey()], dataDir: folder.path }, log: silentLog });
});

afterAll(() => {
  fs.fsyncSync = fsyncSync;
  syncBuiltinESMExports();
  folder.remove();
});

test('a stored case has reached the disk, not only the system’s memory', async () => {
  const before = synced;
  await aClinic(store).cases.openDraft(aRequest());
  expect(synced).toBeGreaterThan(before);
});

test('what fails in the middle leaves neither the change nor its job', async () => {
  const failing = store.transaction(async (trx) => {
    await trx.insertInto('allowances').values({ site: 'half', next_ms: 1 }).execute();
    await store.enqueue([{ queue: 'look', data: { case: 'half' } }], trx);
    throw new BridgeError('internal');
  });
  await expect(failing).rejects.toMatchObject({ code: 'internal' });
  expect(
    await store.read((db) => db.selectFrom('allowances').selectAll().where('site', '=', 'half').execute()),
  ).toEqual([]);
  expect(await store.boss.findJobs('look', { key: 'half' })).toEqual([]);
});

test('waiting jobs of one case and kind are one', async () => {
  await store.enqueue([
    { queue: 'look', data: { case: 'c1' } },
    { queue: 'look', data: { case: 'c1' } },
    { queue: 'look', data: { case: 'c2' } },
  ]);
  expect(await store.boss.findJobs('look', { key: 'c1' })).toHaveLength(1);
  expect(await store.boss.findJobs('look', { key: 'c2' })).toHaveLength(1);
});

test('the pace slows with status, age and trouble, down to four hours', () => {
  const sentAt = '2026-11-21T10:00:00Z';
  const delay = (hours: number, status: string, problem = false) =>
    pollDelay(
      { sentAt, status, ...(problem ? { problem: { code: 'service_error', text: '', at: '' } } : {}) },
      30,
      new Date(Date.parse(sentAt) + hours * 3_600_000),
    );
  expect([
    delay(0, 'processing'),
    delay(0, 'awaiting_outcome'),
    delay(2, 'awaiting_outcome'),
    delay(30, 'awaiting_outcome'),
    delay(200, 'awaiting_outcome'),
  ]).toEqual([30, 120, 480, 1200, 2400]);
  expect(delay(0, 'processing', true)).toBe(240);
  expect(delay(200, 'awaiting_outcome', true)).toBe(4 * 3600);
});

test('a store that is gone is store_unavailable, whatever is asked [H05]', async () => {
  const { cases } = aClinic(store);
  await store.close();
  await expect(cases.get('x')).rejects.toMatchObject({ code: 'store_unavailable', status: 503 });
  await expect(cases.openDraft(aRequest())).rejects.toMatchObject({ code: 'store_unavailable' });
});
