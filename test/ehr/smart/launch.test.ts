import nock from 'nock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { allowedFacts } from '../../../src/base/log.ts';
import { BridgeError, type ErrorFacts } from '../../../src/core/errors.ts';
import { requestedScopes } from '../../../src/ehr/smart/authorize.ts';
import {
  begin,
  bench,
  bridge,
  bridgeKeys,
  codeOf,
  discoverable,
  ehr,
  iss,
  testSite,
  token,
  tokenEndpoint,
  wellKnown,
} from './support.ts';

// fhirclient keeps discovery answers for the life of the process except under NODE_ENV=test, where its faults would not
// show
beforeEach(() => vi.stubEnv('NODE_ENV', 'production'));
afterEach(() => vi.unstubAllEnvs());

/** Counts requests that left for anywhere. */
function outgoing(): () => number {
  let count = 0;
  const onRequest = () => (count += 1);
  nock.emitter.on('no match', onRequest);
  return () => {
    nock.emitter.off('no match', onRequest);
    return count;
  };
}

test('the counter of these tests sees a request that leaves', async () => {
  const requests = outgoing();
  await fetch('https://elsewhere.example/').catch(() => undefined);
  expect(requests()).toBe(1);
});

describe('startLaunch refuses addresses that are not registered', () => {
  test.each([
    ['an internal metadata address', 'http://169.254.169.254/latest/meta-data'],
    ['localhost', 'http://localhost/fhir'],
    ['a file', 'file:///etc/passwd'],
    ['ftp', 'ftp://ehr.valley.example/fhir'],
    ['a look-alike in another script', 'https://ehr.vаlley.example/fhir'],
    ['the registered address as a prefix of a host', 'https://ehr.valley.example.evil.com/fhir'],
    ['the registered address with a suffix', `${iss}.evil.com`],
    ['the registered host as user name', 'https://ehr.valley.example@evil.example/fhir'],
    ['a user name', 'https://x@ehr.valley.example/fhir'],
    ['a path traversal that ends at the registered address', `${ehr}/other/../fhir`],
    ['an encoded traversal', `${ehr}/other/%2e%2e/fhir`],
    ['a fragment', `${iss}#x`],
    ['an extra query', `${iss}?x=1`],
    ['a backslash', 'https://ehr.valley.example\\fhir'],
    ['another case in the path', `${ehr}/FHIR`],
    ['another port', 'https://ehr.valley.example:8443/fhir'],
    ['plain http', 'http://ehr.valley.example/fhir'],
  ])('%s: no request is made [A01 A02]', async (_name, address) => {
    const requests = outgoing();
    expect(await codeOf(bench().smart.startLaunch({ iss: address, launch: 'l' }, 's'))).toBe('issuer_unknown');
    expect(requests()).toBe(0);
  });

  test('of an unknown issuer the log and IT support are told host and path, without user and query', async () => {
    const logged: unknown[] = [];
    const note = (facts: ErrorFacts) => void logged.push(allowedFacts(facts));
    const on = bench({ log: { debug: note, info: note, warn: note, error: note } });
    const told = async (address: unknown) => {
      const refused: unknown = await on.smart.startLaunch({ iss: address, launch: 'l' }, 's').catch((error) => error);
      if (refused instanceof BridgeError) return refused.facts;
      throw new TypeError('it was not refused');
    };
    const address = 'https://user:canary@ehr.other.example:8443/fhir/R4';
    expect(await told(`${address}?name=canary#canary`)).toEqual({ iss: 'https://ehr.other.example:8443/fhir/R4' });
    expect(logged).toEqual([
      { event: 'launch_refused', code: 'issuer_unknown', iss: 'https://ehr.other.example:8443/fhir/R4' },
    ]);
    expect(String((await told(`https://ehr.example/${'a'.repeat(900)}`)).iss).length).toBe(200);
    for (const none of ['canary', 'javascript:alert(1)', [address], {}]) expect(await told(none)).toEqual({});
    expect(JSON.stringify(logged)).not.toContain('canary');
  });

  test.each([
    ['iss twice', { iss: [iss, iss], launch: 'l' }, 'issuer_unknown'],
    ['iss as an object', { iss: { a: iss }, launch: 'l' }, 'issuer_unknown'],
    ['no iss but a fhirServiceUrl', { fhirServiceUrl: iss, launch: 'l', patientId: 'p' }, 'launch_invalid'],
    ['an empty iss', { iss: '', launch: 'l' }, 'launch_invalid'],
    ['neither iss nor launch', {}, 'launch_invalid'],
    ['launch twice', { iss, launch: ['a', 'b'] }, 'launch_invalid'],
    ['no launch', { iss }, 'launch_invalid'],
    ['an empty launch', { iss, launch: '' }, 'launch_invalid'],
    ['a launch of 3 kB', { iss, launch: 'x'.repeat(3000) }, 'launch_invalid'],
    ['a launch with a line break', { iss, launch: 'a\r\nSet-Cookie: x=1' }, 'launch_invalid'],
  ])('%s is refused and leaves no launch behind [A04 A05 A07]', async (_name, query, code) => {
    const on = bench();
    expect(await codeOf(on.smart.startLaunch(query, 's'))).toBe(code);
    expect(await on.store.due('9999')).toEqual([]);
  });

  test('a site that is switched off is refused [A19]', async () => {
    expect(
      await codeOf(bench({ sites: [testSite({ enabled: false })] }).smart.startLaunch({ iss, launch: 'l' }, 's')),
    ).toBe('site_disabled');
  });
});

