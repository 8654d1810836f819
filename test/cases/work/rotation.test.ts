import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newKey } from '../../../src/base/vault.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import type { Store } from '../../../src/store/types.ts';
import { type PostgresBackend, postgres, postgresBackend } from '../../store/backends.ts';
import { eventually } from '../../support/eventually.ts';
import { fakeEhr } from '../../support/fake-ehr.ts';
import { fakeService } from '../../support/fake-service.ts';
import { aClinic, aRequest, aSubmission, type Clinic } from '../clinic.ts';

if ('missing' in postgres) test.skip(`keys that change while cases run: ${postgres.missing}`, () => {});
else describe(`keys that change while cases run in two processes, on ${postgres.title}`, describeRotation);

const denied = {
  status: 'completed',
  outcome: { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code: 'step_therapy_criteria_not_met' },
};

interface Running {
  readonly store: Store;
  readonly clinic: Clinic;
  /** What somebody asks of it just now. */
  asked: Promise<unknown>;
}

function describeRotation(): void {
  let backend: PostgresBackend;
  beforeAll(async () => {
    backend = await postgresBackend();
  });
  afterAll(() => backend?.close());

  test('each case comes to its end in the chart, and opens under the new key alone', async () => {
    const [ehr, service] = [fakeEhr(), fakeService()];
    const [old, fresh] = [backend.key, newKey()];
    const begin = async (keys: readonly string[]): Promise<Running> => {
      const store = await backend.open({ keys, queues });
      const clinic = aClinic(store, { ehr, service, pollSeconds: 0.3 });
      await clinic.work.prepare();
      clinic.work.start();
      return { store, clinic, asked: Promise.resolve() };
    };
    const end = async ({ asked, clinic, store }: Running) => {
      await asked;
      await clinic.work.stop();
      await store.close();
    };
    const processes: Running[] = [await begin([old]), await begin([old])];
    const sent: string[] = [];
    const state = { over: false };

    /** A person at one process, whose webhook comes to another. */
    const oneCase = async (here: Running) => {
      const { cases } = here.clinic;
      const draft = await cases.openDraft(aRequest());
      await cases.saveDraft(draft.id, { edits: { 'prescription.quantity': 3 } });
      const one = await cases.send(draft.id, aSubmission(here.clinic, draft));
      if (one.state !== 'open') throw new Error(one.state);
      service.move(one.serviceId, denied);
      const event = { event_type: 'prior_authorization.status_change', data: { id: one.serviceId } };
      const there = processes.find((each) => each !== here) ?? here;
      there.asked = Promise.all([there.asked, there.clinic.cases.receiveWebhook('valley', event)]);
      await there.asked;
      sent.push(draft.id);
    };
    const people = (async () => {
      for (let nth = 0; !state.over; nth += 1) {
        const here = processes[nth % processes.length];
        if (here === undefined) throw new Error('no process runs');
        const done = oneCase(here);
        here.asked = Promise.all([here.asked, done]);
        await done;
        await pause(20);
      }
    })();
    const replace = async (nth: number, ...keys: string[]) => {
      const begun = await begin(keys);
      const [gone] = processes.splice(nth, 1, begun);
      if (gone !== undefined) await end(gone);
      const count = sent.length;
      await eventually(() => expect(sent.length).toBeGreaterThan(count + 1));
    };

    // Every process learns the new key behind the old one; then each puts it first; then rekey; then the old one goes.
    for (const keys of [
      [old, fresh],
      [fresh, old],
    ])
      for (const nth of [0, 1]) await replace(nth, ...keys);
    expect(await processes[0]?.store.maintenance.rekey()).toMatchObject({ unreadable: 0 });
    for (const nth of [0, 1]) await replace(nth, fresh);
    state.over = true;
    await people;
    const [one] = processes;
    await eventually(async () => {
      for (const id of sent)
        expect((await one?.clinic.cases.get(id))?.writes.map(({ what, state: is }) => [what, is])).toEqual(
          expect.arrayContaining([
            ['document', 'done'],
            ['task', 'done'],
          ]),
        );
    });
    for (const id of sent)
      expect(await one?.clinic.cases.get(id)).toMatchObject({
        state: 'ended',
        body: { patient: { last_name: 'Testperson' } },
        record: { outcome: { result: 'Denied' } },
      });
    expect(ehr.all('Task')).toHaveLength(sent.length);
    expect(service.creates).toHaveLength(sent.length);
    await Promise.all(processes.map(end));
  });
}
