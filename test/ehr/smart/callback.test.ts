import { createLocalJWKSet, exportSPKI, jwtVerify } from 'jose';
import nock from 'nock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Log } from '../../../src/base/log.ts';
import {
  begin,
  bench,
  codeOf,
  discoverable,
  ehr,
  ehrJwks,
  idToken,
  idTokenKey,
  iss,
  launched,
  testSite,
  token,
  tokenEndpoint,
  wellKnown,
} from './support.ts';

beforeEach(() => discoverable());

describe('state', () => {
  test.each([
    ['missing', undefined],
    ['unknown', 'A'.repeat(43)],
    ['twice', ['a', 'b']],
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ["fhirclient's own key", 'SMART_KEY'],
  ])('%s is refused without a token request [B01]', async (_name, state) => {
    const received = tokenEndpoint({ body: token });
    const on = bench();
    await begin(on, 's');
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']))).toBe('state_invalid');
    expect(received).toHaveLength(0);
  });

  test('another browser is refused, and the right one can still finish [B02]', async () => {
    const received = tokenEndpoint({ body: token });
    const on = bench();
    const { state } = await begin(on, 'mine');
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, ['theirs']))).toBe('state_invalid');
    expect(received).toHaveLength(0);
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, ['mine']))).toBe('resolved');
  });

  test('a browser without the cookie learns that it is blocked [B02 C09]', async () => {
    const on = bench();
    const { state } = await begin(on, 's');
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, []))).toBe('cookies_blocked');
  });

  test('that sign-in can be started once more in a window of its own, until it is done [C09]', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const { state } = await begin(on, 's');
    const address = await on.smart.launchAddress('valley', { state });
    expect(Object.fromEntries(new URL(address ?? '', 'http://localhost').searchParams)).toEqual({
      iss,
      launch: 'launch-1',
    });
    expect(await on.smart.launchAddress('valley', { state: 'A'.repeat(43) })).toBeUndefined();
    expect(await on.smart.launchAddress('elsewhere', { state })).toBeUndefined();
    await on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']);
    expect(await on.smart.launchAddress('valley', { state })).toBeUndefined();
  });

  test('a sign-in for the worklist is started once more for the same site and place, with no case [C09]', async () => {
    const on = bench();
    const { redirect } = await on.smart.startSignIn({ site: 'valley', to: 'worklist' }, 's');
    const state = new URL(redirect).searchParams.get('state');
    expect(await on.smart.launchAddress('valley', { state })).toBe('/sign-in?site=valley&to=worklist');
  });

  test('the same callback twice in a row exchanges once [B03]', async () => {
    const received = tokenEndpoint({ body: token });
    const on = bench();
    const { state } = await begin(on, 's');
    const { sessionId } = await on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']);
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c2' }, [sessionId]))).toBe('state_used');
    expect(received).toHaveLength(1);
  });

  test('the same callback ten times at once exchanges once [B03]', async () => {
    const received = tokenEndpoint({ body: token, delayMs: 20 });
    const on = bench();
    const { state } = await begin(on, 's');
    const codes = await Promise.all(
      Array.from({ length: 10 }, () => codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']))),
    );
    expect(codes.filter((code) => code === 'resolved')).toHaveLength(1);
    expect(codes.filter((code) => code === 'state_used')).toHaveLength(9);
    expect(received).toHaveLength(1);
  });

  test('one older than ten minutes is refused [B04]', async () => {
    const received = tokenEndpoint({ body: token });
    const on = bench();
    const { state } = await begin(on, 's');
    on.clock.forward(10 * 60_000 + 1);
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']))).toBe('state_invalid');
    expect(received).toHaveLength(0);
  });

  test("another site's callback address is refused [B09]", async () => {
    const received = tokenEndpoint({ body: token });
    const on = bench({ sites: [testSite(), testSite({ id: 'hill', iss: 'https://ehr.hill.example/fhir' })] });
    const { state } = await begin(on, 's');
    expect(await codeOf(on.smart.completeLaunch('hill', { state, code: 'c' }, ['s']))).toBe('state_invalid');
    expect(received).toHaveLength(0);
  });
});

