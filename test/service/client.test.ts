import { createServer, type Server } from 'node:net';
import nock from 'nock';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { BridgeError } from '../../src/core/errors.ts';
import { createServiceClient, type ServiceClientOptions } from '../../src/service/client.ts';
import { visibleOutcome } from '../../src/service/outcome-words.ts';
import { statusRule } from '../../src/service/statuses.ts';
import { benefitBody, codedBody, enrollmentBody, priorAuthBody } from './sample.ts';

const base = 'https://service.example';
const pdf = Buffer.from('%PDF-1.7\nbytes');

/** A client whose waits are recorded instead of waited for. */
function client(more: Partial<ServiceClientOptions> = {}) {
  const waits: number[] = [];
  let now = Date.parse('2026-11-21T10:00:00Z');
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds);
    now += milliseconds;
  };
  const service = createServiceClient({
    url: `${base}/`,
    token: () => 'token-1',
    clock: () => new Date(now),
    sleep,
    random: () => 0.5,
    log: silentLog,
    ...more,
  });
  return { service, waits };
}

async function failure(promise: Promise<unknown>): Promise<BridgeError> {
  const thrown = await promise.then(
    () => new Error('it did not fail'),
    (error: unknown) => error,
  );
  if (!(thrown instanceof BridgeError)) throw thrown;
  return thrown;
}

const record = { id: 'pa_1', status: 'processing' };

