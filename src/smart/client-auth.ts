import { SignJWT } from 'jose';
import { BridgeError } from '../errors.ts';
import type { SigningAlg } from './keys.ts';
import type { Room } from './room.ts';

/** How one client proves itself at a token endpoint. */
export type Client =
  | { readonly auth: 'public'; readonly id: string }
  | { readonly auth: 'client_secret'; readonly id: string; readonly secretEnv: string; readonly raw: boolean }
  | { readonly auth: 'private_key_jwt'; readonly id: string; readonly alg: SigningAlg };

/** The client of a site's launches. */
export function launchClient(site: Room['config']['sites'][number]): Client {
  const { client } = site;
  return client.auth === 'client_secret' ? { ...client, raw: site.signIn?.basic === 'raw' } : client;
}

/**
 * What a token request needs besides its grant: a Basic header, or form parameters. A confidential client sends no
 * client_id (SMART 2.2, token request).
 */
export async function clientAuth(
  room: Room,
  client: Client,
  tokenUri: string,
): Promise<{ readonly headers: Record<string, string>; readonly params: Record<string, string> }> {
  if (client.auth === 'public') return { headers: {}, params: { client_id: client.id } };
  if (client.auth === 'client_secret') return { headers: { authorization: basicHeader(room, client) }, params: {} };
  const assertion = await clientAssertion(room, client, tokenUri);
  return {
    headers: {},
    params: {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    },
  };
}

/** RFC 6749 2.3.1: id and secret are form-encoded before they are joined. */
export function basicHeader(room: Room, client: Client & { auth: 'client_secret' }): string {
  const encode = client.raw
    ? (text: string) => text
    : (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  const credentials = `${encode(client.id)}:${encode(room.config.secret(client.secretEnv))}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/**
 * A client assertion, good for four minutes and one use.
 * https://hl7.org/fhir/smart-app-launch/client-confidential-asymmetric.html
 */
async function clientAssertion(
  room: Room,
  client: Client & { auth: 'private_key_jwt' },
  tokenUri: string,
): Promise<string> {
  const { key, kid } = await room.keys.signingKey(client.alg);
  const now = Math.floor(room.clock().getTime() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: client.alg, kid, typ: 'JWT' })
    .setIssuer(client.id)
    .setSubject(client.id)
    .setAudience(tokenUri)
    .setExpirationTime(now + 240)
    .setJti(Buffer.from(room.random(32)).toString('base64url'))
    .sign(key);
}

/** The BridgeError for a client that cannot sign; thrown early, at start. */
export function checkKeys(room: Room): void {
  const algs = room.config.sites.flatMap((site) => [
    ...(site.client.auth === 'private_key_jwt' ? [site.client.alg] : []),
    ...(site.writeback.system ? [site.writeback.system.alg] : []),
  ]);
  const missing = [...new Set(algs)].filter((alg) => room.keys.publicJwks().keys.every((key) => key.alg !== alg));
  if (missing.length > 0)
    throw new BridgeError('config_invalid', {
      problems: missing.map((alg) => `BRIDGE_JWKS: a site signs with ${alg}, but there is no such key`),
    });
}
