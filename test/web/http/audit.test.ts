import type { Patient } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { BridgeError } from '../../../src/core/errors.ts';
import type { AuditEntry } from '../../../src/store/types.ts';
import { formOf, launchId, openScene, otherSession, type Scene, story } from '../support.ts';

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.app.close();
  scene = undefined;
});

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

describe('[E10] a sign-in that did not succeed is recorded, without a name', () => {
  const callback = async (thrown: BridgeError) => {
    const entries: AuditEntry[] = [];
    scene = await withAudit(async (entry) => void entries.push(entry));
    scene.smart.completeLaunch = () => Promise.reject(thrown);
    await scene.get('/callback/valley?state=s&code=c');
    return entries;
  };

  test.each([
    new BridgeError('ehr_denied', { error: 'access_denied' }),
    new BridgeError('token_failed'),
    new BridgeError('token_invalid', { token: 'id_token', reason: 'missing' }),
    new BridgeError('state_invalid', { reason: 'the answer comes from another issuer' }),
  ])('$code', async (thrown) => {
    const facts = { code: thrown.code };
    expect(await callback(thrown)).toEqual([
      { site: 'valley', action: 'launch_refused', actor: 'user', outcome: 'failure', facts },
    ]);
  });

  test.each(['state_invalid', 'state_used', 'cookies_blocked'] as const)(
    'but not %s, which anybody can cause',
    async (code) => {
      expect(await callback(new BridgeError(code))).toEqual([]);
    },
  );
});

describe('what carries a security label [D19]', () => {
  const label = { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'PSY' };

  /** A person goes through a chart of which one result carries a label, with or without it; the answer to "send". */
  async function send(scene: Scene, isTicked: boolean) {
    const review = `${scene.home}/orders/${scene.order}`;
    const reference = /name="evidence" value="(Observation\/[^"]+)"/.exec((await scene.get(review)).body)?.[1] ?? '';
    scene.resources = scene.resources.map((one) =>
      `${one.resourceType}/${one.id}` === reference ? { ...one, meta: { security: [label] } } : one,
    );
    await scene.post(review, { ...formOf((await scene.get(review)).body), action: 'pull' });
    const form = formOf((await scene.get(review)).body);
    expect(form.evidence ?? []).not.toContain(reference);
    const evidence = [...(form.evidence ?? []), ...(isTicked ? [reference] : [])];
    await scene.post(review, { ...form, evidence, action: 'check' });
    const answer = await scene.post(`${review}/confirm`, {
      ...formOf((await scene.get(`${review}/confirm`)).body),
      action: 'send',
    });
    return { answer, reference };
  }

  test('goes only when a person ticks it, and the trail says that it did', async () => {
    const entries: AuditEntry[] = [];
    scene = await withAudit(async (entry) => void entries.push(entry));
    const { reference } = await send(scene, true);
    expect(JSON.stringify(scene.cases.sent.map(({ provenance }) => provenance))).toContain(`"${reference}"`);
    expect(entries.filter(({ action }) => action === 'sensitive_chosen')).toEqual([
      {
        site: 'valley',
        action: 'sensitive_chosen',
        actor: expect.stringMatching(/^Practitioner\//),
        patient: expect.stringMatching(/^Patient\//),
        launch: launchId,
        caseId: [...scene.cases.all.keys()][0],
        facts: { items: 1 },
      },
    ]);
  });

  test('does not go when nobody ticks it, and nothing is said of it', async () => {
    const actions: string[] = [];
    scene = await withAudit(async ({ action }) => void actions.push(action));
    const { reference } = await send(scene, false);
    expect(scene.cases.sent).toHaveLength(1);
    expect(JSON.stringify(scene.cases.sent)).not.toContain(`"${reference}"`);
    expect(actions).not.toContain('sensitive_chosen');
  });

  test('does not go when the trail cannot be written', async () => {
    scene = await withAudit(async ({ action }) => {
      if (action === 'sensitive_chosen') throw new BridgeError('store_unavailable');
    });
    expect((await send(scene, true)).answer.status).toBe(503);
    expect(scene.cases.sent).toEqual([]);
  });
});
