import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from 'fhir/r4.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { newKey } from '../../src/base/vault.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/types.ts';
import { sqlOf } from '../store/backends.ts';
import { putDatabase } from '../support/embedded.ts';
import { eventually } from '../support/eventually.ts';
import { fakeEhr } from '../support/fake-ehr.ts';
import { fakeService } from '../support/fake-service.ts';
import { tempFolder } from '../support/temp.ts';
import { aClinic, aRequest, aSentCase, aSubmission, working } from './clinic.ts';

const folder = tempFolder('restart');
const dataDir = folder.path;
const oldKey = newKey();
const newerKey = newKey();

describe('a bridge that stops and starts again', () => {
  let keys = [oldKey];
  let store: Store;
  const open = () => openStore({ config: { keys, dataDir }, log: silentLog, queues });
  const restart = async () => {
    await store.close();
    store = await open();
  };
  beforeAll(async () => {
    await putDatabase(dataDir);
    store = await open();
  });
  afterAll(async () => {
    await store?.close();
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
    await eventually(async () => expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'sending' }));
    await restart();
    const again = aClinic(store);
    await working(again, () =>
      eventually(async () =>
        expect(await again.cases.get(draft.id)).toMatchObject({
          state: 'unknown',
          problem: { code: 'service_unclear' },
        }),
      ),
    );
    expect(again.service.creates).toEqual([]);
  });

  test('stopped with an open case: it is followed to its end by the next process', async () => {
    const ehr = fakeEhr();
    const service = fakeService();
    const sent = await aSentCase(aClinic(store, { ehr, service, pollSeconds: 0.3 }));
    service.move(sent.serviceId, { status: 'completed', outcome: { result: 'Approved', detail_code: 'approval' } });
    await restart();
    const again = aClinic(store, { ehr, service, pollSeconds: 0.3 });
    await working(again, async () => {
      await eventually(async () =>
        expect((await again.cases.get(sent.id)).writes.map((row) => row.state)).toEqual(['done', 'done']),
      );
    });
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
    await eventually(() => expect(ehr.all('Task')).toHaveLength(1));
    expect((await clinic.cases.get(sent.id)).writes).toMatchObject([{ what: 'task', state: 'in_flight' }]);
    await restart();
    const again = aClinic(store, { ehr, service });
    await working(again, async () => {
      await eventually(async () =>
        expect((await again.cases.get(sent.id)).writes).toMatchObject([{ state: 'done', reference: 'Task/1' }]),
      );
    });
    expect(ehr.all('Task')).toHaveLength(1);
  });

  test('killed with a delivery under way that has no ledger row: it goes on within seconds [S20]', async () => {
    const ehr = fakeEhr();
    const service = fakeService();
    const clinic = aClinic(store, { ehr, service });
    const sent = await aSentCase(clinic);
    // The record was read: no later reading finds anything new, and asks for another delivery.
    await clinic.cases.refresh(sent.id);
    // A process takes the job and is gone before it has done anything.
    const taken = await store.boss.fetch('deliver', { batchSize: 100 });
    expect(taken.map(({ data }) => data)).toContainEqual({ case: sent.id });
    await restart();
    const again = aClinic(store, { ehr, service });
    await working(again, () =>
      eventually(async () =>
        expect((await again.cases.get(sent.id)).writes).toMatchObject([{ what: 'task', state: 'done' }]),
      ),
    );
  });

  test('a job that failed too often leaves no case behind: the next look takes it up', async () => {
    const service = fakeService();
    const clinic = aClinic(store, { service, pollSeconds: 0.3 });
    const sent = await aSentCase(clinic);
    await store.boss.deleteQueuedJobs('poll');
    service.move(sent.serviceId, { status: 'completed', outcome: { result: 'Approved', detail_code: 'approval' } });
    await working(clinic, () => eventually(async () => expect((await clinic.cases.get(sent.id)).state).toBe('ended')));
  });

  test('a new first key: what older keys sealed stays readable and is found [H04]', async () => {
    const clinic = aClinic(store);
    const request = aRequest();
    const draft = await clinic.cases.openDraft(request);
    keys = [newerKey, oldKey];
    await restart();
    const rotated = aClinic(store);
    expect(await rotated.cases.openDraft(request)).toMatchObject({ id: draft.id });
    expect(await rotated.cases.forPatient('valley', request.patient)).toHaveLength(1);
    await rotated.cases.saveDraft(draft.id, { edits: { 'provider.fax': '555-0100' } });
    expect(await rotated.cases.get(draft.id)).toMatchObject({ edits: { 'provider.fax': '555-0100' } });
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
    await store.launches.put({
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
    const sql = sqlOf(store);
    const tables = await sql(
      "select table_schema || '.' || table_name as name from information_schema.tables " +
        "where table_schema like 'bridge%'",
    );
    expect(tables.length).toBeGreaterThan(8);
    for (const { name } of tables) {
      const rows = await sql(`select t::text as row from ${String(name)} as t`);
      expect(rows.map(({ row }) => String(row)).join('\n'), String(name)).not.toMatch(
        /CANARY|Testperson|Denied|M06\.9/i,
      );
    }
    await store.close();
    const bytes = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    for (const file of bytes)
      expect(readFileSync(join(file.parentPath, file.name)).includes('CANARY'), file.name).toBe(false);
    store = await open();
  });
});
