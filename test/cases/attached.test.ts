import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Attached } from '../../src/cases/case.ts';
import { queues } from '../../src/cases/work/queues.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend, sqlOf } from '../store/backends.ts';
import { aClinic, aRequest, aSentCase } from './clinic.ts';

const file = (id: string, title = 'Office note'): Attached => ({
  id,
  kind: 'document',
  title,
  date: '2026-10-05',
  by: { fhirUser: 'Practitioner/d1' },
  at: '2026-11-21T15:00:00.000Z',
});
const text = (content: string) => new TextEncoder().encode(content);

describe('files that a person attaches to a draft', () => {
  let backend: Backend;
  let store: Store;
  const rows = (caseId: string) =>
    sqlOf(store)(`select name, sealed from "${backend.schema}".files where case_id = '${caseId}'`);
  beforeAll(async () => {
    backend = await pgliteBackend();
    store = await backend.open({ queues });
  });
  afterAll(async () => {
    await store?.close();
    await backend?.close();
  });

  test('are kept sealed with it, and two who attach at once both find theirs', async () => {
    const { cases } = aClinic(store);
    const { id } = await cases.openDraft(aRequest());
    await Promise.all([
      cases.attach(id, file('one', 'CANARY-TITLE'), text('CANARY-ONE')),
      cases.attach(id, file('two'), text('CANARY-TWO')),
    ]);
    const draft = await cases.get(id);
    expect('attached' in draft && draft.attached?.map((one) => one.id).toSorted()).toEqual(['one', 'two']);
    expect(Buffer.from((await cases.attached(id, 'two')) ?? []).toString()).toBe('CANARY-TWO');
    expect(JSON.stringify(await rows(id))).not.toMatch(/CANARY/);
    await cases.saveDraft(id, { edits: { 'prescription.quantity': 3 } });
    expect(await cases.get(id)).toMatchObject({ attached: [{}, {}], edits: { 'prescription.quantity': 3 } });
  });

  test('are gone for good once they are taken away', async () => {
    const { cases } = aClinic(store);
    const { id } = await cases.openDraft(aRequest());
    await cases.attach(id, file('one'), text('text'));
    expect(await cases.detach(id, 'one')).toMatchObject({ attached: [] });
    expect(await cases.attached(id, 'one')).toBeUndefined();
    expect(await rows(id)).toEqual([]);
  });

  test('of one case are not another’s', async () => {
    const { cases } = aClinic(store);
    const one = await cases.openDraft(aRequest());
    const other = await cases.openDraft(aRequest());
    await cases.attach(one.id, file('one'), text('text'));
    expect(await cases.attached(other.id, 'one')).toBeUndefined();
  });

  test('cannot be changed once the request has left', async () => {
    const clinic = aClinic(store);
    const { id } = await aSentCase(clinic);
    await expect(clinic.cases.attach(id, file('late'), text('text'))).rejects.toMatchObject({
      code: 'case_already_sent',
    });
  });

  test('go with the patient who is erased, and with a draft that is kept no longer', async () => {
    const { cases } = aClinic(store);
    const request = aRequest();
    const erased = await cases.openDraft(request);
    await cases.attach(erased.id, file('one'), text('text'));
    await store.maintenance.erase(request.site, request.patient);
    expect(await rows(erased.id)).toEqual([]);
    const old = await cases.openDraft(aRequest());
    await cases.attach(old.id, file('one'), text('text'));
    await store.maintenance.purgeCases(request.site, new Date(Date.now() + 3_600_000).toISOString());
    expect(await rows(old.id)).toEqual([]);
  });
});
