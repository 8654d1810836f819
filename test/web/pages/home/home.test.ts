import type { MedicationRequest, Reference } from 'fhir/r4.js';
import { afterEach, describe, expect, test } from 'vitest';
import { formOf, openScene, type Scene } from '../../support.ts';

let scene: Scene;
afterEach(() => scene?.app.close());

test('one order named by the EHR leads straight to its review; the list stays reachable', async () => {
  scene = await openScene('story-complete');
  scene.smart.launch = { ...scene.smart.launch, orders: [`MedicationRequest/${scene.order}`] };
  expect((await scene.get(scene.home)).headers.location).toBe(`${scene.home}/orders/${scene.order}`);
  expect((await scene.get(`${scene.home}/orders`)).status).toBe(200);
});

test('who comes back after the outcome sees it first, and can start again from there', async () => {
  scene = await openScene('story-complete');
  const order = `MedicationRequest/${scene.order}`;
  scene.smart.launch = { ...scene.smart.launch, orders: [order] };
  const ended = scene.cases.put({
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    order,
    state: 'ended',
    record: { id: 'pa_1', status: 'cancelled' },
    endedAt: '2026-11-20T10:00:00.000Z',
  });
  expect((await scene.get(scene.home)).headers.location).toBe(`${scene.home}/cases/${ended.id}`);
  expect((await scene.get(`${scene.home}/cases/${ended.id}`)).body).toContain(
    `href="${scene.home}/orders/${scene.order}?anew=1"`,
  );
  const { body } = await scene.get(`${scene.home}/orders/${scene.order}?anew=1`);
  expect(body).toContain('This order already has a decision: ');
});

test('an order whose request has ended leads to the outcome; a new one only when asked for [S18]', async () => {
  scene = await openScene('story-complete');
  const ended = scene.cases.put({
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    order: `MedicationRequest/${scene.order}`,
    state: 'ended',
    record: { id: 'pa_1', status: 'cancelled' },
  });
  const page = `${scene.home}/orders/${scene.order}`;
  expect((await scene.get(page)).headers.location).toBe(`${scene.home}/cases/${ended.id}`);
  const list = (await scene.get(`${scene.home}/orders`)).body;
  expect(list).toContain(`href="${scene.home}/cases/${ended.id}" class="button quiet-button"`);
  expect(list).not.toContain(`href="${page}?anew`);
  expect(list).not.toContain(`href="${page}" `);
  expect([...scene.cases.all.values()]).toHaveLength(1);
  expect((await scene.get(`${page}?anew=1`)).status).toBe(200);
  expect([...scene.cases.all.values()].map(({ state }) => state)).toEqual(['ended', 'draft']);
});

test('a request that is not in the chart says so in the list of orders [S29]', async () => {
  scene = await openScene('story-complete');
  scene.cases.put({
    site: 'valley',
    patient: `Patient/${scene.smart.launch.patient}`,
    state: 'ended',
    record: { id: 'pa_1', status: 'completed' },
    writes: [{ what: 'document', version: '1', state: 'failed', attempts: 1, at: '2026-11-20T10:00:00.000Z' }],
  });
  expect((await scene.get(`${scene.home}/orders`)).body).toContain('Not saved to the chart');
});

test('without an order the launch shows the orders, and the others with the reason', async () => {
  scene = await openScene('story-self-reported');
  const { body } = await scene.get(scene.home);
  expect(body).toContain('Start prior authorization');
  expect(body).toContain('1 order is not offered');
  expect(body).toContain('its intent is plan, not an order');
});

test('a chart without any active order says so', async () => {
  scene = await openScene('story-complete');
  scene.resources = scene.resources.map((resource) =>
    resource.resourceType === 'MedicationRequest'
      ? ({ ...resource, status: 'completed' } as MedicationRequest)
      : resource,
  );
  expect((await scene.get(scene.home)).body).toContain(
    'No active medication order in this chart can get a prior authorization.',
  );
});

