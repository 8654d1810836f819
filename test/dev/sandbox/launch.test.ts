import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MedicationRequest, Task } from 'fhir/r4.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { makeConfig, Site } from '../../../src/config/config.ts';
import { type SandboxEhr, startSandboxEhr } from '../../../src/dev/sandbox/ehr/index.ts';
import { stories } from '../../../src/dev/sandbox/ehr/stories.ts';
import { readChart } from '../../../src/ehr/chart/read-chart.ts';
import { generateKeys } from '../../../src/ehr/smart/keys.ts';
import { createSmart, type Smart } from '../../../src/ehr/smart/smart.ts';
import type { Launch } from '../../../src/ehr/smart/types.ts';
import { createMemoryStore } from '../../ehr/smart/memory-store.ts';

const bridge = 'http://localhost:9';
const clients = ['public', 'secret', 'es384', 'rs384'] as const;
type ClientName = (typeof clients)[number];

let ehr: SandboxEhr;
let smart: Smart;
let publishKeys: { port: number; close: () => void };
let sites: Record<ClientName, Site>;
let aheadMs = 0;
const store = createMemoryStore();
const clock = () => new Date(Date.now() + aheadMs);

beforeAll(async () => {
  // the real client, the real sign-in service and real HTTP on the loopback, under the settings of production
  vi.stubEnv('NODE_ENV', 'production');
  publishKeys = await serveKeys();
  const jwksUri = `http://localhost:${publishKeys.port}/jwks.json`;
  const redirectUris = (id: string) => [`${bridge}/callback/${id}`];
  ehr = await startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    launchUrl: `${bridge}/launch`,
    clock: () => new Date(),
    log: silentLog,
    clients: [
      { auth: 'public', id: 'public', redirectUris: redirectUris('public') },
      { auth: 'client_secret', id: 'secret', secret: 'not%20so:secret&', redirectUris: redirectUris('secret') },
      { auth: 'private_key_jwt', id: 'es384', jwksUri, redirectUris: redirectUris('es384') },
      { auth: 'private_key_jwt', id: 'rs384', jwksUri, redirectUris: redirectUris('rs384') },
      { auth: 'private_key_jwt', id: 'system', jwksUri, redirectUris: [], system: true },
    ],
  });
  sites = {
    public: siteOf('public', { auth: 'public', id: 'public' }),
    secret: siteOf('secret', { auth: 'client_secret', id: 'secret', secretEnv: 'CLIENT_SECRET' }),
    es384: siteOf('es384', { auth: 'private_key_jwt', id: 'es384', alg: 'ES384' }),
    rs384: siteOf('rs384', { auth: 'private_key_jwt', id: 'rs384', alg: 'RS384' }),
  };
  smart = smartOf('es384');
});

beforeEach(() => {
  ehr.switches.clear();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  publishKeys.close();
  await ehr.close();
});

const keys = await generateKeys();

