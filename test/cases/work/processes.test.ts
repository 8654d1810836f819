import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { newKey } from '../../../src/base/vault.ts';
import { job } from '../../../src/cases/jobs.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { startBridge } from '../../../src/cli/server.ts';
import { startWorker } from '../../../src/cli/worker.ts';
import { type Config, makeConfig } from '../../../src/config/config.ts';
import { openStore } from '../../../src/store/open.ts';
import { postgres, sqlOf } from '../../store/backends.ts';
import { putDatabase } from '../../support/embedded.ts';
import { eventually } from '../../support/eventually.ts';
import { type Cluster, startCluster } from '../../support/postgres.ts';
import { testSite } from '../../support/site.ts';
import { tempFolder } from '../../support/temp.ts';
import { aClinic, aRequest, aSubmission, working } from '../clinic.ts';

const folder = tempFolder('processes');
const key = newKey();
beforeAll(() => putDatabase(folder.path));
afterAll(folder.remove);

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

async function configOf(more: Record<string, string> = {}): Promise<Config> {
  const environment = {
    BRIDGE_URL: `http://localhost:${await freePort()}`,
    BRIDGE_KEYS: key,
    BRIDGE_DATA: folder.path,
    BRIDGE_METRICS_PORT: String(await freePort()),
    ...more,
  };
  return makeConfig(environment, [testSite()], { SERVICE_TOKEN: 'token' });
}

const operationsOf = ({ metricsPort }: Config) => `http://127.0.0.1:${metricsPort}`;

describe('one process', () => {
  test('answers for health and metrics on a port of its own, without a name or a value of anybody', async () => {
    const config = await configOf();
    const bridge = await startBridge({ config, log: silentLog });
    onTestFinished(() => bridge.close());
    expect((await fetch(`${config.url}/app/some-launch-that-nobody-knows/orders`)).status).toBe(404);
    const operations = operationsOf(config);
    expect([(await fetch(`${operations}/healthz`)).status, (await fetch(`${operations}/readyz`)).status]).toEqual([
      200, 200,
    ]);
    const text = await (await fetch(`${operations}/metrics`)).text();
    expect(text).toContain(
      'bridge_http_request_seconds_count{route="/app/:launch/orders",method="GET",site="",status="404"} 1',
    );
    expect(text).toContain('bridge_errors_total{code="launch_not_found",route="/app/:launch/orders",site=""} 1');
    expect(text).toContain('bridge_queue_lag_seconds{queue="look"} 0');
    expect(text).not.toContain('some-launch');
    // Not where browsers are: behind a proxy everybody seems to be this machine.
    expect((await fetch(`${config.url}/metrics`)).status).toBe(404);
  });

  test('that cannot take up what was left answers nobody, and gives everything back [S10]', async () => {
    const config = await configOf();
    const open = () => openStore({ config, log: silentLog, queues });
    const store = await open();
    await sqlOf(store)('alter table bridge.cases rename to cases_away');
    await store.close();
    await expect(startBridge({ config, log: silentLog })).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(fetch(`${config.url}/healthz`)).rejects.toThrow();
    await expect(fetch(`${operationsOf(config)}/healthz`)).rejects.toThrow();
    const again = await open();
    await sqlOf(again)('alter table bridge.cases_away rename to cases');
    await again.close();
  });
});

