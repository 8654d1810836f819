import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookDays } from '../../src/cases/webhook.ts';
import { silentLog } from '../../src/log.ts';
import type { Store } from '../../src/store/types.ts';
import { retain } from '../../src/work/retention.ts';
import { type Backend, pgliteBackend } from '../store/backends.ts';
import { draftColumns, newKeys } from '../store/requests.ts';
import { testSite } from '../support/site.ts';

let backend: Backend;
let store: Store;
const day = 24 * 3_600_000;
let ahead = 0;

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ aheadMs: () => ahead });
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

async function endedCase(site: string): Promise<string> {
  const keys = newKeys();
  const id = randomUUID();
  await store.cases.open({ site, kind: 'prior-auth', ...keys }, (at) => ({
    id,
    keys,
    head: {},
    columns: { ...draftColumns, state: 'ended', endedAt: at },
    events: [{ type: 'sent', actor: 'Practitioner/12', facts: { attempt: 1 } }],
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