describe('the answer of the authorization', () => {
  test("the EHR's refusal closes the launch, and its message repeats nothing of the EHR's text [B05]", async () => {
    const on = bench();
    const { state, launch } = await begin(on, 's');
    const refusal = await on.smart
      .completeLaunch('valley', { state, error: 'access_denied', error_description: '<script>1</script>' }, ['s'])
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'ehr_denied', facts: { error: 'access_denied' } });
    expect(String(refusal)).not.toContain('script');
    expect(await on.store.get(launch)).toBeUndefined();
  });

  test('an unknown error code is not repeated [B05]', async () => {
    const on = bench();
    const { state } = await begin(on, 's');
    expect(
      await on.smart.completeLaunch('valley', { state, error: '<b>' }, ['s']).catch((error: unknown) => error),
    ).toMatchObject({ code: 'ehr_denied', facts: {} });
  });

  test('an error without a known state is a state error [B06]', async () => {
    expect(await codeOf(bench().smart.completeLaunch('valley', { error: 'access_denied' }, ['s']))).toBe(
      'state_invalid',
    );
  });

  test.each(['a+b/c==', 'x&scope=evil', '100%25 &=?#ü'])(
    'the code %s arrives as it was given, with nothing beside it [B07]',
    async (code) => {
      const received = tokenEndpoint({ body: token });
      const on = bench();
      const { state } = await begin(on, 's');
      await on.smart.completeLaunch('valley', { state, code }, ['s']);
      const { form } = received[0]!;
      expect(form.get('code')).toBe(code);
      expect([...form.keys()].sort()).toEqual(['client_id', 'code', 'code_verifier', 'grant_type', 'redirect_uri']);
    },
  );

  test.each([
    ['no code', {}],
    ['two codes', { code: ['a', 'b'] }],
    ['an empty code', { code: '' }],
    ['an iss of another server', { code: 'c', iss: 'https://evil.example' }],
  ])('%s is refused without a token request [B08]', async (_name, query) => {
    const received = tokenEndpoint({ body: token });
    const on = bench();
    const { state } = await begin(on, 's');
    expect(await codeOf(on.smart.completeLaunch('valley', { state, ...query }, ['s']))).toBe('state_invalid');
    expect(received).toHaveLength(0);
  });

  test('an iss that is the EHR’s is fine [B08]', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const { state } = await begin(on, 's');
    expect(
      await codeOf(
        on.smart.completeLaunch('valley', { state, code: 'c', iss: 'https://ehr.valley.example/oauth' }, ['s']),
      ),
    ).toBe('resolved');
  });
});

describe('[E7] an EHR that promises iss in each answer (RFC 9207)', () => {
  const promising = (promise: unknown) => {
    nock.cleanAll();
    discoverable({ authorization_response_iss_parameter_supported: promise });
    return bench();
  };

  test.each([
    ['without it', { code: 'c' }, 'state_invalid'],
    ['with that of another', { code: 'c', iss: 'https://evil.example' }, 'state_invalid'],
    ['with two', { code: 'c', iss: [wellKnown.issuer, wellKnown.issuer] }, 'state_invalid'],
    ['with its own', { code: 'c', iss: wellKnown.issuer }, 'resolved'],
  ])('an answer %s', async (_name, query, expected) => {
    const on = promising(true);
    const received = tokenEndpoint({ body: token });
    const { state } = await begin(on, 's');
    expect(await codeOf(on.smart.completeLaunch('valley', { state, ...query }, ['s']))).toBe(expected);
    expect(received).toHaveLength(expected === 'resolved' ? 1 : 0);
  });

  test('nothing is asked of one that promises nothing, or says it otherwise', async () => {
    const on = promising('yes');
    tokenEndpoint({ body: token });
    const { state } = await begin(on, 's');
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']))).toBe('resolved');
  });
});

