import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { queues } from '../../../src/cases/work/queues.ts';
import type { Store } from '../../../src/store/types.ts';
import { type Backend, postgres, postgresBackend } from '../../store/backends.ts';
import { eventually } from '../../support/eventually.ts';
import { aClinic, aRequest, aSubmission, working } from '../clinic.ts';

// The embedded database has no clock but the machine's.
if ('missing' in postgres) test.skip(`a clock that is set, on PostgreSQL: ${postgres.missing}`, () => {});
else describeClock(`on ${postgres.title}`, postgresBackend);

function describeClock(name: string, openBackend: () => Promise<Backend>): void {
  describe(`a machine whose clock is set by hours while a case runs, ${name}`, () => {
    let backend: Backend;
    let store: Store;
    beforeAll(async () => {
      backend = await openBackend();
      store = await backend.open({ queues });
    });
    afterEach(() => void vi.useRealTimers());
    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    /** The machine’s clock is so many hours off from here on; what is timed goes on as before. */
    function setClock(hours: number): void {
      vi.useRealTimers();
      const now = Date.now();
      vi.useFakeTimers({ toFake: ['Date'], now: now + hours * 3_600_000, shouldAdvanceTime: true });
    }

    test.each([
      ['forward and back', [5, -5, 0]],
      ['back and forward', [-5, 5, 0]],
    ])('%s: nothing is late, nothing is early, and times are the database’s', async (_, [first, second, third]) => {
      const clinic = aClinic(store, { pollSeconds: 0.3 });
      const real = Date.now();
      const isNow = (at: string | undefined) => Math.abs(Date.parse(at ?? '') - real) < 30 * 60_000;
      await working(clinic, async () => {
        setClock(first ?? 0);
        const draft = await clinic.cases.openDraft(aRequest());
        const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft));
        await eventually(async () =>
          expect((await clinic.cases.get(draft.id)).writes).toMatchObject([{ what: 'task', state: 'done' }]),
        );
        setClock(second ?? 0);
        // A write whose answer is lost is looked for half a minute later, by no machine's clock.
        clinic.ehr.next.set('create DocumentReference', ['lost-before']);
        clinic.service.move('serviceId' in sent ? (sent.serviceId ?? '') : '', {
          status: 'completed',
          outcome: { result: 'Approved', detail: 'Approved', detail_code: 'approval' },
        });
        await eventually(async () =>
          expect((await clinic.cases.get(draft.id)).writes).toMatchObject([
            { what: 'document', state: 'unknown', looks: 0 },
            { what: 'task' },
          ]),
        );
        setClock(third ?? 0);
        const { writes, sentAt, endedAt, events } = await ended(draft.id);
        expect(writes.filter(({ what }) => what === 'document')).toMatchObject([{ state: 'unknown', attempts: 1 }]);
        for (const at of [sentAt, endedAt, ...events.map((event) => event.at), ...writes.map((row) => row.at)])
          expect(isNow(at)).toBe(true);
      });

      async function ended(id: string) {
        const one = await clinic.cases.get(id);
        if (one.state !== 'ended') throw new Error(one.state);
        return one;
      }
    });
  });
}
