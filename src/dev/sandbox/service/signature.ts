import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';

/** Seconds for which the token in `x-webhook-secret` is valid. */
const life = 300;

export type SignedHeaders = Record<
  'webhook-id' | 'webhook-timestamp' | 'webhook-signature' | 'x-webhook-secret',
  string
>;

/**
 * Returns the headers of one delivery: Standard Webhooks (https://www.standardwebhooks.com: `v1,` and base64 of
 * HMAC-SHA256 over `id.timestamp.body`) and the live service's `x-webhook-secret`, a JWT (HS256) made with the secret.
 * A secret that starts with `whsec_` is base64; any other is used as text.
 */
export async function signWebhook(event: {
  readonly id: string;
  readonly now: Date;
  readonly rawBody: Uint8Array | string;
  readonly secret: string;
}): Promise<SignedHeaders> {
  const { id, secret } = event;
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');
  const seconds = Math.floor(event.now.getTime() / 1000);
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.`).update(event.rawBody).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${mac}`,
    'x-webhook-secret': await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + life)
      .sign(key),
  };
}
