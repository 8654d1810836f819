import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { nameAt } from '../../core/fhir/address.ts';
import { send } from './http.ts';
import type { Discovery, Identity, Parts } from './types.ts';

type KeySet = ReturnType<typeof createRemoteJWKSet>;

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * Verifies id_tokens (OpenID Connect Core 3.1.3.7): signature by the EHR's published keys, issuer, audience, times,
 * nonce. The token's own `iss` is compared and never fetched. Throws token_invalid with `claim` or `reason`.
 */
export function createIdTokens(
  parts: Parts,
): (site: Site, discovery: Discovery, idToken: string, nonce: string | undefined) => Promise<Identity> {
  const keySets = new Map<string, KeySet>();
  const keysOf = (jwksUri: string) => {
    const known = keySets.get(jwksUri) ?? remoteKeys(parts, jwksUri);
    keySets.set(jwksUri, known);
    return known;
  };
  return async (site, discovery, idToken, nonce) => {
    if (discovery.jwksUri === undefined)
      throw new BridgeError('token_invalid', { reason: 'the EHR publishes no keys (jwks_uri)' });
    const claims = await verify(parts, site, discovery, idToken, keysOf(discovery.jwksUri));
    checkAudience(claims, site.client.id);
    checkNonce(site, claims, nonce);
    const fhirUser = userReference(site, claims.fhirUser);
    return {
      ...(fhirUser === undefined ? {} : { fhirUser }),
      ...(typeof claims.name === 'string' && claims.name !== '' ? { userName: claims.name.slice(0, 200) } : {}),
    };
  };
}

/** The issuers whose id_tokens and authorization responses a site trusts. */
export function issuersOf(site: Site, discovery: Discovery): string[] {
  return site.issuers.length > 0 ? site.issuers : [discovery.issuer ?? site.iss];
}

function remoteKeys(parts: Parts, jwksUri: string): KeySet {
  const bounds = { timeoutMs: parts.limits.timeoutMs, bytes: parts.limits.documentBytes };
  // for an unknown kid, jose reads the key set again, at most every 30 seconds
  return createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: parts.limits.timeoutMs,
    cooldownDuration: 30_000,
    cacheMaxAge: 10 * 60_000,
    [customFetch]: async (url) => {
      const answer = await send(parts.fetch, url, { method: 'GET', headers: { accept: 'application/json' } }, bounds);
      return new Response(answer.text, { status: answer.status, headers: { 'content-type': 'application/json' } });
    },
  });
}

async function verify(
  parts: Parts,
  site: Site,
  discovery: Discovery,
  idToken: string,
  keys: KeySet,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      algorithms,
      issuer: issuersOf(site, discovery),
      audience: site.client.id,
      clockTolerance: 120,
      maxTokenAge: 600,
      requiredClaims: ['sub', 'exp', 'iat'],
      currentDate: parts.clock(),
    });
    return payload;
  } catch (cause) {
    throw new BridgeError('token_invalid', { token: 'id_token', reason: reasonOf(cause) }, { cause });
  }
}

function checkAudience(claims: JWTPayload, clientId: string): void {
  const several = Array.isArray(claims.aud) && claims.aud.length > 1;
  if ((several && claims.azp === undefined) || (claims.azp !== undefined && claims.azp !== clientId))
    throw new BridgeError('token_invalid', { token: 'id_token', reason: 'azp' });
}

function checkNonce(site: Site, claims: JWTPayload, nonce: string | undefined): void {
  const policy = site.signIn?.nonce ?? 'if-present';
  if (policy === 'off' || (policy === 'if-present' && claims.nonce === undefined)) return;
  if (nonce === undefined || claims.nonce !== nonce)
    throw new BridgeError('token_invalid', { token: 'id_token', reason: 'nonce' });
}

const userPattern = /^(?:Practitioner|PractitionerRole|Patient|RelatedPerson|Person)\/[A-Za-z0-9.-]{1,64}$/;

/**
 * Returns `fhirUser` relative to the FHIR base, without a version. A user of another server throws token_invalid. An id
 * without a type is ignored, since it does not show whether the user is staff or a patient.
 */
function userReference(site: Site, fhirUser: unknown): string | undefined {
  if (fhirUser === undefined || fhirUser === null || fhirUser === '') return undefined;
  if (typeof fhirUser === 'string' && /^[A-Za-z0-9.-]{1,64}$/.test(fhirUser)) return undefined;
  const name = typeof fhirUser === 'string' ? nameAt(site.iss, fhirUser) : undefined;
  if (name === undefined || !userPattern.test(name))
    throw new BridgeError('token_invalid', { token: 'id_token', reason: 'fhirUser is not a user of this EHR' });
  return name;
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unreadable';
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
  return 'claim' in cause && typeof cause.claim === 'string' && cause.claim !== 'unspecified'
    ? `${code} ${cause.claim}`
    : code;
}
