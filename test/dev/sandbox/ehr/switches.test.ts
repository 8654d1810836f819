import { readFileSync } from 'node:fs';
import type { CapabilityStatement, DocumentReference, Task } from 'fhir/r4.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ehrSwitches } from '../../../../src/dev/sandbox/ehr/ehr-switches.ts';
import type { EhrOrder, SandboxEhr } from '../../../../src/dev/sandbox/ehr/index.ts';
import {
  authorize,
  type FhirAnswer,
  fhir,
  launchToken,
  redirectUri,
  startEhr,
  tokenRequest,
  twoCharts,
} from './support.ts';

let ehr: SandboxEhr;
let token: string;
let ahead = 0;

beforeAll(async () => {
  ehr = await startEhr({ seed: [twoCharts], clock: () => new Date(Date.now() + ahead) });
  token = (await launchToken(ehr, { scope: 'launch openid patient/*.cruds' })).access_token;
});
beforeEach(() => fetch(`${ehr.url}/sandbox/switches`, { method: 'DELETE' }));
afterAll(() => ehr.close());

/** Ordered as any program would: over HTTP. */
async function order(...orders: EhrOrder[]): Promise<void> {
  const answer = await fetch(`${ehr.url}/sandbox/switches`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(orders),
  });
  expect([answer.status, await answer.json()]).toEqual([201, { ids: orders.map(() => expect.any(Number)) }]);
}

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  fhir(ehr, token, method, path, body, headers);
const task = (value: string, more: Partial<Task> = {}): Task => ({
  resourceType: 'Task',
  status: 'requested',
  intent: 'order',
  identifier: [{ system: 'urn:test', value }],
  for: { reference: 'Patient/a' },
  ...more,
});
const found = async (value: string) => (await call('GET', `Task?identifier=urn:test|${value}`)).body.total;
const raw = (path: string, init: RequestInit = {}) =>
  fetch(`${ehr.url}${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
const post = (resource: Task) =>
  raw('/fhir/Task', {
    method: 'POST',
    headers: { 'content-type': 'application/fhir+json' },
    body: JSON.stringify(resource),
  });

async function standing(): Promise<readonly { readonly used: number }[]> {
  const answer = (await (await fetch(`${ehr.url}/sandbox/switches`)).json()) as { standing: { used: number }[] };
  return answer.standing;
}

interface Entry {
  readonly kind: string;
  readonly resource: string;
  readonly [fact: string]: unknown;
}
async function ledger(kind = ''): Promise<readonly Entry[]> {
  const answer = await fetch(`${ehr.url}/sandbox/ledger?limit=100000${kind === '' ? '' : `&kind=${kind}`}`);
  return ((await answer.json()) as { entries: Entry[] }).entries; // the tests look at what they rely on
}

describe('answers', () => {
  test('delay: nothing is done before the time is over, also when the caller has gone', async () => {
    await order({ switch: 'delay', value: 1500, path: '/fhir/Task', method: 'POST' });
    const started = Date.now();
    const gone = new AbortController();
    const sent = raw('/fhir/Task', {
      method: 'POST',
      headers: { 'content-type': 'application/fhir+json' },
      body: JSON.stringify(task('delayed')),
      signal: gone.signal,
    }).catch(() => 'gone');
    await expect.poll(async () => (await standing())[0]?.used).toBe(1);
    gone.abort();
    expect(await sent).toBe('gone');
    await expect.poll(() => found('delayed')).toBe(1);
    expect(Date.now() - started).toBeGreaterThanOrEqual(1490);
  });

  test('late-answer: the write is there long before its answer, which the caller did not wait for', async () => {
    await order({ switch: 'late-answer', value: 60_000, method: 'POST' });
    const lost = post(task('late')).catch(() => undefined);
    await expect.poll(() => found('late')).toBe(1);
    const first = await Promise.race([lost, new Promise((done) => setTimeout(done, 50, 'no answer'))]);
    expect(first).toBe('no answer');
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ] as const)('drop %s: the connection is cut and %i resources are there', async (when, count) => {
    await order({ switch: 'drop', value: when, method: 'POST' });
    await expect(post(task(`drop-${when}`))).rejects.toThrow();
    expect(await found(`drop-${when}`)).toBe(count);
  });

  test('status: nothing is done, Retry-After is a number of seconds or a date', async () => {
    await order(
      { switch: 'status', value: { status: 503 }, method: 'POST', times: 1 },
      { switch: 'status', value: { status: 429, retryAfter: 30 }, method: 'POST', times: 1 },
      { switch: 'status', value: { status: 429, retryAfter: 30, retryAfterAs: 'date' }, method: 'POST', times: 1 },
    );
    const answers = [await post(task('s')), await post(task('s')), await post(task('s')), await post(task('s'))];
    expect(answers.map(({ status }) => status)).toEqual([503, 429, 429, 201]);
    expect(answers[0]?.headers.get('retry-after')).toBeNull();
    expect(answers[1]?.headers.get('retry-after')).toBe('30');
    const date = Date.parse(answers[2]?.headers.get('retry-after') ?? '');
    expect(Math.abs(date - Date.now() - 30_000)).toBeLessThan(15_000);
    expect(await answers[0]?.json()).toMatchObject({ resourceType: 'OperationOutcome' });
    expect(await found('s')).toBe(1);
  });

  test('status without a path is for sign-in too', async () => {
    await order({ switch: 'status', value: { status: 503 } });
    expect((await fetch(`${ehr.url}/oauth/jwks`)).status).toBe(503);
    expect((await fetch(`${ehr.fhirBase}/metadata`)).status).toBe(503);
    expect((await fetch(ehr.url)).status).toBe(200);
  });

  test('false-status: the write is there, and the answer says that it failed', async () => {
    await order({ switch: 'false-status', value: 504, method: 'POST' });
    const answer = await post(task('false'));
    expect([answer.status, answer.headers.get('location')]).toEqual([504, null]);
    expect(await found('false')).toBe(1);
  });

  test('shape: each wrong form', async () => {
    const read = async (value: 'html' | 'empty' | 'not-json' | 'list' | 'bare' | 'other-types') => {
      await order({ switch: 'shape', value, times: 1 });
      return (await raw('/fhir/Patient/a')).text();
    };
    expect(await read('html')).toContain('<!doctype html>');
    expect(await read('empty')).toBe('');
    const text = await read('not-json');
    expect(() => JSON.parse(text)).toThrow();
    expect(await read('list')).toBe('[]');
    expect(await read('bare')).toBe('{}');
    expect(JSON.parse(await read('other-types'))).toMatchObject({ resourceType: 7, name: [{ family: 5 }] });
    await order({ switch: 'shape', value: 'cut', times: 1 });
    const cut = await raw('/fhir/Patient/a');
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow();
  });
});

describe('writes', () => {
  test('late-commit: the answer comes at once, reads, searches and conditional creates find it later', async () => {
    await order({ switch: 'late-commit', value: 3, times: 1 });
    const answer = await call('POST', 'Task', task('pending'));
    expect([answer.status, answer.body.meta?.versionId]).toEqual([201, '1']);
    expect([(await call('GET', `Task/${answer.body.id}`)).status, await found('pending')]).toEqual([404, 0]);
    expect((await ledger('write.pending')).at(-1)).toMatchObject({
      resource: `Task/${answer.body.id}`,
      commitMs: 3000,
    });
    const again = await call('POST', 'Task', task('pending'), { 'if-none-exist': 'identifier=urn:test|pending' });
    expect(again.status).toBe(201);
    await expect.poll(() => found('pending')).toBe(2);
    expect((await call('GET', `Task/${answer.body.id}`)).body.status).toBe('requested');
    const created = (await ledger('write.created')).filter(({ resource }) => resource === `Task/${answer.body.id}`);
    expect(created).toHaveLength(1);
  });

  test('late-commit of an update: the version before is read until then', async () => {
    const { id = '' } = (await call('POST', 'Task', task('versions'))).body;
    await order({ switch: 'late-commit', value: 2, method: 'PUT', path: '/fhir/Task/*' });
    const answer = await call('PUT', `Task/${id}`, task('versions', { id, status: 'completed' }));
    expect([answer.status, answer.body.meta?.versionId]).toEqual([200, '2']);
    expect((await call('GET', `Task/${id}`)).body.status).toBe('requested');
    await expect.poll(async () => (await call('GET', `Task/${id}`)).body.status).toBe('completed');
  });

  test('late-commit of an update with If-Match: it never comes when another version came before it', async () => {
    const { id = '' } = (await call('POST', 'Task', task('passed'))).body;
    await order({ switch: 'late-commit', value: 2, method: 'PUT', path: '/fhir/Task/*', times: 1 });
    const first = { 'if-match': 'W/"1"' };
    expect((await call('PUT', `Task/${id}`, task('passed', { id, status: 'in-progress' }), first)).status).toBe(200);
    expect((await call('PUT', `Task/${id}`, task('passed', { id, status: 'completed' }), first)).status).toBe(200);
    const lost = async () => (await ledger('write.lost')).some(({ resource }) => resource === `Task/${id}`);
    await expect.poll(lost).toBe(true);
    expect((await call('GET', `Task/${id}`)).body.status).toBe('completed');
  });

  test('late-commit with drop: no answer, and the resource appears', async () => {
    await order({ switch: 'late-commit', value: 0.3 }, { switch: 'drop', value: 'after', method: 'POST' });
    await expect(post(task('later'))).rejects.toThrow();
    await expect.poll(() => found('later')).toBe(1);
  });

  test.each([403, 405, 422] as const)(
    'refuse-create %i refuses creates of the type and nothing else',
    async (status) => {
      const { id = '' } = (await call('POST', 'Task', task('known'))).body;
      await order({ switch: 'refuse-create', value: { type: 'Task', status } });
      const refused = await call('POST', 'Task', task('refused'));
      expect([refused.status, refused.body.resourceType]).toEqual([status, 'OperationOutcome']);
      expect((await call('PUT', `Task/${id}`, task('known', { id, status: 'accepted' }))).status).toBe(200);
      expect(await found('refused')).toBe(0);
    },
  );

  test.each([403, 405, 422] as const)(
    'refuse-update %i refuses updates of the type and nothing else',
    async (status) => {
      const { id = '' } = (await call('POST', 'Task', task('still'))).body;
      await order({ switch: 'refuse-update', value: { type: 'Task', status } });
      const refused = await call('PUT', `Task/${id}`, task('still', { id, status: 'completed' }));
      expect([refused.status, refused.body.resourceType]).toEqual([status, 'OperationOutcome']);
      const patch = [{ op: 'replace', path: '/status', value: 'completed' }];
      expect((await call('PATCH', `Task/${id}`, patch, { 'content-type': 'application/json-patch+json' })).status).toBe(
        status,
      );
      expect((await call('GET', `Task/${id}`)).body.status).toBe('requested');
      expect((await call('POST', 'Task', task('new'))).status).toBe(201);
      const text = await (await fetch(`${ehr.fhirBase}/metadata`)).text();
      const { rest } = JSON.parse(text) as {
        rest: { resource: { type: string; interaction: { code: string }[] }[] }[];
      };
      const codes = rest[0]?.resource.find(({ type }) => type === 'Task')?.interaction.map(({ code }) => code);
      expect(codes?.includes('update')).toBe(status !== 405);
    },
  );

  test('hide-type: the type is not known', async () => {
    await order({ switch: 'hide-type', value: 'Task' });
    expect((await call('POST', 'Task', task('hidden'))).status).toBe(404);
    expect(await (await fetch(`${ehr.fhirBase}/metadata`)).text()).not.toContain('"type":"Task"');
  });

  test.each([
    ['body', false, true],
    ['location', true, false],
    ['both', false, false],
  ] as const)('empty-created %s: 201, with a body: %s, with Location: %s', async (value, hasBody, hasLocation) => {
    await order({ switch: 'empty-created', value });
    const answer = await post(task(`empty-${value}`));
    expect([answer.status, (await answer.text()) !== '', answer.headers.has('location')]).toEqual([
      201,
      hasBody,
      hasLocation,
    ]);
    expect(await found(`empty-${value}`)).toBe(1);
  });

  test('conflict-status: a stale If-Match has this status', async () => {
    const { id = '' } = (await call('POST', 'Task', task('conflict'))).body;
    await order({ switch: 'conflict-status', value: 409 });
    const stale = await call('PUT', `Task/${id}`, task('conflict', { id }), { 'if-match': 'W/"9"' });
    expect([stale.status, stale.body.resourceType]).toEqual([409, 'OperationOutcome']);
  });
});

describe('searches', () => {
  test('search-lag: a search sees the chart as it was, a read as it is', async () => {
    const { id = '' } = (await call('POST', 'Task', task('lag'))).body;
    ahead += 100_000;
    await call('PUT', `Task/${id}`, task('lag', { id, status: 'accepted' }));
    const { id: newer = '' } = (await call('POST', 'Task', task('lag'))).body;
    await order({ switch: 'search-lag', value: 60 });
    const seen = async (query: string) =>
      ((await call('GET', `Task?${query}`)).body as FhirAnswer).entry?.map(({ resource }) => [
        resource?.id,
        resource?.status,
      ]);
    expect(await seen('identifier=urn:test|lag')).toEqual([[id, 'requested']]);
    expect(await seen(`patient=a&status=requested&_id=${id}`)).toEqual([[id, 'requested']]);
    expect((await call('GET', `Task/${id}`)).body.status).toBe('accepted');
    expect((await call('GET', `Task/${newer}`)).status).toBe(200);
    const blind = await call('POST', 'Task', task('lag-2'));
    expect(blind.status).toBe(201);
    const doubled = await call('POST', 'Task', task('lag-2'), { 'if-none-exist': 'identifier=urn:test|lag-2' });
    expect(doubled.status).toBe(201);
    ahead += 61_000;
    expect(await seen('identifier=urn:test|lag')).toHaveLength(2);
    expect(await found('lag-2')).toBe(2);
  });

  test('search-lag does not hide what was there at the start', async () => {
    await order({ switch: 'search-lag', value: 3600 });
    expect((await call('GET', 'MedicationRequest?patient=a')).body.total).toBe(1);
  });

  test('slow-search: searches of the type take so long, reads and others do not', async () => {
    await order({ switch: 'slow-search', value: { milliseconds: 300, type: 'Task' } });
    const took = async (path: string) => {
      const started = performance.now();
      expect((await call('GET', path)).status).toBe(200);
      return performance.now() - started;
    };
    expect(await took('Task?patient=a')).toBeGreaterThanOrEqual(290);
    expect((await standing())[0]?.used).toBe(1);
    await took('Patient/a');
    await took('MedicationRequest?patient=a');
    expect((await standing())[0]?.used).toBe(1);
  });
});

test('hide-patient: the token answer does not say who is open', async () => {
  await order({ switch: 'hide-patient', value: true, times: 1 });
  expect((await launchToken(ehr)).patient).toBeUndefined();
  expect((await launchToken(ehr)).patient).toBe('a');
});

test.each([
  ['medplum', 'invalid_request', 'Invalid code', 'Missing code'],
  ['smart-launcher', 'invalid_client', 'Invalid token (supplied as code', "Missing 'code' parameter"],
] as const)(
  'token-refusals: a wrong code is refused as %s does, a right one is taken',
  async (as, error, wrong, none) => {
    await order({ switch: 'token-refusals', value: as });
    const form = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: 'v'.repeat(43) };
    for (const client_id of ['test-public', 'nobody']) {
      expect(await tokenRequest(ehr, { ...form, client_id, code: 'made-up' })).toMatchObject({
        error,
        error_description: expect.stringContaining(wrong),
      });
      expect(await tokenRequest(ehr, { ...form, client_id })).toMatchObject({ error, error_description: none });
    }
    expect((await launchToken(ehr)).patient).toBe('a');
  },
);

test('refuse-sign-in: the browser goes back with the error', async () => {
  await order({ switch: 'refuse-sign-in', value: { error: 'invalid_scope', description: 'Not enabled.' }, times: 1 });
  const { params } = await authorize(ehr);
  expect([params.get('error'), params.get('error_description')]).toEqual(['invalid_scope', 'Not enabled.']);
  expect(params.get('state')).not.toBeNull();
  expect((await launchToken(ehr)).patient).toBe('a');
});

test('a launch is made over HTTP, as the chart’s button makes it', async () => {
  const make = (body: unknown) =>
    fetch(`${ehr.url}/sandbox/launches`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const answer = await make({ patient: 'a', order: 'order-a' });
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { launch: expect.any(String), address: expect.stringContaining('http://localhost:9/launch?iss=') },
  ]);
  expect((await make({ patient: 'nobody' })).status).toBe(404);
  expect((await make({})).status).toBe(422);
});

describe('the ledger', () => {
  test('has each version that was written, with whom it is about and its files', async () => {
    const document: DocumentReference = {
      resourceType: 'DocumentReference',
      status: 'current',
      identifier: [{ system: 'urn:test', value: 'letter' }],
      subject: { reference: 'Patient/a' },
      content: [{ attachment: { contentType: 'text/plain', data: Buffer.from('hello').toString('base64') } }],
    };
    const { id = '' } = (await call('POST', 'DocumentReference', document)).body;
    await call('PUT', `DocumentReference/${id}`, { ...document, id, status: 'entered-in-error' });
    await call('DELETE', `DocumentReference/${id}`);
    const entries = (await ledger()).filter(({ resource }) => resource === `DocumentReference/${id}`);
    expect(entries).toMatchObject([
      {
        kind: 'write.created',
        type: 'DocumentReference',
        version: '1',
        status: 'current',
        identifier: [{ system: 'urn:test', value: 'letter' }],
        patients: ['a'],
        // sha256 of "hello"
        files: ['2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'],
      },
      { kind: 'write.updated', version: '2', status: 'entered-in-error' },
      { kind: 'write.deleted', version: '2' },
    ]);
  });

  test('has nothing of a write that was refused or of a transaction that was undone', async () => {
    const before = (await ledger()).length;
    expect((await call('POST', 'Task', { ...task('x'), status: 'nonsense' })).status).toBe(400);
    const transaction = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [
        { request: { method: 'POST', url: 'Task' }, resource: task('undone') },
        { request: { method: 'POST', url: 'Task' }, resource: { ...task('undone'), status: 'nonsense' } },
      ],
    };
    expect(
      (
        await raw('/fhir', {
          method: 'POST',
          body: JSON.stringify(transaction),
          headers: { 'content-type': 'application/fhir+json' },
        })
      ).status,
    ).toBe(400);
    expect(await found('undone')).toBe(0);
    expect((await ledger()).length).toBe(before);
  });

  test('is complete when many write at once', async () => {
    const writes = await Promise.all(Array.from({ length: 100 }, (_, at) => call('POST', 'Task', task(`many-${at}`))));
    const ids = new Set(writes.map(({ body }) => `Task/${body.id}`));
    expect((await ledger('write.created')).filter(({ resource }) => ids.has(resource))).toHaveLength(100);
  });
});

describe('how an EHR product deviates', () => {
  const statement = async () => (await (await fetch(`${ehr.fhirBase}/metadata`)).json()) as CapabilityStatement;
  const letter = (more: Partial<DocumentReference> = {}): DocumentReference => ({
    resourceType: 'DocumentReference',
    status: 'current',
    subject: { reference: 'Patient/a' },
    content: [{ attachment: { contentType: 'application/pdf', data: 'aGVsbG8=' } }],
    ...more,
  });

  test('offers: only these interactions, in the CapabilityStatement and in its answers', async () => {
    const { id = '' } = (await call('POST', 'Task', task('offered'))).body;
    await order({ switch: 'offers', value: { others: 'rs', types: { Task: 'rus', Medication: '' } } });
    const [{ resource = [] } = {}] = (await statement()).rest ?? [];
    const stated = resource.find(({ type }) => type === 'Task')?.interaction?.map(({ code }) => code);
    expect(stated).toEqual(['read', 'vread', 'update', 'history-instance', 'search-type']);
    expect(resource.some(({ type }) => type === 'Medication')).toBe(false);
    const answers = [
      await call('POST', 'Task', task('offered')),
      await call('PUT', `Task/${id}`, { ...task('offered'), id, status: 'completed' }),
      await call('DELETE', `Task/${id}`),
      await call('GET', 'Task?patient=a'),
      await call('POST', 'Coverage', { resourceType: 'Coverage' }),
      await call('GET', 'Medication/1'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 200, 405, 200, 405, 404]);
  });

  test('no-system, no-include, no-conditional: what is stated and what is refused', async () => {
    await order(
      { switch: 'no-system', value: true },
      { switch: 'no-include', value: true },
      { switch: 'no-conditional', value: true },
    );
    const [server] = (await statement()).rest ?? [];
    const orders = server?.resource?.find(({ type }) => type === 'MedicationRequest');
    expect([server?.interaction, orders?.searchInclude, orders?.conditionalCreate]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    const batch = { resourceType: 'Bundle', type: 'batch', entry: [{ request: { method: 'GET', url: 'Patient/a' } }] };
    expect((await call('POST', '', batch)).status).toBe(404);
    const included = 'MedicationRequest?patient=a&_include=MedicationRequest:requester';
    expect((await call('GET', included)).status).toBe(400);
    const condition = { 'if-none-exist': 'identifier=urn:test|twice' };
    for (const _ of [1, 2]) expect((await call('POST', 'Task', task('twice'), condition)).status).toBe(201);
    expect(await found('twice')).toBe(2);
  });

  test('precondition: an update goes by If-Unmodified-Since', async () => {
    const { body } = await call('POST', 'Task', task('since'));
    const { id = '' } = body;
    await order({ switch: 'precondition', value: 'if-unmodified-since' });
    const put = (headers: Record<string, string>) =>
      call('PUT', `Task/${id}`, { ...task('since'), id, description: headers['if-unmodified-since'] ?? 'x' }, headers);
    const now = new Date(ehr.peek(`Task/${id}`)?.meta?.lastUpdated ?? '').toUTCString();
    expect((await put({ 'if-unmodified-since': now, 'if-match': 'W/"77"' })).status).toBe(200);
    const old = new Date(Date.parse(now) - 60_000).toUTCString();
    expect((await put({ 'if-unmodified-since': old })).status).toBe(412);
  });

  test('versions: ETags that are compared strongly, If-Match required, no versionId', async () => {
    const { body } = await call('POST', 'Task', task('versions'));
    const { id = '' } = body;
    await order({ switch: 'versions', value: { etag: 'bare', takes: 'strong', versionId: false, required: true } });
    const read = await call('GET', `Task/${id}`);
    expect(read.headers.get('etag')).toBe('1');
    expect(read.body.meta).not.toHaveProperty('versionId');
    const put = (headers: Record<string, string>) =>
      call('PUT', `Task/${id}`, { ...task('versions'), id, description: 'x' }, headers);
    expect((await put({})).status).toBe(428);
    expect((await put({ 'if-match': 'W/"1"' })).status).toBe(412);
    expect((await put({ 'if-match': '1' })).status).toBe(412);
    const taken = await put({ 'if-match': '"1"' });
    expect([taken.status, taken.headers.get('etag')]).toEqual([200, '2']);
    expect(taken.headers.get('location')).toMatch(new RegExp(`/Task/${id}$`));
    expect((await put({ 'if-match': '"1"' })).status).toBe(412);
  });

  test.each([
    ['search', /^http.*\/fhir\/Task\?.*_maxresults=2/],
    ['relative', /^\/Task\?.*_maxresults=2/],
    ['inner-host', /^http:\/\/ehr\.inner\.example:8443\/fhir\/Task\?.*_maxresults=2/],
    ['cursor', /^http.*\/fhir\/Task\?cursor=[\w-]+$/],
    ['continue', /^http.*\/fhir\/Task\?continue=[\w-]+$/],
    ['page', /^http.*\/fhir\/Task\?page=[\w-]+$/],
  ] as const)('pages: %s links, and another word for their size', async (link, form) => {
    for (const nth of [1, 2, 3]) await call('POST', 'Task', task(`paged-${link}`, { description: `${nth}` }));
    await order({ switch: 'pages', value: { size: 1, parameter: '_maxresults', link } });
    const path = `Task?identifier=urn:test|paged-${link}`;
    expect((await call('GET', path)).body.entry).toHaveLength(1);
    expect((await call('GET', `${path}&_count=2`)).status).toBe(400);
    const first = (await call('GET', `${path}&_maxresults=2`)).body;
    const next = first.link?.find(({ relation }) => relation === 'next')?.url ?? '';
    expect(next).toMatch(form);
    const second = (await call('GET', next.replace(/^(.*\/fhir)?\//, ''))).body;
    expect([first.entry?.length, second.entry?.length]).toEqual([2, 1]);
  });

  test('outcome-entry: a note stands among the entries', async () => {
    await order({ switch: 'outcome-entry', value: '4119' });
    const { entry = [] } = (await call('GET', 'MedicationRequest?patient=a')).body;
    expect(entry.map(({ search }) => search?.mode)).toEqual(['match', 'outcome']);
    expect(entry[1]?.resource?.issue?.[0]).toMatchObject({ details: { coding: [{ code: '4119' }] } });
  });

  test.each(['error', 'fatal'])('failed-search: half of what was found, and the failure (%s)', async (severity) => {
    for (const nth of [1, 2]) await call('POST', 'Task', task(`failed-${severity}`, { description: `${nth}` }));
    await order({ switch: 'failed-search', value: severity });
    const { status, body } = await call('GET', `Task?identifier=urn:test|failed-${severity}`);
    const { entry = [] } = body;
    expect([status, ...entry.map(({ search }) => search?.mode)]).toEqual([200, 'match', 'outcome']);
    expect(entry[1]?.resource?.issue?.[0]).toMatchObject({ severity, code: 'timeout' });
  });

  test('null-entries: nulls among entries and links, and a conditional create is answered as ever', async () => {
    await order({ switch: 'null-entries', value: true });
    await order({ switch: 'outcome-entry', value: '4119' });
    const { entry, link } = (await call('GET', 'MedicationRequest?patient=a')).body;
    expect([entry?.at(0), entry?.at(-1), link?.at(0)]).toEqual([null, null, null]);
    const condition = { 'if-none-exist': 'identifier=urn:test|once' };
    const statuses = [];
    for (const _ of [1, 2]) statuses.push((await call('POST', 'Task', task('once'), condition)).status);
    expect(statuses).toEqual([201, 200]);
  });

  test('break-the-glass: a policy refuses what was granted', async () => {
    await order({ switch: 'break-the-glass', value: 'MedicationRequest' });
    const refused = await call('GET', 'MedicationRequest?patient=a');
    expect([refused.status, refused.body.issue?.[0]]).toMatchObject([403, { details: { coding: [{ code: '4130' }] } }]);
    expect((await call('GET', 'Patient/a')).status).toBe(200);
  });

  test('merged-patient: the record leads to another one', async () => {
    await order({ switch: 'merged-patient', value: { from: 'a', to: 'b' } });
    const redirect = await raw('/fhir/Patient/a', { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, `${ehr.fhirBase}/Patient/b`]);
    expect((await call('GET', 'Patient/a')).body.id).toBe('b');
  });

  test('body-limit: a larger body is refused', async () => {
    await order({ switch: 'body-limit', value: 600 });
    expect((await call('POST', 'Task', task('small'))).status).toBe(201);
    expect((await call('POST', 'Task', task('large', { description: 'x'.repeat(600) }))).status).toBe(413);
  });

  test('rules canvas: the form of a Task; what it does not keep; notes are added each time', async () => {
    await order({ switch: 'rules', value: 'canvas' });
    const refused = await call('POST', 'Task', task('canvas', { status: 'received' }));
    expect([refused.status, refused.body.issue?.map(({ expression }) => expression?.[0])]).toEqual([
      422,
      ['Task.intent', 'Task.status', 'Task.description', 'Task.requester'],
    ]);
    const taken = task('canvas', {
      intent: 'unknown',
      description: 'Prior authorization',
      requester: { reference: 'Practitioner/doc' },
      note: [{ text: 'sent' }],
    });
    const { id = '' } = (await call('POST', 'Task', taken)).body;
    await call('PUT', `Task/${id}`, { ...taken, id });
    const stored = ehr.peek(`Task/${id}`) as Task;
    expect(stored.identifier).toBeUndefined();
    expect(stored.requester).toEqual({ reference: 'Practitioner/doc', type: 'Practitioner' });
    expect(stored.note).toEqual([{ text: 'sent' }, { text: 'sent' }]);
  });

  test('rules oracle: the author is the authorized provider, and what it does not know is ignored', async () => {
    await order({ switch: 'rules', value: 'oracle' });
    const taken = letter({
      identifier: [{ system: 'urn:test', value: 'oracle' }],
      docStatus: 'final',
      type: { coding: [{ system: 'http://loinc.org', code: '52034-6' }] },
      author: [{ reference: 'Practitioner/doc' }],
      context: { period: { end: '2026-11-20T10:00:00Z' } },
    });
    const created = await call('POST', 'DocumentReference', taken);
    expect(created.status).toBe(201);
    expect(ehr.peek(`DocumentReference/${created.body.id}`)).not.toHaveProperty('identifier');
    const refused = await call('POST', 'DocumentReference', {
      ...taken,
      author: [{ reference: 'Practitioner/other' }],
      authenticator: { reference: 'Practitioner/doc' },
      context: { period: { end: '2026-11-20' } },
    });
    expect(refused.body.issue?.map(({ expression }) => expression?.[0])).toEqual([
      'DocumentReference.author',
      'DocumentReference.authenticator',
      'DocumentReference.context.period.end',
    ]);
  });
});

test('every switch of the table is tried here', () => {
  const source = readFileSync(import.meta.filename, 'utf8');
  expect(Object.keys(ehrSwitches).filter((name) => !source.includes(`switch: '${name}'`))).toEqual([]);
});