function siteOf(id: ClientName, client: object): Site {
  const system = { id: 'system', scopes: 'system/Task.crus system/DocumentReference.crus system/Patient.r' };
  return Site.parse({
    id,
    name: id,
    iss: ehr.fhirBase,
    client,
    service: { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' },
    writeback: { tokens: ['system', 'refresh', 'next-launch'], system },
  });
}

/** One Smart for each client: the four share one issuer, so each stands alone in its configuration. */
function smartOf(client: ClientName): Smart {
  const environment = { BRIDGE_URL: bridge, BRIDGE_KEYS: '0'.repeat(64), BRIDGE_JWKS: JSON.stringify(keys) };
  const config = makeConfig(environment, [sites[client]], { SERVICE_TOKEN: 't', CLIENT_SECRET: 'not%20so:secret&' });
  return createSmart({ config, store, clock, log: silentLog });
}

/** What a browser does: the EHR's launch address, the EHR's sign-in, the callback. */
async function launch(
  on: Smart,
  client: ClientName,
  chart: { patient: string; order?: string },
): Promise<{ launch: Launch; sessionId: string }> {
  const opened = new URL(ehr.launch(chart).address);
  const session = `browser-${Math.round(performance.now() * 1000)}`;
  const { redirect } = await on.startLaunch(Object.fromEntries(opened.searchParams), session);
  const answer = await fetch(redirect, { redirect: 'manual' });
  const location = new URL(answer.headers.get('location') ?? 'http://none.invalid');
  expect(`${location.origin}${location.pathname}`).toBe(`${bridge}/callback/${client}`);
  return on.completeLaunch(client, Object.fromEntries(location.searchParams), [session]);
}

describe('a launch from the sandbox EHR', () => {
  test.each(clients)('signs in as a %s client and says who launched for whom', async (client) => {
    const { launch: opened } = await launch(smartOf(client), client, {
      patient: 'complete-patient',
      order: 'complete-order',
    });
    expect(opened).toMatchObject({
      patient: 'complete-patient',
      encounter: 'complete-encounter',
      fhirUser: 'Practitioner/prac-osei',
      orders: ['MedicationRequest/complete-order'],
    });
    expect(opened.userName).toMatch(/Osei/);
    expect(opened.scopes).toEqual(expect.arrayContaining(['patient/Coverage.rs', 'patient/Task.crus']));
  });

  test.each(clients)('refreshes as a %s client, with rotation, and goes on', async (client) => {
    const on = smartOf(client);
    const { launch: opened, sessionId } = await launch(on, client, { patient: 'complete-patient' });
    const before = await store.get(opened.id);
    aheadMs += 9.6 * 60_000;
    try {
      expect(await on.api(await on.open(opened.id, sessionId)).read('Patient', 'complete-patient')).toMatchObject({
        id: 'complete-patient',
      });
      aheadMs += 9.6 * 60_000;
      expect(await on.api(await on.open(opened.id, sessionId)).read('Patient', 'complete-patient')).toMatchObject({
        id: 'complete-patient',
      });
    } finally {
      aheadMs = 0;
    }
    const after = await store.get(opened.id);
    expect(before?.tokens?.refreshToken).toBeDefined();
    expect(after?.tokens?.refreshToken).not.toBe(before?.tokens?.refreshToken);
  });

  test('logout revokes the token at the EHR', async () => {
    const { launch: opened } = await launch(smart, 'es384', { patient: 'complete-patient' });
    const token = (await store.get(opened.id))?.tokens?.accessToken;
    const read = () =>
      fetch(`${ehr.fhirBase}/Patient/complete-patient`, { headers: { authorization: `Bearer ${token}` } });
    expect((await read()).status).toBe(200);
    await smart.logout(opened);
    expect((await read()).status).toBe(401);
  });

  test('an EHR that is down is said so, and the next launch works', async () => {
    const other = smartOf('public');
    ehr.switches.set({ switch: 'status', value: { status: 503 } });
    await expect(launch(other, 'public', { patient: 'complete-patient' })).rejects.toMatchObject({
      code: 'discovery_failed',
    });
    ehr.switches.clear();
    expect((await launch(other, 'public', { patient: 'complete-patient' })).launch.patient).toBe('complete-patient');
  });
});

describe('the chart of every story', () => {
  test.each(stories.map(({ folder, patient }) => [folder, patient] as const))(
    '%s comes whole in one round and holds one patient only',
    async (_folder, patient) => {
      const { launch: opened } = await launch(smart, 'es384', { patient });
      const api = smart.api(opened);
      const all = await readChart(api, { patient });
      const orders = all.entries
        .map(({ resource }) => resource)
        .filter((resource): resource is MedicationRequest => resource.resourceType === 'MedicationRequest');
      const order = orders.find(({ id }) => id?.endsWith('-order') === true)?.id ?? '';
      const chart = await readChart(api, { patient, order });
      // a card image stands in a Binary of its own, which no include reaches; a prescriber without a role is asked for
      // one
      expect(chart.rounds).toBe(['card-patient', 'gaps-patient'].includes(patient) ? 2 : 1);
      expect(chart).toMatchObject({ forbidden: [], warnings: [] });
      const types = new Set(chart.entries.map(({ resource }) => resource.resourceType));
      const wanted = ['Patient', 'MedicationRequest', 'Coverage', 'Practitioner', 'Organization'];
      // the chart with many gaps has no problem
      if (patient !== 'gaps-patient') wanted.push('Condition');
      expect([...types]).toEqual(expect.arrayContaining(wanted));
      const others = stories.map((story) => story.patient).filter((other) => other !== patient);
      expect(others.filter((other) => JSON.stringify(chart.entries).includes(`Patient/${other}`))).toEqual([]);
    },
  );

  test('a Medication of its own and the prescriber’s practice come along', async () => {
    const { launch: opened } = await launch(smart, 'es384', { patient: 'external-patient' });
    const chart = await readChart(smart.api(opened), { patient: 'external-patient', order: 'external-order' });
    const references = chart.entries.map(({ resource }) => `${resource.resourceType}/${resource.id}`);
    expect(references).toEqual(
      expect.arrayContaining([
        'Medication/external-secukinumab',
        'Practitioner/prac-osei',
        'PractitionerRole/role-osei',
        'Organization/org-lakeview',
      ]),
    );
  });

  test('a card image comes with its Binary', async () => {
    const { launch: opened } = await launch(smart, 'es384', { patient: 'card-patient' });
    const chart = await readChart(smart.api(opened), { patient: 'card-patient', order: 'card-order' });
    expect(chart.entries.map(({ resource }) => resource)).toContainEqual(
      expect.objectContaining({ resourceType: 'Binary', id: 'card-image' }),
    );
  });

  test('an order of another patient is not given, and not in the chart', async () => {
    const { launch: opened } = await launch(smart, 'es384', { patient: 'complete-patient' });
    const { entries, warnings } = await readChart(smart.api(opened), {
      patient: 'complete-patient',
      order: 'norx-order',
    });
    expect(entries.map(({ resource }) => resource.id)).not.toContain('norx-order');
    expect(warnings).toContain('MedicationRequest/norx-order is not in the EHR.');
  });
});

describe('writing to the sandbox EHR', () => {
  const task = (patient: string): Task => ({
    resourceType: 'Task',
    status: 'received',
    intent: 'order',
    identifier: [{ system: 'http://localhost:9/fhir/ns/case', value: `case-of-${patient}` }],
    for: { reference: `Patient/${patient}` },
  });

  async function userApi(patient: string) {
    return smart.api((await launch(smart, 'es384', { patient })).launch);
  }

  test('creates, finds again, updates with If-Match and notices a conflict', async () => {
    const api = await userApi('complete-patient');
    const created = await api.create(task('complete-patient'));
    const found = await api.search('Task', [
      ['identifier', 'http://localhost:9/fhir/ns/case|case-of-complete-patient'],
    ]);
    expect(found.resources).toMatchObject([{ id: created.id }]);
    const stored = { ...task('complete-patient'), id: created.id ?? '', status: 'completed' as const };
    const { etag = '' } = (await api.readVersion('Task', stored.id)) ?? {};
    const updated = await api.update(stored, { ifMatch: etag });
    expect(updated.id).toBe(created.id);
    await expect(api.update(stored, { ifMatch: etag })).rejects.toMatchObject({
      code: 'ehr_conflict',
    });
  });

  test('a 201 without a body is success, its id read from Location', async () => {
    ehr.switches.set({ switch: 'empty-created', value: 'body' });
    const { id = '' } = await (await userApi('norx-patient')).create(task('norx-patient'));
    expect(ehr.peek(`Task/${id}`)).toMatchObject({ status: 'received' });
  });

  test('a conditional create finds what is there', async () => {
    const api = await userApi('twocov-patient');
    const ifNoneExist = 'identifier=http://localhost:9/fhir/ns/case|case-of-twocov-patient';
    const first = await api.create(task('twocov-patient'), { ifNoneExist });
    expect(await api.create(task('twocov-patient'), { ifNoneExist })).toMatchObject({ id: first.id, existed: true });
  });

  test.each([
    [405, 'ehr_write_refused'],
    [422, 'ehr_write_refused'],
    [403, 'ehr_forbidden'],
  ] as const)('a refusal with %i is %s', async (status, code) => {
    ehr.switches.set({ switch: 'refuse-create', value: { type: 'Task', status } });
    await expect((await userApi('taper-patient')).create(task('taper-patient'))).rejects.toMatchObject({
      code,
      facts: { http: status },
    });
  });

  test('the system token writes for the delivery’s patient, and for no other', async () => {
    const access = await smart.accessFor({ site: sites.es384, patient: 'Patient/steptx-patient' });
    if ('waiting' in access) throw new Error('expected access');
    expect(access.by).toBe('system');
    expect(access.api.scopes).toContain('system/Task.crus');
    const { id = '' } = await access.api.create(task('steptx-patient'));
    expect(ehr.peek(`Task/${id}`)).toMatchObject({ for: { reference: 'Patient/steptx-patient' } });
    await expect(access.api.create(task('complete-patient'))).rejects.toMatchObject({ code: 'patient_mismatch' });
  });
});

async function serveKeys() {
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(smart.jwks())),
  );
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  // a TCP server has an AddressInfo
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** A standalone launch: the bridge's sign-in, the page of the EHR on which a person says who or whose, the callback. */
async function standalone(
  on: Smart,
  request: { readonly to: 'worklist' | 'chart'; readonly back?: string },
  pick: (page: string) => string,
): Promise<{ readonly answer: Record<string, string>; readonly session: string }> {
  const session = `browser-${Math.round(performance.now() * 1000)}`;
  const { redirect } = await on.startSignIn({ site: 'es384', ...request }, session);
  const toPage = await fetch(redirect, { redirect: 'manual' });
  const page = new URL(toPage.headers.get('location') ?? '', ehr.url);
  expect(page.pathname).toBe('/sign-in');
  const chosen = await fetch(new URL(pick(await (await fetch(page)).text()), ehr.url), { redirect: 'manual' });
  const authorized = await fetch(new URL(chosen.headers.get('location') ?? '', ehr.url), { redirect: 'manual' });
  const back = new URL(authorized.headers.get('location') ?? 'http://none.invalid');
  expect(back.pathname).toBe('/callback/es384');
  return { answer: Object.fromEntries(back.searchParams), session };
}