describe('[E12] the prescriber of an order in the list', () => {
  const columnWith = async (requester: Reference) => {
    scene = await openScene('story-complete');
    const kept = ['Patient', 'MedicationRequest'];
    scene.resources = scene.resources
      .filter(({ resourceType }) => kept.includes(resourceType))
      .map((one) => (one.resourceType === 'MedicationRequest' ? ({ ...one, requester } as MedicationRequest) : one));
    const { body } = await scene.get(`${scene.home}/orders`);
    return /<td data-label="Prescriber">([^<]*)</.exec(body)?.[1];
  };

  test.each([
    ['a reference that was not read', { reference: 'Practitioner/far', display: 'Ada  Invented, MD' }],
    ['a role', { reference: 'PractitionerRole/far', display: 'Ada Invented, MD' }],
    ['an identifier', { type: 'Practitioner', identifier: { value: '1' }, display: 'Ada Invented, MD' }],
    ['nothing but a name', { display: 'Ada Invented, MD' }],
  ])('is whom the order names by %s', async (_, requester) => {
    expect(await columnWith(requester)).toBe('Ada Invented, MD');
  });

  test.each([
    ['a patient', { reference: 'Patient/p', display: 'Pat Invented' }],
    ['a relative', { reference: 'https://ehr.example/fhir/RelatedPerson/r', display: 'Rel Invented' }],
    ['a device', { type: 'Device', display: 'Pump' }],
    ['nobody by name', { reference: 'Practitioner/far' }],
  ])('is nobody where %s asked for it', async (_, requester) => {
    expect(await columnWith(requester)).toBeUndefined();
  });
});

test('a sent request is followed, not started again', async () => {
  scene = await openScene('story-complete');
  const patient = `Patient/${scene.smart.launch.patient}`;
  scene.cases.put({
    site: 'valley',
    patient,
    order: `MedicationRequest/${scene.order}`,
    state: 'open',
    record: { id: 'pa_1', status: 'processing' },
    sentAt: '2026-11-20T10:00:00.000Z',
  });
  const { body } = await scene.get(scene.home);
  expect(body).toContain('Follow the request');
  expect(body).toContain('tone-calm">Received<');
});

test('outcomes that wait for a launch are written after a click; the page says what became of it [S29]', async () => {
  scene = await openScene('story-complete');
  const patient = `Patient/${scene.smart.launch.patient}`;
  scene.cases.put({
    site: 'valley',
    patient,
    state: 'ended',
    writes: [{ what: 'task', version: '1', state: 'waiting', attempts: 1, at: '2026-11-20T10:00:00.000Z' }],
  });
  const page = await scene.get(scene.home);
  expect(page.body).toContain('1 outcome waits to be written to this chart.');
  const reply = await scene.post(`${scene.home}/deliver`, { token: formOf(page.body).token ?? '' });
  expect(reply.headers.location).toBe(`${scene.home}/orders?delivered=1`);
  expect((await scene.get(String(reply.headers.location))).body).toContain(
    'Everything that waited is in the chart now.',
  );
});

test('what the EHR does not let the user read is named', async () => {
  scene = await openScene('story-complete', (deps) => ({
    ...deps,
    readChart: async () => ({
      entries: (scene?.resources ?? []).map((resource) => ({ resource })),
      rounds: 1,
      warnings: [],
      forbidden: ['Coverage'],
      unread: ['Coverage'],
    }),
  }));
  expect((await scene.get(`${scene.home}/orders/${scene.order}`)).body).toContain(
    'Your EHR account cannot read part of the chart (Coverage).',
  );
});

test('a chart without its Patient stops with a page, nothing is shown', async () => {
  scene = await openScene('story-complete');
  scene.resources = scene.resources.filter((resource) => resource.resourceType !== 'Patient');
  const reply = await scene.get(scene.home);
  expect(reply.status).toBe(409);
  expect(reply.body).toContain('another patient’s data');
});