if ('missing' in postgres) test.skip(`several processes over PostgreSQL: ${postgres.missing}`, () => {});
else {
  describe(`several processes over ${postgres.title}`, () => {
    let cluster: Cluster;
    beforeAll(async () => {
      cluster = await startCluster();
    });
    afterAll(() => cluster?.remove());

    test('pages without jobs leave them to workers; a worker has its health and metrics too', async () => {
      const config = await configOf({ DATABASE_URL: cluster.url });
      const pages = await startBridge({ config, log: silentLog, jobs: false });
      onTestFinished(() => pages.close());
      const store = await openStore({ config, log: silentLog, queues });
      onTestFinished(() => store.close());
      // The request leaves from the process with the pages; reading its record is a job.
      const clinic = aClinic(store, { sites: [testSite()] });
      const draft = await clinic.cases.openDraft(aRequest());
      await clinic.cases.send(draft.id, aSubmission(clinic, draft));
      const jobs = async () => await store.boss.findJobs('deliver', { key: `${draft.id}|`, queued: true });
      expect(await jobs()).toHaveLength(1);
      const second = { ...config, metricsPort: await freePort() };
      const worker = await startWorker({ config: second, log: silentLog });
      onTestFinished(() => worker.close());
      await eventually(async () => expect(await jobs()).toHaveLength(0));
      const operations = operationsOf(second);
      expect((await fetch(`${operations}/readyz`)).status).toBe(200);
      await eventually(async () =>
        expect(await (await fetch(`${operations}/metrics`)).text()).toMatch(
          /bridge_job_seconds_count\{queue="deliver",site="valley",outcome="done"\} 1/,
        ),
      );
    });

    test('a worker told to stop with requests under way gives them up at its limit, and ends cleanly', async () => {
      const asked: { readonly url: string; readonly closed: Promise<void> }[] = [];
      // A service that takes every request and answers none.
      const service = createHttpServer((request) => {
        const gone = Promise.withResolvers<void>();
        request.socket.once('close', () => gone.resolve());
        asked.push({ url: request.url ?? '', closed: gone.promise });
      });
      await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
      onTestFinished(() => {
        service.closeAllConnections();
        service.close();
      });
      const address = service.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
      const site = testSite({ service: { url, tokenEnv: 'SERVICE_TOKEN' } });
      const environment = {
        BRIDGE_URL: `http://localhost:${await freePort()}`,
        BRIDGE_KEYS: key,
        BRIDGE_METRICS_PORT: String(await freePort()),
        BRIDGE_DRAIN_SECONDS: '0.3',
        DATABASE_URL: cluster.url,
      };
      const config = makeConfig(environment, [site], { SERVICE_TOKEN: 'token' });
      const store = await openStore({ config, log: silentLog, queues });
      onTestFinished(() => store.close());
      const clinic = aClinic(store, { sites: [site] });
      const draft = await clinic.cases.openDraft(aRequest());
      await clinic.cases.send(draft.id, aSubmission(clinic, draft));
      await store.enqueue([job('look', 'valley', { case: draft.id })]);
      const worker = await startWorker({ config, log: silentLog });
      await eventually(() => expect(asked.length).toBeGreaterThan(0));
      await worker.close();
      await Promise.all(asked.map(({ closed }) => closed));
      // Another process finds the job as one that failed, and the case as it was.
      const [row] = await sqlOf(store)(
        `select state from bridge_jobs.job where name = 'look' and data ->> 'case' = $1`,
        [draft.id],
      );
      expect(row).toEqual({ state: 'retry' });
      expect(await clinic.cases.get(draft.id)).toMatchObject({ state: 'open' });
    });

    test('the job of a process that was killed is taken up by another within half a minute [S20]', async () => {
      const config = await configOf({ DATABASE_URL: cluster.url });
      const open = () => openStore({ config, log: silentLog, queues, schema: 'killed' });
      const [dead, alive] = [await open(), await open()];
      onTestFinished(async () => {
        await alive.close();
        await dead.close();
      });
      const draft = await aClinic(dead).cases.openDraft(aRequest());
      const first = aClinic(dead);
      await first.cases.send(draft.id, aSubmission(first, draft));
      // The record was read: no later reading finds anything new, and asks for another delivery.
      await first.cases.refresh(draft.id);
      // It takes the job, and never gives a sign of life.
      expect(await dead.boss.fetch('deliver', { batchSize: 10 })).toHaveLength(1);
      const second = aClinic(alive, { ehr: first.ehr, service: first.service });
      await working(second, () =>
        eventually(async () =>
          expect((await second.cases.get(draft.id)).writes).toMatchObject([{ what: 'task', state: 'done' }]),
        ),
      );
      expect(first.ehr.all('Task')).toHaveLength(1);
    });
  });
}
