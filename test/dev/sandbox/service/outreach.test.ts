import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { WebhookEvent } from '../../../../src/core/contract/envelope.ts';
import { outreachOf } from '../../../../src/core/contract/outreach.ts';
import { type ServiceOrder, startSandboxService } from '../../../../src/dev/sandbox/service/index.ts';
import { currentBody } from '../../../service/sample.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const secret = 'whsec_c2FuZGJveC13ZWJob29rLXNlY3JldC1vZi10ZXN0cw==';

/** The sandbox of the service in the profile `current`, with the events that it sends. */
async function start(orders: readonly ServiceOrder[] = []) {
  const events: WebhookEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      events.push(WebhookEvent.parse(JSON.parse(Buffer.concat(chunks).toString())));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise((done) => server.close(() => done())));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const service = await startSandboxService({
    host: '127.0.0.1',
    port: 0,
    sites: [
      { id: 'valley', token: 'right', profile: 'current', webhook: { url: `http://127.0.0.1:${port}/`, secret } },
    ],
    speed: 0,
    clock: () => new Date(),
    log: silentLog,
    switches: orders,
  });
  closers.push(() => service.close());
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(service.url + path, {
      method,
      headers: { authorization: 'Bearer right', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as { data: Record<string, unknown> } };
  };
  const told = async (count: number) => {
    for (let tries = 0; tries < 100 && outreach(events).length < count; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    return outreach(events);
  };
  const create = async (drug: string) =>
    String((await call('POST', '/prior-authorization', currentBody(drug))).json.data.id);
  return { service, call, told, create };
}

function outreach(events: readonly WebhookEvent[]) {
  return events.flatMap((event) => outreachOf(event) ?? []);
}

const answer = { title: 'Reply', date_created: '2026-11-21T10:00:00.000000', content: { text: 'Nov 3, 2026.' } };

test('a payer asks, waits, and goes on once a reply says that this is all', async () => {
  const { service, call, told, create } = await start();
  const id = await create('omalizumab');
  await service.step(id);
  expect(await service.step(id)).toBe('awaiting_provider_response');
  const [asked] = await told(1);
  expect(asked).toMatchObject({
    priorAuth: id,
    channel: 'fax',
    state: 'sent',
    over: false,
    files: [{ name: 'Question.pdf' }],
  });
  const file = await fetch(asked!.files[0]!.url);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect((await call('PATCH', `/prior-authorization/${id}`, { evidence: [answer] })).status).toBe(200);
  const { json } = await call('GET', `/prior-authorization/${id}`);
  expect(json.data).toMatchObject({ status: 'awaiting_provider_response', evidence: [{ title: 'Reply' }] });
  await call('PATCH', `/prior-authorization/${id}`, { complete_provider_outreach: true });
  expect((await call('GET', `/prior-authorization/${id}`)).json.data.status).toBe('awaiting_outcome');
  expect((await told(2)).at(-1)).toMatchObject({ over: true });
});

test('a payer asks twice, on two channels, with a retry under a new id', async () => {
  const { service, call, told, create } = await start();
  const id = await create('rimegepant');
  await service.step(id);
  await service.step(id);
  const first = await told(4);
  expect(new Set(first.map(({ sequence }) => sequence)).size).toBe(1);
  expect(first.map(({ channel, state }) => `${channel} ${state}`).toSorted()).toEqual([
    'direct_message expired',
    'direct_message sent',
    'direct_message sent',
    'fax sent',
  ]);
  await call('PATCH', `/prior-authorization/${id}`, { evidence: [answer], complete_provider_outreach: true });
  expect((await call('GET', `/prior-authorization/${id}`)).json.data.status).toBe('awaiting_provider_response');
  expect(new Set((await told(8)).map(({ sequence }) => sequence)).size).toBe(2);
});

test('by a switch a payer asks about any drug: early, never told, or until its deadline', async () => {
  const early = await start([{ switch: 'payer-asks', value: { event: 'early' } }]);
  await early.create('metformin');
  expect(await early.told(1)).toHaveLength(1);
  const never = await start([{ switch: 'payer-asks', value: { event: 'never', closesAfter: 60 } }]);
  const id = await never.create('metformin');
  await never.service.step(id);
  expect(await never.service.step(id)).toBe('awaiting_provider_response');
  await never.service.skip(61_000);
  expect((await never.call('GET', `/prior-authorization/${id}`)).json.data.status).toBe('awaiting_outcome');
  expect(await never.told(0)).toEqual([]);
});

test('a question that was answered before the record says so keeps no record waiting', async () => {
  const { service, call, create } = await start([{ switch: 'payer-asks', value: { event: 'early' } }]);
  const id = await create('metformin');
  const all = { evidence: [answer], complete_provider_outreach: true };
  await call('PATCH', `/prior-authorization/${id}`, all);
  await service.step(id);
  expect(await service.step(id)).toBe('awaiting_provider_response');
  await call('PATCH', `/prior-authorization/${id}`, all);
  expect((await call('GET', `/prior-authorization/${id}`)).json.data.status).toBe('awaiting_outcome');
});

test('the ledger has each attempt, and a reply by the hash of its words', async () => {
  const { service, call, create } = await start([
    { switch: 'payer-asks', value: { channels: ['fax'], event: 'never' } },
  ]);
  const id = await create('metformin');
  await service.step(id);
  await service.step(id);
  await call('PATCH', `/prior-authorization/${id}`, { evidence: [answer], complete_provider_outreach: true });
  const { entries } = (await (await fetch(`${service.url}/sandbox/ledger`)).json()) as {
    readonly entries: readonly { readonly kind: string }[];
  };
  expect(entries.filter(({ kind }) => kind === 'prior_authorization.outreach')).toMatchObject([
    { id, state: 'sent', channel: 'fax', over: false, told: false },
    { id, over: true, told: false },
  ]);
  // printf %s 'Nov 3, 2026.' | sha256sum
  const texts = ['6af8e76257d6838acb920ff4b61dc3b77e9a241ea615cd99545d37663424421d'];
  expect(entries.filter(({ kind }) => kind === 'prior_authorization.amended')).toMatchObject([{ texts }]);
});

test('a PATCH of a decided request is refused, and of nothing at all too', async () => {
  const { service, call, create } = await start();
  const id = await create('metformin');
  expect((await call('PATCH', `/prior-authorization/${id}`, {})).status).toBe(422);
  for (let step = 0; step < 6; step += 1) await service.step(id);
  expect((await call('PATCH', `/prior-authorization/${id}`, { evidence: [answer] })).status).toBe(400);
});

test('a person plays the payer: it asks about any request, waits for the reply, and decides at one click', async () => {
  const { service, call, told, create } = await start();
  const id = await create('prednisone');
  const play = (what: string) =>
    fetch(`${service.url}/prior-authorizations/${id}/play/${what}`, { method: 'POST', redirect: 'manual' });
  const status = async () => (await call('GET', `/prior-authorization/${id}`)).json.data.status;
  expect(await (await fetch(service.url)).text()).toContain('Play: the payer asks a question');
  await play('asks');
  expect(await status()).toBe('awaiting_provider_response');
  expect(await told(1)).toMatchObject([{ priorAuth: id, over: false }]);
  await call('PATCH', `/prior-authorization/${id}`, { evidence: [answer], complete_provider_outreach: true });
  expect(await status()).toBe('awaiting_outcome');
  await play('denies');
  await service.step(id);
  const { data } = (await call('GET', `/prior-authorization/${id}`)).json;
  expect(data).toMatchObject({ status: 'completed', outcome: { result: 'Denied' } });
  expect((await play('approves')).status).toBe(303);
  expect(await status()).toBe('completed');
});

test.each([
  [30, { quantity: 15, days_supply: 28 }],
  [1, { quantity: 1, days_supply: 14 }],
])('a payer that approves half of %s approves something else than was asked for', async (quantity, prescription) => {
  const { service, call } = await start();
  const body = currentBody('prednisone');
  const asked = { ...body, prescription: { ...body.prescription, quantity } };
  const { id } = (await call('POST', '/prior-authorization', asked)).json.data;
  const address = `${service.url}/prior-authorizations/${id}/play/approves-less`;
  await fetch(address, { method: 'POST', redirect: 'manual' });
  await service.step(String(id));
  const { data } = (await call('GET', `/prior-authorization/${id}`)).json;
  expect(data).toMatchObject({ status: 'completed', outcome: { result: 'Approved' }, prescription });
});
