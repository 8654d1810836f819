import { readFileSync } from 'node:fs';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK } from 'jose';
import { z } from 'zod';
import { BridgeError } from '../errors.ts';

const algs = ['ES384', 'RS384'] as const;
export type SigningAlg = (typeof algs)[number];

const PrivateKey = z.looseObject({
  kty: z.enum(['EC', 'RSA']),
  kid: z.string().min(1),
  alg: z.enum(algs),
  d: z.string().min(1),
});
const PrivateKeySet = z.object({ keys: z.array(PrivateKey).min(1) });
export type PrivateKeySet = z.infer<typeof PrivateKeySet>;

/**
 * The bridge's own signing keys. The first key of an algorithm signs; every key is published, so that a new one can be
 * shown before it is used.
 */
export interface Keyring {
  /** The private JWK with `alg` and `kid`; throws config_invalid when there is none. */
  privateJwk(alg: SigningAlg): JWK & { readonly alg: SigningAlg; readonly kid: string };
  signingKey(alg: SigningAlg): Promise<{ readonly key: CryptoKey; readonly kid: string }>;
  publicJwks(): JSONWebKeySet;
}

/**
 * Keys from a private JWK Set in JSON, or from a file that holds one. Without `jwks` the ring is empty: signing then
 * throws config_invalid.
 */
export function createKeyring(jwks: string | undefined): Keyring {
  const keys = jwks === undefined ? [] : parseKeys(jwks);
  const imported = new Map<string, Promise<CryptoKey>>();
  const pick = (alg: SigningAlg) => {
    const key = keys.find((each) => each.alg === alg);
    if (key === undefined)
      throw new BridgeError('config_invalid', { problems: [`BRIDGE_JWKS: no private ${alg} key`] });
    return key;
  };
  return {
    privateJwk: (alg) => ({ ...pick(alg) }),
    async signingKey(alg) {
      const { kid } = pick(alg);
      if (!imported.has(kid)) imported.set(kid, importPrivate(pick(alg), alg));
      return { key: await imported.get(kid)!, kid };
    },
    publicJwks: () => ({ keys: keys.map(publicPart) }),
  };
}

/** A new private JWK Set with one ES384 and one RS384 key, for `BRIDGE_JWKS`. */
export async function generateKeys(): Promise<{ keys: JWK[] }> {
  const keys = await Promise.all(
    algs.map(async (alg) => {
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
  const parsed = PrivateKeySet.safeParse(readJson(jwks));
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

/** Only the members RFC 7517 and 7518 call public: a private one that we do not know of can never slip through. */
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