describe('the token answer', () => {
  test.each([
    ['400 invalid_grant', { status: 400, body: { error: 'invalid_grant' } }, 'token_failed'],
    ['401 invalid_client', { status: 401, body: { error: 'invalid_client' } }, 'client_refused'],
    ['500', { status: 500, body: 'oops' }, 'token_failed'],
    ['a redirect', { status: 302, body: '', headers: { location: 'https://evil.example/token' } }, 'token_failed'],
    ['no answer in time', { body: token, delayMs: 60_000 }, 'token_failed'],
    ['HTML', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'token_invalid'],
    ['token_type mac', { body: { ...token, token_type: 'mac' } }, 'token_invalid'],
    ['no token_type', { body: { ...token, token_type: undefined } }, 'token_invalid'],
    ['no access_token', { body: { ...token, access_token: undefined } }, 'token_invalid'],
    ['an access_token that is no text', { body: { ...token, access_token: 7 } }, 'token_invalid'],
    ['no patient', { body: { ...token, patient: undefined } }, 'patient_missing'],
    ['an empty patient', { body: { ...token, patient: '' } }, 'patient_missing'],
    ['a patient with a path', { body: { ...token, patient: '../x' } }, 'patient_missing'],
    ['a patient with an operation', { body: { ...token, patient: 'A/$everything' } }, 'patient_missing'],
    ['a patient of 300 characters', { body: { ...token, patient: 'a'.repeat(300) } }, 'patient_missing'],
    ['a patient that is a number', { body: { ...token, patient: 12 } }, 'patient_missing'],
    [
      'a patient of another server',
      { body: { ...token, patient: 'https://other.example/fhir/Patient/pat-1' } },
      'patient_missing',
    ],
    ['a patient of a path above', { body: { ...token, patient: `${iss}/../Patient/pat-1` } }, 'patient_missing'],
    ['another type as the patient', { body: { ...token, patient: 'Group/pat-1' } }, 'patient_missing'],
    ['a reference without an id', { body: { ...token, patient: 'Patient/' } }, 'patient_missing'],
    ['a search for a patient', { body: { ...token, patient: 'Patient?identifier=7' } }, 'patient_missing'],
  ])('%s ends the launch: asked once, nothing kept [B10 B11 B15 B16]', async (_name, answer, code) => {
    const received = tokenEndpoint(answer);
    const on = bench({ limits: 'delayMs' in answer ? { timeoutMs: 1_000 } : {} });
    const { state, launch } = await begin(on, 's');
    const failure = await on.smart
      .completeLaunch('valley', { state, code: 'secret-code' }, ['s'])
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(String(failure)).not.toMatch(/secret-code|access-1/);
    expect(received).toHaveLength(1);
    expect(await on.store.get(launch)).toBeUndefined();
  });

  test.each([
    ['a number', 570, 570],
    ['text', '3600', 3600],
    ['missing: five minutes', undefined, 300],
    ['zero: over at once', 0, 0],
    ['negative: over at once', -5, 0],
    ['absurd: one day at most', 1e12, 86_400],
  ])('expires_in %s [B12 B13]', async (_name, expires_in, seconds) => {
    tokenEndpoint({ body: { ...token, token_type: 'bearer', access_token: 'opaque.with.dots', expires_in } });
    const on = bench();
    const { launch } = await launched(on);
    const record = await on.store.get(launch.id);
    expect(Date.parse(record!.tokens!.accessExpiresAt) - on.clock().getTime()).toBe(seconds * 1000);
  });

  test.each([
    ['narrower', 'launch patient/Patient.r', ['launch', 'patient/Patient.r']],
    ['empty', '', []],
    ['absent: all that was asked', undefined, token.scope.split(' ')],
  ])('granted scopes %s [B14]', async (_name, scope, scopes) => {
    tokenEndpoint({ body: { ...token, scope } });
    const on = bench();
    const { launch } = await launched(on);
    expect(launch.scopes).toEqual(scopes);
    expect(on.smart.api(launch).scopes).toEqual(scopes);
  });

  test('context values of the wrong kind are ignored, and only false hides the banner [B27]', async () => {
    const fhirContext = [
      { reference: 'MedicationRequest/m1' },
      { reference: `${iss}/MedicationRequest/m2` },
      'MedicationRequest/m3',
      { reference: 'https://evil.example/MedicationRequest/m4' },
      { reference: 'MedicationRequest/m5', role: 'other' },
      { reference: 7 },
      null,
    ];
    tokenEndpoint({
      body: {
        ...token,
        encounter: { x: 1 },
        need_patient_banner: 'false',
        intent: 7,
        smart_style_url: 'https://evil.example/style',
        fhirContext,
      },
    });
    const { launch } = await launched(bench());
    expect(launch).toMatchObject({
      patient: 'pat-1',
      needPatientBanner: true,
      orders: ['MedicationRequest/m1', 'MedicationRequest/m2', 'MedicationRequest/m3'],
    });
    expect(launch).not.toHaveProperty('encounter');
    expect(launch).not.toHaveProperty('intent');
  });

  test('a launch that needs no banner and names its encounter', async () => {
    tokenEndpoint({
      body: { ...token, encounter: 'enc-1', need_patient_banner: false, intent: 'prior-auth', fhirContext: 'none' },
    });
    const { launch } = await launched(bench());
    expect(launch).toMatchObject({ encounter: 'enc-1', needPatientBanner: false, intent: 'prior-auth', orders: [] });
  });
});

