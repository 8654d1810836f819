import type { Task } from 'fhir/r4.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverCase } from '../../src/cases/deliver.ts';
import { queues } from '../../src/cases/work/queues.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { aClinic, aSentCase } from './clinic.ts';

// Two deliveries of one case at once: the lock of one of them broke while it waited for the EHR.

let backend: Backend;
let store: Store;
beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ queues });
});
afterAll(async () => {
  await store?.close();
  await backend?.close();
});

/** A clinic whose deliveries do not keep each other out, and a case that is in no chart yet. */
async function unlocked() {
  const clinic = aClinic({ ...store, exclusively: (_name, work) => work({ assert: () => {} }) });
  const one = await aSentCase(clinic);
  const rows = async () => (await clinic.cases.get(one.id)).writes;
  return { clinic, deliver: () => deliverCase(clinic.context, { case: one.id }), rows };
}

test('one that waited for a token says nothing over what another has sent since', async () => {
  const { clinic, deliver, rows } = await unlocked();
  const { access } = clinic;
  const token = Promise.withResolvers<{ waiting: 'next-launch' }>();
  clinic.access = () => token.promise;
  const asked = clinic.asked.length;
  const first = deliver();
  await expect.poll(() => clinic.asked.length).toBe(asked + 1);
  clinic.access = access;
  clinic.ehr.next.set('create Task', [{ lateBy: 300 }]);
  await deliver();
  const before = await rows();
  expect(before).toMatchObject([{ what: 'task', state: 'unknown', attempts: 1 }]);
  token.resolve({ waiting: 'next-launch' });
  await expect(first).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(await rows()).toEqual(before);
});

test('one that waited for the EHR writes nothing that another has sent since', async () => {
  const { clinic, deliver, rows } = await unlocked();
  const { capabilities } = clinic.ehr;
  const answer = Promise.withResolvers<void>();
  clinic.ehr.capabilities = async () => {
    await answer.promise;
    return capabilities();
  };
  const first = deliver();
  await new Promise((resolve) => setTimeout(resolve, 200));
  clinic.ehr.capabilities = capabilities;
  clinic.ehr.next.set('create Task', [{ lateBy: 300 }]);
  await deliver();
  answer.resolve();
  await expect(first).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(clinic.ehr.calls.filter((call) => call === 'create Task')).toHaveLength(1);
  expect(await rows()).toMatchObject([{ what: 'task', state: 'unknown', attempts: 1 }]);
});

test('what the EHR answered to the one that sent stands, whoever looked meanwhile', async () => {
  const { clinic, deliver, rows } = await unlocked();
  const { create } = clinic.ehr;
  const answer = Promise.withResolvers<void>();
  clinic.ehr.create = async (resource, condition) => {
    const written = await create(resource, condition);
    await answer.promise;
    return written;
  };
  clinic.ehr.next.set('create Task', [{ shownAfter: 300 }]);
  const first = deliver();
  await expect.poll(rows).toMatchObject([{ what: 'task', state: 'in_flight' }]);
  clinic.ehr.create = create;
  await deliver();
  expect(await rows()).toMatchObject([{ what: 'task', state: 'unknown' }]);
  answer.resolve();
  await first;
  expect(await rows()).toMatchObject([{ what: 'task', reference: 'Task/1' }]);
  expect(clinic.ehr.all<Task>('Task').length).toBeLessThan(2);
});
