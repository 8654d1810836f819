import { createRemoteJWKSet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SandboxEhr } from '../../../../src/dev/sandbox/ehr/index.ts';
import {
  appWithKeys,
  authorize,
  fhir,
  launchToken,
  publicClient,
  redirectUri,
  startEhr,
  tokenRequest,
  twoCharts,
} from './support.ts';

const jwtBearer = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
let ehr: SandboxEhr;
let es384: Awaited<ReturnType<typeof appWithKeys>>;
let rs384: Awaited<ReturnType<typeof appWithKeys>>;

beforeAll(async () => {
  es384 = await appWithKeys('ES384');
  rs384 = await appWithKeys('RS384');
  ehr = await startEhr({
    seed: [twoCharts],
    clients: [
      publicClient,
      { auth: 'client_secret', id: 'test-secret', secret: 'a-secret-of-the-test', redirectUris: [redirectUri] },
      { auth: 'private_key_jwt', id: 'test-es384', jwksUri: es384.jwksUri, redirectUris: [redirectUri] },
      { auth: 'private_key_jwt', id: 'test-rs384', jwksUri: rs384.jwksUri, redirectUris: [redirectUri] },
      { auth: 'private_key_jwt', id: 'test-backend', jwksUri: es384.jwksUri, redirectUris: [], system: true },
    ],
  });
});

afterAll(async () => {
  await ehr.close();
  await es384.close();
  await rs384.close();
});

describe('EHR launch', () => {
  test('a public client gets the launch context with its token', async () => {
    const token = await launchToken(ehr);
    expect(token).toMatchObject({
      token_type: 'Bearer',
      patient: 'a',
      fhirContext: [{ reference: 'MedicationRequest/order-a' }],
      need_patient_banner: true,
    });
    expect(token).not.toHaveProperty('practitioner');
  });

  test('the id_token is signed with RS256 and names the launching practitioner as fhirUser', async () => {
    const { id_token } = await launchToken(ehr);
    const { payload, protectedHeader } = await jwtVerify(
      id_token ?? '',
      createRemoteJWKSet(new URL(`${ehr.url}/oauth/jwks`)),
      {
        issuer: `${ehr.url}/oauth`,
        audience: 'test-public',
      },
    );
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({ fhirUser: `${ehr.fhirBase}/Practitioner/doc`, sub: 'doc' });
  });

  test('a second launch in the same browser gets its own patient', async () => {
    const first = await authorize(ehr);
    const second = await authorize(ehr, {
      launch: ehr.launch({ patient: 'b', order: 'order-b' }).launch,
      cookie: first.cookie,
    });
    const exchange = (code: string | null, verifier: string) =>
      tokenRequest(ehr, {
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: 'test-public',
      });
    expect((await exchange(second.params.get('code'), second.verifier)).patient).toBe('b');
    expect((await exchange(first.params.get('code'), first.verifier)).patient).toBe('a');
  });

  test.each([
    ['an unknown launch id', { launch: 'never-made' }],
    ['another aud', { aud: 'https://ehr.example.org/fhir' }],
    ['no code_challenge', { challenge: '' }],
  ])('%s is refused with invalid_request', async (_title, ask) => {
    const { params } = await authorize(ehr, ask);
    expect(params.get('error')).toBe('invalid_request');
    expect(params.get('code')).toBeNull();
  });

  test('a launch id is good for ten minutes', async () => {
    let now = new Date('2026-11-21T10:00:00Z');
    const slow = await startEhr({ seed: [twoCharts], clock: () => now });
    const { launch } = slow.launch({ patient: 'a' });
    now = new Date('2026-11-21T10:10:01Z');
    expect((await authorize(slow, { launch })).params.get('error')).toBe('invalid_request');
    await slow.close();
  });

  test('a code with the wrong verifier is refused', async () => {
    const { params } = await authorize(ehr);
    const answer = await tokenRequest(ehr, {
      grant_type: 'authorization_code',
      code: params.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: 'x'.repeat(43),
      client_id: 'test-public',
    });
    expect(answer.error).toBe('invalid_grant');
  });

  test('system scopes are not granted to a user', async () => {
    const { scope } = await launchToken(ehr, { scope: 'launch openid patient/Patient.r system/*.cruds' });
    expect(scope.split(' ').sort()).toEqual(['launch', 'openid', 'patient/Patient.r']);
  });
});