describe('the id_token', () => {
  const now = () => Math.floor(Date.parse('2026-11-21T10:00:00Z') / 1000);

  async function launchWith(
    makeToken: (on: ReturnType<typeof bench>, nonce: string | undefined) => Promise<string> | string,
    signIn?: Record<string, unknown>,
  ) {
    const on = bench({ sites: [testSite(signIn === undefined ? {} : { signIn })] });
    const started = await begin(on, 's');
    tokenEndpoint({ body: { ...token, id_token: await makeToken(on, started.nonce) } });
    const result = await on.smart
      .completeLaunch('valley', { state: started.state, code: 'c' }, ['s'])
      .catch((error: unknown) => error);
    return { result, kept: await on.store.get(started.launch) };
  }

  test.each([
    [
      'unsigned',
      () => {
        const claims = { iss: 'https://ehr.valley.example/oauth', sub: 'u', aud: 'bridge-client' };
        return `${[{ alg: 'none' }, claims].map((part) => btoa(JSON.stringify(part)).replaceAll('=', '')).join('.')}.`;
      },
    ],
    [
      'signed with the public key as a secret',
      async (on: ReturnType<typeof bench>) =>
        idToken(
          on.clock,
          {},
          { key: Buffer.from(await exportSPKI(idTokenKey.publicKey)), header: { alg: 'HS256', kid: 'ehr-1' } },
        ),
    ],
    [
      'with a broken signature',
      async (on: ReturnType<typeof bench>) => (await idToken(on.clock)).replace(/\.[^.]{8}([^.]*)$/, '.AAAAAAAA$1'),
    ],
    ['for another audience', (on: ReturnType<typeof bench>) => idToken(on.clock, { aud: 'other' })],
    ['of another issuer', (on: ReturnType<typeof bench>) => idToken(on.clock, { iss: 'https://evil.example' })],
    [
      'for several audiences without azp',
      (on: ReturnType<typeof bench>) => idToken(on.clock, { aud: ['bridge-client', 'other'] }),
    ],
    ['with another azp', (on: ReturnType<typeof bench>) => idToken(on.clock, { azp: 'other' })],
    ['expired', (on: ReturnType<typeof bench>) => idToken(on.clock, { exp: now() - 121 })],
    ['not valid yet', (on: ReturnType<typeof bench>) => idToken(on.clock, { nbf: now() + 300 })],
    ['issued long ago', (on: ReturnType<typeof bench>) => idToken(on.clock, { iat: now() - 86_400, exp: now() + 300 })],
    ['without a subject', (on: ReturnType<typeof bench>) => idToken(on.clock, { sub: undefined })],
    ['with another nonce', (on: ReturnType<typeof bench>) => idToken(on.clock, { nonce: 'other' })],
    [
      'of a key that the EHR does not publish',
      (on: ReturnType<typeof bench>) => idToken(on.clock, {}, { header: { alg: 'RS256', kid: 'unknown' } }),
    ],
    [
      'with a user of another server',
      (on: ReturnType<typeof bench>) => idToken(on.clock, { fhirUser: 'https://evil.example/fhir/Practitioner/1' }),
    ],
    [
      'with a user that is a Medication',
      (on: ReturnType<typeof bench>) => idToken(on.clock, { fhirUser: 'Medication/1' }),
    ],
  ])('%s is refused and nothing is kept [B17 B20 B21]', async (_name, makeToken) => {
    const { result, kept } = await launchWith(makeToken);
    expect(result).toMatchObject({ code: 'token_invalid' });
    expect(kept).toBeUndefined();
  });

  test.each([
    ['nonce', { nonce: 'other' }],
    ['azp', { azp: 'other' }],
  ])('the operator reads that it was refused for its %s', async (reason, claims) => {
    const { result } = await launchWith((on) => idToken(on.clock, claims));
    expect(result).toMatchObject({ code: 'token_invalid', facts: { token: 'id_token', reason } });
  });

  test.each([
    ['absolute', `${iss}/Practitioner/doc-1`, 'Practitioner/doc-1'],
    ['relative', 'Practitioner/doc-1', 'Practitioner/doc-1'],
    ['a role', 'PractitionerRole/r-1', 'PractitionerRole/r-1'],
    ['with a version', `${iss}/Practitioner/doc-1/_history/4`, 'Practitioner/doc-1'],
    ['[E7] with a slash behind it', `${iss}/Practitioner/doc-1/`, 'Practitioner/doc-1'],
    ['[E7] relative with a version', 'PractitionerRole/r-1/_history/2', 'PractitionerRole/r-1'],
    ['[E7] of the same server in capitals', `${iss.replace('ehr', 'EHR')}/Person/p-1`, 'Person/p-1'],
  ])('fhirUser %s is resolved, and the name keeps its letters [B20]', async (_name, fhirUser, expected) => {
    const { result } = await launchWith((on) => idToken(on.clock, { fhirUser, name: 'José Łukasz 山田' }));
    expect(result).toMatchObject({ launch: { fhirUser: expected, userName: 'José Łukasz 山田' } });
  });

  test.each(['doc-1', '3f2504e0-4f89-11d3-9a0c-0305e82c3301', '12'])(
    '[E7] fhirUser that is the id %s alone names nobody, and refuses nobody',
    async (fhirUser) => {
      const { result } = await launchWith((on) => idToken(on.clock, { fhirUser }));
      expect(result).toMatchObject({ launch: { patient: 'pat-1' } });
      expect(result).not.toHaveProperty('launch.fhirUser');
    },
  );

  test('the nonce that was sent is accepted, also when it is required [B21]', async () => {
    const { result } = await launchWith((on, nonce) => idToken(on.clock, { nonce }), { nonce: 'required' });
    expect(result).toMatchObject({ launch: { patient: 'pat-1' } });
  });

  test('a required nonce that is missing is refused [B21]', async () => {
    const { result } = await launchWith((on) => idToken(on.clock), { nonce: 'required' });
    expect(result).toMatchObject({ code: 'token_invalid' });
  });

  test('its absence is the site’s choice: the user stays unnamed, or the launch is refused [B19]', async () => {
    tokenEndpoint({ body: token });
    const { launch } = await launched(bench());
    expect(launch).not.toHaveProperty('fhirUser');
    expect(await codeOf(launched(bench({ sites: [testSite({ signIn: { idToken: 'required' } })] })))).toBe(
      'token_invalid',
    );
  });

  test('a key new at the EHR is found by reading the keys again, but not for every unknown key [B18]', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      nock.cleanAll();
      const served: { keys: object[] } = { keys: [] };
      let asked = 0;
      discoverable({}, () => {
        asked += 1;
        return { body: JSON.stringify(served) };
      });
      const on = bench();
      tokenEndpoint({ body: { ...token, id_token: await idToken(on.clock) } });
      expect(await codeOf(launched(on, 'b1'))).toBe('token_invalid');
      served.keys = ehrJwks.keys;
      expect(await codeOf(launched(on, 'b2'))).toBe('token_invalid');
      expect(asked).toBe(1);
      vi.setSystemTime(Date.now() + 31_000);
      expect(await codeOf(launched(on, 'b3'))).toBe('resolved');
      expect(await codeOf(launched(on, 'b4'))).toBe('resolved');
      expect(asked).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ['answer 500', { status: 500, body: '{}' }],
    ['are larger than the cap', { body: JSON.stringify({ ...ehrJwks, padding: 'x'.repeat(1_000_000) }) }],
  ])('keys that %s cannot confirm a user [B18]', async (_name, answer) => {
    nock.cleanAll();
    discoverable({}, () => answer);
    const { result } = await launchWith((on) => idToken(on.clock));
    expect(result).toMatchObject({ code: 'token_invalid' });
  });
});

