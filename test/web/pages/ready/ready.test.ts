import { randomUUID } from 'node:crypto';
import type { MedicationRequest, Resource } from 'fhir/r4.js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Case } from '../../../../src/cases/case.ts';
import { queues } from '../../../../src/cases/work/queues.ts';
import { worklistRules } from '../../../../src/cases/worklist-entry.ts';
import { makeConfig, type Site } from '../../../../src/config/config.ts';
import { BridgeError } from '../../../../src/core/errors.ts';
import type { Store } from '../../../../src/store/types.ts';
import { aClinic, type Clinic } from '../../../cases/clinic.ts';
import { type Backend, pgliteBackend } from '../../../store/backends.ts';
import { bridgeUrl, formOf, openScene, type Scene, testConfig } from '../../support.ts';
import { chartCookies, chartLaunches, charts, openTwoCharts, readTwoCharts } from '../../two-charts.ts';

let backend: Backend;
let store: Store;
let clinic: Clinic;
let scene: Scene;

const cookie = chartCookies.map(({ name, value }) => `${name}=${value}`).join('; ');

beforeAll(async () => {
  backend = await pgliteBackend();
  store = await backend.open({ worklist: worklistRules, queues });
});
afterAll(async () => {
  await store.close();
  await backend.close();
});
beforeEach(() => begin({}));
afterEach(() => scene.app.close());

/** What the chart says otherwise of the order since it was reviewed. */
let changed: Partial<MedicationRequest> = {};

const readChanged: typeof readTwoCharts = async (...asked) => {
  const chart = await readTwoCharts(...asked);
  const entries = chart.entries.map((entry) =>
    entry.resource.id === 'complete-order'
      ? { ...entry, resource: { ...entry.resource, ...changed } as Resource }
      : entry,
  );
  return { ...chart, entries };
};

/** Two reviewed drafts of two patients. */
async function begin(changes: Partial<Site>): Promise<void> {
  await scene?.app.close();
  changed = {};
  const [base] = testConfig().sites;
  const site = { ...base!, id: `valley-${randomUUID().slice(0, 8)}`, ...changes };
  clinic = aClinic(store, { sites: [site] });
  const env = { SERVICE_TOKEN: 'token', HOOK_NEW: 'new-secret', HOOK_OLD: 'old-secret' };
  const config = makeConfig(
    { BRIDGE_URL: bridgeUrl, BRIDGE_KEYS: Buffer.alloc(32, 7).toString('base64') },
    [site],
    env,
  );
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    config,
    cases: clinic.cases,
    worklist: store.worklist,
    audit: store.audit,
    readChart: readChanged,
    clock: store.clock,
  }));
  scene.smart.launch = { ...scene.smart.launch, site };
  openTwoCharts(scene);
  for (const id of chartLaunches) await get(`/app/${id}/orders/${charts[id].order}`);
}

const get = (path: string) => scene.get(path, { cookie });
const page = () => `${scene.home}/ready`;
const cases = async () => {
  const all = await clinic.cases.list({ site: scene.smart.launch.site.id });
  return Promise.all(all.map(({ id }) => clinic.cases.get(id)));
};
const caseOf = async (patient: string): Promise<Case> =>
  (await cases()).find((one) => one.patient === `Patient/${patient}`)!;

async function send(ids: readonly string[], form?: Record<string, string[]>, more: Record<string, string> = {}) {
  const shown = form ?? formOf((await get(page())).body);
  const answer = await scene.post(page(), { ...shown, ...more, send: ids }, { cookie });
  return { answer, after: (await get(String(answer.headers.location))).body };
}

test('lists the ready drafts of all open charts, each with its patient, its line, and a box of its own', async () => {
  const { body } = await get(page());
  for (const { id, banner } of await cases()) {
    expect(body).toContain(`type="checkbox" name="send" value="${id}"`);
    expect(body).toContain(`${banner.name}: `);
    expect(body).toContain(`MRN ${banner.mrn}`);
  }
  expect(body).toContain('Humira 40 mg/0.4 mL');
  expect(body).toContain('Jardiance');
  expect(body).not.toMatch(/name="send"[^>]*checked/);
});

test('sends what is checked and nothing else', async () => {
  const one = await caseOf('complete-patient');
  const { after } = await send([one.id]);
  expect(clinic.service.creates).toHaveLength(1);
  expect((await caseOf('complete-patient')).state).toBe('open');
  expect((await caseOf('contained-patient')).state).toBe('draft');
  expect(after).toMatch(/Marisol June Tennyson: [^<]*<\/a>\s*\. Sent/);
});

test('sends both when both are checked, and a second press sends nothing more', async () => {
  const ids = (await cases()).map(({ id }) => id);
  const form = formOf((await get(page())).body);
  await send(ids, form);
  const { after } = await send(ids, form);
  expect(clinic.service.creates).toHaveLength(2);
  expect(after).toMatch(/Not sent again: [^<]+ has sent it\./);
});