describe('startLaunch sends the browser to the EHR', () => {
  beforeEach(() => discoverable());

  test.each(['https://EHR.valley.example/fhir', `${iss}/`, 'https://ehr.valley.example:443/fhir'])(
    '%s is the registered address in another spelling, and aud is the registered one [A03]',
    async (spelling) => {
      const { url } = await begin(bench(), 's', { iss: spelling, launch: 'l' });
      expect(url.searchParams.get('aud')).toBe(iss);
    },
  );

  test('the authorization request has exactly the parameters of SMART App Launch, with PKCE and nonce', async () => {
    const { url } = await begin(bench(), 's', { iss, launch: 'opaque launch/1' });
    expect(`${url.origin}${url.pathname}`).toBe(wellKnown.authorization_endpoint);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'bridge-client',
      scope: testSite().scopes,
      redirect_uri: `${bridge}/callback/valley`,
      aud: iss,
      state: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      launch: 'opaque launch/1',
      code_challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      code_challenge_method: 'S256',
      nonce: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
    });
  });

  test('other parameters of the launch address change nothing [A06]', async () => {
    const query = {
      iss,
      launch: 'l',
      clientId: 'EVIL',
      patientId: 'VICTIM',
      fhirServiceUrl: 'https://evil.example',
      state: 'x',
      redirect_uri: 'https://evil.example',
      scope: 'all',
    };
    const { url } = await begin(bench(), 's', query);
    expect(url.href).not.toMatch(/EVIL|VICTIM|evil/);
    expect(url.searchParams.get('redirect_uri')).toBe(`${bridge}/callback/valley`);
    expect(url.searchParams.get('scope')).toBe(testSite().scopes);
  });

  test('state does not come from Math.random and is never the same twice [A16]', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const on = bench();
    const states = new Set<string>();
    for (let i = 0; i < 50; i += 1) states.add((await begin(on, 's')).state);
    vi.restoreAllMocks();
    expect(states.size).toBe(50);
  });

  test('two launches of one browser are two records, each with its own verifier [A17]', async () => {
    const on = bench();
    const first = await begin(on, 's');
    const second = await begin(on, 's');
    const records = [await on.store.get(first.launch), await on.store.get(second.launch)];
    expect(first.launch).not.toBe(second.launch);
    expect(new Set(records.map((record) => record?.authorization?.codeVerifier)).size).toBe(2);
  });

  test('launches that were never finished are purged after ten minutes [A18]', async () => {
    const on = bench();
    for (let i = 0; i < 5; i += 1) await begin(on, `s${i}`);
    on.clock.forward(9 * 60_000);
    expect(await on.smart.purge(on.clock())).toBe(0);
    on.clock.forward(2 * 60_000);
    expect(await on.smart.purge(on.clock())).toBe(5);
    expect(await on.store.due('9999')).toEqual([]);
  });
});