describe('[K19] a token answer that names the patient by a reference', () => {
  test.each(['Patient/pat-1', `${iss}/Patient/pat-1`, `${iss}/Patient/pat-1/_history/4`, 'Patient/pat-1/'])(
    '%s is the patient of that id',
    async (patient) => {
      tokenEndpoint({ body: { ...token, patient, encounter: `${iss}/Encounter/enc-1` } });
      const on = bench();
      const { launch } = await launched(on);
      expect(launch).toMatchObject({ patient: 'pat-1', encounter: 'enc-1' });
    },
  );
});

describe('a launch that names an encounter and no patient [S28]', () => {
  const scope = 'launch patient/Patient.r patient/Encounter.r';
  const encounterOnly = { ...token, scope, patient: undefined, encounter: 'enc-1' };
  const visit = (subject: unknown) => ({ resourceType: 'Encounter', id: 'enc-1', status: 'in-progress', subject });
  const encounter = (body: unknown, status = 200) =>
    nock(ehr, { reqheaders: { authorization: 'Bearer access-1' } })
      .get('/fhir/Encounter/enc-1')
      .reply(status, JSON.stringify(body), { 'content-type': 'application/fhir+json' });

  test.each(['Patient/pat-9', `${iss}/Patient/pat-9`, 'Patient/pat-9/_history/2'])(
    'is bound to the subject of the encounter: %s',
    async (reference) => {
      tokenEndpoint({ body: encounterOnly });
      encounter(visit({ reference }));
      const on = bench();
      const { launch, sessionId } = await launched(on);
      expect(launch).toMatchObject({ patient: 'pat-9', encounter: 'enc-1' });
      expect((await on.smart.open(launch.id, sessionId)).patient).toBe('pat-9');
      expect(await codeOf(on.smart.api(launch).read('Patient', 'pat-1'))).toBe('patient_mismatch');
    },
  );

  test.each([
    ['a group', visit({ reference: 'Group/g1' }), 200, 'patient_missing'],
    ['nobody', visit(undefined), 200, 'patient_missing'],
    [
      'a patient of another EHR',
      visit({ reference: 'https://evil.example/fhir/Patient/pat-9' }),
      200,
      'patient_missing',
    ],
    ['no id', visit({ reference: 'Patient/../x' }), 200, 'patient_missing'],
    ['an identifier only', visit({ identifier: { value: '7' } }), 200, 'patient_missing'],
    ['another encounter', { ...visit({ reference: 'Patient/pat-9' }), id: 'enc-2' }, 200, 'ehr_not_fhir'],
    ['nothing: it is gone', {}, 404, 'patient_missing'],
    ['nothing: it may not be read', {}, 403, 'ehr_forbidden'],
    ['nothing: the new token is refused', {}, 401, 'token_invalid'],
  ])('whose encounter names %s ends', async (_what, body, status, code) => {
    tokenEndpoint({ body: encounterOnly });
    encounter(body, status);
    const on = bench();
    const { state, launch } = await begin(on, 's');
    expect(await codeOf(on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']))).toBe(code);
    expect(await on.store.get(launch)).toBeUndefined();
  });

  test('names the scope that is missing where encounters may not be read', async () => {
    tokenEndpoint({ body: { ...encounterOnly, scope: 'launch patient/Patient.r' } });
    const on = bench();
    const failure = await launched(on).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'ehr_forbidden', facts: { scope: 'Encounter.r' } });
  });

  test('is not looked at where the EHR names a patient that is no id', async () => {
    tokenEndpoint({ body: { ...encounterOnly, patient: '../x' } });
    expect(await codeOf(launched(bench()))).toBe('patient_missing');
  });
});

