import type { CapabilityStatement, Task } from 'fhir/r4.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxEhr } from '../../../../src/dev/sandbox/ehr/index.ts';
import { type FhirAnswer, fhir, launchToken, startEhr, twoCharts } from './support.ts';

let ehr: SandboxEhr;
let token: string;

beforeAll(async () => {
  ehr = await startEhr({ seed: [twoCharts] });
  token = (await launchToken(ehr, { scope: 'launch openid patient/*.cruds user/Practitioner.rs' })).access_token;
});

beforeEach(() => {
  ehr.switches.clear();
});

afterAll(() => ehr.close());

const task = (more: Partial<Task> = {}): Task => ({
  resourceType: 'Task',
  status: 'requested',
  intent: 'order',
  for: { reference: 'Patient/a' },
  ...more,
});
const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  fhir(ehr, token, method, path, body, headers);
const createTask = async (more?: Partial<Task>) => (await call('POST', 'Task', task(more))).body.id ?? '';
const ids = (bundle: FhirAnswer) =>
  bundle.entry?.map((entry) => `${entry.resource?.resourceType}/${entry.resource?.id}`);

describe('one resource', () => {
  test('a create answers 201 with an absolute Location and version 1', async () => {
    const created = await call('POST', 'Task', task({ id: 'mine' }));
    expect(created.status).toBe(201);
    expect(created.body.id).not.toBe('mine');
    expect(created.headers.get('location')).toBe(`${ehr.fhirBase}/Task/${created.body.id}/_history/1`);
    expect(created.headers.get('etag')).toBe('W/"1"');
  });

  test('return=minimal leaves the body out', async () => {
    const created = await call('POST', 'Task', task(), { prefer: 'return=minimal' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({});
    expect(created.headers.get('location')).toContain('/Task/');
  });

  test('an update counts the version up; a stale If-Match is refused with 412', async () => {
    const id = await createTask();
    const updated = await call('PUT', `Task/${id}`, task({ id, status: 'accepted' }), { 'if-match': 'W/"1"' });
    expect([updated.status, updated.body.meta?.versionId]).toEqual([200, '2']);
    const stale = await call('PUT', `Task/${id}`, task({ id, status: 'completed' }), { 'if-match': 'W/"1"' });
    expect([stale.status, stale.body.resourceType]).toEqual([412, 'OperationOutcome']);
    expect((await call('GET', `Task/${id}`)).body.status).toBe('accepted');
    expect((await call('GET', `Task/${id}/_history/1`)).body.status).toBe('requested');
    for (const _time of [1, 2])
      expect(
        (await call('GET', `Task/${id}/_history`)).body.entry?.map((entry) => entry.resource?.meta?.versionId),
      ).toEqual(['2', '1']);
  });

  test('If-None-Match with the current version answers 304', async () => {
    expect((await call('GET', 'Patient/a', undefined, { 'if-none-match': 'W/"1"' })).status).toBe(304);
  });

  test('a deleted resource is gone, one that never was is not found', async () => {
    const id = await createTask();
    expect((await call('DELETE', `Task/${id}`)).status).toBe(204);
    expect((await call('GET', `Task/${id}`)).status).toBe(410);
    expect((await call('GET', 'Task/never')).status).toBe(404);
    expect((await call('GET', 'Spaceship/1')).status).toBe(404);
  });

  test('a JSON patch changes one element', async () => {
    const id = await createTask();
    const patched = await call('PATCH', `Task/${id}`, [{ op: 'replace', path: '/status', value: 'in-progress' }], {
      'content-type': 'application/json-patch+json',
    });
    expect(patched.body.status).toBe('in-progress');
  });

  test.each([
    ['a code outside a required value set', task({ status: 'bogus' as Task['status'] }), 'Task.status'],
    [
      'a missing required element',
      { resourceType: 'Task', status: 'requested', for: { reference: 'Patient/a' } },
      'Task.intent',
    ],
    ['an unknown element', { ...task(), colour: 'red' }, 'Task.colour'],
  ])('%s is refused with its path', async (_title, body, path) => {
    const refused = await call('POST', 'Task', body);
    expect(refused.status).toBe(400);
    expect(refused.body.issue?.flatMap((issue) => issue.expression ?? [])).toContain(path);
  });

  test('a reference that leads nowhere is refused', async () => {
    const refused = await call('POST', 'Task', task({ focus: { reference: 'MedicationRequest/none' } }));
    expect(refused.status).toBe(400);
    expect(refused.body.issue?.[0]?.details?.text).toContain('MedicationRequest/none');
  });

  test('a body that is not JSON is refused with an OperationOutcome', async () => {
    const response = await fetch(`${ehr.fhirBase}/Task`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+json' },
      body: '{',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toHaveProperty('resourceType', 'OperationOutcome');
  });

  test('a conditional create makes one resource of two', async () => {
    const body = task({ identifier: [{ system: 'https://bridge.example/case', value: 'case-1' }] });
    const header = { 'if-none-exist': 'identifier=https://bridge.example/case|case-1' };
    const first = await call('POST', 'Task', body, header);
    const second = await call('POST', 'Task', body, header);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.headers.get('location')).toContain(`/Task/${first.body.id}/`);
  });
});

describe('search', () => {
  test('pages by absolute next links until every match was seen once', async () => {
    const made = new Set<string>();
    for (let index = 0; index < 5; index += 1)
      made.add(
        await createTask({ description: 'paged', identifier: [{ system: 'https://page.example', value: 'p' }] }),
      );
    const seen: string[] = [];
    let next: string | undefined = `${ehr.fhirBase}/Task?identifier=https://page.example|p&_count=2`;
    let pages = 0;
    while (next !== undefined) {
      const page: FhirAnswer = await (await fetch(next, { headers: { authorization: `Bearer ${token}` } })).json();
      expect(page.total).toBe(5);
      seen.push(...(page.entry ?? []).map((entry) => entry.resource?.id ?? ''));
      next = page.link?.find((link) => link.relation === 'next')?.url;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(seen.sort()).toEqual([...made].sort());
  });

  test('_include brings what a match refers to, with its mode and fullUrl', async () => {
    const { body } = await call('GET', 'MedicationRequest?patient=a&_include=MedicationRequest:requester');
    expect(body.total).toBe(1);
    expect(body.entry?.map((entry) => [entry.fullUrl, entry.search?.mode])).toEqual([
      [`${ehr.fhirBase}/MedicationRequest/order-a`, 'match'],
      [`${ehr.fhirBase}/Practitioner/doc`, 'include'],
    ]);
  });

  test('_revinclude brings what refers to a match', async () => {
    const id = await createTask({ focus: { reference: 'MedicationRequest/order-a' } });
    expect(ids((await call('GET', 'MedicationRequest?_id=order-a&_revinclude=Task:focus')).body)).toContain(
      `Task/${id}`,
    );
  });

  test('POST _search takes the same parameters in a form', async () => {
    const response = await fetch(`${ehr.fhirBase}/MedicationRequest/_search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ patient: 'Patient/a', status: 'active' }),
    });
    expect(response.status).toBe(200);
    expect(ids((await response.json()) as FhirAnswer)).toEqual(['MedicationRequest/order-a']);
  });

  test('an unknown parameter is refused, not ignored', async () => {
    const refused = await call('GET', 'Task?patien=a');
    expect([refused.status, refused.body.issue?.[0]?.details?.text]).toEqual([400, 'Unknown search parameter: patien']);
  });

  test('$everything of the patient stays in the compartment', async () => {
    const found = ids((await call('GET', 'Patient/a/$everything')).body);
    expect(found).toContain('Patient/a');
    expect(found).toContain('MedicationRequest/order-a');
    expect(found).not.toContain('MedicationRequest/order-b');
  });
});

describe('batch and transaction', () => {
  const bundle = (
    type: string,
    ...requests: { method: string; url: string; resource?: unknown; fullUrl?: string }[]
  ) => ({
    resourceType: 'Bundle',
    type,
    entry: requests.map(({ method, url, resource, fullUrl }) => ({
      request: { method, url },
      ...(resource === undefined ? {} : { resource }),
      ...(fullUrl === undefined ? {} : { fullUrl }),
    })),
  });

  test('a batch answers each entry by itself and in order', async () => {
    const { body } = await call(
      'POST',
      '',
      bundle(
        'batch',
        { method: 'GET', url: 'Patient/a' },
        { method: 'GET', url: 'Patient/none' },
        { method: 'GET', url: 'MedicationRequest?patient=a' },
      ),
    );
    expect(body.entry?.map((entry) => entry.response?.status)).toEqual(['200', '404', '200']);
    expect(body.entry?.[2]?.resource?.total).toBe(1);
  });

  test('a transaction resolves urn:uuid references between its entries', async () => {
    const urn = 'urn:uuid:5f8e7c1e-1f2a-4a3b-8c4d-5e6f7a8b9c0d';
    const { status, body } = await call(
      'POST',
      '',
      bundle(
        'transaction',
        { method: 'POST', url: 'Task', resource: task({ description: 'child', partOf: [{ reference: urn }] }) },
        { method: 'POST', url: 'Task', resource: task(), fullUrl: urn },
      ),
    );
    expect([status, body.entry?.map((entry) => entry.response?.status)]).toEqual([200, ['201', '201']]);
    const child = await call('GET', `Task/${body.entry?.[0]?.resource?.id}`);
    expect(child.body).toMatchObject({ partOf: [{ reference: `Task/${body.entry?.[1]?.resource?.id}` }] });
  });

  test('a transaction with one bad entry changes nothing', async () => {
    const id = await createTask({ description: 'before' });
    const before = (await call('GET', 'Task')).body.total;
    const failed = await call(
      'POST',
      '',
      bundle(
        'transaction',
        { method: 'POST', url: 'Task', resource: task() },
        { method: 'PUT', url: `Task/${id}`, resource: task({ id, description: 'after' }) },
        { method: 'PUT', url: 'Task/x', resource: { resourceType: 'Task', id: 'x', for: { reference: 'Patient/a' } } },
      ),
    );
    expect(failed.status).toBe(400);
    expect((await call('GET', 'Task')).body.total).toBe(before);
    expect((await call('GET', `Task/${id}`)).body).toMatchObject({ description: 'before', meta: { versionId: '1' } });
  });

  test('an entry about another patient is refused inside a batch too', async () => {
    const { body } = await call('POST', '', bundle('batch', { method: 'GET', url: 'Patient/b' }));
    expect(body.entry?.[0]?.response?.status).toBe('403');
  });
});

describe('what a token for patient A reaches', () => {
  test.each(['Patient/b', 'MedicationRequest/order-b', 'Task/task-b'])('not %s', async (reference) => {
    expect((await call('GET', reference)).status).toBe(403);
  });

  test('no search result about B, and none in the total', async () => {
    expect((await call('GET', 'MedicationRequest')).body.total).toBe(1);
    expect((await call('GET', 'Patient?_id=b')).body.total).toBe(0);
    expect((await call('GET', 'Task?patient=b')).body.entry).toBeUndefined();
  });

  test('no write about B, and none that moves a resource from A to B or takes one of B', async () => {
    expect((await call('POST', 'Task', task({ for: { reference: 'Patient/b' } }))).status).toBe(403);
    const id = await createTask();
    expect((await call('PUT', `Task/${id}`, task({ id, for: { reference: 'Patient/b' } }))).status).toBe(403);
    expect(
      (
        await call('PATCH', `Task/${id}`, [{ op: 'replace', path: '/for/reference', value: 'Patient/b' }], {
          'content-type': 'application/json-patch+json',
        })
      ).status,
    ).toBe(403);
    expect((await call('PUT', 'Task/task-b', task({ id: 'task-b' }))).status).toBe(403);
    expect((await call('DELETE', 'Task/task-b')).status).toBe(403);
    expect((await call('GET', `Task/${id}`)).body).toMatchObject({
      for: { reference: 'Patient/a' },
      meta: { versionId: '1' },
    });
  });

  test('no token, no answer', async () => {
    expect((await fhir(ehr, 'made-up', 'GET', 'Patient/a')).status).toBe(401);
    expect((await fetch(`${ehr.fhirBase}/Patient/a`)).status).toBe(401);
  });

  test('a Binary of another patient’s document is refused; its own comes as bytes when asked', async () => {
    const cards = await startEhr();
    const own = (
      await launchToken(cards, {
        launch: cards.launch({ patient: 'card-patient' }).launch,
        scope: 'launch patient/*.rs',
      })
    ).access_token;
    const other = (
      await launchToken(cards, {
        launch: cards.launch({ patient: 'complete-patient' }).launch,
        scope: 'launch patient/*.rs',
      })
    ).access_token;
    expect((await fhir(cards, other, 'GET', 'Binary/card-image')).status).toBe(403);
    const image = await fetch(`${cards.fhirBase}/Binary/card-image`, {
      headers: { authorization: `Bearer ${own}`, accept: 'image/png' },
    });
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await image.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    await cards.close();
  });
});

describe('the CapabilityStatement states what is true', () => {
  // the tests look at it
  const metadata = async () => (await (await fetch(`${ehr.fhirBase}/metadata`)).json()) as CapabilityStatement;
  const creates = (statement: CapabilityStatement, type: string) =>
    statement.rest?.[0]?.resource
      ?.find((resource) => resource.type === type)
      ?.interaction?.some((interaction) => interaction.code === 'create');

  test('Task and DocumentReference can be created, conditionally too', async () => {
    const statement = await metadata();
    expect([creates(statement, 'Task'), creates(statement, 'DocumentReference')]).toEqual([true, true]);
    expect(statement.rest?.[0]?.resource?.find((resource) => resource.type === 'Task')?.conditionalCreate).toBe(true);
    expect(statement.rest?.[0]?.interaction?.map((interaction) => interaction.code)).toEqual(['batch', 'transaction']);
    expect(
      statement.rest?.[0]?.resource?.find((resource) => resource.type === 'MedicationRequest')?.searchInclude,
    ).toContain('MedicationRequest:requester');
  });

  test('it is valid FHIR', async () => {
    const { assertValid } = await import('../../../../src/dev/sandbox/ehr/fhir/validate.ts');
    const statement = await metadata();
    // the same JSON in the two packages' types
    expect(() => assertValid(statement as Parameters<typeof assertValid>[0])).not.toThrow();
  });

  test('hide-type takes Task away altogether', async () => {
    ehr.switches.set({ switch: 'hide-type', value: 'Task' });
    expect(creates(await metadata(), 'Task')).toBeUndefined();
    expect((await call('POST', 'Task', task())).status).toBe(404);
  });

  test('a create that is refused with 405 is not offered', async () => {
    ehr.switches.set({ switch: 'refuse-create', value: { type: 'Task', status: 405 } });
    expect(creates(await metadata(), 'Task')).toBe(false);
  });
});
