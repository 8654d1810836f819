import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import nock from 'nock';
import { silentLog } from '../../../src/base/log.ts';
import { type Config, makeConfig, Site } from '../../../src/config/config.ts';
import { generateKeys } from '../../../src/ehr/smart/keys.ts';
import { createSmart, type Smart, type SmartOptions } from '../../../src/ehr/smart/smart.ts';
import type { LaunchStore } from '../../../src/ehr/smart/store.ts';
import type { Limits } from '../../../src/ehr/smart/types.ts';
import { createMemoryStore } from './memory-store.ts';

export const iss = 'https://ehr.valley.example/fhir';
export const ehr = 'https://ehr.valley.example';
export const bridge = 'https://bridge.example';

export const bridgeKeys = await generateKeys();
export const idTokenKey = await generateKeyPair('RS256', { extractable: true });
const idTokenJwk = { ...(await exportJWK(idTokenKey.publicKey)), kid: 'ehr-1', alg: 'RS256', use: 'sig' };
export const ehrJwks = { keys: [idTokenJwk] };

/** A time that tests move by hand. */
export function testClock(start = '2026-11-21T10:00:00.000Z') {
  let now = Date.parse(start);
  return Object.assign(() => new Date(now), { forward: (ms: number) => (now += ms) });
}

export function testSite(changes: Record<string, unknown> = {}): Site {
  return Site.parse({
    id: 'valley',
    name: 'Valley Clinic',
    iss,
    client: { auth: 'public', id: 'bridge-client' },
    scopes: 'launch openid fhirUser offline_access patient/Patient.r patient/Coverage.rs patient/Task.cu',
    service: { url: 'https://service.example', tokenEnv: 'SERVICE_TOKEN' },
    ...changes,
  });
}

// Repeats come at once, and nothing is given up because a machine is busy: a test of giving up sets its own limits.
export const fastLimits: Partial<Limits> = { timeoutMs: 60_000, deadlineMs: 90_000, backoffMs: 2 };

export interface Bench {
  readonly smart: Smart;
  readonly store: LaunchStore;
  readonly clock: ReturnType<typeof testClock>;
  readonly site: Site;
  readonly config: Config;
}

/** A Smart with one or more sites, in-memory store, hand-set clock and short limits. */
export function bench(
  options: {
    sites?: readonly Site[];
    store?: LaunchStore;
    clock?: ReturnType<typeof testClock>;
    limits?: Partial<Limits>;
    log?: SmartOptions['log'];
    keys?: string;
  } = {},
): Bench {
  const sites = options.sites ?? [testSite()];
  const env = { SERVICE_TOKEN: 't', CLIENT_SECRET: 's%+:&é' };
  const config = makeConfig(
    { BRIDGE_URL: bridge, BRIDGE_KEYS: '0'.repeat(64), BRIDGE_JWKS: options.keys ?? JSON.stringify(bridgeKeys) },
    sites,
    env,
  );
  const store = options.store ?? createMemoryStore();
  const clock = options.clock ?? testClock();
  const smart = createSmart({
    config,
    store,
    clock,
    log: options.log ?? silentLog,
    limits: { ...fastLimits, ...options.limits },
  });
  return { smart, store, clock, site: sites[0]!, config };
}

export const wellKnown = {
  issuer: 'https://ehr.valley.example/oauth',
  authorization_endpoint: `${ehr}/oauth/authorize`,
  token_endpoint: `${ehr}/oauth/token`,
  revocation_endpoint: `${ehr}/oauth/revoke`,
  jwks_uri: `${ehr}/oauth/jwks`,
  code_challenge_methods_supported: ['S256'],
  capabilities: ['launch-ehr', 'permission-v1', 'permission-v2', 'sso-openid-connect'],
};

/**
 * Answers the discovery of `ehr` for the rest of the test; `jwks` is asked for the body of each answer with the keys.
 */
export function discoverable(
  changes: Record<string, unknown> = {},
  jwks: () => { status?: number; body: string } = () => ({ body: JSON.stringify(ehrJwks) }),
): void {
  nock(ehr)
    .persist()
    .get('/fhir/.well-known/smart-configuration')
    .reply(200, { ...wellKnown, ...changes });
  nock(ehr)
    .persist()
    .get('/oauth/jwks')
    .reply(() => {
      const { status = 200, body } = jwks();
      return [status, body, { 'content-type': 'application/json' }];
    });
}

/** Every form that the token endpoint received, in order; `answers` are given in turn, the last one again and again. */
export function tokenEndpoint(
  ...answers: readonly { status?: number; body: unknown; headers?: Record<string, string>; delayMs?: number }[]
) {
  const received: { form: URLSearchParams; authorization: string | null; raw: string }[] = [];
  nock(ehr)
    .persist()
    .post('/oauth/token')
    .reply(async (request: Request) => {
      const raw = await request.text();
      received.push({ form: new URLSearchParams(raw), authorization: request.headers.get('authorization'), raw });
      const answer = answers[Math.min(received.length, answers.length) - 1]!;
      if (answer.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delayMs));
      const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      return [
        answer.status ?? 200,
        body,
        { 'content-type': 'application/json', 'cache-control': 'no-store', ...answer.headers },
      ];
    });
  return received;
}

export const token = {
  access_token: 'access-1',
  token_type: 'Bearer',
  expires_in: 570,
  scope: 'launch openid fhirUser offline_access patient/Patient.r patient/Coverage.rs patient/Task.cu',
  patient: 'pat-1',
};

/** An id_token of the EHR, right unless changed. */
export function idToken(
  clock: () => Date,
  claims: Record<string, unknown> = {},
  options: { key?: CryptoKey | Uint8Array; header?: { alg: string; kid?: string } } = {},
): Promise<string> {
  const now = Math.floor(clock().getTime() / 1000);
  const payload = {
    iss: wellKnown.issuer,
    sub: 'u1',
    aud: 'bridge-client',
    iat: now,
    exp: now + 300,
    fhirUser: `${iss}/Practitioner/doc-1`,
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader(options.header ?? { alg: 'RS256', kid: 'ehr-1' })
    .sign(options.key ?? idTokenKey.privateKey);
}

/** Starts a launch as a browser does and returns what the EHR would see. */
export async function begin(
  { smart }: Bench,
  sessionId: string,
  query: Record<string, unknown> = { iss, launch: 'launch-1' },
) {
  const { redirect, launch } = await smart.startLaunch(query, sessionId);
  const url = new URL(redirect);
  return { launch, url, state: url.searchParams.get('state')!, nonce: url.searchParams.get('nonce') ?? undefined };
}

/** A whole launch: discovery and token endpoint must be answered already. */
export async function launched(on: Bench, sessionId = 'browser-1', site = 'valley') {
  const started = await begin(on, sessionId);
  return on.smart.completeLaunch(site, { state: started.state, code: 'code-1' }, [sessionId]);
}

/** The BridgeError code of a rejected promise, or `resolved`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'resolved',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}