describe('the name of the user [S30]', () => {
  const scope = 'launch openid fhirUser patient/Patient.r user/Practitioner.rs';
  const withUser = async (claims: Record<string, unknown> = {}) => {
    const on = bench();
    tokenEndpoint({ body: { ...token, scope, id_token: await idToken(on.clock, claims) } });
    return on;
  };
  const practitioner = (name: unknown) => ({ resourceType: 'Practitioner', id: 'doc-1', name });

  test.each([
    [
      [
        { use: 'old', family: 'Before' },
        { use: 'official', given: ['José', 'M.'], family: 'Ruiz', suffix: ['MD'] },
      ],
      'José M. Ruiz, MD',
    ],
    [[{ text: 'Dr. Ana Lind' }], 'Dr. Ana Lind'],
    [[{ family: ' ' }], undefined],
    ['not a list', undefined],
  ])('is read from the EHR’s record of the user where the id_token has none: %j', async (name, shown) => {
    const on = await withUser();
    nock(ehr).get('/fhir/Practitioner/doc-1').reply(200, practitioner(name));
    expect((await launched(on)).launch.userName).toBe(shown);
  });

  test('is the one of the id_token where it has one, and nothing is read', async () => {
    const on = await withUser({ name: 'Riley Okafor' });
    expect((await launched(on)).launch.userName).toBe('Riley Okafor');
  });

  test.each(['PractitionerRole', 'RelatedPerson', 'Patient'])(
    'is not read of a %s, whose record may be another’s',
    async (type) => {
      const on = bench();
      const claims = await idToken(on.clock, { fhirUser: `${ehr}/fhir/${type}/u1` });
      tokenEndpoint({
        body: { ...token, scope: `launch openid fhirUser patient/Patient.r user/${type}.rs`, id_token: claims },
      });
      const read = nock(ehr)
        .get(`/fhir/${type}/u1`)
        .reply(200, { resourceType: type, id: 'u1', name: [{ text: 'X' }] });
      expect((await launched(on)).launch).not.toHaveProperty('userName');
      expect(read.isDone()).toBe(false);
    },
  );

  test.each([403, 404, 500])('may stay unknown: the launch goes on when the EHR answers %i', async (status) => {
    const on = await withUser();
    nock(ehr).persist().get('/fhir/Practitioner/doc-1').reply(status);
    const { launch } = await launched(on);
    expect([launch.fhirUser, launch.userName]).toEqual(['Practitioner/doc-1', undefined]);
  });
});