describe('requests', () => {
  test('create sends the body with the bearer token and resolves to the id', async () => {
    const scope = nock(base, { reqheaders: { authorization: 'Bearer token-1', 'content-type': 'application/json' } })
      .post('/prior-authorization', JSON.parse(JSON.stringify(priorAuthBody())))
      .reply(200, { status: 'success', data: { id: 'pa_1' } });
    expect(await client().service.createPriorAuthorization(priorAuthBody())).toEqual({ id: 'pa_1' });
    scope.done();
  });

  test('a body against the contract is not sent at all', async () => {
    const scope = nock(base).post('/prior-authorization').reply(200, {});
    const error = await failure(client().service.createPriorAuthorization({ ...priorAuthBody(), diagnoses: [] }));
    expect(error).toMatchObject({ code: 'case_not_ready', facts: { fields: ['diagnoses'] } });
    expect(scope.isDone()).toBe(false);
  });

  test('the token is asked for at each request', async () => {
    const tokens = ['one', 'two'];
    const { service } = client({ token: async () => tokens.shift() ?? 'none' });
    for (const token of ['one', 'two']) {
      const scope = nock(base, { reqheaders: { authorization: `Bearer ${token}` } })
        .get('/prior-authorization/pa_1')
        .reply(200, { data: record });
      await service.getPriorAuthorization('pa_1');
      scope.done();
    }
  });

  test('a malformed token is not sent and not quoted', async () => {
    const error = await failure(client({ token: () => 'sec\nret' }).service.getPriorAuthorization('pa_1'));
    expect(error.code).toBe('service_unauthorized');
    expect(`${error.message}${String(error.cause)}`).not.toContain('sec');
  });

  test('cancel sends the reason, and an empty envelope or none is success', async () => {
    for (const reply of [{ status: 'success', data: null }, { status: 'success' }]) {
      const scope = nock(base)
        .post('/prior-authorization/pa_1/cancel', { cancellation_reason: 'Ordered another drug' })
        .reply(200, reply);
      await client().service.cancelPriorAuthorization('pa_1', 'Ordered another drug');
      scope.done();
    }
    const scope = nock(base).post('/prior-authorization/pa_1/cancel').reply(204);
    await client().service.cancelPriorAuthorization('pa_1', 'x');
    scope.done();
  });

  test('a benefit verification is created, read and cancelled at addresses of its own', async () => {
    const scope = nock(base, { reqheaders: { authorization: 'Bearer token-1' } })
      .post('/benefit-verification', JSON.parse(JSON.stringify(benefitBody())))
      .reply(200, { status: 'success', data: { id: 'bv_1' } })
      .get('/benefit-verification/bv_1')
      .reply(200, { status: 'success', data: { id: 'bv_1', status: 'pending', moon: 'full', error: null } })
      .post('/benefit-verification/bv_1/cancel', '')
      .reply(204);
    const { service } = client();
    expect(await service.createBenefitVerification(benefitBody())).toEqual({ id: 'bv_1' });
    expect(await service.getBenefitVerification('bv_1')).toEqual({ id: 'bv_1', status: 'pending', moon: 'full' });
    await service.cancelBenefitVerification('bv_1');
    scope.done();
  });

  test('a benefit verification without a whole address of the prescriber is not sent at all', async () => {
    const body = benefitBody();
    const { street: _, ...address } = body.provider.address;
    const wrong = { ...body, provider: { ...body.provider, address } } as typeof body;
    const error = await failure(client().service.createBenefitVerification(wrong));
    expect(error).toMatchObject({ code: 'case_not_ready', facts: { fields: ['provider.address.street'] } });
  });

  test.each([
    ['Provider Not Authorized', 'Provider Not Authorized', /Ask the operator to enroll the NPI/],
    ['Wendell Okafor is unknown', 'unreadable', /./],
  ])('the code %s of a refused benefit verification is told as %s', async (code, told, next) => {
    nock(base)
      .post('/benefit-verification')
      .reply(400, { status: 'error', error: { title: 'No', code } });
    const error = await failure(client().service.createBenefitVerification(benefitBody()));
    expect(error).toMatchObject({ code: 'service_refused', facts: { service_code: told } });
    expect(error.next).toMatch(next);
  });

  test.each([
    [400, 'service_refused', 'completed'],
    [404, 'service_not_found', undefined],
  ])('a cancel of a benefit verification that is answered by %s throws %s', async (status, code, said) => {
    const detail = 'Cannot cancel benefit verification with status: COMPLETED';
    nock(base).post('/benefit-verification/bv_1/cancel').reply(status, { detail });
    const error = await failure(client().service.cancelBenefitVerification('bv_1'));
    expect(error).toMatchObject({ code, ...(said === undefined ? {} : { facts: { service_status: said } }) });
  });

  test('an enrollment resolves to what the service confirmed with, if anything', async () => {
    nock(base)
      .post('/patient-enrollment')
      .reply(200, { status: 'success', data: { id: 'pe_1', stage: 'new' } });
    expect(await client().service.submitEnrollment(enrollmentBody())).toEqual({ id: 'pe_1', stage: 'new' });
    nock(base).post('/patient-enrollment').reply(201, { status: 'success' });
    expect(await client().service.submitEnrollment(enrollmentBody())).toBeUndefined();
    nock(base).post('/patient-enrollment').reply(204);
    expect(await client().service.submitEnrollment(enrollmentBody())).toBeUndefined();
  });

  test('an id is one path segment, whatever is in it', async () => {
    const scope = nock(base)
      .get('/prior-authorization/..%2Fother%3Fx')
      .reply(200, { data: { id: '../other?x', status: 'processing' } });
    expect((await client().service.getPriorAuthorization('../other?x')).id).toBe('../other?x');
    scope.done();
    for (const id of ['', '.', '..'])
      expect((await failure(client().service.getPriorAuthorization(id))).code).toBe('service_not_found');
  });

  test('a record of another id is not taken', async () => {
    nock(base)
      .get('/prior-authorization/pa_1')
      .reply(200, { data: { ...record, id: 'pa_2' } });
    expect(await failure(client().service.getPriorAuthorization('pa_1'))).toMatchObject({
      code: 'service_contract',
      facts: { reason: 'another record' },
    });
  });
});

