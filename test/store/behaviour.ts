import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newKey } from '../../src/base/vault.ts';
import type { Store } from '../../src/store/types.ts';
import type { LedgerEntry } from '../../src/writeback/ledger.ts';
import { eventually } from '../support/eventually.ts';
import { type Backend, sqlOf } from './backends.ts';
import { changed, draftColumns, newKeys, openDraft } from './requests.ts';

/** What every store does, whatever database is below it. */
export function describeStore(title: string, start: () => Promise<Backend>): void {
  describe(title, () => {
    let backend: Backend;
    let store: Store;
    let ahead = 0;
    const sql = (text: string, values?: unknown[]) => sqlOf(store)(text, values);
    const table = (name: string) => `"${backend.schema}".${name}`;

    beforeAll(async () => {
      backend = await start();
      store = await backend.open({ aheadMs: () => ahead });
    });

    afterAll(async () => {
      await store?.close();
      await backend?.close();
    });

    describe('a case', () => {
      test('is opened once, also by two windows at once', async () => {
        const keys = newKeys();
        const opened = await Promise.all([1, 2, 3, 4].map(() => openDraft(store.cases, keys)));
        expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
        expect(opened[0]?.events.map(({ type }) => type)).toEqual(['draft_opened']);
      });

      test('that has ended is what its order leads to; a new one only when asked for [S18]', async () => {
        const keys = newKeys();
        const first = await openDraft(store.cases, keys);
        await changed(store.cases, first.id, keys, { columns: { state: 'ended' } });
        expect((await openDraft(store.cases, keys)).id).toBe(first.id);
        const anew = await store.cases.open(
          { site: 'clinic', kind: 'prior-auth', ...keys },
          () => ({ id: randomUUID(), columns: draftColumns, keys, head: {} }),
          { anew: true },
        );
        expect(anew.id).not.toBe(first.id);
        expect((await openDraft(store.cases, keys)).id).toBe(anew.id);
      });

      test('is read as it was written, with the database’s times', async () => {
        const keys = newKeys();
        const { id, createdAt } = await openDraft(store.cases, keys);
        const columns = {
          state: 'open',
          status: 'awaiting_outcome',
          serviceId: `pa_${randomUUID()}`,
          attempt: 2,
          unwritten: true,
          waiting: true,
          problem: 'service_second_request',
          notArrivedAt: '2026-11-20T08:00:00.123Z',
          sentAt: '2026-11-20T09:00:00.456Z',
          readAt: '2026-11-20T10:00:00.000Z',
          changedAt: '2026-11-20T11:00:00.000Z',
          endedAt: '2026-11-20T12:00:00.999Z',
        };
        const changedCase = await changed(store.cases, id, keys, {
          columns,
          head: { title: 'Ä “quoted” title' },
          draft: { edits: { 'patient.first_name': 'Ann' } },
          record: { id: 'pa_1', status: 'awaiting_outcome' },
          submissions: [
            { attempt: 2, state: 'sending', sentAt: '2026-11-20T09:00:00.456Z', content: { body: { a: 1 } } },
          ],
          events: [
            { type: 'sent', actor: 'Practitioner/12', facts: { attempt: 2 } },
            { type: 'status', actor: 'bridge', facts: { status: 'awaiting_outcome' } },
          ],
          writes: [
            {
              what: 'document',
              version: 'v1',
              state: 'in_flight',
              reference: 'DocumentReference/7',
              versionId: '3',
              reason: 'no scope',
              says: 'Ä “Canary” of the EHR',
              token: 'session',
              attempts: 1,
              looks: 2,
              at: '2026-11-20T09:30:00.000Z',
            },
          ],
        });
        const found = await store.cases.find(id);
        for (const stored of [changedCase, found]) {
          expect(stored).toMatchObject({ id, site: 'clinic', kind: 'prior-auth', createdAt, version: 2, ...columns });
          expect(stored?.head.value()).toEqual({ title: 'Ä “quoted” title' });
          expect(stored?.draft?.value()).toEqual({ edits: { 'patient.first_name': 'Ann' } });
          expect(stored?.record?.value()).toEqual({ id: 'pa_1', status: 'awaiting_outcome' });
          expect(stored?.submissions).toMatchObject([
            { attempt: 2, state: 'sending', sentAt: '2026-11-20T09:00:00.456Z' },
          ]);
          expect(stored?.submissions[0]?.sealed.value()).toEqual({ body: { a: 1 } });
          expect(stored?.events.map(({ type, actor, facts }) => [type, actor, facts])).toEqual([
            ['draft_opened', 'bridge', {}],
            ['sent', 'Practitioner/12', { attempt: 2 }],
            ['status', 'bridge', { status: 'awaiting_outcome' }],
          ]);
          expect(stored?.events.map(({ at }) => at)).toEqual([createdAt, stored?.updatedAt, stored?.updatedAt]);
          expect(stored?.writes).toMatchObject([
            {
              what: 'document',
              version: 'v1',
              reference: 'DocumentReference/7',
              versionId: '3',
              says: 'Ä “Canary” of the EHR',
              looks: 2,
            },
          ]);
        }
        expect(await store.cases.columns(id)).toMatchObject({ id, version: 2, ...columns });
        const [row] = await sql(`select clock_timestamp() as now`);
        expect(Math.abs(Date.parse(createdAt) - new Date(String(row?.now)).getTime())).toBeLessThan(60_000);
      });

      test('loses what is null and keeps what is not named', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys, { record: { id: 'pa' } });
        expect((await changed(store.cases, id, keys)).draft).toBeDefined();
        const without = await changed(store.cases, id, keys, { draft: null, record: null });
        expect([without.draft, without.record]).toEqual([undefined, undefined]);
        expect(await store.cases.find(id)).not.toHaveProperty('draft');
      });

      test('is changed by one at a time', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys);
        const one = () =>
          store.cases.change(id, (current) => ({
            keys,
            head: {},
            columns: { ...draftColumns, attempt: current.attempt + 1 },
            events: [{ type: 'noted', actor: 'bridge', facts: { nth: current.events.length } }],
          }));
        await Promise.all(Array.from({ length: 20 }, one));
        const after = await store.cases.find(id);
        expect(after?.attempt).toBe(20);
        expect(after?.version).toBe(21);
        expect(after?.events.slice(1).map(({ facts }) => facts.nth)).toEqual(
          Array.from({ length: 20 }, (_, n) => n + 1),
        );
        const times = after?.events.map(({ at }) => at) ?? [];
        expect(times).toEqual(times.toSorted());
      });

      test('that no change is wanted of stays as it is', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys);
        const before = await store.cases.columns(id);
        expect(await store.cases.change(id, () => undefined)).toMatchObject(before ?? {});
        expect(await store.cases.columns(id)).toEqual(before);
      });

      test('whose transition fails keeps neither the change nor its job', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys);
        const failing = store.cases.change(id, () => {
          throw new TypeError('a mistake');
        });
        await expect(failing).rejects.toMatchObject({ code: 'internal' });
        const twice = store.cases.change(id, () => ({
          keys,
          head: { other: true },
          columns: draftColumns,
          jobs: [{ queue: 'look', site: 'clinic', key: id, data: {} }],
          // There is no such submission.
          submissions: [{ attempt: 9, state: 'accepted' }],
        }));
        await expect(twice).rejects.toThrow();
        expect((await store.cases.find(id))?.head.value()).not.toHaveProperty('other');
        expect(await store.boss.findJobs('look', { key: id })).toEqual([]);
      });

      test('that is not there is case_not_found', async () => {
        await expect(store.cases.change(randomUUID(), () => undefined)).rejects.toMatchObject({
          code: 'case_not_found',
        });
        expect(await store.cases.find(randomUUID())).toBeUndefined();
        expect(await store.cases.columns(randomUUID())).toBeUndefined();
      });

      test('keeps the version that a page shows when nothing visible changed', async () => {
        const keys = newKeys();
        const { id, version } = await openDraft(store.cases, keys);
        expect((await changed(store.cases, id, keys, { visible: false })).version).toBe(version);
        expect((await changed(store.cases, id, keys)).version).toBe(version + 1);
      });
    });

    describe('sealed content', () => {
      test('says nothing in the tables', async () => {
        const keys = newKeys('Patient/findme-123');
        const { id } = await openDraft(store.cases, keys, { head: { banner: { name: 'Findme Person' } } });
        const write = {
          what: 'task',
          version: 'v1',
          state: 'failed',
          attempts: 1,
          at: '2026-11-20T09:30:00.000Z',
        } as const;
        await changed(store.cases, id, keys, { writes: [{ ...write, says: 'Findme has no team' }] });
        for (const name of ['cases', 'parts', 'submissions', 'events', 'writes', 'webhooks', 'launches']) {
          const rows = await sql(`select * from ${table(name)}`);
          expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toMatch(
            /findme|Findme/,
          );
        }
      });

      test('is written again only when it differs [S9]', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys, { record: { id: 'pa', status: 'processing' } });
        const sealed = () => sql(`select part, sealed from ${table('parts')} where case_id = $1 order by part`, [id]);
        const before = await sealed();
        await changed(store.cases, id, keys, {
          record: { status: 'processing', id: 'pa' },
          draft: { answers: {}, edits: {} },
        });
        expect(await sealed()).toEqual(before);
        await changed(store.cases, id, keys, { record: { status: 'completed', id: 'pa' } });
        const after = await sealed();
        expect(after.map(({ part }, index) => [part, after[index]?.sealed === before[index]?.sealed])).toEqual([
          ['draft', true],
          ['head', true],
          ['record', false],
        ]);
      });

      test('of a poll that found the same record is not touched [S9]', async () => {
        const keys = newKeys();
        const record = { id: 'pa', status: 'processing' };
        const { id, version } = await openDraft(store.cases, keys, { record });
        const whole = async () => [
          await sql(`select * from ${table('parts')} where case_id = $1 order by part`, [id]),
          await sql(`select * from ${table('events')} where case_id = $1`, [id]),
        ];
        const before = await whole();
        expect(await store.cases.touchRecord(id, store.cases.hashOf({ status: 'processing', id: 'pa' }))).toBe(true);
        expect(await store.cases.columns(id)).toMatchObject({ version, readAt: expect.any(String) });
        expect(await store.cases.touchRecord(id, store.cases.hashOf({ ...record, status: 'completed' }))).toBe(false);
        expect(await whole()).toEqual(before);
      });

      test('with a problem that stands is for a change to settle', async () => {
        const keys = newKeys();
        const record = { id: 'pa' };
        const { id } = await openDraft(store.cases, keys, {
          record,
          columns: { ...draftColumns, problem: 'service_unreachable' },
        });
        expect(await store.cases.touchRecord(id, store.cases.hashOf(record))).toBe(false);
        expect(await store.cases.columns(id)).not.toHaveProperty('readAt');
      });

      test('of a submission never changes, and is opened only when asked for', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys);
        const sentAt = '2026-11-20T09:00:00.000Z';
        await changed(store.cases, id, keys, {
          submissions: [{ attempt: 1, state: 'sending', sentAt, content: { body: 'first' } }],
        });
        const sealed = await sql(`select sealed from ${table('submissions')} where case_id = $1`, [id]);
        const settled = await changed(store.cases, id, keys, {
          submissions: [
            { attempt: 1, state: 'refused', settledAt: '2026-11-20T09:00:02.000Z' },
            { attempt: 2, state: 'sending', sentAt, content: { body: 'second' } },
          ],
        });
        expect(settled.submissions.map(({ attempt, state, settledAt }) => [attempt, state, settledAt])).toEqual([
          [1, 'refused', '2026-11-20T09:00:02.000Z'],
          [2, 'sending', undefined],
        ]);
        expect(
          await sql(`select sealed from ${table('submissions')} where case_id = $1 and attempt = 1`, [id]),
        ).toEqual(sealed);
        await sql(`update ${table('submissions')} set sealed = sealed || 'x' where case_id = $1`, [id]);
        const found = await store.cases.find(id);
        expect(found?.submissions.map(({ state }) => state)).toEqual(['refused', 'sending']);
        expect(() => found?.submissions[0]?.sealed.value()).toThrow(
          expect.objectContaining({ code: 'store_unavailable' }),
        );
      });

      test('cannot be moved to another case', async () => {
        const [one, other] = [
          await openDraft(store.cases, newKeys()),
          await openDraft(store.cases, newKeys(), { head: { other: true } }),
        ];
        await sql(
          `update ${table('parts')}
           set sealed = (select sealed from ${table('parts')} where case_id = $1 and part = 'head')
           where case_id = $2 and part = 'head'`,
          [one.id, other.id],
        );
        const found = await store.cases.find(other.id);
        expect(() => found?.head.value()).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
      });
    });

    test('the ledger has one row for the Task and one per version of a document', async () => {
      const keys = newKeys();
      const { id } = await openDraft(store.cases, keys);
      const row = (what: LedgerEntry['what'], version: string, state: LedgerEntry['state']) => ({
        what,
        version,
        state,
        attempts: 1,
        at: '2026-11-20T09:00:00.000Z',
      });
      await changed(store.cases, id, keys, {
        writes: [row('task', 'a', 'planned'), row('document', 'a', 'planned'), row('document', 'b', 'planned')],
      });
      await changed(store.cases, id, keys, { writes: [row('task', 'b', 'done'), row('document', 'a', 'done')] });
      const after = await store.cases.find(id);
      expect(after?.writes.map(({ what, version, state }) => `${what} ${version} ${state}`)).toEqual([
        'document b planned',
        'task b done',
        'document a done',
      ]);
    });

    describe('finding cases', () => {
      test('by their id at the service, by site', async () => {
        const keys = newKeys();
        const serviceId = `pa_${randomUUID()}`;
        const { id } = await openDraft(store.cases, keys, { columns: { ...draftColumns, serviceId } });
        expect((await store.cases.byServiceId('clinic', serviceId))?.id).toBe(id);
        expect(await store.cases.byServiceId('other', serviceId)).toBeUndefined();
      });

      test('of a patient, newest first, without their bodies', async () => {
        const [first, second] = [newKeys('Patient/p1'), newKeys('Patient/p1')];
        const content = { body: 'long' };
        const submissions = [{ attempt: 1, state: 'sending', sentAt: '2026-11-20T09:00:00.000Z', content }];
        await openDraft(store.cases, first, { head: { nth: 1 }, submissions });
        ahead += 1000;
        await openDraft(store.cases, second, { head: { nth: 2 } });
        const found = await store.cases.forPatient('clinic', 'Patient/p1');
        expect(found.map(({ head }) => head.value())).toEqual([{ nth: 2 }, { nth: 1 }]);
        expect(found[1]?.submissions[0]).toMatchObject({ attempt: 1, state: 'sending' });
        expect(found[1]?.submissions[0]).not.toHaveProperty('sealed');
        expect(await store.cases.forPatient('other', 'Patient/p1')).toEqual([]);
      });

      test('by site, state, what is unwritten, and when a person said that it had not arrived', async () => {
        const site = `site-${randomUUID()}`;
        const open = async (columns: object) => {
          const keys = newKeys();
          const made = await store.cases.open({ site, kind: 'prior-auth', ...keys }, () => ({
            id: randomUUID(),
            keys,
            head: {},
            columns: { ...draftColumns, ...columns },
          }));
          return made.id;
        };
        const draft = await open({ notArrivedAt: '2026-11-20T09:00:00.000Z' });
        const unwritten = await open({ state: 'open', unwritten: true });
        expect(await store.cases.ids({ site, states: ['open'] })).toEqual([unwritten]);
        expect(await store.cases.ids({ site, unwritten: true })).toEqual([unwritten]);
        expect(await store.cases.ids({ site, notArrivedSince: '2026-11-20T08:59:59.999Z' })).toEqual([draft]);
        expect(await store.cases.ids({ site, notArrivedSince: '2026-11-20T09:00:00.000Z' })).toEqual([]);
        expect((await store.cases.list({ site, limit: 1 })).map(({ id }) => id)).toHaveLength(1);
        ahead += 30_000;
        const counts = (await store.cases.counts()).filter((row) => row.site === site);
        expect(counts).toEqual([
          { site, state: 'draft', count: 1, oldestSeconds: expect.any(Number) },
          { site, state: 'open', count: 1, oldestSeconds: expect.any(Number) },
        ]);
        expect(counts[0]?.oldestSeconds).toBeGreaterThanOrEqual(30);
        expect(counts[0]?.oldestSeconds).toBeLessThan(90);
      });
    });

    test('a file of a case is given back byte for byte, and replaced', async () => {
      const { id } = await openDraft(store.cases, newKeys());
      const bytes = Uint8Array.from({ length: 300 }, (_, index) => index % 256);
      await store.cases.putFile(id, 'letter.pdf', bytes);
      expect(new Uint8Array((await store.cases.file(id, 'letter.pdf')) ?? [])).toEqual(bytes);
      await store.cases.putFile(id, 'letter.pdf', Uint8Array.of(1));
      expect(new Uint8Array((await store.cases.file(id, 'letter.pdf')) ?? [])).toEqual(Uint8Array.of(1));
      expect(await store.cases.file(id, 'other.pdf')).toBeUndefined();
    });

    describe('jobs', () => {
      const look = (key: string, afterSeconds?: number) => ({
        queue: 'look',
        site: 'clinic',
        key,
        data: { case: key },
        ...(afterSeconds === undefined ? {} : { afterSeconds }),
      });
      const waiting = async (key: string) =>
        (await store.boss.findJobs('look', { queued: true, data: { case: key } })).map(({ startAfter, createdOn }) =>
          Math.round((new Date(startAfter).getTime() - new Date(createdOn).getTime()) / 1000),
        );

      test('with one key are one while they wait, and are grouped by site', async () => {
        const key = randomUUID();
        await store.enqueue([look(key), look(key), look(randomUUID())]);
        await store.enqueue([look(key)]);
        expect(await waiting(key)).toEqual([0]);
        const [job] = await store.boss.findJobs('look', { key });
        expect(job).toMatchObject({ groupId: 'clinic' });
      });

      test('for now are never held back by a delayed one [S3]', async () => {
        const key = randomUUID();
        await store.enqueue([look(key, 7200)]);
        await store.enqueue([look(key)]);
        expect((await waiting(key)).toSorted((a, b) => a - b)).toEqual([0, 7200]);
      });

      test('that are delayed are one, at the earlier of their times', async () => {
        const key = randomUUID();
        await store.enqueue([look(key, 7200)]);
        await store.enqueue([look(key, 60)]);
        expect(await waiting(key)).toEqual([60]);
        await store.enqueue([look(key, 7200)]);
        expect(await waiting(key)).toEqual([60]);
      });
    });

    describe('the audit trail', () => {
      const record = (site: string, nth: number) =>
        store.audit.record({
          site,
          action: 'page_viewed',
          actor: 'Practitioner/12',
          patient: `Patient/${nth}`,
          launch: 'launch-1',
          facts: { page: 'case' },
        });
      const check = async (site: string) => (await store.audit.verify()).find((chain) => chain.site === site);
      const faults = async (site: string) => (await check(site))?.faults;

      /** A site with a trail of `count` rows, of which the test may do what it likes. */
      async function aTrail(count: number): Promise<string> {
        const site = `audited-${randomUUID()}`;
        for (let nth = 1; nth <= count; nth += 1) await record(site, nth);
        return site;
      }

      test('says who did what with whose data, and names no patient', async () => {
        const site = await aTrail(2);
        const rows = await collected(store.audit.rows({ site }));
        expect(rows).toMatchObject([
          { seq: 1, action: 'page_viewed', actor: 'Practitioner/12', launch: 'launch-1', facts: { page: 'case' } },
          { seq: 2, outcome: 'success' },
        ]);
        expect(JSON.stringify(rows)).not.toContain('Patient/');
        const ofOne = await collected(store.audit.rows({ site, patient: 'Patient/2' }));
        expect(ofOne.map(({ seq }) => seq)).toEqual([2]);
      });

      test('has what happened to a case, in the transaction of the case', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys);
        const sent = { type: 'sent', actor: 'Practitioner/12', facts: { attempt: 1 } };
        await changed(store.cases, id, keys, { events: [sent] });
        await changed(store.cases, id, keys, { events: [sent], submissions: [{ attempt: 9, state: 'x' }] }).catch(
          () => {},
        );
        const rows = await collected(store.audit.rows({ site: 'clinic', patient: keys.patient }));
        expect(rows.map(({ action, actor, caseId }) => [action, actor, caseId])).toEqual([
          ['draft_opened', 'bridge', id],
          ['sent', 'Practitioner/12', id],
        ]);
      });

      test('is whole after many have written to it at once', async () => {
        const site = `audited-${randomUUID()}`;
        await Promise.all(Array.from({ length: 30 }, (_, nth) => record(site, nth)));
        expect(await check(site)).toMatchObject({ first: 1, last: 30, faults: [] });
      });

      test('is whole where rows of cases stand between those of pages', async () => {
        await record('clinic', 1);
        await record('clinic', 2);
        await openDraft(store.cases, newKeys());
        await record('clinic', 3);
        await record('clinic', 4);
        const actions = (await collected(store.audit.rows({ site: 'clinic' }))).slice(-5).map(({ action }) => action);
        expect(actions).toEqual(['page_viewed', 'page_viewed', 'draft_opened', 'page_viewed', 'page_viewed']);
        expect(await faults('clinic')).toEqual([]);
      });

      test.each([
        ['a row that was changed', `set actor = 'bridge' where seq = 2`, [{ seq: 2, fault: 'changed' }]],
        ['a row of another time', `set at = at + interval '1 second' where seq = 2`, [{ seq: 2, fault: 'changed' }]],
      ])('shows %s', async (_, statement, expected) => {
        const site = await aTrail(3);
        await sql(`update ${table('audit')} ${statement} and site = $1`, [site]);
        expect(await faults(site)).toEqual(expected);
      });

      test('shows a row that was taken out, an end that was cut off, and a row that was put in', async () => {
        const [middle, end, added] = [await aTrail(3), await aTrail(3), await aTrail(3)];
        const remove = `delete from ${table('audit')} where site = $1 and seq = $2`;
        await sql(remove, [middle, 2]);
        await sql(remove, [end, 3]);
        await sql(
          `insert into ${table('audit')} select site, 4, at, action, actor, patient_mark, case_id, launch, recipient,
           outcome, facts, hash from ${table('audit')} where site = $1 and seq = 3`,
          [added],
        );
        expect(await faults(middle)).toEqual([{ seq: 2, fault: 'missing' }]);
        expect(await faults(end)).toEqual([{ seq: 2, fault: 'end' }]);
        expect(await faults(added)).toEqual([
          { seq: 4, fault: 'changed' },
          { seq: 4, fault: 'end' },
        ]);
      });

      test('verifies from its checkpoint on after retention, and shows when more was removed', async () => {
        const site = await aTrail(2);
        ahead += 60_000;
        const now = new Date(store.clock().getTime() - 30_000).toISOString();
        await record(site, 3);
        await record(site, 4);
        expect(await store.audit.purge(site, now)).toBe(2);
        expect(await check(site)).toMatchObject({ first: 3, last: 4, faults: [] });
        expect(await store.audit.purge(site, now)).toBe(0);
        await sql(`delete from ${table('audit')} where site = $1 and seq = 3`, [site]);
        await sql(
          `update ${table('audit_chains')} set from_seq = 3, from_hash =
           (select hash from ${table('audit')} where site = $1 and seq = 4) where site = $1`,
          [site],
        );
        expect((await faults(site))?.map(({ fault }) => fault)).toContain('checkpoint');
      });

      test('that retention has emptied goes on', async () => {
        const site = await aTrail(2);
        ahead += 60_000;
        expect(await store.audit.purge(site, store.clock().toISOString())).toBe(2);
        expect(await check(site)).toMatchObject({ first: 3, last: 2, faults: [] });
        await record(site, 3);
        expect(await check(site)).toMatchObject({ first: 3, last: 3, faults: [] });
      });
    });

    describe('launches', () => {
      const launch = () => ({
        id: randomUUID(),
        site: 'clinic',
        stateHash: randomUUID(),
        sessionHash: randomUUID(),
        phase: 'started' as const,
        createdAt: '2026-11-20T09:00:00.000Z',
        lastUsedAt: '2026-11-20T09:00:00.000Z',
        dueAt: '2026-11-20T10:00:00.000Z',
      });

      test('are found by id and state, and when they are due', async () => {
        const record = launch();
        await store.launches.put(record);
        expect(await store.launches.get(record.id)).toEqual(record);
        expect(await store.launches.byState(record.stateHash)).toEqual(record);
        const due = async (at: string) => (await store.launches.due(at)).map(({ id }) => id);
        expect(await due('2026-11-20T09:59:59.999Z')).not.toContain(record.id);
        expect(await due('2026-11-20T10:00:00.000Z')).toContain(record.id);
        await store.launches.delete(record.id);
        expect(await store.launches.get(record.id)).toBeUndefined();
      });

      test('spend a state once, whatever is put later', async () => {
        const record = launch();
        await store.launches.put(record);
        const at = '2026-11-20T09:01:00.000Z';
        const spent = await Promise.all([1, 2, 3].map(() => store.launches.consume(record.stateHash, at)));
        expect(spent.filter(Boolean)).toHaveLength(1);
        await store.launches.put({ ...record, phase: 'open' });
        expect(await store.launches.get(record.id)).toMatchObject({ phase: 'open', consumedAt: at });
        expect(await store.launches.consume(record.stateHash, at)).toBe(false);
      });
    });

    test('a webhook event is stored once, with its jobs, and forgotten after its time', async () => {
      const [key, serviceId] = [randomUUID(), `pa_${randomUUID()}`];
      const event = {
        key,
        site: 'clinic',
        serviceId,
        eventType: 'prior_authorization.updated',
        claim: { status: 'x' },
      };
      const jobs = [{ queue: 'look', site: 'clinic', key, data: { case: key } }];
      expect(await Promise.all([1, 2, 3].map(() => store.webhooks.receive(event, jobs)))).toEqual(
        expect.arrayContaining(['accepted', 'duplicate', 'duplicate']),
      );
      expect(await store.boss.findJobs('look', { key })).toHaveLength(1);
      expect(await store.webhooks.lastClaim('clinic', serviceId)).toEqual({ status: 'x' });
      ahead += 3_600_000;
      await store.webhooks.purge(3_700);
      expect(await store.webhooks.lastClaim('clinic', serviceId)).toEqual({ status: 'x' });
      await store.webhooks.purge(3_500);
      expect(await store.webhooks.lastClaim('clinic', serviceId)).toBeUndefined();
    });

    test('the allowance of a site gives places at its pace, by the database’s time', async () => {
      const site = randomUUID();
      const waits = [];
      for (let nth = 0; nth < 3; nth += 1) waits.push(await store.allowance.reserve(site, 60));
      expect(waits[0]).toBe(0);
      expect(waits[1]).toBeGreaterThan(0);
      expect(waits[1]).toBeLessThanOrEqual(1000);
      expect(waits[2]).toBeLessThanOrEqual(2000);
      expect((waits[2] ?? 0) - (waits[1] ?? 0)).toBeGreaterThan(0);
      await store.allowance.hold(site, 600);
      expect(await store.allowance.reserve(site, 60)).toBeGreaterThan(500_000);
      ahead += 700_000;
      expect(await store.allowance.reserve(site, 60)).toBe(0);
    });

    test('what is done exclusively is done alone for its name', async () => {
      const running = { now: 0, most: 0 };
      const name = randomUUID();
      const work = async () => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await new Promise((next) => setTimeout(next, 5));
        running.now -= 1;
      };
      await Promise.all(
        Array.from({ length: 5 }, () => store.exclusively(name, work)).concat(
          store.exclusively(name, () => Promise.reject(new Error('a mistake'))).catch(() => {}),
        ),
      );
      expect(running.most).toBe(1);
      await expect(store.exclusively(name, async (held) => held.assert())).resolves.toBeUndefined();
    });

    test('its clock is the database’s', async () => {
      const before = store.clock().getTime() - ahead;
      const [row] = await sql(`select clock_timestamp() as now`);
      const after = store.clock().getTime() - ahead;
      const now = new Date(row?.now as Date).getTime();
      expect(before - now).toBeLessThan(2_000);
      expect(now - after).toBeLessThan(2_000);
    });

    describe('a patient who is erased [S14]', () => {
      const content = { body: { patient: 'canary' } };
      const sentAt = '2026-11-20T09:00:00.000Z';

      test('is refused while a request is under way or an outcome is on its way to the chart', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys, { columns: { ...draftColumns, state: 'open' } });
        const erase = () => store.maintenance.erase('clinic', keys.patient);
        await expect(erase()).rejects.toMatchObject({ code: 'erase_refused', facts: { cases: [id] } });
        await changed(store.cases, id, keys, { columns: { state: 'ended', unwritten: true } });
        await expect(erase()).rejects.toMatchObject({ code: 'erase_refused' });
        expect(await store.cases.find(id)).toBeDefined();
      });

      test('leaves nothing but the audit trail and marks, and a late webhook brings nothing back', async () => {
        const keys = newKeys();
        const [serviceId, second] = [`pa_${randomUUID()}`, `pa_${randomUUID()}`];
        const { id } = await openDraft(store.cases, keys, {
          columns: { ...draftColumns, state: 'ended', serviceId },
          head: { others: [second] },
          submissions: [{ attempt: 1, state: 'accepted', sentAt, content, serviceId }],
          record: { id: serviceId },
          jobs: [{ queue: 'deliver', site: 'clinic', key: 'late', data: { case: 'x' }, afterSeconds: 60 }],
        });
        const draft = await openDraft(store.cases, { ...newKeys(keys.patient) });
        const stranger = await openDraft(store.cases, newKeys());
        await store.cases.putFile(id, 'letter.pdf', Uint8Array.of(1));
        await store.questions.keep({ id, site: 'clinic', round: 1, about: ['payer drug'] }, { text: 'asked' });
        const job = (queue: string, data: object) => ({ queue, site: 'clinic', key: randomUUID(), data: { ...data } });
        await store.enqueue([
          job('look', { case: id }),
          job('look', { serviceId }),
          job('look', { case: stranger.id }),
        ]);
        const event = (nth: string, of: string) => ({
          key: `${of}${nth}`,
          site: 'clinic',
          serviceId: of,
          eventType: 'prior_authorization.updated',
          claim: {},
        });
        await store.webhooks.receive(event('1', serviceId), []);
        const launch = {
          id: randomUUID(),
          site: 'clinic',
          stateHash: randomUUID(),
          sessionHash: randomUUID(),
          phase: 'ended' as const,
          createdAt: sentAt,
          lastUsedAt: sentAt,
          dueAt: '2999-01-01T00:00:00.000Z',
          context: {
            patient: keys.patient.replace('Patient/', ''),
            orders: [],
            needPatientBanner: true,
            scopes: [],
          },
        };
        await store.launches.put(launch);

        expect(await store.maintenance.erase('clinic', keys.patient)).toEqual({
          cases: 2,
          launches: 1,
          webhooks: 1,
          jobs: 2,
        });
        expect(await store.cases.forPatient('clinic', keys.patient)).toEqual([]);
        expect(await store.launches.get(launch.id)).toBeUndefined();
        for (const name of ['parts', 'submissions', 'events', 'writes', 'files', 'kept_questions'])
          expect(await sql(`select * from ${table(name)} where case_id in ($1, $2)`, [id, draft.id])).toEqual([]);
        const jobs = await sql(`select 1 from "${backend.schema}_jobs".job where data::text like $1`, [`%${id}%`]);
        expect(jobs).toEqual([]);
        expect((await store.cases.find(stranger.id))?.id).toBe(stranger.id);
        for (const late of [serviceId, second])
          expect(await store.webhooks.receive(event('2', late), [])).toBe('erased');
        expect(await store.webhooks.lastClaim('clinic', serviceId)).toBeUndefined();
        const trail = await collected(store.audit.rows({ site: 'clinic', patient: keys.patient }));
        expect(trail.map(({ action }) => action)).toEqual(['draft_opened', 'draft_opened', 'erased']);
      });

      test('and who is seen again later has a case like anyone', async () => {
        const keys = newKeys();
        const first = await openDraft(store.cases, keys);
        await store.maintenance.erase('clinic', keys.patient);
        expect((await openDraft(store.cases, keys)).id).not.toBe(first.id);
      });
    });

    test('retention removes ended cases and left drafts before its time; what is open stays', async () => {
      const site = `kept-${randomUUID()}`;
      const open = async (columns: object) => {
        const keys = newKeys();
        const write = { keys, head: {}, columns: { ...draftColumns, ...columns } };
        return (await store.cases.open({ site, kind: 'prior-auth', ...keys }, () => ({ id: randomUUID(), ...write })))
          .id;
      };
      const ended = await open({ state: 'ended', endedAt: '2019-11-20T09:00:00.000Z' });
      const later = await open({ state: 'ended', endedAt: '2019-11-21T09:00:00.000Z' });
      const owed = await open({ state: 'ended', endedAt: '2019-11-20T09:00:00.000Z', unwritten: true });
      const old = await open({ state: 'open', sentAt: '2019-11-20T09:00:00.000Z' });
      expect(await store.maintenance.purgeCases(site, '2019-11-21T00:00:00.000Z')).toBe(1);
      expect(new Set(await store.cases.ids({ site }))).toEqual(new Set([later, owed, old]));
      expect(await store.cases.find(ended)).toBeUndefined();
      const draft = await open({});
      ahead += 60_000;
      expect(await store.maintenance.purgeCases(site, store.clock().toISOString())).toBe(2);
      expect(await store.cases.find(draft)).toBeUndefined();
      expect(new Set(await store.cases.ids({ site }))).toEqual(new Set([owed, old]));
    });

    test('rekey seals everything anew, after which the old key opens nothing and is not needed [S5]', async () => {
      const keys = newKeys();
      const sentAt = '2026-11-20T09:00:00.000Z';
      const { id } = await openDraft(store.cases, keys, {
        record: { id: 'pa' },
        submissions: [{ attempt: 1, state: 'accepted', sentAt, content: { body: 'body' } }],
      });
      await store.cases.putFile(id, 'letter.pdf', Uint8Array.of(1, 2));
      await store.questions.keep({ id, site: 'clinic', round: 1, about: ['payer drug'] }, { text: 'asked' });
      const view = { name: 'Mine', filter: { part: 'needs' } };
      expect(await store.views.save('clinic', 'Practitioner/7', view, 1)).toBe(true);
      const at = `pa_${randomUUID()}`;
      const event = { key: at, site: 'clinic', serviceId: at, eventType: 'x', claim: { status: 'completed' } };
      await store.webhooks.receive(event, []);
      const fresh = newKey();
      await store.close();
      store = await backend.open({ keys: [fresh, backend.key], aheadMs: () => ahead });
      // Two texts of other tests were spoilt there on purpose.
      const { sealed, unreadable } = await store.maintenance.rekey();
      expect(sealed).toBeGreaterThan(6);
      expect(unreadable).toBeLessThanOrEqual(4);
      expect(await store.maintenance.rekey()).toEqual({ sealed: 0, unreadable });
      await store.close();
      await expect(backend.open()).rejects.toMatchObject({
        code: 'config_invalid',
        facts: { problems: [expect.stringMatching(/^BRIDGE_KEYS: none of them opens/)] },
      });
      store = await backend.open({ keys: [fresh], aheadMs: () => ahead });
      expect(await store.views.of('clinic', 'Practitioner/7')).toMatchObject([view]);
      const found = await store.cases.find(id);
      expect(found?.record?.value()).toEqual({ id: 'pa' });
      expect(found?.submissions[0]?.sealed.value()).toEqual({ body: 'body' });
      expect(new Uint8Array((await store.cases.file(id, 'letter.pdf')) ?? [])).toEqual(Uint8Array.of(1, 2));
      expect(await store.webhooks.lastClaim('clinic', at)).toEqual({ status: 'completed' });
      expect((await openDraft(store.cases, keys)).id).toBe(id);
      const { open } = backend;
      backend = { ...backend, key: fresh, open: (options) => open({ keys: [fresh], ...options }) };
    });

    test('the space of removed rows is given back while the store is in use', async () => {
      const { id } = await openDraft(store.cases, newKeys());
      await Promise.all([store.maintenance.tidy(), store.cases.find(id), store.cases.change(id, () => undefined)]);
      expect((await store.cases.find(id))?.id).toBe(id);
    });

    describe('opened again', () => {
      test('has what was there; by a later version’s tables it is refused with a sentence', async () => {
        const keys = newKeys();
        const { id } = await openDraft(store.cases, keys);
        await store.close();
        await expect(store.cases.find(id)).rejects.toMatchObject({ code: 'store_unavailable', status: 503 });
        vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
        store = await backend.open({ aheadMs: () => ahead });
        expect((await store.cases.find(id))?.id).toBe(id);
        const migrations = table('kysely_migration');
        await sql(`insert into ${migrations} (name, timestamp) values ('9999_later', '2030-01-01T00:00:00.000Z')`);
        // The process that runs notices within a minute, and asks nothing more.
        vi.advanceTimersByTime(60_000);
        await eventually(() => expect(store.cases.find(id)).rejects.toMatchObject({ code: 'store_newer' }));
        vi.useRealTimers();
        await store.close();
        const refused = backend.open();
        await expect(refused).rejects.toMatchObject({ code: 'store_newer', facts: { schema: '9999_later' } });
      });
    });
  });
}

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