describe('a client that the EHR does not accept [S27]', () => {
  const secretSite = (changes: Record<string, unknown> = {}) =>
    testSite({ client: { auth: 'client_secret', id: 'conf', secretEnv: 'CLIENT_SECRET' }, ...changes });
  const refusedBy = async (site: ReturnType<typeof testSite>, answer: { status: number; body: unknown }) => {
    tokenEndpoint(answer);
    const logged: object[] = [];
    const log: Log = { debug() {}, info() {}, warn() {}, error: (facts) => logged.push(facts) };
    const failure: unknown = await launched(bench({ sites: [site], log })).catch((error: unknown) => error);
    return { failure, logged };
  };

  test.each([
    [401, { error: 'invalid_client' }],
    [400, { error: 'invalid_client' }],
    [400, { error: 'unauthorized_client' }],
    [401, 'no JSON at all'],
  ])('staff read that only the operator can act, after %i %j', async (status, body) => {
    const { failure } = await refusedBy(secretSite(), { status, body });
    expect(failure).toMatchObject({
      code: 'client_refused',
      next: expect.stringMatching(/Launching again does not help/),
    });
  });

  test('the operator reads which site and which variable, and never the secret', async () => {
    const { logged } = await refusedBy(secretSite(), { status: 401, body: { error: 'invalid_client' } });
    expect(logged).toEqual([
      {
        event: 'client_refused',
        site: 'valley',
        auth: 'client_secret',
        http: 401,
        error: 'invalid_client',
        check: [
          'client.id is the one that the EHR gave',
          'CLIENT_SECRET holds the secret, and it has not expired',
          'signIn.basic: raw may be what this EHR expects of such a secret',
        ],
      },
    ]);
    expect(JSON.stringify(logged)).not.toContain('s%+');
  });

  test('raw is not proposed to a site that has it', async () => {
    const { logged } = await refusedBy(secretSite({ signIn: { basic: 'raw' } }), { status: 401, body: {} });
    expect(JSON.stringify(logged)).toContain('signIn.basic: encoded');
  });

  test('with keys, the operator reads where the EHR finds them', async () => {
    const site = testSite({ client: { auth: 'private_key_jwt', id: 'jwt' } });
    const { logged } = await refusedBy(site, { status: 400, body: { error: 'invalid_client' } });
    expect(JSON.stringify(logged)).toContain('https://bridge.example/.well-known/jwks.json');
  });

  test('the same is said when the authorization answer says so', async () => {
    const on = bench();
    const { state } = await begin(on, 's');
    const refused = on.smart.completeLaunch('valley', { state, error: 'unauthorized_client' }, ['s']);
    expect(await codeOf(refused)).toBe('client_refused');
  });
});

