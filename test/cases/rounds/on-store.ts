import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Open, roundsOf } from '../../../src/cases/case.ts';
import { roundSeen, roundStanding } from '../../../src/cases/rounds/round.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { recover } from '../../../src/cases/work/recover.ts';
import { worklistRules } from '../../../src/cases/worklist-entry.ts';
import type { Store } from '../../../src/store/types.ts';
import { currentBody } from '../../service/sample.ts';
import { type Backend, sqlOf } from '../../store/backends.ts';
import { eventually } from '../../support/eventually.ts';
import { testSite } from '../../support/site.ts';
import { aClinic, aDraft, aSubmission, busy, type Clinic, working } from '../clinic.ts';
import { outreach } from './memory.ts';

// Rounds on the store and by its jobs; what they are is in rounds.test.ts.

const by = { fhirUser: 'Practitioner/d1', name: 'Dr. Deva Loper' };
const current = testSite({ service: { ...busy, profile: 'current', outreachEndField: 'all_done' } });

/** An open case with a request of the profile `current`. */
async function aCurrentCase(clinic: Clinic): Promise<Open> {
  const draft = await aDraft(clinic);
  const sent = await clinic.cases.send(draft.id, aSubmission(clinic, draft, { body: currentBody() }));
  if (sent.state !== 'open') throw new Error(`not sent: ${sent.state}`);
  return sent;
}

const asked = (serviceId: string, event: string, more: object = {}) =>
  outreach(serviceId, {
    event,
    id: `p-${event}`,
    outreach_sequence_id: `seq-${event}`,
    state: 'sent',
    channel: 'fax',
    purpose: 'request_information',
    respond_by: '2026-12-01',
    transmission: { message: 'QUESTION-CANARY, password: SECRET-CANARY' },
    ...more,
  });

/** Rounds by their jobs, on whatever database it is. */
export function describeRounds(title: string, openBackend: () => Promise<Backend>): void {
  describe(title, () => {
    let backend: Backend;
    let store: Store;
    beforeAll(async () => {
      backend = await openBackend();
      store = await backend.open({ queues, worklist: worklistRules });
    });
    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    test('an event is a round by a job, its reply leaves by another, and the Task says both', async () => {
      const clinic = aClinic(store, { sites: [current] });
      await working(clinic, async () => {
        const sent = await aCurrentCase(clinic);
        const taskIs = (text: string) =>
          eventually(() => expect(clinic.ehr.all('Task')).toMatchObject([{ businessStatus: { text } }]));
        await clinic.cases.receiveWebhook('valley', asked(sent.serviceId, 'one'), { isSigned: true });
        await eventually(async () => expect(roundsOf(await clinic.cases.get(sent.id))).toHaveLength(1));
        expect(await store.worklist.find(sent.id)).toMatchObject({ part: 'needs', waits: 'payer_asks' });
        expect((await store.worklist.find(sent.id))?.line.value().until).toBe('2026-12-01');
        await taskIs('The payer asks for information (answer by 2026-12-01)');
        const [round] = roundsOf(await clinic.cases.get(sent.id));
        const reply = { round: 1, seen: roundSeen(round!), text: 'REPLY-CANARY', documents: [], completes: true, by };
        await clinic.cases.reply(sent.id, reply);
        await eventually(() => expect(clinic.service.amendments).toHaveLength(1));
        await eventually(async () => {
          const now = roundsOf(await clinic.cases.get(sent.id));
          expect(now.map(roundStanding)).toEqual(['ended']);
        });
        await taskIs('Processing');
      });
    });

    test('nothing of a question or a reply stands in clear in the store', async () => {
      const tables = await sqlOf(store)(
        `select tablename as name from pg_tables where schemaname = '${backend.schema}'`,
      );
      let found = 0;
      for (const { name } of tables) {
        const rows = JSON.stringify(await sqlOf(store)(`select * from "${backend.schema}"."${String(name)}"`));
        found += rows.length;
        expect(rows, String(name)).not.toContain('CANARY');
      }
      const jobs = JSON.stringify(await sqlOf(store)(`select data from ${backend.schema}_jobs.job`));
      expect(jobs).not.toContain('CANARY');
      expect(found).toBeGreaterThan(0);
    });

    test('an event that comes before the answer to the create becomes a round once the case is known', async () => {
      const clinic = aClinic(store, { sites: [current] });
      const answered = Promise.withResolvers<void>();
      clinic.service.next.create.push({ until: answered.promise });
      await working(clinic, async () => {
        const draft = await aDraft(clinic);
        const sending = clinic.cases.send(draft.id, aSubmission(clinic, draft, { body: currentBody() }));
        const serviceId = clinic.service.id(1);
        await eventually(() => expect(clinic.service.records.has(serviceId)).toBe(true));
        expect(await clinic.cases.receiveWebhook('valley', asked(serviceId, 'early'), { isSigned: true })).toBe(
          'accepted',
        );
        answered.resolve();
        await sending;
        await eventually(async () => expect(roundsOf(await clinic.cases.get(draft.id))).toHaveLength(1));
      });
    }, 30_000);

    test('a reply that no job works on is found by the sweep, and leaves', async () => {
      const clinic = aClinic(store, { sites: [current] });
      const sent = await aCurrentCase(clinic);
      await clinic.context.change(sent.id, 'open-round', { by, text: 'What is the dose?' });
      const [round] = roundsOf(await clinic.cases.get(sent.id));
      const reply = { round: 1, seen: roundSeen(round!), text: '40 mg.', documents: [], completes: false, by };
      await clinic.cases.reply(sent.id, reply);
      await sqlOf(store)(`delete from ${backend.schema}_jobs.job where name = 'round'`);
      await recover(clinic.context, { atStart: false });
      await working(clinic, () => eventually(() => expect(clinic.service.amendments).toHaveLength(1)), {
        restarted: false,
      });
    });
  });
}
