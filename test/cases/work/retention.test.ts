import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { webhookDays } from '../../../src/cases/waiting-for.ts';
import { queues } from '../../../src/cases/work/queues.ts';
import { retain } from '../../../src/cases/work/retention.ts';
import { createWork, retainSeconds } from '../../../src/cases/work/work.ts';
import type { CaseWrite, Store } from '../../../src/store/types.ts';
import { type Backend, pgliteBackend } from '../../store/backends.ts';
import { draftColumns, newKeys } from '../../store/requests.ts';
import { eventually } from '../../support/eventually.ts';
import { testSite } from '../../support/site.ts';
import { aClinic, limits } from '../clinic.ts';

let backend: Backend;
let store: Store;
const day = 24 * 3_600_000;
let ahead = 0;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ queues, aheadMs: () => ahead });
});

afterAll(async () => {
  await store?.close();
  await backend?.close();
});

const config = (...sites: ReturnType<typeof testSite>[]) => ({
  url: 'https://bridge.example',
  sites,
  pollSeconds: 30,
  letterDays: 30,
});

async function endedCase(site: string, changes: Partial<CaseWrite> = {}, state = 'ended'): Promise<string> {
  const keys = newKeys();
  const id = randomUUID();
  await store.cases.open({ site, kind: 'prior-auth', ...keys }, (at) => ({
    id,
    keys,
    head: {},
    events: [{ type: 'sent', actor: 'Practitioner/12', facts: { attempt: 1 } }],
    ...changes,
    columns: { ...draftColumns, state, ...(state === 'ended' ? { endedAt: at } : {}), ...changes.columns },
  }));
  return id;
}

test('each site keeps cases as long as it says, for good otherwise; the audit trail for six years [S14]', async () => {
  const [short, silent] = [
    testSite({ id: 'short', retention: { cases: 'P1Y6M', audit: 'P8Y' } }),
    testSite({ id: 'silent' }),
  ];
  const run = () => retain({ store, config: config(short, silent), log: silentLog });
  const [one, other] = [await endedCase('short'), await endedCase('silent')];
  const rows = async (site: string) =>
    (await store.audit.verify()).filter((chain) => chain.site === site).map(({ first, last }) => [first, last]);

  ahead = 500 * day;
  await run();
  expect(await store.cases.columns(one)).toBeDefined();
  ahead = 560 * day;
  await run();
  expect(await store.cases.columns(one)).toBeUndefined();
  expect(await store.cases.columns(other)).toBeDefined();
  expect(await rows('silent')).toEqual([[1, 1]]);

  ahead = (6 * 365 + 3) * day;
  await run();
  expect(await store.cases.columns(other)).toBeDefined();
  expect(await rows('silent')).toEqual([[2, 1]]);
  expect(await rows('short')).toEqual([[1, 2]]);
  expect((await store.audit.verify()).flatMap(({ faults }) => faults)).toEqual([]);
});

test('a webhook event goes when no sender repeats it any more, while the process runs [S14]', async () => {
  const serviceId = `pa_${randomUUID()}`;
  const event = { key: randomUUID(), site: 'short', serviceId, eventType: 'updated', claim: { status: 'x' } };
  await store.webhooks.receive(event, []);
  const run = () => retain({ store, config: config(testSite({ id: 'short' })), log: silentLog });
  ahead += (webhookDays - 1) * day;
  await run();
  expect(await store.webhooks.lastClaim('short', serviceId)).toEqual({ status: 'x' });
  ahead += 2 * day;
  await run();
  expect(await store.webhooks.lastClaim('short', serviceId)).toBeUndefined();
});

test('a case that waits for a person is never removed, however long it waits', async () => {
  const site = 'waiting';
  const row = { what: 'task', version: '1', attempts: 1, at: store.clock().toISOString() } as const;
  const kept = [
    await endedCase(site, {}, 'unknown'),
    await endedCase(site, {}, 'refused'),
    // The letter waits for the next launch of this patient; a write was left to a person.
    await endedCase(site, { columns: { ...draftColumns, state: 'ended', endedAt: ended(), waiting: true } }),
    await endedCase(site, { writes: [{ ...row, state: 'failed', reason: 'refused' }] }),
  ];
  const gone = [
    await endedCase(site),
    await endedCase(site, {}, 'draft'),
    await endedCase(site, { writes: [{ ...row, state: 'skipped', reason: 'no scope Task.c' }] }),
  ];
  ahead += 800 * day;
  const short = testSite({ id: site, retention: { cases: 'P1Y6M', audit: 'P8Y' } });
  await retain({ store, config: config(short), log: silentLog });
  expect(new Set(await store.cases.ids({ site }))).toEqual(new Set(kept));
  for (const id of gone) expect(await store.cases.columns(id)).toBeUndefined();

  function ended(): string {
    return store.clock().toISOString();
  }
});

test('a process that works on jobs retains at its start and again and again, until it is stopped', async () => {
  const site = 'hourly';
  const clinic = aClinic(store, { sites: [testSite({ id: site, retention: { cases: 'P1Y6M', audit: 'P8Y' } })] });
  const purges: string[] = [];
  const { purgeCases } = store.maintenance;
  const noting: Store['maintenance']['purgeCases'] = async (...asked) => {
    purges.push(asked[0]);
    return await purgeCases(...asked);
  };
  let tidied = 0;
  const tidy = async () => {
    tidied += 1;
  };
  const maintenance = { ...store.maintenance, purgeCases: noting, tidy };
  const context = { ...clinic.context, store: { ...store, maintenance } };
  const work = createWork(context, { limits, retainSeconds: 0.05 });
  const isGone = async (id: string) => expect(await store.cases.columns(id)).toBeUndefined();
  const first = await endedCase(site);
  ahead += 800 * day;
  work.start();
  try {
    await eventually(() => isGone(first));
    const second = await endedCase(site);
    ahead += 800 * day;
    await eventually(() => isGone(second));
  } finally {
    await work.stop();
  }
  const count = purges.length;
  expect(count).toBeGreaterThan(1);
  expect(tidied).toBeGreaterThan(1);
  await pause(200);
  expect(purges).toHaveLength(count);
});

test('it does so every hour where nothing else is said', () => {
  expect(retainSeconds).toBe(3600);
});
