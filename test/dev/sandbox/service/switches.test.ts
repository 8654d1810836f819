import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import {
  type SandboxService,
  type SandboxServiceOptions,
  type ServiceOrder,
  startSandboxService,
} from '../../../../src/dev/sandbox/service/index.ts';
import { serviceSwitches } from '../../../../src/dev/sandbox/service/service-switches.ts';
import { verifyWebhook } from '../../../../src/service/webhook-signature.ts';
import { enrollmentBody, priorAuthBody } from '../../../service/sample.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Delivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly status: string;
}

/** Takes webhooks of all sites, each at its own path. */
async function receiver() {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      deliveries.push({
        path: request.url ?? '',
        headers: request.headers,
        text,
        status: JSON.parse(text).data.status,
      });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((done) => server.close(() => done())));
  const address = server.address();
  return { deliveries, url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}` };
}

async function start(options: Partial<SandboxServiceOptions> = {}) {
  const service = await startSandboxService({
    host: '127.0.0.1',
    port: 0,
    sites: [{ id: 'valley', token: 'right' }],
    speed: 0,
    clock: () => new Date(),
    log: silentLog,
    ...options,
  });
  closers.push(() => service.close());
  return apiOf(service);
}

/** Everything by plain HTTP. */
function apiOf(service: SandboxService) {
  const raw = (path: string, body?: unknown, token = 'right') =>
    fetch(service.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // the tests look at what they rely on
  const json = async (answer: Promise<Response>) => (await answer).json() as Promise<Answer>;
  return {
    service,
    raw,
    create: async (token = 'right', body: object = priorAuthBody()) =>
      (await json(raw('/prior-authorization', body, token))).data?.id ?? '',
    get: async (id: string) => (await json(raw(`/prior-authorization/${id}`))).data,
    step: (id: string) => json(raw(`/sandbox/prior-authorization/${id}/step`, {})),
    ledger: async (kind: string) => (await json(raw(`/sandbox/ledger?limit=100000&kind=${kind}`))).entries ?? [],
    order: async (...orders: ServiceOrder[]) => {
      const answer = await raw('/sandbox/switches', orders);
      expect([answer.status, await answer.json()]).toEqual([201, { ids: orders.map(() => expect.any(Number)) }]);
    },
    skip: (seconds: number) => raw('/sandbox/clock', { advance_seconds: seconds }),
    finish: async (id: string) => {
      for (let steps = 0; steps < 4; steps += 1) await raw(`/sandbox/prior-authorization/${id}/step`, {});
    },
    /** Link of the last letter in the activity log. */
    letter: async (id: string) => {
      const { data } = await json(raw(`/prior-authorization/${id}`));
      return data?.activity_log.findLast(({ type }) => type === 'received_fax')?.details.url ?? '';
    },
  };
}

interface Answer {
  readonly data?: {
    readonly id: string;
    readonly status: string;
    readonly outcome: { readonly result: string; readonly detail_code: string };
    readonly activity_log: readonly {
      readonly id: string;
      readonly type: string;
      readonly details: { url?: string };
    }[];
  };
  readonly entries?: readonly Readonly<Record<string, unknown>>[];
  readonly status?: string;
  readonly error?: { readonly code: string };
}

const idsOf = (entries: readonly Readonly<Record<string, unknown>>[]) => entries.map(({ id }) => id);

describe('answers, of prior authorizations and enrollments alike', () => {
  const kinds = [
    ['/prior-authorization', priorAuthBody(), 'prior_authorization.accepted'],
    ['/patient-enrollment', enrollmentBody(), 'enrollment.accepted'],
  ] as const;

  test.each(kinds)('delay of %s: nothing is accepted before', async (path, body, kind) => {
    const api = await start();
    await api.order({ switch: 'delay', value: 300, path });
    const started = performance.now();
    const sent = api.raw(path, body);
    expect((await sent).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(290);
    const [entry] = await api.ledger(kind);
    expect(Date.parse(String(entry?.at)) - (performance.timeOrigin + started)).toBeGreaterThanOrEqual(280);
  });

  test.each(kinds)(
    'late-answer of %s: accepted at once, answered after the caller’s deadline',
    async (path, body, kind) => {
      const api = await start();
      await api.order({ switch: 'late-answer', value: 60_000, path });
      const sent = api.raw(path, body).catch(() => 'closed');
      await expect.poll(async () => (await api.ledger(kind)).length).toBe(1);
      const first = await Promise.race([sent, new Promise((done) => setTimeout(done, 100, 'no answer'))]);
      expect(first).toBe('no answer');
    },
  );

  test.each(
    kinds.flatMap(([path, body, kind]) => [
      [path, 'before', 0, body, kind] as const,
      [path, 'after', 1, body, kind] as const,
    ]),
  )('drop of %s %s: %i accepted', async (path, when, count, body, kind) => {
    const api = await start();
    await api.order({ switch: 'drop', value: when, path, times: 1 });
    await expect(api.raw(path, body)).rejects.toThrow();
    expect(await api.ledger(kind)).toHaveLength(count);
    expect((await api.raw(path, body)).status).toBe(200);
    expect(await api.ledger(kind)).toHaveLength(count + 1);
  });

  test.each(kinds)('status of %s: 5xx and 429 with Retry-After, and nothing is accepted', async (path, body, kind) => {
    const api = await start();
    await api.order(
      { switch: 'status', value: { status: 500 }, path, times: 2 },
      { switch: 'status', value: { status: 429, retryAfter: 7 }, path, times: 1 },
      { switch: 'status', value: { status: 429, retryAfter: 7, retryAfterAs: 'date' }, path, times: 1 },
    );
    const answers = [];
    for (let nth = 0; nth < 4; nth += 1) answers.push(await api.raw(path, body));
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 429, 429]);
    expect(answers[2]?.headers.get('retry-after')).toBe('7');
    expect(answers[3]?.headers.get('retry-after')).toMatch(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/);
    expect(await answers[3]?.json()).toMatchObject({ status: 'error', error: { code: 'rate_limit_exceeded' } });
    expect(await api.ledger(kind)).toEqual([]);
  });

  test('status for a time: over when the time is', async () => {
    let now = Date.now();
    const api = await start({ clock: () => new Date(now) });
    await api.order({ switch: 'status', value: { status: 503 }, forSeconds: 60 });
    const statuses = [
      (await api.raw('/prior-authorization/x')).status,
      (await api.raw('/prior-authorization/x')).status,
    ];
    now += 60_000;
    expect([...statuses, (await api.raw('/prior-authorization/x')).status]).toEqual([503, 503, 404]);
  });

  test.each(kinds)('false-status of %s: accepted, and the answer says that it failed', async (path, body, kind) => {
    const api = await start();
    await api.order({ switch: 'false-status', value: 502, path });
    expect((await api.raw(path, body)).status).toBe(502);
    expect(await api.ledger(kind)).toHaveLength(1);
  });

  test.each(kinds)('shape of %s: accepted, and the answer has another form', async (path, body, kind) => {
    const api = await start();
    const texts: string[] = [];
    for (const value of ['html', 'empty', 'not-json', 'list', 'bare', 'other-types'] as const) {
      await api.order({ switch: 'shape', value, path, times: 1 });
      texts.push(await (await api.raw(path, body)).text());
    }
    expect(texts[0]).toContain('<!doctype html>');
    expect(texts[1]).toBe('');
    expect(() => JSON.parse(texts[2] ?? '')).toThrow(SyntaxError);
    expect(texts.slice(3)).toEqual(['[]', '{}', '{"status":7,"data":{"id":39}}']);
    await api.order({ switch: 'shape', value: 'cut', path, times: 1 });
    await expect((await api.raw(path, body)).text()).rejects.toThrow();
    expect(await api.ledger(kind)).toHaveLength(7);
  });

  test.each(kinds)('error-code of %s: refused with a code that nobody knows', async (path, body, kind) => {
    const api = await start();
    await api.order({ switch: 'error-code', value: { code: 'carrier_moon_phase' }, path });
    const answer = await api.raw(path, body);
    expect([answer.status, ((await answer.json()) as Answer).error?.code]).toEqual([400, 'carrier_moon_phase']);
    expect(await api.ledger(kind)).toEqual([]);
  });

  test('site: only what this site sent', async () => {
    const api = await start({
      sites: [
        { id: 'valley', token: 'right' },
        { id: 'river', token: 'other' },
      ],
    });
    await api.order({ switch: 'status', value: { status: 503 }, site: 'river' });
    expect((await api.raw('/prior-authorization', priorAuthBody(), 'other')).status).toBe(503);
    expect((await api.raw('/prior-authorization', priorAuthBody(), 'right')).status).toBe(200);
  });
});

describe('records', () => {
  test('unknown-status: while it stands there', async () => {
    const api = await start();
    await api.order({ switch: 'unknown-status', value: { instead: 'awaiting_outcome', as: 'escalated' } });
    const id = await api.create();
    const seen = [];
    for (let steps = 0; steps < 4; steps += 1) {
      await api.step(id);
      seen.push((await api.get(id))?.status);
    }
    expect(seen).toEqual(['awaiting_review', 'escalated', 'validating_outcome', 'completed']);
  });

  test('unknown-outcome: result and code of a completed record', async () => {
    const api = await start();
    await api.order(
      { switch: 'unknown-outcome', value: { result: 'Partly approved' }, times: 1 },
      { switch: 'unknown-outcome', value: { detail_code: 'half_and_half' } },
    );
    const [first, second] = [await api.create(), await api.create()];
    await api.finish(first);
    await api.finish(second);
    expect((await api.get(first))?.outcome).toMatchObject({ result: 'Partly approved', detail_code: 'approval' });
    expect((await api.get(second))?.outcome).toMatchObject({ result: 'Approved', detail_code: 'half_and_half' });
  });

  test('unknown-activity: an entry of this type', async () => {
    const api = await start();
    const id = await api.create();
    await api.order({ switch: 'unknown-activity', value: 'sent_pigeon', times: 1 });
    await api.step(id);
    expect((await api.get(id))?.activity_log.map(({ type }) => type)).toEqual(['sent_pigeon']);
  });

  test('turn-back to open: the payer has it once more, then decides again with another letter', async () => {
    const { deliveries, url } = await receiver();
    const api = await start({
      speed: 1,
      sites: [{ id: 'valley', token: 'right', webhook: { url: `${url}/valley`, secret: 's' } }],
    });
    await api.order({ switch: 'turn-back', value: { to: 'open', afterSeconds: 60 } });
    const id = await api.create();
    await api.skip(22);
    expect((await api.get(id))?.status).toBe('completed');
    await api.skip(30);
    expect((await api.get(id))?.status).toBe('completed');
    await api.skip(31);
    expect(await api.get(id)).toMatchObject({ status: 'awaiting_outcome', outcome: { result: 'Pending' } });
    await api.skip(3600);
    const record = await api.get(id);
    expect(record).toMatchObject({ status: 'completed', outcome: { result: 'Approved' } });
    expect(record?.activity_log.filter(({ type }) => type === 'received_fax')).toHaveLength(2);
    await expect.poll(() => deliveries.filter(({ status }) => status === 'completed').length).toBe(2);
  });

  test('turn-back to Denied: the outcome changes, with a letter of its own', async () => {
    const api = await start();
    await api.order({ switch: 'turn-back', value: { to: 'Denied', afterSeconds: 60 } });
    const id = await api.create();
    await api.finish(id);
    expect((await api.get(id))?.outcome.result).toBe('Approved');
    const before = await api.letter(id);
    await api.skip(61);
    expect(await api.get(id)).toMatchObject({ status: 'completed', outcome: { result: 'Denied' } });
    const after = await api.letter(id);
    expect(new URL(after).pathname).not.toBe(new URL(before).pathname);
    await api.skip(3600);
    expect((await api.get(id))?.outcome.result).toBe('Denied');
  });

  test('late-letter: the outcome is there before its letter', async () => {
    const api = await start();
    await api.order({ switch: 'late-letter', value: 120 });
    const id = await api.create();
    await api.finish(id);
    expect((await api.get(id))?.status).toBe('completed');
    expect(await api.letter(id)).toBe('');
    await api.skip(121);
    expect((await fetch(await api.letter(id))).status).toBe(200);
  });

  test('letter: each way to fail, so many times, then it is given; the ledger tells which', async () => {
    const api = await start();
    const id = await api.create();
    await api.finish(id);
    const link = await api.letter(id);
    const ways = ['unavailable', 'missing', 'expired', 'empty', 'html', 'cut'] as const;
    await api.order(...ways.map((value) => ({ switch: 'letter' as const, value, times: 1 })));
    const answers = [];
    for (const _ of ways.slice(0, 5)) {
      const answer = await fetch(link);
      answers.push([
        answer.status,
        answer.headers.get('content-type')?.split(';')[0],
        (await answer.arrayBuffer()).byteLength > 0,
      ]);
    }
    expect(answers).toEqual([
      [503, 'application/json', true],
      [404, 'application/json', true],
      [403, 'application/json', true],
      [200, 'application/pdf', false],
      [200, 'text/html', true],
    ]);
    const cut = await fetch(link);
    expect(Number(cut.headers.get('content-length'))).toBeGreaterThan(1000);
    await expect(cut.arrayBuffer()).rejects.toThrow();
    const given = Buffer.from(await (await fetch(link)).arrayBuffer());
    const entries = await api.ledger('file.given');
    expect(entries.map(({ whole, failing }) => [whole, failing])).toEqual([
      ...ways.map((way) => [false, way]),
      [true, undefined],
    ]);
    expect(entries.at(-1)?.sha256).toBe(createHash('sha256').update(given).digest('hex'));
  });

  test('a letter has the same bytes each time, also after a second', async () => {
    const api = await start();
    const id = await api.create();
    await api.finish(id);
    await fetch(await api.letter(id));
    await new Promise((done) => setTimeout(done, 1100));
    await fetch(await api.letter(id));
    expect(new Set((await api.ledger('file.given')).map(({ sha256 }) => sha256)).size).toBe(1);
  });
});

describe('webhooks', () => {
  const secret = 'shared';
  async function told() {
    const { deliveries, url } = await receiver();
    const sites = ['valley', 'river'].map((id) => ({ id, token: id, webhook: { url: `${url}/${id}`, secret } }));
    return { deliveries, api: await start({ sites }) };
  }
  const isGenuine = ({ headers, text }: Delivery) =>
    verifyWebhook({ headers, rawBody: text, secrets: [secret], now: new Date() }).then(
      () => true,
      () => false,
    );

  test('webhook-missing: one is not sent, the others are; each site is told of its own', async () => {
    const { deliveries, api } = await told();
    await api.order({ switch: 'webhook-missing', value: true, site: 'valley', times: 1 });
    const id = await api.create('valley');
    await api.step(id);
    await api.create('river');
    await expect.poll(() => deliveries.length).toBe(2);
    expect(deliveries.map(({ path, status }) => `${path} ${status}`).sort()).toEqual([
      '/river processing',
      '/valley awaiting_review',
    ]);
    expect(idsOf(await api.ledger('webhook.withheld'))).toEqual([id]);
  });

  test('webhook-late: it comes later, with the record as it was', async () => {
    const { deliveries, api } = await told();
    await api.order({ switch: 'webhook-late', value: 2000, times: 1 });
    const id = await api.create('valley');
    await api.step(id);
    await expect.poll(() => deliveries.length).toBe(2);
    expect(deliveries.map(({ status }) => status)).toEqual(['awaiting_review', 'processing']);
  });

  test.each([
    ['same', 1],
    ['new', 3],
  ] as const)('webhook-doubled with the %s ids: three copies, %i ids', async (ids, count) => {
    const { deliveries, api } = await told();
    await api.order({ switch: 'webhook-doubled', value: { copies: 3, ids } });
    await api.create('valley');
    await expect.poll(() => deliveries.length).toBe(3);
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).toBe(count);
    expect(await Promise.all(deliveries.map(isGenuine))).toEqual([true, true, true]);
    await expect.poll(async () => (await api.ledger('webhook.sent')).map(({ copy }) => copy).sort()).toEqual([0, 1, 2]);
  });

  test('webhook-reordered: it comes after the next one of its record', async () => {
    const { deliveries, api } = await told();
    await api.order({ switch: 'webhook-reordered', value: 60_000, times: 1 });
    const id = await api.create('valley');
    const other = await api.create('valley');
    await expect.poll(() => deliveries.length).toBe(1);
    expect(JSON.parse(deliveries[0]?.text ?? '').data.id).toBe(other);
    await api.step(id);
    await expect.poll(() => deliveries.length).toBe(3);
    expect(deliveries.slice(1).map(({ status }) => status)).toEqual(['awaiting_review', 'processing']);
  });

  test('webhook-reordered: without a next one it comes when its time is over', async () => {
    const { deliveries, api } = await told();
    await api.order({ switch: 'webhook-reordered', value: 300 });
    await api.create('valley');
    expect(deliveries).toEqual([]);
    await expect.poll(() => deliveries.length).toBe(1);
  });

  test.each(['secret', 'unsigned', 'changed', 'old'] as const)(
    'webhook-forged %s: beside the genuine one comes one that is refused',
    async (value) => {
      const { deliveries, api } = await told();
      await api.order({ switch: 'webhook-forged', value });
      await api.create('valley');
      await expect.poll(() => deliveries.length).toBe(2);
      const genuine = await Promise.all(deliveries.map(isGenuine));
      const forged = deliveries[genuine.indexOf(false)];
      expect(genuine.sort()).toEqual([false, true]);
      expect(JSON.parse(forged?.text ?? '').data).toMatchObject({
        status: 'completed',
        outcome: { result: 'Approved' },
      });
      await expect
        .poll(async () => (await api.ledger('webhook.sent')).map(({ forged: kind }) => kind ?? 'genuine').sort())
        .toEqual(['genuine', value].sort());
    },
  );
});

describe('the ledger', () => {
  test('has what was accepted, how it moved, and what was cancelled', async () => {
    const api = await start();
    const id = await api.create();
    await api.step(id);
    await api.raw(`/prior-authorization/${id}/cancel`, { cancellation_reason: 'Ordered another drug' });
    await api.raw('/patient-enrollment', { ...enrollmentBody(), metadata: { enrollment_id: 'e-1' } });
    expect(await api.ledger('prior_authorization.accepted')).toMatchObject([
      {
        id,
        site: 'valley',
        patient: 'mrn-0001',
        drug: 'Oxaprozin',
        extra: { submission_id: '7d8a2b0e-0000-4000-8000-000000000001' },
      },
    ]);
    expect((await api.ledger('prior_authorization.status')).map(({ status }) => status)).toEqual([
      'processing',
      'awaiting_review',
      'cancelled',
    ]);
    expect(await api.ledger('prior_authorization.cancelled')).toMatchObject([
      { id, by: 'api', reason: 'Ordered another drug' },
    ]);
    expect(await api.ledger('enrollment.accepted')).toMatchObject([
      { site: 'valley', program: 'program-1', extra: { enrollment_id: 'e-1' } },
    ]);
  });

  test('has nothing of a cancel that was refused', async () => {
    const api = await start();
    const id = await api.create();
    await api.finish(id);
    expect((await api.raw(`/prior-authorization/${id}/cancel`, { cancellation_reason: 'x' })).status).toBe(400);
    expect(await api.ledger('prior_authorization.cancelled')).toEqual([]);
  });

  test('is complete when many come at once', async () => {
    const api = await start();
    const ids = await Promise.all(Array.from({ length: 200 }, () => api.create()));
    expect(idsOf(await api.ledger('prior_authorization.accepted')).sort()).toEqual(ids.sort());
  });

  test('is read in parts', async () => {
    const api = await start();
    for (let nth = 0; nth < 3; nth += 1) await api.create();
    const read = async (query: string) =>
      (await (await api.raw(`/sandbox/ledger?${query}`)).json()) as Answer & { last: number; total: number };
    const first = await read('limit=4');
    const second = await read(`after=${first.last}`);
    expect([first.entries?.length, second.entries?.length, second.total]).toEqual([4, 2, 6]);
    expect((await api.raw('/sandbox/ledger?limit=none')).status).toBe(422);
  });
});

describe('the endpoint of switches', () => {
  test('a list with one wrong order sets none, and names what is wrong', async () => {
    const api = await start();
    const answer = await api.raw('/sandbox/switches', [
      { switch: 'delay', value: 5 },
      { switch: 'delay', value: 'long' },
    ]);
    expect([answer.status, await answer.json()]).toEqual([
      422,
      { problems: ['value: expected milliseconds, such as 2000'] },
    ]);
    expect(await (await api.raw('/sandbox/switches')).json()).toEqual({
      standing: [],
      known: Object.keys(serviceSwitches),
    });
  });

  test('an order can be taken back alone, or all of them', async () => {
    const api = await start();
    await api.order({ switch: 'delay', value: 5 }, { switch: 'delay', value: 6 }, { switch: 'delay', value: 7 });
    const remove = (path: string) => fetch(`${api.service.url}/sandbox/switches${path}`, { method: 'DELETE' });
    const values = async () =>
      ((await (await api.raw('/sandbox/switches')).json()) as { standing: { value: number }[] }).standing.map(
        ({ value }) => value,
      );
    expect([(await remove('/2')).status, await values()]).toEqual([204, [5, 7]]);
    expect((await remove('/2')).status).toBe(404);
    expect([(await remove('')).status, await values()]).toEqual([204, []]);
  });

  test('orders of the start stand', async () => {
    const api = await start({ switches: [{ switch: 'status', value: { status: 503 }, times: 1 }] });
    expect((await api.raw('/prior-authorization/x')).status).toBe(503);
    expect((await api.raw('/prior-authorization/x')).status).toBe(404);
  });
});

test('every switch of the table is tried here, or with the questions of a payer', () => {
  const files = [import.meta.filename, join(import.meta.dirname, 'outreach.test.ts')];
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  expect(Object.keys(serviceSwitches).filter((name) => !new RegExp(`switch: '${name}'`).test(source))).toEqual([]);
});