function hrefIn(page: string, begin: string): string {
  const href = [...page.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => address);
  return (href.find((address) => address.startsWith(begin)) ?? '').replaceAll('&amp;', '&');
}

describe('a standalone launch', () => {
  test('for the worklist says who signed in, opens no chart and keeps no token', async () => {
    const { answer, session } = await standalone(smart, { to: 'worklist' }, (page) => {
      expect(page).not.toContain('/sign-in/complete-patient');
      return hrefIn(page, '/sign-in/none');
    });
    expect(await smart.isSignIn('es384', answer)).toBe(true);
    const { staff, sessionId } = await smart.completeSignIn('es384', answer, [session]);
    expect(staff.fhirUser).toMatch(/^Practitioner\//);
    expect(staff.userName).toBeDefined();
    expect(staff.patient).toBeUndefined();
    expect(await smart.staff(staff.id, sessionId)).toMatchObject({ fhirUser: staff.fhirUser });
    await expect(smart.open(staff.id, sessionId)).rejects.toMatchObject({ code: 'launch_not_found' });
    await smart.keepAlive(staff.id, sessionId);
    await expect(smart.keepAlive(staff.id, session)).rejects.toMatchObject({ code: 'launch_not_found' });
    await expect(smart.staff(staff.id, session)).rejects.toMatchObject({ code: 'launch_not_found' });
    expect(await store.get(staff.id)).not.toHaveProperty('tokens');
    await smart.logout(staff);
    await expect(smart.staff(staff.id, sessionId)).rejects.toMatchObject({ code: 'launch_not_found' });
  });

  test('for a chart opens the patient who was picked at the EHR, and comes back to the case', async () => {
    const back = '11111111-1111-4111-8111-111111111111';
    const { answer, session } = await standalone(smart, { to: 'chart', back }, (page) =>
      hrefIn(page, '/sign-in/complete-patient'),
    );
    expect(await smart.isSignIn('es384', answer)).toBe(false);
    const done = await smart.completeLaunch('es384', answer, [session]);
    expect(done).toMatchObject({ back, launch: { patient: 'complete-patient', orders: [] } });
    expect(done.launch.scopes).toContain('launch/patient');
    const patient = await smart.api(done.launch).read('Patient', 'complete-patient');
    expect(patient).toMatchObject({ id: 'complete-patient' });
    const user = done.launch.fhirUser ?? '';
    expect(await smart.hasOpenChart('es384', 'Patient/complete-patient', user)).toBe(true);
    expect(await smart.hasOpenChart('es384', 'Patient/complete-patient', 'Practitioner/other')).toBe(false);
    expect(await smart.hasOpenChart('es384', 'Patient/another', user)).toBe(false);
  });

  test('an answer of the one is not taken for the other, and leaves no session', async () => {
    const { answer, session } = await standalone(smart, { to: 'worklist' }, (page) => hrefIn(page, '/sign-in/none'));
    await expect(smart.completeLaunch('es384', answer, [session])).rejects.toMatchObject({ code: 'state_invalid' });
  });
});