describe('what the service refuses', () => {
  const create = (more: Partial<ServiceClientOptions> = {}) =>
    failure(client(more).service.createPriorAuthorization(priorAuthBody()));

  test('a business error carries its code, the fields it speaks of and what to do', async () => {
    nock(base)
      .post('/prior-authorization')
      .reply(400, {
        status: 'error',
        data: null,
        error: { code: 'insurance_content_invalid_rx_bin', title: 'Bad BIN of Teszt', description: '00501' },
      });
    const error = await create();
    expect(error).toMatchObject({
      code: 'service_refused',
      facts: {
        operation: 'create',
        http: 400,
        service_code: 'insurance_content_invalid_rx_bin',
        fields: ['insurance_content.rx_bin'],
      },
      next: 'Correct the RxBIN: six digits, as on the insurance card. Then send again.',
    });
    expect(JSON.stringify({ ...error, message: error.message })).not.toMatch(/Teszt|00501/);
  });

  test('a validation list gives paths and kinds, never what was sent', async () => {
    const detail = [
      {
        loc: ['body', 'patient', 'last_name'],
        msg: 'Teszt-Łabędź is wrong',
        type: 'value_error',
        input: 'Teszt-Łabędź',
      },
      { loc: ['body', 'diagnoses', 0, 'code'], msg: 'x', type: 'Kind with M05.79' },
      { loc: ['body', 'prescription', 'extra', 'Teszt Łabędź'], msg: 'x', type: 'missing' },
    ];
    nock(base).post('/prior-authorization').reply(422, { detail });
    const error = await create();
    expect(error).toMatchObject({
      code: 'service_refused',
      facts: {
        http: 422,
        fields: ['patient.last_name', 'diagnoses[0].code', 'prescription.extra.?'],
        kinds: ['value_error', 'invalid', 'missing'],
      },
    });
    expect(JSON.stringify({ ...error, message: error.message })).not.toMatch(/Teszt|M05/);
  });

  test('an unknown code is kept, an unreadable one is not', async () => {
    nock(base)
      .post('/prior-authorization')
      .reply(400, { status: 'error', error: { code: 'a_new_code', title: 'T' } });
    expect((await create()).facts.service_code).toBe('a_new_code');
    nock(base)
      .post('/prior-authorization')
      .reply(400, { status: 'error', error: { code: 'Patient Zsófia Teszt', title: 'T' } });
    expect((await create()).facts.service_code).toBe('unreadable');
  });

  test('an error envelope with HTTP 200 is a refusal', async () => {
    nock(base)
      .post('/prior-authorization')
      .reply(200, { status: 'error', data: null, error: { code: 'unsupported_drug', title: 'T' } });
    expect(await create()).toMatchObject({ code: 'service_refused', facts: { service_code: 'unsupported_drug' } });
  });

  test.each([
    [401, { status: 'error' }, 'service_unauthorized'],
    [401, 'no', 'service_unauthorized'],
    [403, { status: 'error', error: { code: 'api_access_not_enabled', title: 'T' } }, 'service_unauthorized'],
    [404, { detail: 'Not Found' }, 'service_contract'],
    [409, { status: 'error', error: { code: 'prescription_message_already_linked', title: 'T' } }, 'service_refused'],
    [413, 'too large', 'service_too_large'],
    [429, { status: 'error', error: { code: 'rate_limit_exceeded', title: 'T' } }, 'service_rate_limited'],
    [503, { status: 'error', error: { code: 'service_unavailable', title: 'T' } }, 'service_error'],
  ])('create answered with %i %j is definite: %3$s', async (status, body, code) => {
    nock(base).post('/prior-authorization').reply(status, body);
    expect(await create()).toMatchObject({ code, facts: { operation: 'create', http: status } });
  });

  test.each([
    [{}, 'rate_limit_exceeded', 'Wait, then'],
    [{ 'retry-after': '30' }, undefined, 'Wait a minute, then'],
    [{ 'retry-after': '610' }, undefined, 'Wait 11 minutes, then'],
    [{ 'retry-after': '14400' }, undefined, 'Wait 4 hours, then'],
  ])('a create that comes too soon (%j, code %s) is repeated by a person: %s', async (headers, code, words) => {
    const body = code === undefined ? 'slow down' : { status: 'error', error: { code, title: 'T' } };
    nock(base).post('/prior-authorization').once().reply(429, body, headers);
    const refused = await create();
    expect(refused).toMatchObject({ code: 'service_rate_limited' });
    expect(refused.next).toBe(`The service takes no more requests for now. ${words} send again.`);
  });

  test('a body of another profile than the client speaks does not leave', async () => {
    const setup = client({ profile: 'current' });
    expect(await failure(setup.service.createPriorAuthorization(priorAuthBody()))).toMatchObject({
      code: 'case_not_ready',
      facts: { fields: ['prescription', 'provider.address'] },
    });
    nock(base)
      .post('/prior-authorization')
      .reply(200, { status: 'success', data: { id: 'pa_1' } });
    expect(await setup.service.createPriorAuthorization(codedBody())).toMatchObject({ id: 'pa_1' });
  });

  test('cancelling a finished record names its status', async () => {
    nock(base)
      .post('/prior-authorization/pa_1/cancel')
      .reply(400, { detail: 'Cannot cancel prior authorization with status: COMPLETED' });
    const error = await failure(client().service.cancelPriorAuthorization('pa_1', 'x'));
    expect(error).toMatchObject({
      code: 'service_refused',
      facts: { operation: 'cancel', service_status: 'completed' },
    });
  });

  test('an unknown record', async () => {
    nock(base).get('/prior-authorization/pa_1').reply(404, { detail: 'Prior Authorization Request does not exist.' });
    expect((await failure(client().service.getPriorAuthorization('pa_1'))).code).toBe('service_not_found');
    nock(base)
      .post('/prior-authorization/pa_1/cancel')
      .reply(404, { detail: 'Prior Authorization Request does not exist.' });
    expect((await failure(client().service.cancelPriorAuthorization('pa_1', 'x'))).code).toBe('service_not_found');
  });
});

