import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { WebhookEvent } from '../../../../src/core/contract/envelope.ts';
import { withoutNulls } from '../../../../src/core/contract/open-contract.ts';
import { PriorAuthorization } from '../../../../src/core/contract/prior-authorization.ts';
import { startSandboxService } from '../../../../src/dev/sandbox/service/index.ts';
import { createServiceClient } from '../../../../src/service/client.ts';
import { verifyWebhook } from '../../../../src/service/webhook-signature.ts';
import { priorAuthBody } from '../../../service/sample.ts';

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A receiver that answers with the statuses given, then 204. */
async function receiver(...statuses: number[]) {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  closers.push(() => new Promise((done) => server.close(() => done())));
  return {
    deliveries,
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/webhooks/valley`,
  };
}

async function start(url: string) {
  const clock = () => new Date();
  const sandbox = await startSandboxService({
    host: '127.0.0.1',
    port: 0,
    sites: [{ id: 'valley', token: 'right', webhook: { url, secret: 'shared' } }],
    speed: 0,
    clock,
    log: silentLog,
  });
  closers.unshift(() => sandbox.close());
  return { sandbox, client: createServiceClient({ url: sandbox.url, token: () => 'right', clock, log: silentLog }) };
}

test('each status change is told by a signed webhook whose data is the record', async () => {
  const { deliveries, url } = await receiver();
  const { sandbox, client } = await start(url);
  const { id } = await client.createPriorAuthorization(priorAuthBody());
  await expect.poll(() => deliveries.length).toBe(1);
  await sandbox.step(id);
  await expect.poll(() => deliveries.length).toBe(2);
  await client.cancelPriorAuthorization(id, 'x');
  await expect.poll(() => deliveries.length).toBe(3);

  const statuses = [];
  for (const { headers, body } of deliveries) {
    expect(await verifyWebhook({ headers, rawBody: body, secrets: ['shared'], now: new Date() })).toMatchObject({
      proves: 'body',
    });
    const { 'webhook-id': _, 'webhook-timestamp': __, 'webhook-signature': ___, ...rest } = headers;
    expect(await verifyWebhook({ headers: rest, rawBody: body, secrets: ['shared'], now: new Date() })).toEqual({
      proves: 'sender',
    });
    const event = WebhookEvent.parse(withoutNulls(JSON.parse(body)));
    expect(event).toMatchObject({
      event_type: 'prior_authorization.status_change',
      title: expect.any(String),
      description: expect.any(String),
    });
    const record = PriorAuthorization.parse(event.data);
    expect(record).toMatchObject({
      id,
      prescription: { extra: { submission_id: '7d8a2b0e-0000-4000-8000-000000000001' } },
    });
    statuses.push(record.status);
  }
  expect(statuses).toEqual(['processing', 'awaiting_review', 'cancelled']);
});

test('a delivery that was not taken is sent again with the same id', async () => {
  const { deliveries, url } = await receiver(503);
  const { client } = await start(url);
  await client.createPriorAuthorization(priorAuthBody());
  await expect.poll(() => deliveries.length).toBe(2);
  expect(deliveries[1]?.headers['webhook-id']).toBe(deliveries[0]?.headers['webhook-id']);
  expect(deliveries[1]?.body).toBe(deliveries[0]?.body);
});

test('a mock message is an event of its own', async () => {
  const { deliveries, url } = await receiver();
  const { client } = await start(url);
  await client.createPriorAuthorization(
    priorAuthBody('x', { mock_result: { result: 'Other', trigger_message: true } }),
  );
  await expect.poll(() => deliveries.length).toBe(2);
  expect(deliveries.map(({ body }) => JSON.parse(body).event_type).sort()).toEqual([
    'prior_authorization.message',
    'prior_authorization.status_change',
  ]);
});

test('closing does not wait for a receiver that is gone', async () => {
  const { sandbox, client } = await start('http://127.0.0.1:9/none');
  await client.createPriorAuthorization(priorAuthBody());
  const started = Date.now();
  await sandbox.close();
  closers.shift();
  // All tries together take 156 seconds.
  expect(Date.now() - started).toBeLessThan(60_000);
});
