import { afterEach, beforeEach, expect, test } from 'vitest';
import { signWebhook } from '../../../src/dev/sandbox/service/signature.ts';
import { now, openScene, type Scene } from '../support.ts';

const body = JSON.stringify({
  event_type: 'prior_authorization.status_change',
  title: 'Status changed',
  data: { id: 'pa_1', status: 'completed' },
});

let scene: Scene;
beforeEach(async () => {
  scene = await openScene('story-complete');
});
afterEach(() => scene.app.close());

async function deliver(
  change: { body?: string; secret?: string; at?: Date; headers?: Record<string, string>; path?: string } = {},
) {
  const headers = await signWebhook({
    id: 'msg_1',
    now: change.at ?? now,
    rawBody: body,
    secret: change.secret ?? 'new-secret',
  });
  return scene.app.inject({
    method: 'POST',
    url: change.path ?? '/webhooks/valley',
    headers: { ...headers, 'content-type': 'application/json', ...change.headers },
    payload: change.body ?? body,
  });
}

test.each(['new-secret', 'old-secret'])('a delivery signed with the %s is taken, with its id [F05]', async (secret) => {
  expect((await deliver({ secret })).statusCode).toBe(202);
  expect(scene.cases.hooks).toEqual([
    {
      site: 'valley',
      event: expect.objectContaining({ event_type: 'prior_authorization.status_change' }),
      delivery: { id: 'msg_1', isSigned: true },
    },
  ]);
});

test.each([
  ['a wrong secret', { secret: 'another' }],
  ['a body changed by one byte', { body: body.replace('pa_1', 'pa_2') }],
  [
    'the same JSON in another order',
    {
      body: JSON.stringify({
        data: { id: 'pa_1', status: 'completed' },
        event_type: 'prior_authorization.status_change',
        title: 'Status changed',
      }),
    },
  ],
  ['a time six minutes ago', { at: new Date(now.getTime() - 360_000) }],
  ['a signature that is none', { headers: { 'webhook-signature': 'v1a,abc' } }],
  ['a site that does not exist', { path: '/webhooks/nobody' }],
])('%s is refused without effect [F01, F02, F03]', async (_what, change) => {
  const reply = await deliver(change);
  expect(reply.statusCode).toBe(401);
  expect(reply.json()).toMatchObject({ error: 'webhook_unauthorized' });
  expect(scene.cases.hooks).toEqual([]);
});

test('another content type and a body over the limit are refused [F06]', async () => {
  expect((await deliver({ headers: { 'content-type': 'text/plain' } })).statusCode).toBe(415);
  expect((await deliver({ body: 'x'.repeat(1024 * 1024 + 1) })).statusCode).toBe(413);
});

test('nothing of a refused body is logged', async () => {
  await deliver({ body: '{"event_type":"CANARY"}' });
  expect(scene.log.lines.join('\n')).not.toContain('CANARY');
});