test('a draft that a colleague sent from another page has left the list, and the page says who and when', async () => {
  const one = await caseOf('complete-patient');
  await send([one.id]);
  const { body } = await get(page());
  expect(body).not.toContain(`value="${one.id}"`);
  expect(body).toMatch(
    /Sent today, in the charts that you have open in this[\s\S]*Marisol June Tennyson: [\s\S]*Sent by Riley Okafor, MA/,
  );
});

test('a draft that needs an answer now has left the list, and the page says what it needs', async () => {
  const one = await caseOf('complete-patient');
  await clinic.cases.saveDraft(one.id, { needed: 2 });
  const { body } = await get(page());
  expect(body).not.toContain(`value="${one.id}"`);
  expect(body).toMatch(/Not ready to be sent here[\s\S]*Marisol June Tennyson[\s\S]*2 answers needed/);
});

test.each<[string, Partial<MedicationRequest>, string]>([
  ['is stopped', { status: 'stopped' }, 'No request can be made for its order: it is stopped.'],
  ['lost what was complete', { dosageInstruction: [] }, 'The chart changed since it was reviewed'],
])('a draft whose order %s in the chart has left the list, and the page says so', async (_, change, said) => {
  changed = change;
  await get(`${scene.home}/orders?again=1`);
  const { body } = await get(page());
  expect(body).toContain(said);
});

test('none is sent that was not seen: not one that changed since, nor one whose card was not on the page', async () => {
  const [one, other] = [await caseOf('complete-patient'), await caseOf('contained-patient')];
  const form = formOf((await get(page())).body);
  await clinic.cases.saveDraft(one.id, { edits: { 'prescription.directions': 'Once a month' } });
  const { [`digest.${other.id}`]: _, ...withoutOther } = form;
  const { after } = await send([one.id, other.id], withoutOther);
  expect(clinic.service.creates).toHaveLength(0);
  expect(after.match(/Not sent: it changed since you read it/g)).toHaveLength(2);
});

test('no box checked is said, and sends nothing', async () => {
  const { after } = await send([]);
  expect(after).toContain('Nothing was sent: no box was checked.');
  expect(clinic.service.creates).toHaveLength(0);
});

test('the statement of the site is confirmed once for all that are checked', async () => {
  await begin({ attestation: 'I have the authority to send this.' });
  const { id } = await caseOf('complete-patient');
  expect((await send([id])).after).toContain('Confirm the statement first');
  expect(clinic.service.creates).toHaveLength(0);
  await send([id], undefined, { attested: 'yes' });
  expect(clinic.service.creates).toHaveLength(1);
});

test('the service refuses one: the other goes on, and the page says which', async () => {
  const ids = (await cases()).map(({ id }) => id);
  clinic.service.next.create.push(new BridgeError('service_refused'));
  const { after } = await send(ids);
  expect((await cases()).map(({ state }) => state).toSorted()).toEqual(['open', 'refused']);
  expect(after).toContain('Not sent, or without an answer. Open it to see why.');
});

test('a draft that is not signed has no box where that is required, and is not sent by asking for it', async () => {
  await begin({ signature: { required: true, signers: [] } });
  const { id } = await caseOf('complete-patient');
  const { body } = await get(page());
  expect(body).not.toContain('name="send"');
  expect(body.match(/It needs a signature first\./g)).toHaveLength(2);
  const token = formOf((await get(`${scene.home}/orders/complete-order/confirm`)).body).token!;
  await scene.post(page(), { token, send: [id] }, { cookie });
  expect(clinic.service.creates).toHaveLength(0);
});

test('a signed one has its box; the prescriber signs and sends several, each by its own box', async () => {
  await begin({ signature: { required: true, signers: ['Practitioner/both'] } });
  scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/both', userName: 'Dr. Both' };
  const { body } = await get(page());
  expect(body.match(/I have read it: sign and send/g)).toHaveLength(2);
  await send((await cases()).map(({ id }) => id));
  expect((await cases()).map(({ signature }) => signature?.settledBy?.name)).toEqual(['Dr. Both', 'Dr. Both']);
  expect(clinic.service.creates).toHaveLength(2);
});

test('a manager has none', async () => {
  scene.smart.launch = { ...scene.smart.launch, fhirUser: 'Practitioner/boss' };
  const { site } = scene.smart.launch;
  const worklist = { ...site.worklist, managers: ['Practitioner/boss'] };
  scene.smart.launch = { ...scene.smart.launch, site: { ...site, worklist } };
  expect((await get(page())).body).toContain('Nothing is ready');
});

test('the worklist leads there', async () => {
  expect((await get(`${scene.home}/worklist`)).body).toContain(`href="${page()}"`);
});
