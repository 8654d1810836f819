import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { signWebhook } from '../../src/dev/sandbox/service/signature.ts';
import { verifyWebhook } from '../../src/service/webhook-signature.ts';

const now = new Date('2026-11-21T10:00:00Z');
const seconds = String(now.getTime() / 1000);
const rawBody = '{"event_type":"prior_authorization.status_change","data":{"id":"pa_1"}}';
const secret = 'a secret of this test';

function headers(more: Record<string, string> = {}, key = secret) {
  const signature = createHmac('sha256', key).update(`msg_1.${seconds}.${rawBody}`).digest('base64');
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}`, ...more };
}

const verify = (
  given: Record<string, string | string[] | undefined>,
  body: string | Uint8Array = rawBody,
  secrets: readonly string[] = [secret],
  at = now,
) => verifyWebhook({ headers: given, rawBody: body, secrets, now: at });

describe('Standard Webhooks headers', () => {
  test('a right signature is accepted, over text and over bytes', async () => {
    expect(await verify(headers())).toEqual({ id: 'msg_1', proves: 'body' });
    expect(await verify(headers(), Buffer.from(rawBody))).toEqual({ id: 'msg_1', proves: 'body' });
  });

  test('the published example of the standard is accepted', async () => {
    // standardwebhooks.com, specification, "Signature scheme" example values.
    const given = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    const at = new Date(1_614_265_330_000);
    expect(await verify(given, '{"test": 2432232314}', ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], at)).toMatchObject({
      proves: 'body',
    });
  });

  test.each([
    ['one byte of the body altered', rawBody.replace('pa_1', 'pa_2')],
    ['the same JSON written differently', JSON.stringify(JSON.parse(rawBody), null, 1)],
    ['an empty body', ''],
  ])('%s is refused', async (_, body) => {
    await expect(verify(headers(), body)).rejects.toMatchObject({
      code: 'webhook_unauthorized',
      status: 401,
      facts: { reason: 'signature' },
    });
  });

  test.each([
    ['another key', headers({}, 'other')],
    ['garbage', headers({ 'webhook-signature': 'garbage' })],
    [
      'an unknown version only',
      headers({ 'webhook-signature': headers()['webhook-signature'].replace('v1,', 'v1a,') }),
    ],
    ['an empty signature value', headers({ 'webhook-signature': 'v1,' })],
    ['another id', headers({ 'webhook-id': 'msg_2' })],
  ])('%s is refused', async (_, given) => {
    await expect(verify(given)).rejects.toMatchObject({ code: 'webhook_unauthorized', facts: { reason: 'signature' } });
  });

  test.each([299, -299])('a timestamp %i s off is accepted', async (off) => {
    await expect(verify(headers(), rawBody, [secret], new Date(now.getTime() + off * 1000))).resolves.toMatchObject({
      id: 'msg_1',
    });
  });

  test.each([301, -301, 86_400])('a timestamp %i s off is refused', async (off) => {
    await expect(verify(headers(), rawBody, [secret], new Date(now.getTime() + off * 1000))).rejects.toMatchObject({
      facts: { reason: 'timestamp' },
    });
  });

  test.each(['', 'soon', '1e9', '-5', '9'.repeat(30)])('the timestamp "%s" is refused', async (timestamp) => {
    await expect(verify(headers({ 'webhook-timestamp': timestamp }))).rejects.toMatchObject({
      code: 'webhook_unauthorized',
    });
  });

  test('either of two secrets is accepted during rotation, and one of several signatures is enough', async () => {
    await expect(verify(headers(), rawBody, ['new', secret])).resolves.toMatchObject({ id: 'msg_1' });
    await expect(
      verify(headers({ 'webhook-signature': `v1,AAAA ${headers()['webhook-signature']}` })),
    ).resolves.toMatchObject({ id: 'msg_1' });
  });

  test('without a secret, or with an empty one, nothing is accepted', async () => {
    await expect(verify(headers(), rawBody, [])).rejects.toMatchObject({ facts: { reason: 'no-secret' } });
    await expect(verify(headers({}, ''), rawBody, [''])).rejects.toMatchObject({ facts: { reason: 'no-secret' } });
    await expect(verify(headers({}, ''), rawBody, ['whsec_'])).rejects.toMatchObject({
      facts: { reason: 'no-secret' },
    });
  });

  test('a missing or repeated header is refused', async () => {
    await expect(verify({})).rejects.toMatchObject({ facts: { reason: 'header-missing' } });
    await expect(verify({ ...headers(), 'webhook-id': undefined })).rejects.toMatchObject({
      facts: { reason: 'header-missing' },
    });
    await expect(verify({ ...headers(), 'webhook-id': ['msg_1', 'msg_2'] })).rejects.toMatchObject({
      facts: { reason: 'header-missing' },
    });
  });
});

describe('x-webhook-secret', () => {
  const key = Buffer.from(secret);
  const jwt = (alg = 'HS256', signer = key) =>
    new SignJWT({}).setProtectedHeader({ alg }).setIssuedAt(now).sign(signer);

  test('a JWT made with the secret proves the sender only', async () => {
    expect(await verify({ 'x-webhook-secret': await jwt() })).toEqual({ proves: 'sender' });
  });

  test('it does not stand in for a wrong body signature', async () => {
    await expect(verify({ ...headers({}, 'other'), 'x-webhook-secret': await jwt() })).rejects.toMatchObject({
      facts: { reason: 'signature' },
    });
    await expect(verify({ 'webhook-id': 'msg_1', 'x-webhook-secret': await jwt() })).rejects.toMatchObject({
      facts: { reason: 'header-missing' },
    });
  });

  test('another key, another algorithm, none at all, and an expired one are refused', async () => {
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.`;
    const expired = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(Math.floor(now.getTime() / 1000) - 3600)
      .sign(key);
    for (const given of [await jwt('HS256', Buffer.from('other')), await jwt('HS512'), none, expired, secret]) {
      await expect(verify({ 'x-webhook-secret': given })).rejects.toMatchObject({
        code: 'webhook_unauthorized',
        facts: { reason: 'signature' },
      });
    }
  });
});

test('what signWebhook makes is accepted in both styles', async () => {
  const signed = await signWebhook({ id: 'msg_9', now, rawBody, secret });
  expect(await verify(signed)).toEqual({ id: 'msg_9', proves: 'body' });
  expect(await verify({ 'x-webhook-secret': signed['x-webhook-secret'] })).toEqual({ proves: 'sender' });
});
