import { z } from 'zod';
import { retryAfterSeconds } from '../../base/retry-after.ts';
import type { Site } from '../../config/config.ts';
import { BridgeError } from '../../core/errors.ts';
import { saidBy } from '../../core/fhir/ehr-says.ts';
import { type EhrAnswer, jsonOf, NoAnswer, send } from './http.ts';
import { type Client, clientAuth, launchClient } from './keys.ts';
import { saidOf } from './oauth-says.ts';
import type { Tokens } from './store.ts';
import type { SiteParts } from './types.ts';

const day = 86_400;

const TokenAnswer = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  /** Seconds; 300 if the EHR states none, at most a day. */
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^-?\d+(\.\d+)?$/)
        .transform(Number),
    ])
    .catch(300)
    .transform((seconds) => Math.min(Math.max(seconds, 0), day)),
  scope: z.string().optional(),
  refresh_token: z.string().min(1).optional().catch(undefined),
  id_token: z.string().min(1).optional().catch(undefined),
  patient: z.unknown().optional(),
  encounter: z.unknown().optional(),
  fhirContext: z.unknown().optional(),
  need_patient_banner: z.unknown().optional(),
  intent: z.unknown().optional(),
});
/** A token response whose context values are not verified yet. */
export type TokenAnswer = z.infer<typeof TokenAnswer>;

/**
 * Sends one token request and checks the response (RFC 6749 5.1). It is never retried, because a code can be used only
 * once. Throws client_refused if the EHR does not accept the bridge's id, secret or key; token_failed with `http` and
 * the OAuth `error` code if it refuses the grant; token_failed without `error` if it does not answer; token_invalid if
 * the response has no bearer token. The EHR's own message is the cause.
 */
export async function askToken(parts: SiteParts, tokenUri: string, request: TokenRequest): Promise<TokenAnswer> {
  const answer = await post(parts, tokenUri, request);
  if (answer.status !== 200 && answer.status !== 201) throw refusal(parts, request, answer);
  const parsed = TokenAnswer.safeParse(jsonOf(answer));
  // zod's messages are left out, since they would quote the tokens
  if (!parsed.success)
    throw new BridgeError('token_invalid', {
      fields: parsed.error.issues.map((issue) => issue.path.join('.') || 'body'),
    });
  if (answer.headers.get('cache-control')?.includes('no-store') !== true)
    parts.log.debug({ event: 'token_cacheable' }, 'token answer without Cache-Control: no-store');
  return parsed.data;
}

export interface TokenRequest {
  readonly site: string;
  readonly client: Client;
  readonly headers: Record<string, string>;
  readonly body: string;
}

const clientErrors = new Set(['invalid_client', 'unauthorized_client']);

/**
 * Returns the error of a launch or a token request that the EHR refused because of the client (RFC 6749 4.1.2.1 and
 * 5.2). Logs it for the operator, with the settings to check.
 */
export function clientRefused(
  parts: SiteParts,
  { site, client }: Pick<TokenRequest, 'site' | 'client'>,
  facts: { readonly http?: number; readonly error?: string; readonly retry_after_seconds?: number },
  said: { readonly cause?: Error } = {},
): BridgeError {
  const all = { site, auth: client.auth, ...facts, check: toCheck(parts, client) };
  parts.log.error({ event: 'client_refused', ...all }, 'the EHR does not accept the client of this site');
  return new BridgeError('client_refused', all, said);
}

export function isClientError(error: unknown): error is string {
  return typeof error === 'string' && clientErrors.has(error);
}

function refusal(parts: SiteParts, request: TokenRequest, answer: EhrAnswer): BridgeError {
  const asked = retryAfterSeconds(answer.headers, parts.clock());
  const facts = {
    http: answer.status,
    ...errorFact(answer),
    ...(asked === undefined ? {} : { retry_after_seconds: asked }),
  };
  const said = saidOf(jsonOf(answer), { hidden: confidential(parts, request), stated: facts.error });
  const failed = new BridgeError('token_failed', facts, said);
  return isClients(failed) ? clientRefused(parts, request, facts, said) : failed;
}