describe('a create whose answer was lost', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function loopback(onData: (socket: import('node:net').Socket) => void): Promise<string> {
    const server = createServer((socket) => socket.once('data', () => onData(socket)).on('error', () => {}));
    servers.push(server);
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  test.each([500, 502, 504])('%i is unclear and not sent again', async (status) => {
    const scope = nock(base)
      .post('/prior-authorization')
      .reply(status, 'oops')
      .post('/prior-authorization')
      .reply(200, { data: { id: 'pa_2' } });
    const { service, waits } = client();
    expect(await failure(service.createPriorAuthorization(priorAuthBody()))).toMatchObject({
      code: 'service_unclear',
      facts: { http: status },
    });
    expect(waits).toEqual([]);
    expect(scope.isDone()).toBe(false);
  });

  test('a bare 503 of a gateway is unclear, one with Retry-After is not', async () => {
    nock(base).post('/prior-authorization').reply(503, '<html>');
    expect((await failure(client().service.createPriorAuthorization(priorAuthBody()))).code).toBe('service_unclear');
    nock(base).post('/prior-authorization').reply(503, '', { 'retry-after': '30' });
    expect(await failure(client().service.createPriorAuthorization(priorAuthBody()))).toMatchObject({
      code: 'service_error',
      facts: { retry_after_seconds: 30 },
    });
  });

  test.each([
    ['without an id', { status: 'success', data: {} }],
    ['without data', { status: 'success', data: null }],
    ['that is not JSON', '<html>'],
    ['that is empty', ''],
  ])('200 %s is unclear', async (_, body) => {
    nock(base).post('/prior-authorization').reply(200, body);
    expect((await failure(client().service.createPriorAuthorization(priorAuthBody()))).code).toBe('service_unclear');
  });

  test('a connection cut after the request is unclear, and one request only', async () => {
    let requests = 0;
    const url = await loopback((socket) => {
      requests++;
      socket.destroy();
    });
    const error = await failure(client({ url }).service.createPriorAuthorization(priorAuthBody()));
    expect(error.code).toBe('service_unclear');
    expect(requests).toBe(1);
  });

  test('an answer cut in the middle is unclear', async () => {
    const url = await loopback((socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\ncontent-length: 500\r\ncontent-type: application/json\r\n\r\n{"status":"success","da',
      ),
    );
    expect((await failure(client({ url }).service.createPriorAuthorization(priorAuthBody()))).code).toBe(
      'service_unclear',
    );
  });

  test('an answer that does not come in time is unclear', async () => {
    const url = await loopback(() => {});
    const error = await failure(
      client({ url, policy: { timeout: 50 } }).service.createPriorAuthorization(priorAuthBody()),
    );
    expect(error).toMatchObject({ code: 'service_unclear', facts: { reason: 'timeout' } });
  });

  test('an answer that never ends is cut off', async () => {
    const url = await loopback((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const block = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
      const more = () => {
        if (!socket.destroyed) socket.write(block, more);
      };
      more();
    });
    expect(await failure(client({ url }).service.createPriorAuthorization(priorAuthBody()))).toMatchObject({
      code: 'service_unclear',
      facts: { reason: 'body-too-large' },
    });
  });

  test('a refused connection sent nothing', async () => {
    const url = await loopback(() => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    servers.pop()?.close(() => resolve());
    await promise;
    expect(await failure(client({ url }).service.createPriorAuthorization(priorAuthBody()))).toMatchObject({
      code: 'service_unreachable',
      facts: { reason: 'ECONNREFUSED' },
    });
  });

  test('a name that does not resolve sent nothing', async () => {
    const fails = async () => {
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('lookup'), { code: 'ENOTFOUND' }) });
    };
    expect((await failure(client({ fetch: fails }).service.submitEnrollment(enrollmentBody()))).code).toBe(
      'service_unreachable',
    );
  });

  test('a redirect is not followed', async () => {
    const elsewhere = nock('https://elsewhere.example')
      .post('/prior-authorization')
      .reply(200, { data: { id: 'pa_9' } });
    nock(base)
      .post('/prior-authorization')
      .reply(307, '', { location: 'https://elsewhere.example/prior-authorization' });
    expect(await failure(client().service.createPriorAuthorization(priorAuthBody()))).toMatchObject({
      code: 'service_contract',
      facts: { http: 307 },
    });
    expect(elsewhere.isDone()).toBe(false);
  });
});

