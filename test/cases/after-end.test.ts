import type { DocumentReference, Task } from 'fhir/r4.js';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Open, recordOf } from '../../src/cases/case.ts';
import { queues } from '../../src/cases/work/queues.ts';
import { recover } from '../../src/cases/work/recover.ts';
import { BridgeError } from '../../src/core/errors.ts';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend, postgres, postgresBackend, removeCases, sqlOf } from '../store/backends.ts';
import { eventually } from '../support/eventually.ts';
import { aClinic, aRequest, aSentCase, aSubmission, type Clinic, working } from './clinic.ts';

const hour = 3_600_000;
const day = 24 * hour;
const approved = { status: 'completed', outcome: { result: 'Approved', detail: 'Approved', detail_code: 'approval' } };
const denied = {
  status: 'completed',
  outcome: { result: 'Denied', detail: 'Step Therapy Criteria Not Met', detail_code: 'step_therapy_criteria_not_met' },
};

describeAfterEnd('on the embedded store', pgliteBackend);
if ('missing' in postgres) test.skip(`after the end of a case, on PostgreSQL: ${postgres.missing}`, () => {});
else describeAfterEnd(`on ${postgres.title}`, postgresBackend);

function describeAfterEnd(name: string, openBackend: () => Promise<Backend>): void {
  describe(`after the end of a case, ${name}`, () => {
    let backend: Backend;
    let store: Store;
    let ahead = 0;
    beforeAll(async () => {
      backend = await openBackend();
      store = await backend.open({ queues, aheadMs: () => ahead });
    });
    afterEach(() => removeCases(store, backend));
    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    /** What the sweep of a running bridge does, and the jobs that follow from it, until none is due. */
    async function swept(clinic: Clinic, until: () => Promise<void> = async () => {}): Promise<void> {
      await recover(clinic.context, { atStart: false });
      await working(
        clinic,
        async () => {
          await eventually(async () => expect(await waiting('now')).toBe(0));
          await eventually(until);
        },
        { restarted: false },
      );
    }

    /** Jobs that read the records of cases, or of one, now or later. */
    async function waiting(when: 'now' | 'later', id?: string): Promise<number> {
      const [row] = await sqlOf(store)(
        `select count(*)::int as jobs from "${backend.schema}_jobs".job
        where name = 'poll' and state < 'completed' and (state = 'active' or start_after <= now()) = $1
        and ($2::text is null or data ->> 'case' = $2)`,
        [when === 'now', id ?? null],
      );
      return Number(row?.jobs);
    }

    // Cases of other tests are in the same store.
    const readsOf = ({ service }: Clinic, { serviceId }: Pick<Open, 'serviceId'>) =>
      service.reads.filter((each) => each === serviceId).length;

    async function endedCase(clinic: Clinic): Promise<Open> {
      const sent = await aSentCase(clinic);
      clinic.service.move(sent.serviceId, approved);
      await clinic.cases.refresh(sent.id);
      await store.boss.deleteQueuedJobs('poll');
      await swept(clinic, async () =>
        expect((await clinic.cases.get(sent.id)).writes.map(({ state }) => state)).toEqual(['done', 'done']),
      );
      clinic.service.reads.length = 0;
      return sent;
    }

    test.each([
      ['an hour', hour],
      ['a day', day],
      ['a week', 7 * day],
    ])('an outcome that changes without a webhook is seen %s later and written as a new one', async (_, after) => {
      const clinic = aClinic(store);
      const { id, serviceId, patient } = await endedCase(clinic);
      clinic.service.move(serviceId, denied);
      // What was due earlier has found the record as it was.
      for (const earlier of [hour, day].filter((each) => each < after)) {
        clinic.service.move(serviceId, approved);
        ahead += earlier;
        await swept(clinic);
        ahead -= earlier;
        clinic.service.move(serviceId, denied);
      }
      ahead += after - 60_000;
      await swept(clinic);
      expect((await clinic.cases.get(id)).state === 'ended' && (await labelOf(clinic, id))).toBe('Approved');
      ahead += 120_000;
      await swept(clinic, async () => {
        expect(await labelOf(clinic, id)).toBe('Denied');
        const letters = clinic.ehr.all<DocumentReference>('DocumentReference');
        expect(letters.filter(({ subject }) => subject?.reference === patient)).toHaveLength(2);
      });
      await swept(clinic, async () => {
        const [task] = clinic.ehr.all<Task>('Task').filter((each) => each.for?.reference === patient);
        expect(task?.businessStatus?.text).toContain('Denied');
      });
    });

    test('a record is read three times, and never again; no job waits meanwhile', async () => {
      const clinic = aClinic(store);
      const { id, serviceId } = await endedCase(clinic);
      const from = ahead;
      const reads = async (after: number) => {
        ahead = from + after;
        await swept(clinic);
        await swept(clinic);
        expect(await waiting('later', id)).toBe(0);
        return readsOf(clinic, { serviceId });
      };
      const minute = 60_000;
      expect([
        await reads(hour - minute),
        await reads(hour + minute),
        await reads(day - minute),
        await reads(day + minute),
        await reads(7 * day + minute),
        await reads(30 * day),
      ]).toEqual([0, 1, 1, 2, 3, 3]);
    });

    test('a bridge that was away over two readings makes one', async () => {
      const clinic = aClinic(store);
      const { serviceId } = await endedCase(clinic);
      ahead += 2 * day;
      await swept(clinic);
      await swept(clinic);
      expect(readsOf(clinic, { serviceId })).toBe(1);
    });

    test('a reading that fails is made again an hour later, and its case stays as it is', async () => {
      const clinic = aClinic(store);
      const { id, serviceId } = await endedCase(clinic);
      clinic.service.next.read.push(new BridgeError('service_unreachable'));
      ahead += hour + 60_000;
      await swept(clinic);
      await swept(clinic);
      expect(readsOf(clinic, { serviceId })).toBe(1);
      const one = await clinic.cases.get(id);
      expect([one.state, one.problem]).toEqual(['ended', undefined]);
      expect(await waiting('later', id)).toBe(1);
      clinic.service.move(serviceId, denied);
      await sqlOf(store)(`update "${backend.schema}_jobs".job set start_after = now() where name = 'poll'`);
      await swept(clinic, async () => expect(await labelOf(clinic, id)).toBe('Denied'));
      await store.boss.deleteQueuedJobs('poll');
    });

    test('a request that the service has taken up again is read hourly until it is decided anew', async () => {
      const clinic = aClinic(store);
      const { id, serviceId } = await endedCase(clinic);
      clinic.service.move(serviceId, { status: 'awaiting_outcome' });
      ahead += hour + 60_000;
      await swept(clinic);
      expect(await clinic.cases.get(id)).toMatchObject({ state: 'ended', status: 'completed' });
      clinic.service.move(serviceId, denied);
      await sqlOf(store)(`update "${backend.schema}_jobs".job set start_after = now() where name = 'poll'`);
      await swept(clinic, async () => expect(await labelOf(clinic, id)).toBe('Denied'));
      await store.boss.deleteQueuedJobs('poll');
    });

    test('an enrollment, which has no record, and a case that was erased are passed over', async () => {
      const clinic = aClinic(store);
      const draft = await clinic.cases.openDraft(aRequest({ kind: 'enrollment' }));
      await clinic.cases.saveDraft(draft.id, {
        consent: { by: 'the patient', on: '2026-11-20', how: 'Signed form', recordedBy: {} },
      });
      await clinic.cases.send(draft.id, aSubmission(clinic, draft));
      const { patient, serviceId } = await endedCase(clinic);
      ahead += hour + 60_000;
      await recover(clinic.context, { atStart: false });
      await store.maintenance.erase('valley', patient);
      await swept(clinic);
      expect(clinic.service.reads.filter((each) => each === serviceId)).toEqual([]);
      expect(await store.cases.byServiceId('valley', serviceId)).toBeUndefined();
    });

    async function labelOf({ cases }: Clinic, id: string): Promise<string | undefined> {
      return recordOf(await cases.get(id))?.outcome?.result;
    }
  });
}