describe('discovery', () => {
  const config = '/fhir/.well-known/smart-configuration';

  test('one failure is not remembered: the next launch works, with PKCE [A09]', async () => {
    const on = bench();
    nock(ehr).get(config).reply(503, 'down');
    nock(ehr).get('/fhir/metadata').reply(200, {});
    expect(await codeOf(on.smart.startLaunch({ iss, launch: 'l' }, 's'))).toBe('discovery_failed');
    discoverable();
    expect((await begin(on, 's')).url.searchParams.get('code_challenge_method')).toBe('S256');
  });

  test('a CapabilityStatement with OAuth addresses never replaces it [A10]', async () => {
    nock(ehr).get(config).reply(503);
    const metadata = nock(ehr).get('/fhir/metadata').reply(200, {});
    expect(await codeOf(bench().smart.startLaunch({ iss, launch: 'l' }, 's'))).toBe('discovery_failed');
    expect(metadata.isDone()).toBe(false);
  });

  test('a good answer is kept for ten minutes and then asked again', async () => {
    const on = bench();
    let asked = 0;
    nock(ehr)
      .persist()
      .get(config)
      .reply(() => {
        asked += 1;
        return [200, JSON.stringify(wellKnown), { 'content-type': 'application/json' }];
      });
    await begin(on, 's');
    await begin(on, 's');
    expect(asked).toBe(1);
    on.clock.forward(11 * 60_000);
    await begin(on, 's');
    expect(asked).toBe(2);
  });

  test.each([
    ['no PKCE methods', { code_challenge_methods_supported: undefined }],
    ['only plain', { code_challenge_methods_supported: ['plain'] }],
    ['an authorization endpoint on another host', { authorization_endpoint: 'https://evil.example/authorize' }],
    ['a token endpoint on another host', { token_endpoint: 'https://evil.example/token' }],
    ['a token endpoint on another port', { token_endpoint: 'https://ehr.valley.example:8443/token' }],
    ['a token endpoint without TLS', { token_endpoint: 'http://ehr.valley.example/token' }],
    ['keys on another host', { jwks_uri: 'https://evil.example/jwks' }],
  ])('%s stops the launch [A11 A13]', async (_name, changes) => {
    discoverable(changes);
    expect(await codeOf(bench().smart.startLaunch({ iss, launch: 'l' }, 's'))).toBe('discovery_unsafe');
  });

  test.each([
    ['HTML', { 'content-type': 'text/html' }, '<html>login</html>'],
    ['broken JSON', { 'content-type': 'application/json' }, '{"authorization_endpoint": '],
    ['JSON without the endpoints', { 'content-type': 'application/json' }, '{}'],
    ['5 MB', { 'content-type': 'application/json' }, JSON.stringify({ ...wellKnown, padding: 'x'.repeat(5_000_000) })],
  ])('%s is no discovery document [A12]', async (_name, headers, body) => {
    nock(ehr).get(config).reply(200, body, headers);
    expect(await codeOf(bench().smart.startLaunch({ iss, launch: 'l' }, 's'))).toBe('discovery_failed');
  });

  test('an EHR that hangs is given up in time [A12]', async () => {
    nock(ehr).get(config).delay(60_000).reply(200, wellKnown);
    expect(await codeOf(bench({ limits: { timeoutMs: 100 } }).smart.startLaunch({ iss, launch: 'l' }, 's'))).toBe(
      'discovery_failed',
    );
  });

  test('a redirect is not followed [A12]', async () => {
    nock(ehr).get(config).reply(302, '', { location: 'https://evil.example/config' });
    const evil = nock('https://evil.example').get('/config').reply(200, wellKnown);
    expect(await codeOf(bench().smart.startLaunch({ iss, launch: 'l' }, 's'))).toBe('discovery_failed');
    expect(evil.isDone()).toBe(false);
  });

  test('relative endpoints are resolved against the FHIR base, for the browser and for the code [A14]', async () => {
    discoverable({ authorization_endpoint: 'auth/authorize', token_endpoint: '/oauth/token' });
    const received = tokenEndpoint({ body: token });
    const on = bench();
    const { url, state } = await begin(on, 's');
    expect(`${url.origin}${url.pathname}`).toBe(`${iss}/auth/authorize`);
    await on.smart.completeLaunch('valley', { state, code: 'c' }, ['s']);
    expect(received).toHaveLength(1);
  });

  test('an authorization endpoint with a query keeps it [A15]', async () => {
    discoverable({ authorization_endpoint: `${ehr}/oauth/authorize?tenant=1` });
    const { url } = await begin(bench(), 's');
    expect(url.href.match(/\?/g)).toHaveLength(1);
    expect(url.searchParams.get('tenant')).toBe('1');
    expect(url.searchParams.get('response_type')).toBe('code');
  });

  test('other origins are fine when the site lists them', async () => {
    discoverable({ authorization_endpoint: 'https://login.valley.example/authorize' });
    const { url } = await begin(bench({ sites: [testSite({ origins: ['https://login.valley.example'] })] }), 's');
    expect(url.origin).toBe('https://login.valley.example');
  });

  test('but never without TLS, even when listed', async () => {
    discoverable({ authorization_endpoint: 'http://login.valley.example/authorize' });
    const on = bench({ sites: [testSite({ origins: ['http://login.valley.example'] })] });
    expect(await codeOf(on.smart.startLaunch({ iss, launch: 'l' }, 's'))).toBe('discovery_unsafe');
  });

  test('scopes are asked in the words that the EHR knows [A20]', () => {
    const scopes =
      'launch openid patient/Coverage.rs patient/Patient.r patient/Coverage.rs patient/DocumentReference.crus ' +
      'user/Binary.r';
    const asked = (capabilities: string[]) => requestedScopes(testSite({ scopes }), { capabilities, scopes: [] });
    expect(asked(['permission-v1', 'permission-v2'])).toBe(
      'launch openid patient/Coverage.rs patient/Patient.r patient/DocumentReference.crus user/Binary.r',
    );
    expect(asked(['permission-v2'])).toBe(
      'launch openid patient/Coverage.rs patient/Patient.r patient/DocumentReference.crus user/Binary.r',
    );
    expect(asked([])).toBe(
      'launch openid patient/Coverage.rs patient/Patient.r patient/DocumentReference.crus user/Binary.r',
    );
    expect(asked(['permission-v1'])).toBe(
      'launch openid patient/Coverage.read patient/Patient.read patient/DocumentReference.read ' +
        'patient/DocumentReference.write user/Binary.read',
    );
  });
});

