import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/types.ts';
import { type Backend, pgliteBackend, postgres, postgresBackend } from './backends.ts';
import { changed, newKeys, openDraft } from './requests.ts';

const backends: (readonly [string, () => Promise<Backend>])[] = [['the embedded database', pgliteBackend]];
if ('missing' in postgres) test.skip(`the work on cases on PostgreSQL: ${postgres.missing}`, () => {});
else backends.push([postgres.title, postgresBackend]);

const minute = 60_000;

for (const [title, start] of backends)
  describe(`the work on cases on ${title}`, () => {
    let backend: Backend;
    let store: Store;
    let ahead = 0;

    beforeAll(async () => {
      backend = await start();
      store = await backend.open({ aheadMs: () => ahead });
    });
    afterAll(async () => {
      await store.close();
      await backend.close();
    });

    /** A case of the site that was before somebody at these minutes. */
    async function worked(
      minutes: readonly number[],
      site = 'clinic',
      kind: 'prior-auth' | 'enrollment' = 'prior-auth',
    ): Promise<string> {
      const keys = newKeys();
      const { id } = await store.cases.open({ site, kind, ...keys }, () => ({
        id: randomUUID(),
        columns: { state: 'draft', attempt: 0, unwritten: false, waiting: false },
        keys,
        head: {},
      }));
      const begin = ahead;
      for (const at of minutes) {
        ahead = begin + at * minute;
        await store.effort.note(id);
      }
      return id;
    }

    test('to open a case that has ended is no work on it, to act on it is', async () => {
      const id = await worked([0, 2]);
      await changed(store.cases, id, newKeys(), { columns: { state: 'ended' } });
      ahead += 2 * minute;
      await store.effort.note(id, { opens: true });
      ahead += 10 * minute;
      await store.effort.note(id, { opens: true });
      expect(await store.effort.of(id)).toEqual({ touches: 1, seconds: 120 });
      await store.effort.note(id);
      expect(await store.effort.of(id)).toEqual({ touches: 2, seconds: 120 });
    });

    test('to open a case that is under way is work on it', async () => {
      const id = await worked([0]);
      ahead += 2 * minute;
      await store.effort.note(id, { opens: true });
      expect(await store.effort.of(id)).toEqual({ touches: 1, seconds: 120 });
    });

    async function sent(
      id: string,
      attempt: number,
      counts: Record<string, number>,
      state: 'draft' | 'open' = 'open',
    ): Promise<void> {
      await changed(store.cases, id, newKeys(), {
        columns: { attempt, state },
        events: [{ type: 'sent', actor: 'Practitioner/12', facts: { attempt, ...counts } }],
      });
    }

    test('a case that nobody has opened has no work', async () => {
      expect(await store.effort.of(await worked([]))).toBeUndefined();
    });

    test('acts with no more than five minutes between them are one touch, and their time counts', async () => {
      const id = await worked([0, 4, 8]);
      const effort = await store.effort.of(id);
      expect(effort).toMatchObject({ touches: 1 });
      expect(Math.round((effort?.seconds ?? 0) / 60)).toBe(8);
    });

    test('after a pause it is taken up anew, and the pause does not count', async () => {
      const id = await worked([0, 2, 30, 31]);
      const effort = await store.effort.of(id);
      expect(effort).toMatchObject({ touches: 2 });
      expect(Math.round((effort?.seconds ?? 0) / 60)).toBe(3);
    });

    test('an act that is told late counts from when it was', async () => {
      const id = await worked([0, 2]);
      ahead += 3 * minute;
      await store.effort.note(id, { agoMs: minute });
      expect(Math.round((await store.effort.of(id))?.seconds ?? 0)).toBe(4 * 60);
    });

    test('one that another process told before adds nothing', async () => {
      const id = await worked([0, 4]);
      await store.effort.note(id, { agoMs: 2 * minute });
      expect(await store.effort.of(id)).toEqual({ touches: 1, seconds: 240 });
    });

    test('a case that is gone is not noted, and nothing fails', async () => {
      await store.effort.note(randomUUID());
    });

    test('the summary has the values of the requests that count, and medians of the work', async () => {
      const site = `site-${randomUUID()}`;
      const [first, second, third] = [
        await worked([0, 1], site),
        await worked([0, 4], site),
        await worked([0, 2, 20, 24], site),
      ];
      await sent(first, 1, { chart: 20, typed: 1, changed: 0 });
      // Its first request did not arrive: the second one counts.
      await sent(second, 1, { chart: 10, typed: 10, changed: 10 });
      await sent(second, 2, { chart: 22, typed: 0, changed: 1 });
      await sent(third, 1, { chart: 18, typed: 2, changed: 0 });
      expect(await store.effort.sent(site, 30)).toEqual({
        requests: 3,
        chart: 60,
        typed: 3,
        changed: 1,
        seconds: expect.closeTo(240, -1),
        touches: 1,
      });
    });

    test('a draft that is opened and looked at after nine minutes is no nine minutes of work', async () => {
      const id = await worked([0, 9]);
      expect(await store.effort.of(id)).toEqual({ touches: 2, seconds: 0 });
    });

    test('an enrollment, and a request that did not arrive, are no prior authorization that was sent', async () => {
      const site = `site-${randomUUID()}`;
      const counts = { chart: 9, typed: 0, changed: 0 };
      await sent(await worked([0], site, 'enrollment'), 1, counts);
      await sent(await worked([0], site), 1, counts, 'draft');
      await sent(await worked([0], site), 1, counts);
      expect(await store.effort.sent(site, 30)).toMatchObject({ requests: 1, chart: 9 });
    });

    test('what was sent before the days of the summary, elsewhere or without its counts is not in it', async () => {
      const site = `site-${randomUUID()}`;
      await sent(await worked([0], site), 1, { chart: 9, typed: 0, changed: 0 });
      await sent(await worked([0], `other-${site}`), 1, { chart: 9, typed: 0, changed: 0 });
      ahead += 31 * 24 * 60 * minute;
      await sent(await worked([0], site), 1, {});
      const none = { requests: 0, chart: 0, typed: 0, changed: 0, seconds: 0, touches: 0 };
      expect(await store.effort.sent(site, 30)).toEqual(none);
      await sent(await worked([0], site), 1, { chart: 5, typed: 0, changed: 0 });
      expect(await store.effort.sent(site, 30)).toMatchObject({ requests: 1, chart: 5 });
    });

    test('it goes with the case', async () => {
      const keys = newKeys();
      const { id } = await openDraft(store.cases, keys);
      await store.effort.note(id);
      await store.maintenance.erase('clinic', keys.patient);
      expect(await store.effort.of(id)).toBeUndefined();
    });
  });