describe('reading again', () => {
  const get = (setup: ReturnType<typeof client>) => setup.service.getPriorAuthorization('pa_1');
  const path = '/prior-authorization/pa_1';

  test.each([429, 502, 503, 504])('%i is repeated with growing waits until it works', async (status) => {
    nock(base).get(path).times(2).reply(status, '').get(path).reply(200, { data: record });
    const setup = client();
    expect((await get(setup)).id).toBe('pa_1');
    expect(setup.waits).toEqual([375, 750]);
  });

  test('a network failure is repeated', async () => {
    nock(base)
      .get(path)
      .replyWithError(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
      .get(path)
      .reply(200, { data: record });
    expect((await get(client())).id).toBe('pa_1');
  });

  test('Retry-After counts, in seconds and as a date', async () => {
    nock(base)
      .get(path)
      .reply(429, '', { 'retry-after': '7' })
      .get(path)
      .reply(503, '', { 'retry-after': 'Sat, 21 Nov 2026 10:00:12 GMT' })
      .get(path)
      .reply(200, { data: record });
    const setup = client();
    await get(setup);
    expect(setup.waits).toEqual([7250, 5250]);
  });

  test.each(['documented', 'current'] as const)('of either profile it is read, by a client of %s', async (profile) => {
    const documented = {
      prescription: { drug_name: 'A', quantity: 1.5, dispense_unit: 'tablet', dose_form: 'Tablet' },
      outcome: { result: 'approved_in_part', detail_code: 'a_code_of_tomorrow' },
      a_field_of_tomorrow: { is: 'kept' },
    };
    const current = {
      prescription: { ndc: '00074-0554-02', quantity: 2 },
      outcome: { result: 'Pending', detail: null },
    };
    for (const more of [documented, current]) {
      const data = { ...record, status: 'a_status_of_tomorrow', ...more };
      nock(base).get(path).reply(200, { status: 'success', data });
      const read = await client({ profile }).service.getPriorAuthorization('pa_1');
      expect(read).toMatchObject({ ...data, outcome: { result: more.outcome.result } });
      expect(statusRule('prior-auth', read.status)).toMatchObject({ terminal: false, shows: 'none' });
      expect(visibleOutcome(read)).toBeUndefined();
      expect(visibleOutcome({ ...read, status: 'completed' })?.kind).toBe('needs_person');
    }
  });

  test('a record of another kind is not taken for ours', async () => {
    const data = { id: 'pa_1', object: 'benefit_verification', status: 'completed' };
    nock(base).get(path).reply(200, { status: 'success', data });
    expect(await failure(get(client()))).toMatchObject({
      code: 'service_contract',
      facts: { reason: 'a record of another kind' },
    });
  });

  test('a Retry-After beyond the ceiling is given to the caller', async () => {
    nock(base)
      .get(path)
      .reply(429, { status: 'error', error: { code: 'rate_limit_exceeded', title: 'T' } }, { 'retry-after': '900' });
    const setup = client();
    expect(await failure(get(setup))).toMatchObject({
      code: 'service_rate_limited',
      facts: { retry_after_seconds: 900, http: 429 },
    });
    expect(setup.waits).toEqual([]);
  });

  test('it gives up after four attempts', async () => {
    const scope = nock(base).get(path).times(4).reply(503, '');
    const setup = client();
    expect(await failure(get(setup))).toMatchObject({ code: 'service_error', facts: { http: 503 } });
    expect(setup.waits).toHaveLength(3);
    scope.done();
  });

  test.each([400, 401, 404, 422, 500])('%i is not repeated', async (status) => {
    nock(base).get(path).reply(status, {});
    const setup = client();
    await failure(get(setup));
    expect(setup.waits).toEqual([]);
  });

  test.each([
    ['HTML', '<html>'],
    ['no status', { data: { id: 'pa_1' } }],
    ['no data', { status: 'success', data: null }],
    ['a list', []],
  ])('%s instead of a record is named as such', async (_, body) => {
    nock(base).get(path).reply(200, body);
    expect((await failure(get(client()))).code).toBe('service_contract');
  });
});

describe('downloads', () => {
  const download = (url: string, more: Partial<ServiceClientOptions> = {}) => client(more).service.download(url);

  test('a signed link is fetched without the bearer token', async () => {
    nock(base, { badheaders: ['authorization'] })
      .get('/files/a?signature=1')
      .reply(200, pdf, { 'content-type': 'application/pdf; charset=binary' });
    const file = await download(`${base}/files/a?signature=1`);
    expect(file.contentType).toBe('application/pdf');
    expect(Buffer.from(file.bytes)).toEqual(pdf);
  });

  test('another origin only when it is allowed', async () => {
    const url = 'https://files.example/a';
    expect(await failure(download(url))).toMatchObject({
      code: 'service_file_refused',
      facts: { reason: 'foreign-origin' },
    });
    nock('https://files.example').get('/a').reply(200, pdf, { 'content-type': 'application/octet-stream' });
    expect((await download(url, { downloads: { origins: ['https://files.example'] } })).contentType).toBe(
      'application/pdf',
    );
  });

  test.each([
    ['http://service.example/a', 'not-https'],
    ['file:///etc/passwd', 'not-https'],
    ['https://user:pass@service.example/a', 'address'],
    ['https://service.example.evil.example/a', 'foreign-origin'],
    ['https://service.example:8443/a', 'foreign-origin'],
    ['not an address', 'address'],
  ])('%s is not fetched', async (url, reason) => {
    expect(await failure(download(url))).toMatchObject({ code: 'service_file_refused', facts: { reason } });
  });

  test.each([
    ['HTML', 200, '<html>', 'text/html', 'content-type'],
    ['HTML that calls itself PDF', 200, '<html>', 'application/pdf', 'content-type'],
    ['a PDF that calls itself HTML', 200, '%PDF-1.7', 'text/html', 'content-type'],
    ['an empty file', 200, '', 'application/pdf', 'content-type'],
    ['an expired link', 403, '', 'text/plain', 'status'],
  ])('%s is refused', async (_, status, body, type, reason) => {
    nock(base).get('/a').reply(status, body, { 'content-type': type });
    expect(await failure(download(`${base}/a`))).toMatchObject({ code: 'service_file_refused', facts: { reason } });
  });

  test('a redirect is not followed', async () => {
    nock(base)
      .get('/a')
      .reply(302, '', { location: `${base}/b` });
    const other = nock(base).get('/b').reply(200, pdf);
    expect(await failure(download(`${base}/a`))).toMatchObject({ facts: { reason: 'redirect' } });
    expect(other.isDone()).toBe(false);
  });

  test('a file beyond the limit is cut off', async () => {
    nock(base)
      .get('/a')
      .reply(200, Buffer.concat([pdf, Buffer.alloc(2000)]), { 'content-type': 'application/pdf' });
    expect(await failure(download(`${base}/a`, { downloads: { maxBytes: 1000 } }))).toMatchObject({
      facts: { reason: 'body-too-large' },
    });
  });

  test('the error names neither the link nor its signature', async () => {
    const error = await failure(download('https://files.example/secret?signature=abc'));
    expect(JSON.stringify({ ...error, message: error.message })).not.toMatch(/secret|abc/);
  });
});
