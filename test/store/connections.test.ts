import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../../src/store/types.ts';
import { eventually } from '../support/eventually.ts';
import { type PostgresBackend, postgres, postgresBackend } from './backends.ts';
import { changed, newKeys, openDraft } from './requests.ts';

if ('missing' in postgres) test.skip(`connections of the store: ${postgres.missing}`, () => {});
else describe(`connections of the store on ${postgres.title}`, describeConnections);

function describeConnections(): void {
  let backend: PostgresBackend;
  let store: Store;
  let other: Store;
  let admin: pg.Client;
  const uncaught: unknown[] = [];
  const note = (thrown: unknown) => void uncaught.push(thrown);

  beforeAll(async () => {
    backend = await postgresBackend();
    store = await backend.open();
    other = await backend.open();
    admin = await connected();
    process.on('uncaughtException', note);
  });

  afterEach(() => {
    expect(uncaught).toEqual([]);
  });

  afterAll(async () => {
    process.off('uncaughtException', note);
    await admin?.end().catch(() => {});
    await store?.close();
    await other?.close();
    await backend?.close();
  });

  async function connected(): Promise<pg.Client> {
    const client = new pg.Client(backend.databaseUrl);
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** Ends connections of the bridge, by the name that they give. */
  async function terminate(names = 'prior-auth-bridge%'): Promise<number> {
    const { rows } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like $1`,
      [names],
    );
    return rows.length;
  }

  async function untilItWorks(): Promise<void> {
    await eventually(async () => void (await store.cases.counts()));
  }

  test('that break under load end no process, and the store goes on [S16]', async () => {
    const keys = newKeys();
    const { id } = await openDraft(store.cases, keys);
    const worked: string[] = [];
    const polling = { batchSize: 50, pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 };
    const worker = await store.boss.work<{ case: string }>('look', polling, async (jobs) => {
      for (const { data } of jobs) worked.push(data.case);
    });
    let isOver = false;
    let done = 0;
    const load = Array.from({ length: 8 }, async (_, nth) => {
      while (!isOver) {
        const job = { queue: 'look', site: 'clinic', key: `${nth}`, data: { case: id } };
        const work = store.exclusively(`load|${nth}`, async () => {
          await changed(store.cases, id, keys, { jobs: [job] });
          await store.cases.find(id);
        });
        await work.then(
          () => {
            done += 1;
          },
          // What a request gets meanwhile is a row of the error table.
          (thrown) => expect(thrown).toMatchObject({ code: 'store_unavailable' }),
        );
      }
    });
    for (let round = 0; round < 15; round += 1) {
      const before = done;
      expect(await terminate()).toBeGreaterThan(0);
      await eventually(() => expect(done).toBeGreaterThan(before + 8));
    }
    isOver = true;
    await Promise.all(load);
    await untilItWorks();
    await store.enqueue([{ queue: 'look', site: 'clinic', key: 'last', data: { case: 'last' } }]);
    await eventually(() => expect(worked).toContain('last'));
    await store.boss.offWork('look', { id: worker, wait: true });
  });

  test('come back after the server was restarted [S16]', async ({ skip }) => {
    const { cluster } = backend;
    if (cluster === undefined) return skip('the database is not this test’s own');
    const keys = newKeys();
    const { id } = await openDraft(store.cases, keys);
    cluster.kill();
    await expect(store.cases.find(id)).rejects.toMatchObject({ code: 'store_unavailable' });
    cluster.start();
    await untilItWorks();
    expect((await store.cases.find(id))?.id).toBe(id);
    expect(await store.exclusively('after', async (held) => held.assert())).toBeUndefined();
    admin = await connected();
  });

  describe('locks', () => {
    test('hold across processes, whatever their machines’ clocks say [S6]', async () => {
      const order: string[] = [];
      const { promise: release, resolve } = Promise.withResolvers<void>();
      const { promise: taken, resolve: take } = Promise.withResolvers<void>();
      const first = store.exclusively('case|1', async () => {
        take();
        order.push('first in');
        await release;
        order.push('first out');
      });
      await taken;
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 70_000 });
      try {
        const second = other.exclusively('case|1', async () => {
          order.push('second in');
        });
        // Another name is free meanwhile: the second process has asked by the time that this is done.
        await other.exclusively('case|2', async () => {
          order.push('other name');
        });
        resolve();
        await Promise.all([first, second]);
      } finally {
        vi.useRealTimers();
      }
      expect(order).toEqual(['first in', 'other name', 'first out', 'second in']);
    });

    test('are lost, and said to be, when their connection breaks; another process has them then', async () => {
      const outcome: string[] = [];
      await store.exclusively('case|3', async (held) => {
        held.assert();
        await terminate('%locks');
        await eventually(() => expect(() => held.assert()).toThrow());
        expect(() => held.assert()).toThrow(
          expect.objectContaining({ code: 'store_unavailable', facts: { lock: 'case', reason: 'lost' } }),
        );
        await other.exclusively('case|3', async (others) => {
          others.assert();
          outcome.push('other');
        });
      });
      await store.exclusively('case|3', async (held) => {
        held.assert();
        outcome.push('again');
      });
      expect(outcome).toEqual(['other', 'again']);
    });

    test('of a process that is gone are free at once', async () => {
      const third = await backend.open();
      const { promise: taken, resolve: take } = Promise.withResolvers<void>();
      const { promise: release, resolve } = Promise.withResolvers<void>();
      const held = third.exclusively('case|4', async () => {
        take();
        await release;
      });
      await taken;
      const [row] = (
        await admin.query(
          `select pid from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and granted
           and application_name like '%locks'`,
        )
      ).rows;
      await admin.query('select pg_terminate_backend($1)', [row?.pid]);
      await store.exclusively('case|4', async () => {});
      resolve();
      await held;
      await third.close();
    });
  });

  test('a job that waited already is not started before the change that counts on it is committed [S3]', async () => {
    const keys = newKeys();
    const { id } = await openDraft(store.cases, keys);
    const job = { queue: 'deliver', site: 'clinic', key: id, data: { case: id } };
    const held = { queue: 'look', site: 'clinic', key: randomUUID(), data: {} };
    await store.enqueue([job, held]);
    // Another connection keeps the change from committing after it has queued the first of its two jobs.
    await admin.query('begin');
    await admin.query(`select id from "${backend.schema}_jobs".job where singleton_key = $1 for update`, [held.key]);
    const change = changed(store.cases, id, keys, { columns: { state: 'open' }, jobs: [job, held] });
    await eventually(async () => {
      const { rows } = await admin.query(
        `select 1 from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'prior-auth-bridge'`,
      );
      expect(rows).toHaveLength(1);
    });
    expect(await store.boss.fetch('deliver')).toEqual([]);
    await admin.query('commit');
    await change;
    const started = await store.boss.fetch<{ case: string }>('deliver');
    expect(started.map(({ data }) => data.case)).toEqual([id]);
    expect((await store.cases.columns(id))?.state).toBe('open');
  });

  test('two processes that open the same order get the same case', async () => {
    for (let round = 0; round < 10; round += 1) {
      const keys = newKeys();
      const opened = await Promise.all([store, other, store, other].map(({ cases }) => openDraft(cases, keys)));
      expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    }
  });

  test('two processes that write to one trail leave it whole, in turns and at once', async () => {
    const site = `audited-${randomUUID()}`;
    const record = (by: Store) => by.audit.record({ site, action: 'page_viewed', actor: 'Practitioner/12' });
    for (const by of [store, store, other, other, store]) await record(by);
    await Promise.all(Array.from({ length: 20 }, (_, nth) => record(nth % 2 === 0 ? store : other)));
    const checked = (await other.audit.verify()).find((chain) => chain.site === site);
    expect(checked).toMatchObject({ first: 1, last: 25, faults: [] });
  });

  test('a job for now is told to who listens, one for later is not; a broken connection comes back', async () => {
    const told: (string | undefined)[] = [];
    const looks = () => told.filter((queue) => queue === 'look').length;
    const missed = () => told.filter((queue) => queue === undefined).length;
    const end = await other.listen((queue) => void told.push(queue));
    onTestFinished(end);
    const job = { queue: 'look', site: 'valley', data: {} };
    await store.enqueue([{ ...job, key: 'later', afterSeconds: 3600 }]);
    await store.enqueue([{ ...job, key: 'now' }]);
    await vi.waitFor(() => expect(looks()).toBe(1), { timeout: 60_000 });
    const before = missed();
    await terminate('prior-auth-bridge jobs');
    await vi.waitFor(() => expect(missed()).toBeGreaterThan(before), { timeout: 60_000 });
    await store.enqueue([{ ...job, key: 'again' }]);
    await vi.waitFor(() => expect(looks()).toBe(2), { timeout: 60_000 });
  });
}