describe('client authentication', () => {
  test.each(['test-es384', 'test-rs384'])('%s exchanges its code with a signed assertion', async (client) => {
    const { params, verifier } = await authorize(ehr, { client });
    const app = client === 'test-es384' ? es384 : rs384;
    const form = {
      grant_type: 'authorization_code',
      code: params.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      client_assertion_type: jwtBearer,
    };
    const answer = await tokenRequest(ehr, {
      ...form,
      client_assertion: await app.assertion(client, `${ehr.url}/oauth/token`),
    });
    expect(answer.patient).toBe('a');
  });

  test('an assertion signed by another app’s key is refused', async () => {
    const stranger = await appWithKeys('ES384');
    const answer = await tokenRequest(ehr, {
      grant_type: 'client_credentials',
      scope: 'system/Task.cruds',
      client_assertion_type: jwtBearer,
      client_assertion: await stranger.assertion('test-backend', `${ehr.url}/oauth/token`),
    });
    await stranger.close();
    expect(answer.error).toBe('invalid_client');
  });

  test('a client with a secret authenticates by HTTP Basic', async () => {
    const { params, verifier } = await authorize(ehr, { client: 'test-secret' });
    const form = {
      grant_type: 'authorization_code',
      code: params.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`test-secret:${secret}`).toString('base64')}`,
    });
    expect((await tokenRequest(ehr, form, basic('wrong'))).error).toBe('invalid_client');
    expect((await tokenRequest(ehr, form, basic('a-secret-of-the-test'))).patient).toBe('a');
  });

  test('Backend Services: client_credentials gives a system token without a patient', async () => {
    const answer = await tokenRequest(ehr, {
      grant_type: 'client_credentials',
      scope: 'system/Task.cruds patient/Patient.r',
      client_assertion_type: jwtBearer,
      client_assertion: await es384.assertion('test-backend', `${ehr.url}/oauth/token`),
    });
    expect(answer.patient).toBeUndefined();
    expect((await fhir(ehr, answer.access_token, 'GET', 'Task/task-b')).status).toBe(200);
    expect((await fhir(ehr, answer.access_token, 'GET', 'Patient/a')).status).toBe(403);
  });
});

describe('refresh and revocation', () => {
  const refresh = (token: string | undefined) =>
    tokenRequest(ehr, { grant_type: 'refresh_token', refresh_token: token ?? '', client_id: 'test-public' });

  test('a refresh token is used once and keeps the patient', async () => {
    const first = await launchToken(ehr);
    const second = await refresh(first.refresh_token);
    expect(second.patient).toBe('a');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await fhir(ehr, second.access_token, 'GET', 'Patient/a')).status).toBe(200);
    expect((await refresh(first.refresh_token)).error).toBe('invalid_grant');
  });

  test('offline_access gives a refresh token without a consent page', async () => {
    const token = await launchToken(ehr, { scope: 'launch openid offline_access patient/Patient.r' });
    expect(token.scope).toContain('offline_access');
    expect(token.refresh_token).toBeTypeOf('string');
  });

  test('without online_access or offline_access there is no refresh token', async () => {
    expect((await launchToken(ehr, { scope: 'launch openid patient/Patient.r' })).refresh_token).toBeUndefined();
  });

  test('a revoked token is refused by the FHIR server', async () => {
    const { access_token } = await launchToken(ehr);
    const response = await fetch(`${ehr.url}/oauth/token/revocation`, {
      method: 'POST',
      body: new URLSearchParams({ token: access_token, client_id: 'test-public' }),
    });
    expect(response.status).toBe(200);
    const read = await fhir(ehr, access_token, 'GET', 'Patient/a');
    expect(read.status).toBe(401);
    expect(read.headers.get('www-authenticate')).toContain('invalid_token');
  });
});

test('the smart-configuration names endpoints that exist', async () => {
  const response = await fetch(`${ehr.fhirBase}/.well-known/smart-configuration`);
  const configuration = (await response.json()) as Record<string, string>; // checked below
  expect(configuration.code_challenge_methods_supported).toEqual(['S256']);
  expect((await fetch(configuration.jwks_uri ?? '')).status).toBe(200);
  const openid = (await (await fetch(`${configuration.issuer}/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >;
  expect(openid).toMatchObject({
    issuer: configuration.issuer,
    authorization_endpoint: configuration.authorization_endpoint,
    token_endpoint: configuration.token_endpoint,
    revocation_endpoint: configuration.revocation_endpoint,
    jwks_uri: configuration.jwks_uri,
  });
});
