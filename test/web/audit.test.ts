import type { Patient } from 'fhir/r4.js';
import { expect, test } from 'vitest';
import { BridgeError } from '../../src/errors.ts';
import type { AuditEntry } from '../../src/store/types.ts';
import { launchId, openScene, otherSession, story } from './support.ts';

const patient = story('story-complete').find((one): one is Patient => one.resourceType === 'Patient');
const family = patient?.name?.[0]?.family;

const withAudit = (record: (entry: AuditEntry) => Promise<void>) =>
  openScene('story-complete', (deps) => ({ ...deps, audit: { record } }));

test('a page is recorded before it is shown: who, whose chart, in which launch', async () => {
  const entries: AuditEntry[] = [];
  const { get } = await withAudit(async (entry) => void entries.push(entry));
  const page = await get(`/app/${launchId}/orders`);
  expect(page.status).toBe(200);
  expect(page.body).toContain(family);
  expect(entries.map(({ action }) => action)).toEqual(['chart_read', 'page_viewed']);
  expect(entries[1]).toMatchObject({
    site: 'valley',
    actor: expect.stringMatching(/^Practitioner\//),
    patient: expect.stringMatching(/^Patient\//),
    launch: launchId,
    facts: { page: '/app/:launch/orders' },
  });
});

test('what cannot be recorded is not shown', async () => {
  const { get } = await withAudit(() => Promise.reject(new BridgeError('store_unavailable')));
  const page = await get(`/app/${launchId}/orders`);
  expect(page.status).toBe(503);
  expect(page.body).not.toContain(family);
});

test('an error and the answer to a stranger show nothing, and nothing is recorded', async () => {
  const entries: AuditEntry[] = [];
  const { get } = await withAudit(async (entry) => void entries.push(entry));
  expect((await get(`/app/${launchId}/orders`, { cookie: `__Host-bridge-${launchId}=${otherSession}` })).status).toBe(
    404,
  );
  expect((await get(`/app/${launchId}/cases/none`)).status).toBe(404);
  expect(entries).toEqual([]);
});
