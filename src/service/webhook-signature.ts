import { createHmac, timingSafeEqual } from 'node:crypto';
import { jwtVerify } from 'jose';
import { BridgeError } from '../core/errors.ts';

/** Seconds by which a webhook's timestamp may differ from the clock. */
export const webhookTolerance = 300;

export interface VerifiedWebhook {
  /**
   * `webhook-id`, which is the same for every delivery of one event. Absent if the sender signs only by
   * `x-webhook-secret`.
   */
  readonly id?: string;
  /**
   * `body`: the signature covers the bytes. `sender`: it proves only that the sender knows the secret, so the body must
   * not be trusted.
   */
  readonly proves: 'body' | 'sender';
}

/**
 * Checks a webhook's signature over the received bytes against each of the secrets (several during rotation). If any of
 * the Standard Webhooks headers (`webhook-id`, `webhook-timestamp`, `webhook-signature`: `v1,` + base64 HMAC-SHA256 of
 * `id.timestamp.body`) is present, these headers are checked. Only if none is, `x-webhook-secret` is checked: a JWT
 * (HS256) made with the secret. Throws `webhook_unauthorized` with the fact `reason`. https://www.standardwebhooks.com
 */
export async function verifyWebhook(request: {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly rawBody: Uint8Array | string;
  readonly secrets: readonly string[];
  readonly now: Date;
}): Promise<VerifiedWebhook> {
  const keys = request.secrets.map(keyBytes).filter((key) => key.length > 0);
  if (keys.length === 0) throw refused('no-secret');
  const id = header(request.headers, 'webhook-id');
  const timestamp = header(request.headers, 'webhook-timestamp');
  const signature = header(request.headers, 'webhook-signature');
  if (id !== undefined || timestamp !== undefined || signature !== undefined) {
    if (id === undefined || timestamp === undefined || signature === undefined) throw refused('header-missing');
    checkTimestamp(timestamp, request.now);
    const expected = keys.map((key) => mac(key, id, timestamp, request.rawBody));
    const given = signature
      .split(' ')
      .flatMap((part) => (part.startsWith('v1,') ? [Buffer.from(part.slice(3), 'base64')] : []));
    if (!matches(expected, given)) throw refused('signature');
    return { id, proves: 'body' };
  }
  const jwt = header(request.headers, 'x-webhook-secret');
  if (jwt === undefined) throw refused('header-missing');
  if (!(await isSigned(jwt, keys, request.now))) throw refused('signature');
  return { proves: 'sender' };
}

/** Returns the Standard Webhooks signature headers for a body, as `verifyWebhook` expects them. */
export function signWebhook(request: {
  readonly id: string;
  readonly rawBody: Uint8Array | string;
  readonly secret: string;
  readonly now: Date;
}): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const { id, rawBody, secret, now } = request;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signature = mac(keyBytes(secret), id, timestamp, rawBody).toString('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** Returns the number of key bits in a secret. HMAC-SHA256 should have at least 192. */
export function secretBits(secret: string): number {
  return keyBytes(secret).length * 8;
}

function checkTimestamp(timestamp: string, now: Date): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw refused('timestamp');
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > webhookTolerance) throw refused('timestamp');
}

function matches(expected: readonly Buffer[], given: readonly Buffer[]): boolean {
  // Compares all, since the time taken must not reveal which secret or signature was close.
  let found = false;
  for (const one of expected)
    for (const other of given) found = (other.length === one.length && timingSafeEqual(one, other)) || found;
  return found;
}

function mac(key: Uint8Array, id: string, timestamp: string, rawBody: Uint8Array | string): Buffer {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
}

async function isSigned(jwt: string, keys: readonly Uint8Array[], now: Date): Promise<boolean> {
  const checks = keys.map((key) =>
    jwtVerify(jwt, key, { algorithms: ['HS256'], currentDate: now, clockTolerance: webhookTolerance }).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(checks)).includes(true);
}

// Standard Webhooks writes a secret as `whsec_` + base64. Any other text is used as it is.
function keyBytes(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');
}

function header(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function refused(reason: 'no-secret' | 'header-missing' | 'timestamp' | 'signature'): BridgeError {
  return new BridgeError('webhook_unauthorized', { reason });
}
