import { createServer } from 'node:net';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createVault, newKey } from '../../../src/base/vault.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { startBridge } from '../../../src/cli/server.ts';
import { startWorker } from '../../../src/cli/worker.ts';
import { type Config, makeConfig } from '../../../src/config/config.ts';
import { migrate, migrations, type SchemaStep, schemaVersion } from '../../../src/store/migrations/index.ts';
import { openStore } from '../../../src/store/open.ts';
import { bossOptions } from '../../../src/store/queue.ts';
import { eventually } from '../../support/eventually.ts';
import { type Cluster, installedPostgres, startCluster } from '../../support/postgres.ts';
import { testSite } from '../../support/site.ts';
import { aClinic, aRequest } from '../clinic.ts';

const key = newKey();

/** What the next version does to the tables. */
const next: Readonly<Record<string, SchemaStep>> = {
  ...migrations,
  '9999_next': async (db) => {
    await db.schema.alterTable('cases').addColumn('urgent', 'boolean').execute();
  },
};

describe.skipIf(installedPostgres() === undefined)('two versions over one database', () => {
  let cluster: Cluster;
  let pool: pg.Pool;
  beforeAll(async () => {
    cluster = await startCluster();
    pool = new pg.Pool({ connectionString: cluster.url });
    pool.on('error', () => {});
  });
  afterEach(async () => {
    vi.useRealTimers();
    await pool.query('drop schema if exists bridge cascade; drop schema if exists bridge_jobs cascade');
  });
  afterAll(async () => {
    await pool?.end();
    cluster?.remove();
  });

  const configOf = async (): Promise<Config> =>
    makeConfig(
      {
        BRIDGE_URL: `http://localhost:${await freePort()}`,
        BRIDGE_KEYS: key,
        BRIDGE_METRICS_PORT: String(await freePort()),
        DATABASE_URL: cluster.url,
      },
      [testSite()],
      { SERVICE_TOKEN: 'token' },
    );
  const open = async () => await openStore({ config: await configOf(), log: silentLog, queues });
  const database = () => new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const upgrade = (wanted = next) => migrate(database(), { schema: 'bridge', vault: createVault([key]), wanted });
  const rowsOf = async (statement: string) => (await pool.query(statement)).rows;
  const namesDone = async () =>
    (await rowsOf('select name from bridge.kysely_migration order by name')).map(({ name }) => name);

  test('the older pages and worker stop using it within a minute, and leave the jobs to the newer', async () => {
    // The minute is the test's, from the start of both processes on.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [pages, worker] = [await configOf(), await configOf()];
    const serve = await startBridge({ config: pages, log: silentLog, jobs: false });
    onTestFinished(() => serve.close());
    const work = await startWorker({ config: worker, log: silentLog });
    onTestFinished(() => work.close());
    const ready = async () => await Promise.all([pages, worker].map(readiness));
    expect(await ready()).toEqual([200, 200]);

    await upgrade();
    vi.advanceTimersByTime(60_000);
    await eventually(async () => expect(await ready()).toEqual([503, 503]));
    const launch = 'x'.repeat(22);
    const page = await fetch(`${pages.url}/app/${launch}/orders`, {
      headers: { cookie: `__Host-bridge-${launch}=${'y'.repeat(43)}`, accept: 'text/html' },
    });
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('A newer version of the bridge has changed the store.');

    const newer = new PgBoss({ ...bossOptions('bridge'), connectionString: cluster.url });
    newer.on('error', () => {});
    await newer.start();
    onTestFinished(() => newer.stop({ graceful: false }));
    const job = await newer.send('look', { case: 'a case' }, { group: { id: 'valley' } });
    // Four times as long as a worker waits between two looks.
    await new Promise((passed) => setTimeout(passed, 2000));
    expect(await rowsOf(`select id, state, retry_count from bridge_jobs.job where name = 'look'`)).toEqual([
      { id: job, state: 'created', retry_count: 0 },
    ]);
  });

  test('the older is not started any more, and changes nothing', async () => {
    const store = await open();
    const { id } = await aClinic(store).cases.openDraft(aRequest());
    await store.close();
    await upgrade();
    await pool.query(`update bridge.meta set value = '9999_next' where name = 'schema_version'`);
    const contents = async () => [
      await rowsOf('select * from bridge.cases'),
      await rowsOf('select name, value from bridge.meta order by name'),
      await namesDone(),
    ];
    const before = await contents();
    const refused = { code: 'store_newer', facts: { schema: '9999_next', known: schemaVersion } };
    await expect(startBridge({ config: await configOf(), log: silentLog })).rejects.toMatchObject(refused);
    await expect(startWorker({ config: await configOf(), log: silentLog })).rejects.toMatchObject(refused);
    expect(await contents()).toEqual(before);
    expect(before[0]).toMatchObject([{ id, urgent: null }]);
  });

  test('an upgrade that fails leaves the older as it was', async () => {
    const store = await open();
    onTestFinished(() => store.close());
    const { id } = await aClinic(store).cases.openDraft(aRequest());
    const broken: typeof next = {
      ...next,
      '9999_other_broken': async (db) => {
        await db.schema.alterTable('nowhere').addColumn('urgent', 'boolean').execute();
      },
    };
    await expect(upgrade(broken)).rejects.toThrow('"bridge.nowhere" does not exist');
    expect(await namesDone()).toEqual(Object.keys(migrations));
    const [row] = await rowsOf('select * from bridge.cases');
    expect(row).not.toHaveProperty('urgent');
    await (await open()).close();
    expect((await aClinic(store).cases.get(id)).state).toBe('draft');
  });

  test('processes that start at once over an empty database make its tables and its key once', async () => {
    const stores = await Promise.all([open(), open(), open()]);
    try {
      expect(await namesDone()).toEqual(Object.keys(migrations));
      expect(new Set(stores.map((store) => store.mark('of a patient'))).size).toBe(1);
    } finally {
      for (const store of stores) await store.close();
    }
  });
});

async function readiness({ metricsPort }: Config): Promise<number> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status;
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
