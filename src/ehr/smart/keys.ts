import { readFileSync } from 'node:fs';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { z } from 'zod';
import { BridgeError } from '../../core/errors.ts';
import { inOurWords } from '../../core/issue-words.ts';
import { algs, type Keyring, type SigningAlg, type SiteParts } from './types.ts';

const PrivateKey = z.looseObject({
  kty: z.enum(['EC', 'RSA']),
  kid: z.string().min(1),
  alg: z.enum(algs),
  d: z.string().min(1),
});
const PrivateKeySet = z.object({ keys: z.array(PrivateKey).min(1) });
export type PrivateKeySet = z.infer<typeof PrivateKeySet>;

/**
 * Reads the keys of a private JWK Set, given as JSON or as the path of a file. Without `jwks` there are no keys, and
 * signing throws config_invalid.
 */
export function createKeyring(jwks: string | undefined): Keyring {
  const keys = jwks === undefined ? [] : parseKeys(jwks);
  const pick = (alg: SigningAlg) => {
    const key = keys.find((each) => each.alg === alg);
    if (key === undefined)
      throw new BridgeError('config_invalid', { problems: [`BRIDGE_JWKS: no private ${alg} key`] });
    return key;
  };
  return {
    privateJwk: (alg) => ({ ...pick(alg) }),
    async signingKey(alg) {
      const jwk = pick(alg);
      return { key: await importPrivate(jwk, alg), kid: jwk.kid };
    },
    publicJwks: () => ({ keys: keys.map(publicPart) }),
  };
}

/**
 * Makes a private JWK Set for `BRIDGE_JWKS` with an ES384 and an RS384 key, or with one key of the algorithm `only`.
 */
export async function generateKeys(only?: SigningAlg): Promise<{ keys: JWK[] }> {
  const keys = await Promise.all(
    (only === undefined ? algs : [only]).map(async (alg) => {
      const pair = await generateKeyPair(alg, { extractable: true, modulusLength: 3072 });
      return {
        ...(await exportJWK(pair.privateKey)),
        alg,
        use: 'sig',
        kid: `${alg.toLowerCase()}-${crypto.randomUUID()}`,
      };
    }),
  );
  return { keys };
}

function parseKeys(jwks: string): PrivateKeySet['keys'] {
  const parsed = PrivateKeySet.safeParse(readJson(jwks), inOurWords);
  if (!parsed.success)
    throw new BridgeError('config_invalid', {
      problems: parsed.error.issues.map((issue) => `BRIDGE_JWKS: ${issue.path.join('.')}: ${issue.message}`),
    });
  const kids = parsed.data.keys.map((key) => key.kid);
  if (new Set(kids).size !== kids.length)
    throw new BridgeError('config_invalid', { problems: ['BRIDGE_JWKS: every key needs its own kid'] });
  return parsed.data.keys;
}

function readJson(jwks: string): unknown {
  try {
    return JSON.parse(jwks.trimStart().startsWith('{') ? jwks : readFileSync(jwks, 'utf8'));
  } catch {
    // the parser's message would quote the private key
    throw new BridgeError('config_invalid', {
      problems: ['BRIDGE_JWKS: neither a JWK Set in JSON nor a readable file with one'],
    });
  }
}

async function importPrivate(jwk: JWK, alg: SigningAlg): Promise<CryptoKey> {
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array)
    throw new BridgeError('config_invalid', { problems: ['BRIDGE_JWKS: a symmetric key cannot sign'] });
  return key;
}

/** Keeps only the members that RFC 7517 and 7518 define as public, so that no unknown private member is published. */
function publicPart({ kty, kid, alg, crv, x, y, n, e }: JWK): JWK {
  const point = {
    ...(crv === undefined ? {} : { crv }),
    ...(x === undefined ? {} : { x }),
    ...(y === undefined ? {} : { y }),
  };
  const modulus = { ...(n === undefined ? {} : { n }), ...(e === undefined ? {} : { e }) };
  return {
    kty,
    use: 'sig',
    ...(kid === undefined ? {} : { kid }),
    ...(alg === undefined ? {} : { alg }),
    ...(kty === 'EC' ? point : modulus),
  } as JWK;
}

export type Client =
  | { readonly auth: 'public'; readonly id: string }
  | { readonly auth: 'client_secret'; readonly id: string; readonly secretEnv: string; readonly raw: boolean }
  | { readonly auth: 'private_key_jwt'; readonly id: string; readonly alg: SigningAlg };

export function launchClient(site: SiteParts['config']['sites'][number]): Client {
  const { client } = site;
  return client.auth === 'client_secret' ? { ...client, raw: site.signIn?.basic === 'raw' } : client;
}

/**
 * Returns the client authentication of a token request: a Basic header or form parameters. A confidential client sends
 * no client_id (SMART 2.2, token request).
 */
export async function clientAuth(
  parts: SiteParts,
  client: Client,
  tokenUri: string,
): Promise<{ readonly headers: Record<string, string>; readonly params: Record<string, string> }> {
  if (client.auth === 'public') return { headers: {}, params: { client_id: client.id } };
  if (client.auth === 'client_secret') return { headers: { authorization: basicHeader(parts, client) }, params: {} };
  const assertion = await clientAssertion(parts, client, tokenUri);
  return {
    headers: {},
    params: {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    },
  };
}

/** RFC 6749 2.3.1: id and secret are form-encoded before they are joined. */
export function basicHeader(parts: SiteParts, client: Client & { auth: 'client_secret' }): string {
  const encode = client.raw
    ? (text: string) => text
    : (text: string) => new URLSearchParams({ v: text }).toString().slice(2);
  const credentials = `${encode(client.id)}:${encode(parts.config.secret(client.secretEnv))}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/**
 * Returns a client assertion, valid for four minutes and one use.
 * https://hl7.org/fhir/smart-app-launch/client-confidential-asymmetric.html
 */
async function clientAssertion(
  parts: SiteParts,
  client: Client & { auth: 'private_key_jwt' },
  tokenUri: string,
): Promise<string> {
  const { key, kid } = await parts.keys.signingKey(client.alg);
  const now = Math.floor(parts.clock().getTime() / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: client.alg, kid, typ: 'JWT' })
    .setIssuer(client.id)
    .setSubject(client.id)
    .setAudience(tokenUri)
    .setExpirationTime(now + 240)
    .setJti(Buffer.from(parts.random(32)).toString('base64url'))
    .sign(key);
}

/** Throws config_invalid if a client has no key to sign with. Called at start, not only at the first request. */
export function checkKeys(parts: SiteParts): void {
  const algs = parts.config.sites.flatMap((site) => [
    ...(site.client.auth === 'private_key_jwt' ? [site.client.alg] : []),
    ...(site.writeback.system ? [site.writeback.system.alg] : []),
  ]);
  const missing = [...new Set(algs)].filter((alg) => parts.keys.publicJwks().keys.every((key) => key.alg !== alg));
  if (missing.length > 0)
    throw new BridgeError('config_invalid', {
      problems: missing.map((alg) => `BRIDGE_JWKS: a site signs with ${alg}, but there is no such key`),
    });
}
