import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bundle, FhirResource } from 'fhir/r4.js';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { silentLog } from '../../../../src/base/log.ts';
import {
  type SandboxClient,
  type SandboxEhr,
  type SandboxEhrOptions,
  startSandboxEhr,
} from '../../../../src/dev/sandbox/ehr/index.ts';

export const redirectUri = 'http://localhost:9/callback/test';
export const publicClient: SandboxClient = { auth: 'public', id: 'test-public', redirectUris: [redirectUri] };

export async function startEhr(options: Partial<SandboxEhrOptions> = {}): Promise<SandboxEhr> {
  return startSandboxEhr({
    host: '127.0.0.1',
    port: 0,
    launchUrl: 'http://localhost:9/launch',
    clients: [publicClient],
    clock: () => new Date(),
    log: silentLog,
    ...options,
  });
}

export function bundleOf(...resources: FhirResource[]): Bundle<FhirResource> {
  return { resourceType: 'Bundle', type: 'collection', entry: resources.map((resource) => ({ resource })) };
}

/** Two patients with an order each, and their prescriber. */
export const twoCharts = bundleOf(
  { resourceType: 'Practitioner', id: 'doc', name: [{ family: 'Sample', given: ['Ada'] }] },
  { resourceType: 'Patient', id: 'a', name: [{ family: 'Alpha', given: ['Ann'] }], birthDate: '1980-02-29' },
  { resourceType: 'Patient', id: 'b', name: [{ family: 'Beta', given: ['Bob'] }] },
  {
    resourceType: 'MedicationRequest',
    id: 'order-a',
    status: 'active',
    intent: 'order',
    medicationCodeableConcept: { text: 'drug one' },
    subject: { reference: 'Patient/a' },
    requester: { reference: 'Practitioner/doc' },
  },
  {
    resourceType: 'MedicationRequest',
    id: 'order-b',
    status: 'active',
    intent: 'order',
    medicationCodeableConcept: { text: 'drug two' },
    subject: { reference: 'Patient/b' },
    requester: { reference: 'Practitioner/doc' },
  },
  { resourceType: 'Task', id: 'task-b', status: 'requested', intent: 'order', for: { reference: 'Patient/b' } },
);

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly scope: string;
  readonly patient?: string;
  readonly encounter?: string;
  readonly fhirContext?: readonly { readonly reference: string }[];
  readonly need_patient_banner?: boolean;
  readonly error?: string;
}

export interface Ask {
  readonly scope?: string;
  readonly client?: string;
  readonly aud?: string;
  readonly launch?: string;
  readonly challenge?: string;
  readonly cookie?: string;
}

/** Opens the authorization address as a browser does; answers what the redirect carries back. */
export async function authorize(
  ehr: SandboxEhr,
  ask: Ask = {},
): Promise<{ params: URLSearchParams; verifier: string; cookie: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: ask.client ?? 'test-public',
    redirect_uri: redirectUri,
    scope: ask.scope ?? 'launch openid fhirUser online_access patient/*.cruds',
    state: 'state-of-at-least-some-length',
    aud: ask.aud ?? ehr.fhirBase,
    launch: ask.launch ?? ehr.launch({ patient: 'a', order: 'order-a' }).launch,
    code_challenge: ask.challenge ?? createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  if (ask.challenge === '') for (const name of ['code_challenge', 'code_challenge_method']) query.delete(name);
  const response = await fetch(`${ehr.url}/oauth/auth?${query}`, {
    redirect: 'manual',
    headers: ask.cookie === undefined ? {} : { cookie: ask.cookie },
  });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { params: new URL(response.headers.get('location') ?? 'http://none.invalid/').searchParams, verifier, cookie };
}

export async function tokenRequest(
  ehr: SandboxEhr,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const response = await fetch(`${ehr.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form), headers });
  return (await response.json()) as TokenAnswer; // the caller checks what it relies on
}

/** The whole launch of a public client. */
export async function launchToken(ehr: SandboxEhr, ask: Ask = {}): Promise<TokenAnswer> {
  const { params, verifier } = await authorize(ehr, ask);
  return tokenRequest(ehr, {
    grant_type: 'authorization_code',
    code: params.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    client_id: ask.client ?? 'test-public',
  });
}

/** A FHIR request with a bearer token; `body` is sent as application/fhir+json. */
export async function fhir(
  ehr: SandboxEhr,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: FhirAnswer }> {
  const response = await fetch(`${ehr.fhirBase}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/fhir+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** As much of any FHIR answer as the tests look at. */
export interface FhirAnswer {
  readonly resourceType?: string;
  readonly id?: string;
  readonly total?: number;
  readonly status?: string;
  readonly description?: string;
  readonly meta?: { readonly versionId?: string };
  readonly link?: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly {
    readonly fullUrl?: string;
    readonly resource?: FhirAnswer;
    readonly search?: { readonly mode: string };
    readonly response?: { readonly status: string };
  }[];
  readonly issue?: readonly {
    readonly code: string;
    readonly expression?: readonly string[];
    readonly details?: { readonly text?: string };
  }[];
}

/** An app with keys of its own and an address that publishes them. */
export async function appWithKeys(alg: 'ES384' | 'RS384'): Promise<{
  jwksUri: string;
  assertion: (clientId: string, audience: string) => Promise<string>;
  close: () => Promise<void>;
}> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: 'k1', alg, use: 'sig' };
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // a TCP server has an AddressInfo
  return {
    jwksUri: `http://localhost:${port}/jwks.json`,
    assertion: (clientId, audience) =>
      new SignJWT({})
        .setProtectedHeader({ alg, kid: 'k1', typ: 'JWT' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience(audience)
        .setJti(randomBytes(12).toString('hex'))
        .setExpirationTime('2m')
        .sign(privateKey),
    close: () => new Promise((done) => server.close(() => done())),
  };
}