/**
 * Whether a token request was refused because of the client. That is shown by the code, by a 401 without a code (RFC
 * 6749 5.2), or by Medplum's message: it calls a wrong signature or secret an invalid request.
 */
function isClients(refusal: BridgeError): boolean {
  const { http, error } = refusal.facts;
  if (error === undefined) return http === 401;
  return (error === 'invalid_request' && proofs.test(saidBy(refusal))) || isClientError(error);
}

const proofs = /\b(assertion|signature|client[ _](secret|authentication|credentials))\b/i;

/** The confidential values of a token request: all values that neither the sites file nor the specification states. */
function confidential(parts: SiteParts, { client, headers, body }: TokenRequest): string[] {
  const form = [...new URLSearchParams(body)].filter(([name]) => !open.has(name)).map(([, value]) => value);
  const secret = client.auth === 'client_secret' ? [parts.config.secret(client.secretEnv)] : [];
  return [...form, ...secret, ...(headers.authorization?.split(' ').slice(1) ?? [])];
}

const open: ReadonlySet<string> = new Set([
  'grant_type',
  'redirect_uri',
  'client_id',
  'client_assertion_type',
  'scope',
  'token_type_hint',
]);

function toCheck(parts: SiteParts, client: Client): string[] {
  const id = 'client.id is the one that the EHR gave';
  if (client.auth === 'public') return [id, 'the EHR has the bridge as a public client'];
  if (client.auth === 'private_key_jwt')
    return [
      id,
      `the EHR reads the keys at ${parts.config.url}/.well-known/jwks.json, or has the present ${client.alg} key`,
    ];
  const secret = `${client.secretEnv} holds the secret, and it has not expired`;
  const isChanged = /[^A-Za-z0-9*._-]/.test(parts.config.secret(client.secretEnv) + client.id);
  const other = client.raw ? 'encoded' : 'raw';
  return isChanged
    ? [id, secret, `signIn.basic: ${other} may be what this EHR expects of such a secret`]
    : [id, secret];
}

/** Whether the error means that the grant is no longer valid, so that retrying is useless. */
export function isGrantDead(error: BridgeError): boolean {
  return error.code === 'token_failed' && ['invalid_grant', 'invalid_scope'].includes(String(error.facts.error));
}

async function post(parts: SiteParts, tokenUri: string, { headers, body }: TokenRequest): Promise<EhrAnswer> {
  try {
    return await send(
      parts.fetch,
      tokenUri,
      {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      },
      { timeoutMs: parts.limits.timeoutMs, bytes: parts.limits.documentBytes },
    );
  } catch (cause) {
    throw new BridgeError(
      'token_failed',
      { reason: cause instanceof NoAnswer ? cause.reason : 'connection' },
      { cause },
    );
  }
}

function errorFact(answer: EhrAnswer): { error?: string } {
  const body = z.object({ error: z.string().regex(/^[a-z_]{1,40}$/) }).safeParse(jsonOf(answer));
  return body.success ? { error: body.data.error } : {};
}

/**
 * Asks the EHR to revoke the tokens (RFC 7009), the refresh token first. Failures are ignored, because the bridge
 * deletes the tokens anyway.
 */
export async function revoke(parts: SiteParts, site: Site, { refreshToken, accessToken }: Tokens): Promise<void> {
  try {
    const { revocationEndpoint } = await parts.discover(site);
    if (revocationEndpoint === undefined) return;
    if (refreshToken !== undefined) await revokeOne(parts, site, revocationEndpoint, refreshToken, 'refresh_token');
    if (accessToken !== undefined) await revokeOne(parts, site, revocationEndpoint, accessToken, 'access_token');
  } catch {
    parts.log.info({ event: 'revocation_failed', site: site.id }, 'the EHR did not take the revocation');
  }
}

async function revokeOne(parts: SiteParts, site: Site, endpoint: string, token: string, hint: string): Promise<void> {
  const { headers, params } = await clientAuth(parts, launchClient(site), endpoint);
  const body = new URLSearchParams({ token, token_type_hint: hint, ...params }).toString();
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body,
  };
  await send(parts.fetch, endpoint, request, {
    timeoutMs: Math.min(parts.limits.timeoutMs, 5_000),
    bytes: parts.limits.documentBytes,
  });
}
