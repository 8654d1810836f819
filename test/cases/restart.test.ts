import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from 'fhir/r4.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLaunchStore } from '../../src/cases/launch-store.ts';
import { openStore, type Store } from '../../src/cases/store.ts';
import { silentLog } from '../../src/log.ts';
import type { LaunchRecord } from '../../src/smart/store.ts';
import { newKey } from '../../src/vault.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { fakeService } from '../support/fake-service.ts';
import { tempFolder } from '../support/temp.ts';
import { aClinic, aRequest, aSentCase, aSubmission } from './clinic.ts';

const folder = tempFolder('restart');
const dataDir = folder.path;
const oldKey = newKey();
const newerKey = newKey();

describe('a bridge that stops and starts again', () => {
  let keys = [oldKey];
  let store: Store;
  const open = () => openStore({ config: { keys, dataDir }, log: silentLog });
  const restart = async () => {
    await store.close();
    store = await open();
  };
  beforeAll(async () => {
    store = await open();
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  test('a second process is told which folder is taken', async () => {
    await expect(open()).rejects.toMatchObject({ code: 'store_locked', facts: { folder: dataDir } });
  });

  test('stopped while sending: the answer is lost, the case is unknown, nothing is sent again', async () => {
    const service = fakeService();
    const clinic = aClinic(store, { service });
    const draft = await clinic.cases.openDraft(aRequest());
    // The request leaves and the process ends before the answer.
    service.createPriorAuthorization = () => new Promise(() => {});
    void clinic.cases.send(draft.id, aSubmission(clinic, draft));
    await vi.waitFor(async () => expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'sending' }));
    await restart();
    const again = aClinic(store);
    await again.cases.start();
    await again.cases.stop();
    expect(await again.cases.get(draft.id)).toMatchObject({ state: 'unknown', problem: { code: 'service_unclear' } });
    expect(again.service.creates).toEqual([]);
  });

  test('stopped with an open case: it is followed to its end by the next process', async () => {
    const ehr = fakeEhr();
    const service = fakeService();
    const sent = await aSentCase(aClinic(store, { ehr, service, pollSeconds: 0.3 }));
    service.move(sent.serviceId, { status: 'completed', outcome: { result: 'Approved', detail_code: 'approval' } });
    await restart();
    const again = aClinic(store, { ehr, service, pollSeconds: 0.3 });
    await again.cases.start();
    await vi.waitFor(
      async () => expect((await again.cases.get(sent.id)).writes.map((row) => row.state)).toEqual(['done', 'done']),
      { timeout: 15_000 },
    );
    await again.cases.stop();
    expect(ehr.all<Task>('Task')).toMatchObject([{ status: 'completed', businessStatus: { text: 'Approved' } }]);
  });

  test('stopped between the POST and the ledger: looked up, not written twice [G06]', async () => {
    const ehr = fakeEhr();
    const service = fakeService();
    const clinic = aClinic(store, { ehr, service });
    const sent = await aSentCase(clinic);
    // The Task is stored in the EHR; the answer never reaches the ledger.
    const create = ehr.create;
    const silent: typeof ehr.create = async (...args) => {
      await create(...args);
      return await new Promise(() => {});
    };
    clinic.access = () => ({ api: { ...ehr, create: silent }, by: 'refresh' });
    void clinic.cases.retryWriteback(sent.id, 'bridge');
    await vi.waitFor(() => expect(ehr.all('Task')).toHaveLength(1));
    expect((await clinic.cases.get(sent.id)).writes).toMatchObject([{ what: 'task', state: 'in_flight' }]);
    await restart();
    const again = aClinic(store, { ehr, service });
    await again.cases.start();
    await vi.waitFor(
      async () =>
        expect((await again.cases.get(sent.id)).writes).toMatchObject([{ state: 'done', reference: 'Task/1' }]),
      { timeout: 15_000 },
    );
    await again.cases.stop();
    expect(ehr.all('Task')).toHaveLength(1);
  });

  test('a new first key: what older keys sealed is found and read, and sealed anew when written [H04]', async () => {
    const clinic = aClinic(store);
    const request = aRequest();
    const draft = await clinic.cases.openDraft(request);
    keys = [newerKey, oldKey];
    await restart();
    const rotated = aClinic(store);
    expect(await rotated.cases.openDraft(request)).toMatchObject({ id: draft.id });
    expect(await rotated.cases.forPatient('valley', request.patient)).toHaveLength(1);
    await rotated.cases.saveDraft(draft.id, { edits: { 'provider.fax': '555-0100' } });
    const row = await store.read((db) =>
      db.selectFrom('cases').select('sealed').where('id', '=', draft.id).executeTakeFirstOrThrow(),
    );
    expect(createKeyId(row.sealed)).not.toBe(undefined);
    keys = [newerKey];
    await restart();
    expect(await aClinic(store).cases.get(draft.id)).toMatchObject({ edits: { 'provider.fax': '555-0100' } });
  });

  test('launches survive; a state is used once, whoever asks [C16]', async () => {
    const launches = createLaunchStore(store);
    const record: LaunchRecord = {
      id: 'launch-a',
      site: 'valley',
      stateHash: 'state-a',
      sessionHash: 'session-a',
      phase: 'open',
      createdAt: '2026-11-21T10:00:00.000Z',
      lastUsedAt: '2026-11-21T10:00:00.000Z',
      dueAt: '2026-11-21T11:00:00.000Z',
      tokens: {
        accessToken: 'ACCESS-TOKEN-CANARY',
        accessExpiresAt: '2026-11-21T10:05:00.000Z',
        refreshToken: 'REFRESH-TOKEN-CANARY',
      },
    };
    await launches.put(record);
    await restart();
    const after = createLaunchStore(store);
    expect(await after.get('launch-a')).toEqual(record);
    expect(await after.byState('state-a')).toEqual(record);
    expect(await after.bySession('session-a')).toEqual([record]);
    const used = await Promise.all([1, 2, 3].map(() => after.consume('state-a', '2026-11-21T10:01:00.000Z')));
    expect(used.filter(Boolean)).toHaveLength(1);
    await after.put(record);
    expect(await after.get('launch-a')).toMatchObject({ consumedAt: '2026-11-21T10:01:00.000Z' });
    expect(await after.due('2026-11-21T10:59:59.000Z')).toEqual([]);
    expect(await after.due('2026-11-21T11:00:00.000Z')).toHaveLength(1);
    await after.delete('launch-a');
    expect(await after.get('launch-a')).toBeUndefined();
  });

  test('exclusive work takes turns', async () => {
    const launches = createLaunchStore(store);
    const order: string[] = [];
    const slow = launches.exclusive('token', async () => {
      order.push('first in');
      await new Promise((resolve) => setTimeout(resolve, 50));
      order.push('first out');
    });
    // Another process sees the same lease, not the same memory.
    const other = createLaunchStore(store).exclusive('token', async () => void order.push('second'));
    await Promise.all([slow, other]);
    expect(order).toEqual(['first in', 'first out', 'second']);
    await expect(launches.exclusive('token', async () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await launches.exclusive('token', async () => 'free again')).toBe('free again');
  });

  test('a sealed text that was changed, or moved to another record, does not open [H03]', async () => {
    const { cases } = aClinic(store);
    const [one, two] = [await cases.openDraft(aRequest()), await cases.openDraft(aRequest())];
    const sealed = await store.read((db) =>
      db.selectFrom('cases').select('sealed').where('id', '=', one.id).executeTakeFirstOrThrow(),
    );
    await store.read((db) => db.updateTable('cases').set(sealed).where('id', '=', two.id).execute());
    await expect(cases.get(two.id)).rejects.toMatchObject({ code: 'store_unavailable' });
    await store.read((db) =>
      db
        .updateTable('cases')
        .set({ sealed: `${sealed.sealed.slice(0, -2)}AA` })
        .where('id', '=', one.id)
        .execute(),
    );
    await expect(cases.get(one.id)).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('no table and no file holds a name, a member number, an order or a token in the clear [H02]', async () => {
    const clinic = aClinic(store);
    const sent = await aSentCase(clinic, {
      patient: 'Patient/PATIENT-CANARY',
      order: 'MedicationRequest/ORDER-CANARY',
      title: 'DRUG-CANARY',
    });
    clinic.service.file = Buffer.from('%PDF-1.4 LETTER-CANARY');
    clinic.service.move(sent.serviceId, {
      status: 'completed',
      outcome: { result: 'Denied', detail: 'DETAIL-CANARY' },
      activity_log: [
        {
          id: 'f1',
          created_at: '2026-11-21T09:00:00',
          type: 'received_fax',
          details: { url: 'https://service.example/f1.pdf' },
        },
      ],
    });
    await clinic.cases.receiveWebhook('valley', {
      event_type: 'prior_authorization.status_change',
      data: { id: sent.serviceId, outcome: { result: 'RESULT-CANARY' } },
    });
    await clinic.cases.refresh(sent.id);
    await clinic.cases.retryWriteback(sent.id, 'bridge');
    await createLaunchStore(store).put({
      id: 'l',
      site: 'valley',
      stateHash: 's',
      sessionHash: 'h',
      phase: 'open',
      createdAt: '',
      lastUsedAt: '',
      dueAt: '',
      tokens: { accessToken: 'TOKEN-CANARY', accessExpiresAt: '' },
      context: { patient: 'PATIENT-CANARY', userName: 'USER-CANARY', orders: [], needPatientBanner: true, scopes: [] },
    });
    const tables = await store.read((db) =>
      sql<{ name: string }>`
        select table_schema || '.' || table_name as name
        from information_schema.tables where table_schema like 'bridge%'
      `.execute(db),
    );
    expect(tables.rows.length).toBeGreaterThan(8);
    for (const { name } of tables.rows) {
      const dump = await store.read((db) =>
        sql<{ row: string }>`select ${sql.ref('t')}::text as row from ${sql.table(name)} as t`.execute(db),
      );
      expect(dump.rows.map(({ row }) => row).join('\n'), name).not.toMatch(/CANARY|Testperson|Denied|M06\.9/i);
    }
    await store.close();
    const bytes = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    for (const file of bytes)
      expect(readFileSync(join(file.parentPath, file.name)).includes('CANARY'), file.name).toBe(false);
    store = await open();
  }, 60_000);
});

function createKeyId(sealed: string): string | undefined {
  return sealed.split('.')[1];
}