describe('the session', () => {
  test('its id is new after the callback and the old one opens nothing [B22]', async () => {
    tokenEndpoint({ body: token });
    const on = bench();
    const { launch, sessionId } = await launched(on, 'before');
    expect(sessionId).not.toBe('before');
    expect(await codeOf(on.smart.open(launch.id, 'before'))).toBe('launch_not_found');
    expect(await on.smart.open(launch.id, sessionId)).toEqual(launch);
  });
});

describe('client authentication', () => {
  test.each(['ES384', 'RS384'] as const)(
    'private_key_jwt with %s: a fresh assertion each time, no client_id, no key in the store [B24]',
    async (alg) => {
      const received = tokenEndpoint({ body: token });
      const on = bench({ sites: [testSite({ client: { auth: 'private_key_jwt', id: 'jwt-client', alg } })] });
      const { launch } = await launched(on, 'b1');
      await launched(on, 'b2');
      const keys = createLocalJWKSet(on.smart.jwks());
      const assertions = await Promise.all(
        received.map(({ form }) =>
          jwtVerify(form.get('client_assertion')!, keys, {
            audience: `${ehr}/oauth/token`,
            issuer: 'jwt-client',
            subject: 'jwt-client',
            currentDate: on.clock(),
          }),
        ),
      );
      expect(assertions.map(({ protectedHeader }) => protectedHeader)).toEqual(
        Array(2).fill({ alg, typ: 'JWT', kid: expect.any(String) }),
      );
      expect(new Set(assertions.map(({ payload }) => payload.jti)).size).toBe(2);
      for (const { payload } of assertions) expect(payload.exp! - on.clock().getTime() / 1000).toBeLessThanOrEqual(300);
      for (const { form, authorization } of received) {
        expect(form.get('client_assertion_type')).toBe('urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
        expect(form.has('client_id')).toBe(false);
        expect(authorization).toBeNull();
      }
      expect(JSON.stringify(await on.store.get(launch.id))).not.toContain('"d":');
    },
  );

  test('client_secret goes form-encoded into the Basic header [B25]', async () => {
    const received = tokenEndpoint({ body: token });
    const on = bench({
      sites: [testSite({ client: { auth: 'client_secret', id: 'client:1', secretEnv: 'CLIENT_SECRET' } })],
    });
    await launched(on);
    // form encoding of "client:1" and "s%+:&é"
    expect(atob(received[0]!.authorization!.replace('Basic ', ''))).toBe('client%3A1:s%25%2B%3A%26%C3%A9');
    expect(received[0]!.form.has('client_id')).toBe(false);
  });

  test('client_secret goes unencoded where the site says so [B25]', async () => {
    const received = tokenEndpoint({ body: token });
    const on = bench({
      sites: [
        testSite({ client: { auth: 'client_secret', id: 'c', secretEnv: 'CLIENT_SECRET' }, signIn: { basic: 'raw' } }),
      ],
    });
    await launched(on);
    expect(Buffer.from(received[0]!.authorization!.replace('Basic ', ''), 'base64').toString()).toBe('c:s%+:&é');
  });

  test('a public client names itself in the body and sends no header [B26]', async () => {
    const received = tokenEndpoint({ body: token });
    await launched(bench());
    expect(received[0]!.form.get('client_id')).toBe('bridge-client');
    expect(received[0]!.authorization).toBeNull();
  });

  test('the verifier belongs to the challenge, and the redirect URI is the same in both requests', async () => {
    const received = tokenEndpoint({ body: token });
    const on = bench();
    const { url, state } = await begin(on, 's');
    await on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']);
    const { form } = received[0]!;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(form.get('code_verifier')!));
    expect(Buffer.from(digest).toString('base64url')).toBe(url.searchParams.get('code_challenge'));
    expect(form.get('redirect_uri')).toBe(url.searchParams.get('redirect_uri'));
  });

  test('the published keys hold public members only, one for each algorithm [E11]', () => {
    const { keys } = bench().smart.jwks();
    expect(keys.map((key) => key.alg).sort()).toEqual(['ES384', 'RS384']);
    for (const key of keys) {
      expect(
        Object.keys(key).filter((member) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].includes(member)),
      ).toEqual([]);
    }
  });
});