describe('online or offline access [S26]', () => {
  const accessOf = (discovery: { capabilities?: string[]; scopes?: string[] }, scopes?: string) =>
    requestedScopes(testSite({ scopes }), { capabilities: [], scopes: [], ...discovery })
      .split(' ')
      .filter((scope) => scope.endsWith('_access'));

  test.each([
    ['says nothing of either', {}, 'online_access'],
    ['lists offline_access alone', { scopes: ['openid', 'offline_access'] }, 'offline_access'],
    ['has the capability permission-offline alone', { capabilities: ['permission-offline'] }, 'offline_access'],
    ['lists both', { scopes: ['offline_access', 'online_access'] }, 'online_access'],
    ['has both capabilities', { capabilities: ['permission-offline', 'permission-online'] }, 'online_access'],
    [
      'lists one and has the other',
      { scopes: ['offline_access'], capabilities: ['permission-online'] },
      'online_access',
    ],
  ])('an EHR that %s is asked for %s', (_what, discovery, access) => {
    expect(accessOf(discovery)).toEqual([access]);
  });

  test('what a site states is asked as it stands', () => {
    expect(accessOf({ scopes: ['offline_access'] }, 'launch online_access')).toEqual(['online_access']);
    expect(accessOf({ scopes: ['offline_access'] }, 'launch patient/Patient.r')).toEqual([]);
  });

  test('the address of the authorization asks for it', async () => {
    discoverable({ scopes_supported: ['openid', 'offline_access'] });
    const { url } = await begin(bench({ sites: [testSite({ scopes: undefined })] }), 's');
    expect(url.searchParams.get('scope')?.split(' ')).toContain('offline_access');
  });
});

test('a bridge without the key that a site signs with does not start [A21]', () => {
  const es384 = bridgeKeys.keys.filter((key) => key.alg === 'ES384');
  const site = testSite({ client: { auth: 'private_key_jwt', id: 'c', alg: 'RS384' } });
  expect(() => bench({ sites: [site], keys: JSON.stringify({ keys: es384 }) })).toThrow(/RS384/);
});

test('unreadable keys are named without being shown [A21]', () => {
  expect(() => bench({ keys: '{"keys": [{"kty": "EC", "d": "very-secret"' })).toThrow(
    /^(?!.*very-secret).*BRIDGE_JWKS/,
  );
});
